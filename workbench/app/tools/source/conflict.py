"""A version that was stored meanwhile: what is different, and what to do about it."""

from __future__ import annotations

import asyncio
from typing import Literal

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button

from workbench.app.tools.cid.sheet import SheetView
from workbench.app.tools.source.differences import differences
from workbench.app.tools.source.drafts import Draft
from workbench.app.widgets.literal import Literal as LiteralText
from workbench.app.widgets.literal import literal, parts, title
from workbench.app.widgets.modal import Modal
from workbench.app.widgets.question import Answer
from workbench.harness.space.document import ToolDocument

Decision = Literal["mine", "theirs", "keep"]


class Conflict(Modal[Decision | None]):
    """Shows what differs and answers what to do; None for escape, which changes nothing."""

    DEFAULT_CSS = """
    Conflict { align: center middle; background: $background 60%; }
    Conflict > Vertical { width: 120; max-width: 96%; height: 90%; padding: 1 2; background: $panel;
        border: round $warning; }
    Conflict .words { width: 1fr; height: auto; max-height: 6; margin-bottom: 1; }
    Conflict SheetView { background: $surface; margin-bottom: 1; }
    Conflict Horizontal { height: 1; width: 1fr; }
    Conflict Button { margin-right: 1; min-width: 8; }
    """

    def __init__(self, words: str, stored: ToolDocument | None, draft: Draft) -> None:
        super().__init__()
        self._words = words
        self._stored = stored
        self._draft = draft
        theirs = (Answer("t", "Take the stored one", "theirs"),) if stored is not None else ()
        mine_words = "Save mine over it" if stored is not None else "Save mine anew"
        self._answers = (Answer("s", mine_words, "mine"), *theirs, Answer("k", "Keep editing", "keep"))

    def compose(self) -> ComposeResult:
        """What happened, the differences, the answers."""
        with Vertical() as box:
            title(box, "A version was stored meanwhile" if self._stored is not None else "It was deleted meanwhile")
            yield LiteralText(
                parts(self._words, ("\n- is stored, + is yours. Your text is still in the editor.", "$text-muted")),
                classes="words",
            )
            yield SheetView(id="differences")
            with Horizontal():
                for answer in self._answers:
                    label = parts((answer.key, "bold underline"), " ", answer.words)
                    yield Button(label, id=f"answer-{answer.value}", compact=True)
            yield LiteralText(literal("esc keeps editing; arrows and pages scroll", "$text-muted"))

    def on_mount(self) -> None:
        view = self.query_one(SheetView)
        view.show((), "comparing …")
        view.focus()
        self.run_worker(self._compare(), name="compare with the stored version", exit_on_error=False)

    async def _compare(self) -> None:
        lines = await asyncio.to_thread(differences, self._stored, self._draft)
        self.query_one(SheetView).show(lines)

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            self.leave(None)
            return
        for answer in self._answers:
            if event.key == answer.key:
                event.stop()
                self._decide(answer.value)
                return

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self._decide((event.button.id or "").removeprefix("answer-"))

    def _decide(self, value: str) -> None:
        decision: Decision = "mine" if value == "mine" else "theirs" if value == "theirs" else "keep"
        self.leave(decision)
