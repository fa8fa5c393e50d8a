"""The Tools tab: every tool with its states, its contract, its source, its versions, and a way to call it."""
