"""The first line of a form: what can be done at the left, how far it is at the right."""

from __future__ import annotations

from textual.content import Content
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions

from workbench.app.widgets.rows import Ends


class Head(Ends):
    """Two ends of a line of which the right one stays whole as long as it can."""

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        """One strip."""
        right = self.right.truncate(width, ellipsis=True)
        left = self.left.truncate(max(width - right.cell_length - 2, 0), ellipsis=True, pad=True)
        return Content.assemble(left, "  ", right).render_strips(width, 1, style, options)
