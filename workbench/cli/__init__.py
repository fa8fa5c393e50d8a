"""The command line: the same acts and queries as the app's, for scripts, other programs and people at a prompt."""
