"""Scenes for models whose answers are known."""

from __future__ import annotations

SCENE = """
title = "Looking"

[[steps]]
caption = "The agent speaks and calls at once."
actor = "agent"
message = "m"
thinking = "Hm."
say = "Let me \\u001b[31mlook."

[[steps]]
caption = "It is not run: the contract comes back."
actor = "agent"
message = "m"
name = "call"
input = { tool = "search", input = { query = "x" } }

[[steps]]
caption = "Now it runs."
actor = "agent"
name = "search"
input = { query = "x" }

[[steps]]
caption = "Done."
actor = "agent"
say = "Nothing there."
"""

LONG = """
title = "Long"
pace = 0.05

[[steps]]
caption = "It speaks for a long while."
actor = "agent"
say = "{words}"
""".replace("{words}", "word " * 5_000)
