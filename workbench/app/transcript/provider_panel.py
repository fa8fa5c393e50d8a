"""The provider's tools of a thread: what it gets, what gave it, and what is kept from it."""

from __future__ import annotations

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from workbench.app.transcript.marks import PROMOTED, WITHHELD, Given
from workbench.app.widgets.literal import literal, parts, title
from workbench.harness.names import VERBS

EMPTY = "none yet: a tool that the agent names, by reading or calling it, is given from the next request on"

TODAY = "touched by then; what is callable, and the contracts, are of today"


class ProviderPanel(Vertical):
    """Verbs, promoted, withheld. Choosing a tool goes to the event that touched it."""

    DEFAULT_CSS = """
    ProviderPanel { width: 40; border-top: solid $primary; border-left: solid $primary;
        border-title-color: $text-primary; }
    ProviderPanel:focus-within { border-top: heavy $accent; }
    ProviderPanel > #given { height: 1fr; border: none; padding: 0; background: transparent; }
    ProviderPanel > #given:focus { border: none; background-tint: $foreground 0%; }
    """

    class Chosen(Message):
        """Go to this event."""

        def __init__(self, seq: int) -> None:
            super().__init__()
            self.seq = seq

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: tuple[tuple[Given, ...], int | None] | None = None

    def compose(self) -> ComposeResult:
        """One list."""
        yield OptionList(id="given", markup=False)

    @property
    def chosen(self) -> Given | None:
        """The tool at the cursor."""
        option = self.query_one(OptionList).highlighted_option
        shown = self._shown[0] if self._shown is not None else ()
        return next((tool for tool in shown if option is not None and _id(tool) == option.id), None)

    def show(self, given: Sequence[Given], at: int | None) -> None:
        """List the tools, as of event `at` or of now."""
        if self._shown == (tuple(given), at):
            return
        self._shown = (tuple(given), at)
        promoted = [tool for tool in given if tool.promoted]
        withheld = [tool for tool in given if not tool.promoted]
        title(self, "provider's tools now" if at is None else f"provider's tools as of event {at}")
        today = [Option(literal(TODAY, "$text-warning"), disabled=True)] if at is not None else []
        options = [
            *today,
            _heading(f"{len(VERBS)} verbs"),
            Option(literal(f"  {' '.join(VERBS)}"), disabled=True),
            _heading(f"{len(promoted)} promoted"),
            *(map(_option, promoted) if promoted else [Option(literal(f"  {EMPTY}", "$text-muted"), disabled=True)]),
        ]
        if withheld:
            options += [_heading(f"{len(withheld)} withheld: touched, not given"), *map(_option, withheld)]
        box = self.query_one(OptionList)
        chosen = box.highlighted_option.id if box.highlighted_option is not None else None
        with self.prevent(OptionList.OptionHighlighted):
            box.set_options(options)
            places = {option.id: place for place, option in enumerate(options) if option.id is not None}
            box.highlighted = places.get(chosen) if chosen is not None else None

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        tool = self.chosen
        if tool is not None and tool.seq is not None:
            self.post_message(self.Chosen(tool.seq))


def _heading(text: str) -> Option:
    return Option(literal(text, "bold $text-primary"), disabled=True)


def _id(tool: Given) -> str:
    return f"{'promoted' if tool.promoted else 'withheld'} {tool.name}"


def _option(tool: Given) -> Option:
    sign, style = (PROMOTED, "bold $text-accent") if tool.promoted else (WITHHELD, "bold $text-error")
    lines = [parts((f"{sign} {tool.name}", style)), *(literal(f"  {line}", "$text-muted") for line in tool.says)]
    return Option(Content("\n").join(lines), id=_id(tool))
