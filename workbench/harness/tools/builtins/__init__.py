"""The builtin callables: search, execute, and those that wait for their time."""
