"""A line to type in that no pasted control character can enter."""

from __future__ import annotations

from textual.widgets import Input

from workbench.harness.text import printable


class Field(Input):
    """An input whose text is safe to show. The placeholder is ours and literal."""

    DEFAULT_CSS = """
    Field { border: none; height: 1; padding: 0 1; background: $surface; }
    Field:focus { border: none; background: $panel; }
    """

    def validate_value(self, value: str) -> str:
        """What was typed or pasted, with control characters made visible."""
        return printable(value.replace("\n", " "))
