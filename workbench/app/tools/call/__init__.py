"""The Call pane: an input, a run, what came of it."""
