"""A line of a list with something at both ends."""

from __future__ import annotations

from textual.content import Content
from textual.css.styles import RulesMap
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual

MIN_RIGHT = 13
"""Cells that the right side keeps, so that a state can still be told."""


class Ends(Visual):
    """Content at the left and at the right of one line, as wide as the place it is given.

    Where both do not fit the right one is cut first, but never below `MIN_RIGHT`; then the left one.
    """

    def __init__(self, left: Content, right: Content) -> None:
        self.left = left
        self.right = right

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ends) and (self.left, self.right) == (other.left, other.right)

    def __hash__(self) -> int:
        return hash((self.left.plain, self.right.plain))

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        """One strip."""
        right = self.right.truncate(max(width - self.left.cell_length - 1, MIN_RIGHT), ellipsis=True)
        room = max(width - right.cell_length - 1, 0) if right.cell_length else width
        left = self.left.truncate(room, ellipsis=True, pad=True)
        line = Content.assemble(left, " ", right) if right.cell_length else left
        return line.render_strips(width, 1, style, options)

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        """Both and a space between."""
        return self.left.cell_length + 1 + self.right.cell_length

    def get_height(self, rules: RulesMap, width: int) -> int:
        """Always one line."""
        return 1
