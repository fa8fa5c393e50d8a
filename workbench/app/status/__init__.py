"""The status line: always there, always true, in whatever width there is."""
