"""Rows of two columns: short names at the left, text at the right that wraps within its own column."""

from __future__ import annotations

from textual.content import Content
from textual.css.styles import RulesMap
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual

GAP = 2
"""Cells between the columns."""


Row = tuple[Content | None, Content]
"""Left and right; None at the left gives the whole width to the right: headings, blank lines."""


class Columns(Visual):
    """Pairs of content, shown as a table without lines."""

    def __init__(self, rows: list[Row], widest: int = 32) -> None:
        self.rows = rows
        leads = [lead.cell_length for lead, _ in rows if lead is not None]
        self._lead = min(max(leads, default=0), widest)

    def _lead_in(self, width: int) -> int:
        return max(min(self._lead, width // 2 - GAP), 1)

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        """All rows, each as tall as its right side needs."""
        lead_width = self._lead_in(width)
        strips: list[Strip] = []
        blank = Strip.blank(lead_width + GAP, style.rich_style)
        for lead, body in self.rows:
            if lead is None:
                strips += body.render_strips(width, None, style, options)
                continue
            cell = lead.truncate(lead_width, ellipsis=True, pad=True).pad_right(GAP)
            left = cell.render_strips(lead_width + GAP, 1, style, options)[0]
            for number, strip in enumerate(body.render_strips(max(width - lead_width - GAP, 1), None, style, options)):
                strips.append(Strip.join([left if number == 0 else blank, strip]))
        return strips[:height] if height is not None else strips

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        """Everything on one line each."""
        return max((self._lead + GAP if lead is not None else 0) + body.cell_length for lead, body in self.rows)

    def get_height(self, rules: RulesMap, width: int) -> int:
        """The sum of the rows' heights."""
        lead_width = self._lead_in(width)
        return sum(
            body.get_height(rules, width if lead is None else max(width - lead_width - GAP, 1))
            for lead, body in self.rows
        )
