"""What opens over a form: a list to choose from, and an editor of several lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, TextArea
from textual.widgets.option_list import Option

from workbench.app.tools.call.form.painting import one_line
from workbench.app.widgets.code import CodeArea
from workbench.app.widgets.field import Field
from workbench.app.widgets.literal import Literal, OneLine, literal, parts, title
from workbench.app.widgets.modal import Modal
from workbench.app.widgets.question import Answer, Question
from workbench.harness.text import fold

FILTERED_FROM = 12
"""A list of so many entries has a line to filter it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the list, and the number that it stands for."""

    label: str
    number: int
    quiet: bool = False


class Pick(Modal[int | None]):
    """A list to choose from. Answers the number of the entry, None for escape."""

    DEFAULT_CSS = """
    Pick { align: center middle; background: $background 40%; }
    Pick > Vertical { width: 60; max-width: 92%; height: auto; max-height: 80%; padding: 0 1; background: $panel;
        border: round $accent; }
    Pick OptionList { height: auto; max-height: 20; border: none; padding: 0; background: $panel; }
    Pick OptionList:focus { border: none; }
    Pick Field { width: 1fr; margin-bottom: 1; }
    """

    def __init__(self, heading: str, entries: tuple[Entry, ...], present: int | None) -> None:
        super().__init__()
        self._heading = heading
        self._entries = entries
        self._present = present

    def compose(self) -> ComposeResult:
        """A line to filter where there are many, and the list."""
        with Vertical() as box:
            title(box, one_line(self._heading))
            if len(self._entries) >= FILTERED_FROM:
                yield Field(placeholder="type to filter")
            yield OptionList(markup=False)
            yield Literal(literal("enter chooses · esc goes back", "$text-muted"))

    def on_mount(self) -> None:
        self._fill("")
        (self.query_one(Field) if self.query(Field) else self.query_one(OptionList)).focus()

    def on_key(self, event: events.Key) -> None:
        entries = self.query_one(OptionList)
        if event.key == "escape":
            event.stop()
            self.leave(None)
        elif self.query(Field) and self.query_one(Field).has_focus and event.key in {"up", "down"}:
            event.stop()
            (entries.action_cursor_down if event.key == "down" else entries.action_cursor_up)()

    @on(Input.Changed)
    def _filtered(self, event: Input.Changed) -> None:
        event.stop()
        self._fill(event.value)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.query_one(OptionList).action_select()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option_id is not None:
            self.leave(int(event.option_id))

    def _fill(self, words: str) -> None:
        wanted = words.casefold().split()
        kept = [entry for entry in self._entries if all(word in entry.label.casefold() for word in wanted)]
        entries = self.query_one(OptionList)
        entries.clear_options()
        entries.add_options([Option(self._prompt(entry), id=str(entry.number)) for entry in kept])
        present = next((place for place, entry in enumerate(kept) if entry.number == self._present), 0)
        entries.highlighted = present if kept else None

    def _prompt(self, entry: Entry) -> Content:
        mark = "● " if entry.number == self._present else "  "
        return parts(mark, (one_line(entry.label), "$text-muted" if entry.quiet else ""))


class Editor(Modal[str | None]):
    """A text of several lines. Answers the text, or None where it shall stay as it was."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s", "keep", "Keep", show=False)]
    DEFAULT_CSS = """
    Editor { align: center middle; background: $background 40%; }
    Editor > Vertical { width: 94%; height: 90%; max-width: 120; padding: 0 1; background: $panel;
        border: round $accent; }
    Editor CodeArea { height: 1fr; }
    Editor .about { width: 1fr; height: auto; max-height: 4; color: $text-muted; }
    Editor OneLine { padding: 0; }
    """

    def __init__(self, heading: str, about: str, text: str, check: Callable[[str], str], code: str | None) -> None:
        """`check` says in words what is wrong with a text, or nothing."""
        super().__init__()
        self._heading = heading
        self._about = about
        self._text = text
        self._check = check
        self._code = code

    def compose(self) -> ComposeResult:
        """What it is about, the text, what is wrong with it, the keys."""
        with Vertical() as box:
            title(box, one_line(self._heading))
            yield Literal(one_line(fold(self._about)), classes="about")
            yield CodeArea(self._text, code=self._code, wrap=True)
            yield OneLine(id="fault")
            yield Literal(literal("ctrl+s keeps it · esc goes back", "$text-muted"))

    def on_mount(self) -> None:
        area = self.query_one(CodeArea)
        area.move_cursor(area.document.end)
        area.focus()
        self._say()

    def action_keep(self) -> None:
        """Answer the text. A text that is not right yet is kept as well: the form marks it."""
        self.leave(self.query_one(CodeArea).text)

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            self._go_back()

    @on(TextArea.Changed)
    def _edited(self, event: TextArea.Changed) -> None:
        event.stop()
        self._say()

    def _go_back(self) -> None:
        if self.query_one(CodeArea).text == self._text:
            self.leave(None)
            return
        question = Question(
            "This text was changed", "Keep what you wrote?", (Answer("k", "keep", "keep"), Answer("d", "discard", "no"))
        )
        self.app.push_screen(question, self._answered)

    def _answered(self, answer: str | None) -> None:
        if answer == "keep":
            self.action_keep()
        elif answer == "no":
            self.leave(None)

    def _say(self) -> None:
        fault = self._check(self.query_one(CodeArea).text)
        words = literal(f"✗ {one_line(fault)}", "$text-error") if fault else literal("✓", "$text-success")
        self.query_one("#fault", OneLine).show(words)
