"""The Contract pane: what a tool says of itself."""
