"""The threads of the Space, newest first, and the line that begins another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from workbench.app.widgets.field import Field
from workbench.app.widgets.literal import Literal, literal, parts, title
from workbench.app.widgets.rows import Ends
from workbench.harness.errors import HarnessError
from workbench.harness.identity import thread_id
from workbench.harness.log.events import Surface
from workbench.harness.log.reading import Thread

LISTED = 300
"""Threads that are listed; the others are counted."""

RULE = "letters, digits, . _ - (1 to 64) · enter begins it, esc leaves"


class ThreadsPanel(Vertical):
    """Which conversation is looked at. Choosing another shows it everywhere."""

    DEFAULT_CSS = """
    ThreadsPanel { dock: left; width: 27; border-top: solid $primary; border-right: solid $primary;
        border-title-color: $text-primary; }
    ThreadsPanel:focus-within { border-top: heavy $accent; }
    ThreadsPanel > #thread-list { height: 1fr; border: none; padding: 0; background: transparent; }
    ThreadsPanel > #thread-list:focus { border: none; background-tint: $foreground 0%; }
    ThreadsPanel > .new { display: none; }
    ThreadsPanel.-naming > .new { display: block; }
    ThreadsPanel > #thread-says { height: auto; color: $text-muted; padding: 0 1; }
    ThreadsPanel > #thread-says.-fault { color: $text-error; }
    """

    class Chosen(Message):
        """Look at this thread. `begins` says that it was named just now."""

        def __init__(self, thread: str, *, begins: bool = False) -> None:
            super().__init__()
            self.thread = thread
            self.begins = begins

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._listed: tuple[tuple[str, int, str], ...] = ()
        self._present = ""

    def compose(self) -> ComposeResult:
        """The list, and the line for a new name."""
        yield OptionList(id="thread-list", markup=False)
        yield Field(id="thread-name", classes="new", placeholder="name of the new thread")
        yield Literal(RULE, id="thread-says", classes="new")

    def on_mount(self) -> None:
        title(self, "threads · n new")

    def show(
        self,
        threads: Sequence[Thread],
        present: str,
        surface_of: Callable[[str], Surface] = lambda thread: "verbs",
        asking: Collection[str] = (),
    ) -> None:
        """List the threads; a present one that has no event yet stands first. In those of `asking` a call asks."""

        def says(thread: str) -> str:
            if thread in asking:
                return "asks "
            return "toolbox " if surface_of(thread) == "toolbox" else ""

        listed = [(thread.id, thread.events, says(thread.id)) for thread in threads[:LISTED]]
        listed += [(thread.id, thread.events, "") for thread in threads[LISTED:]]
        if all(id != present for id, _, _ in listed):
            listed.insert(0, (present, 0, says(present)))
        if tuple(listed) == self._listed and present == self._present:
            return
        self._listed, self._present = tuple(listed), present
        options = [
            Option(
                Ends(
                    literal(f"{'▸' if id == present else ' '} {id}"),
                    parts((says, "bold $text-warning" if id in asking else "$text-muted"), str(events or "new")),
                ),
                id=id,
            )
            for id, events, says in listed[:LISTED]
        ]
        if len(listed) > LISTED:
            options.append(Option(literal(f"  and {len(listed) - LISTED} older ones"), disabled=True))
        box = self.query_one(OptionList)
        with self.prevent(OptionList.OptionHighlighted):
            box.set_options(options)
            place = next((at for at, (id, _, _) in enumerate(listed[:LISTED]) if id == present), None)
            box.highlighted = place

    def ask_name(self) -> None:
        """Ask how the new thread is called."""
        self.add_class("-naming")
        self._say(RULE)
        self.query_one("#thread-name", Field).focus()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option.id is not None:
            self.post_message(self.Chosen(event.option.id))

    @on(Input.Submitted)
    def _named(self, event: Input.Submitted) -> None:
        event.stop()
        try:
            name = thread_id(event.value.strip())
        except HarnessError as error:
            self._say(error.message, fault=True)
            return
        self.stop_asking()
        self.post_message(self.Chosen(name, begins=True))

    @property
    def naming(self) -> bool:
        """Whether it asks for a name."""
        return self.has_class("-naming")

    def stop_asking(self) -> bool:
        """Put the line for a name away; whether it was there."""
        asked = self.naming
        self.remove_class("-naming")
        self.query_one("#thread-name", Field).value = ""
        return asked

    def _say(self, text: str, *, fault: bool = False) -> None:
        says = self.query_one("#thread-says", Literal)
        says.set_class(fault, "-fault")
        says.show(text)
