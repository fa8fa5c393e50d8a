"""A version that was stored meanwhile: what is different, and what to do about it."""

from __future__ import annotations

import asyncio

from textual.app import ComposeResult

from workbench.app.tools.cid.sheet import SheetView
from workbench.app.tools.source.differences import differences
from workbench.app.tools.source.drafts import Draft
from workbench.app.widgets.literal import parts
from workbench.app.widgets.question import Answer, Question
from workbench.harness.space.document import ToolDocument


class Conflict(Question):
    """Shows what differs, and answers `mine`, `theirs` or `keep`; None for escape, which changes nothing."""

    DEFAULT_CSS = """
    Conflict > Vertical { width: 120; max-width: 96%; height: 90%; border: round $warning; }
    Conflict .words { max-height: 6; }
    Conflict SheetView { background: $surface; margin-bottom: 1; }
    Conflict Horizontal { height: 1; }
    """
    LEAVES = "esc keeps editing; arrows and pages scroll"

    def __init__(self, words: str, stored: ToolDocument | None, draft: Draft) -> None:
        self._stored = stored
        self._draft = draft
        theirs = (Answer("t", "Take the stored one", "theirs"),) if stored is not None else ()
        mine_words = "Save mine over it" if stored is not None else "Save mine anew"
        super().__init__(
            "A version was stored meanwhile" if stored is not None else "It was deleted meanwhile",
            parts(words, ("\n- is stored, + is yours. Your text is still in the editor.", "$text-muted")),
            (Answer("s", mine_words, "mine"), *theirs, Answer("k", "Keep editing", "keep")),
        )

    def exhibits(self) -> ComposeResult:
        """The differences."""
        yield SheetView(id="differences")

    def on_mount(self) -> None:
        view = self.query_one(SheetView)
        view.show((), "comparing …")
        view.focus()
        self.run_worker(self._compare(), name="compare with the stored version", exit_on_error=False)

    async def _compare(self) -> None:
        lines = await asyncio.to_thread(differences, self._stored, self._draft)
        self.query_one(SheetView).show(lines)
