"""A text of the Space over the whole tab: read page by page, edited, saved through the door."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import TextArea

from workbench.app.actions import bindings
from workbench.app.seams import workbench
from workbench.app.space.actions import SHEET
from workbench.app.space.pages import Pages, asked
from workbench.app.space.texts import Source
from workbench.app.tools.source.external_editor import hand_over
from workbench.app.widgets.code import CodeArea
from workbench.app.widgets.literal import OneLine, literal, parts
from workbench.app.widgets.question import Answer, Question
from workbench.harness.door.doing import Done
from workbench.harness.errors import HarnessError
from workbench.harness.text import fold, printable, size

KEPT_ENDS = (
    "its line ends are mixed or unusual, and this editor would make them all the same. Edit it with an editor of yours."
)
CHANGED = "✗ it was changed meanwhile; ctrl+s asks what to do"
SAVED = "✓ saved"


class Sheet(Vertical):
    """Closed, it takes no place. While it edits, `unsaved` tells what would be lost."""

    BINDINGS = bindings(*SHEET)
    DEFAULT_CSS = """
    Sheet { display: none; height: 1fr; background: $surface; }
    Sheet.-open { display: block; }
    Sheet > #sheet-head { background: $panel; }
    Sheet > #sheet-editor { display: none; }
    Sheet.-editing > #sheet-editor { display: block; }
    Sheet.-editing > #sheet-lines { display: none; }
    """

    class Closed(Message):
        """It was closed."""

    def __init__(self) -> None:
        super().__init__(id="sheet")
        self._source: Source | None = None
        self._base = ""
        self._fresh = False
        self._only_edits = False
        self._note = ""

    def compose(self) -> ComposeResult:
        """What it is; the text, or the editor; what can be done."""
        yield OneLine(id="sheet-head")
        yield Pages(id="sheet-lines")
        yield CodeArea(id="sheet-editor", wrap=True)
        yield OneLine(id="sheet-foot")

    # What it is about -------------------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether it shows something."""
        return self._source is not None

    @property
    def editing(self) -> bool:
        """Whether the editor is open."""
        return self.has_class("-editing")

    @property
    def changed(self) -> bool:
        """Whether the editor holds something else than it began with."""
        return self.editing and (self._area.text != self._base or self._fresh)

    @property
    def unsaved(self) -> list[str]:
        """What is being edited and would be lost."""
        return [self._source.address] if self._source is not None and self.changed else []

    @property
    def _area(self) -> CodeArea:
        return self.query_one("#sheet-editor", CodeArea)

    @property
    def _pages(self) -> Pages:
        return self.query_one(Pages)

    def read(self, source: Source) -> None:
        """Show a text from its beginning."""
        workbench(self).keys_wait()
        self._begin(source)
        self._pages.open(source)
        self._pages.focus()

    def edit(self, source: Source, *, fresh: bool = False) -> None:
        """Open a text in the editor. A `fresh` one is not there yet, and is unsaved from the start."""
        workbench(self).keys_wait()
        self._begin(source)
        self._fresh, self._only_edits = fresh, True
        self._work(self._edit(source))

    def _begin(self, source: Source) -> None:
        self._source, self._note, self._fresh, self._only_edits = source, "", False, False
        self.remove_class("-editing")
        self.add_class("-open")
        self._say()

    def source_changed(self) -> None:
        """Something of the Space changed: show what is so now; in the editor say that it is another text meanwhile."""
        if self._source is None:
            return
        if self.editing:
            # Not in the group of saving, which must not be broken off by news of what it saves.
            self._work(self._compare(self._source), "sheet-news")
        else:
            self._pages.read_again()

    async def _compare(self, source: Source) -> None:
        base = self._base
        try:
            now = await asked(source, source.whole)
        except HarnessError as error:
            self._note = f"✗ {error.message}"
        else:
            if self._source is not source or not self.editing or self._base is not base:
                # What was read is older than what was saved meanwhile, which will be told of in its turn.
                return
            if now not in (self._base, self._area.text):
                self._note = CHANGED
            elif self._note == CHANGED:
                self._note = ""
        self._say()

    def _work(self, work: Coroutine[Any, Any, None], group: str = "sheet") -> None:
        self.run_worker(work, name="edit a text", group=group, exclusive=True, exit_on_error=False)

    # Editing ----------------------------------------------------------------------------------------------------

    def action_more(self) -> None:
        """Read the next page."""
        self._pages.read_on()

    def action_edit_text(self) -> None:
        """Edit what is read."""
        if self._source is not None and self._pages.editable and not self.editing:
            workbench(self).keys_wait()
            self._work(self._edit(self._source))

    async def _edit(self, source: Source) -> None:
        try:
            await self._open_editor(source)
        finally:
            workbench(self).keys_go_on()

    async def _open_editor(self, source: Source) -> None:
        try:
            base = await asked(source, source.whole)
        except HarnessError as error:
            self._refuse(error.message)
            return
        self._area.put(base, source.code)
        if self._area.text != base:
            self._refuse(f"{source.address} is not edited here: {KEPT_ENDS}")
            return
        self._base, self._note = base, ""
        self.add_class("-editing")
        self._area.focus()
        self._say()

    def action_hand_over(self) -> None:
        """Give the text to the person's own editor; what comes back is an edit here, to be looked at and saved."""
        if self._source is not None:
            self._work(self._hand_over(self._source))

    async def _hand_over(self, source: Source) -> None:
        if not self.editing:
            await self._edit(source)
        if not self.editing or self._source is not source:
            return
        try:
            text = await hand_over(self.app, self._area.text, source.file_name)
        except HarnessError as error:
            self._note = f"✗ {error.message}"
        else:
            if text != self._area.text:
                # As an edit of the area, so that it can be undone there.
                self._area.replace(text, (0, 0), self._area.document.end)
        self._say()

    def _refuse(self, words: str) -> None:
        if self._only_edits:
            self._pages.open(None)
            self._pages.say(f"✗ {words}")
            self._pages.focus()
        self._note = f"✗ {words}"
        self._say()

    def action_save(self) -> None:
        """Save, unless it was changed by somebody else meanwhile: then ask."""
        if self._source is not None and self.editing:
            self._work(self._save(self._source, leaving=False))

    async def _save(self, source: Source, *, leaving: bool) -> None:
        text = self._area.text
        try:
            written = source.written(text)
            now = await asked(source, source.whole)
        except HarnessError as error:
            self._note = f"✗ {error.message}"
            self._say()
            return
        if now not in (self._base, text):
            self._ask_about_another(source, now, leaving)
            return

        def then(done: Done | None, error: HarnessError | None) -> None:
            if self._source is not source:
                return
            if error is not None:
                self._note = f"✗ {error.message}"
            else:
                self._base, self._fresh, self._note = text, False, SAVED
                if leaving and not self.changed:
                    self._leave_editor()
            self._say()

        workbench(self).act("write", written, actor="user", then=then)

    def _ask_about_another(self, source: Source, now: str, leaving: bool) -> None:
        is_now = f"has {size(now):,} B" if now else "is empty or gone"
        words = (
            f"{source.address} was changed since you began: it {is_now} now. What is overwritten or left is gone for "
            "good: nothing here keeps versions of it."
        )
        answers = (Answer("o", "Overwrite with yours", "over"), Answer("t", "Take theirs, lose yours", "theirs"))

        def answered(value: str | None) -> None:
            if value == "over":
                self._base = now
                self._work(self._save(source, leaving=leaving))
            elif value == "theirs":
                self._fresh = False
                self._work(self._edit(source))

        self.app.push_screen(Question("Changed meanwhile", words, answers), answered)

    @on(TextArea.Changed)
    def _typed(self, event: TextArea.Changed) -> None:
        event.stop()
        if self._note == SAVED and self.changed:
            self._note = ""
        self._say()

    # Leaving ----------------------------------------------------------------------------------------------------

    def action_leave(self) -> None:
        """One step out: of the editor, after a question where that loses something; of the text."""
        if not self.editing:
            self.close()
        elif not self.changed:
            self._leave_editor()
        else:
            self._ask_about_loss()

    def _ask_about_loss(self) -> None:
        source = self._source
        assert source is not None
        answers = (Answer("s", "Save", "save"), Answer("l", "Lose the edits", "lose"))

        def answered(value: str | None) -> None:
            if value == "save":
                self._work(self._save(source, leaving=True))
            elif value == "lose":
                self._leave_editor()

        self.app.push_screen(Question("Not saved", f"{source.address} has edits.", answers), answered)

    def _leave_editor(self) -> None:
        self.remove_class("-editing")
        if self._only_edits or self._source is None:
            self.close()
        else:
            self.read(self._source)

    def close(self) -> None:
        """Close."""
        self._source = None
        self.remove_class("-open", "-editing")
        self._pages.open(None)
        self.post_message(self.Closed())

    # Words ------------------------------------------------------------------------------------------------------

    def action_copy_text(self) -> None:
        """Copy what was read so far."""
        pages = self._pages
        if self._source is not None:
            address = self._source.address
            workbench(self).copy(pages.text, address if pages.next is None else f"the part of {address} that was read")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what can be done now."""
        match action:
            case "save":
                return self.editing
            case "more":
                return not self.editing and self._pages.next is not None
            case "edit_text":
                return not self.editing and self._pages.editable
            case "hand_over":
                return self.editing or self._pages.editable
            case "copy_text":
                return not self.editing
            case _:
                return True

    @on(Pages.Came)
    def _came(self, event: Pages.Came) -> None:
        event.stop()
        self._say()
        workbench(self).keys_go_on()

    def _say(self) -> None:
        if self._source is None:
            return
        state = ("  ● not saved", "bold") if self.changed else ("  editing", "") if self.editing else ("", "")
        facts = "" if self.editing else self._pages.facts
        self.query_one("#sheet-head", OneLine).show(
            parts((fold(printable(self._source.address)), "bold"), state, "  ", (fold(printable(facts)), "$text-muted"))
        )
        self.query_one("#sheet-foot", OneLine).show(literal(fold(printable(self._note or self._hints()))))
        self.refresh_bindings()

    def _hints(self) -> str:
        if self.editing:
            return "ctrl+s saves · esc leaves the editor"
        pages = self._pages
        more = "more follows: m reads on" if pages.next is not None else "the end is here"
        edits = " · e edits" if pages.editable else ""
        return f"{len(pages.lines):,} lines read, {more}{edits} · y copies · esc closes"
