"""The demo: scenes as data, and the player that does in a real Space what a scene's agent and owner do."""

FIRST_SCENE = "touch_expand"
"""The scene that a newcomer sees first."""
