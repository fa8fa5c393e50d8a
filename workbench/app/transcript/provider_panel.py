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

from workbench.app.transcript.host_given import HostGiven, HostTool
from workbench.app.transcript.marks import PROMOTED, WITHHELD, Given
from workbench.app.widgets.literal import literal, parts, title
from workbench.harness.names import TOOLBOX_BINDING, VERBS

EMPTY = "none yet: a tool that the agent names, by reading or calling it, is given from the next request on"

TODAY = "touched by then; what is callable, and the contracts, are of today"

HOST_TODAY = "what is offered, and what asks, is of today"

HOST_PROMOTES = "Every contract is in every request: no verbs here, and nothing is promoted. Tools: 1 shows them."

_VERDICTS = {"allow": "", "ask": "$text-warning", "deny": "bold $text-error"}


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

    class Named(Message):
        """Show this tool in the Tools tab."""

        def __init__(self, tool: str) -> None:
            super().__init__()
            self.tool = tool

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: tuple[tuple[Given, ...], int | None] | None = None
        self._shown_host: tuple[HostGiven, int | None] | None = None

    def compose(self) -> ComposeResult:
        """One list."""
        yield OptionList(id="given", markup=False)

    @property
    def chosen(self) -> Given | None:
        """The tool at the cursor."""
        option = self.query_one(OptionList).highlighted_option
        shown = self._shown[0] if self._shown is not None else ()
        return next((tool for tool in shown if option is not None and _id(tool) == option.id), None)

    @property
    def named(self) -> str | None:
        """The tool at the cursor, as the Tools tab calls it."""
        option = self.query_one(OptionList).highlighted_option
        if self._shown_host is not None:
            return option.id if option is not None else None
        return self.chosen.name if self.chosen is not None else None

    def show(self, given: Sequence[Given], at: int | None) -> None:
        """List the tools, as of event `at` or of now."""
        if self._shown == (tuple(given), at):
            return
        self._shown, self._shown_host = (tuple(given), at), None
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
        self._fill(options)

    def _fill(self, options: list[Option]) -> None:
        box = self.query_one(OptionList)
        chosen = box.highlighted_option.id if box.highlighted_option is not None else None
        with self.prevent(OptionList.OptionHighlighted):
            box.set_options(options)
            places = {option.id: place for place, option in enumerate(options) if option.id is not None}
            box.highlighted = places.get(chosen) if chosen is not None else None

    def show_host(self, given: HostGiven, at: int | None) -> None:
        """List the tools of the toolbox, in a thread where nothing else is given."""
        if self._shown_host == (given, at):
            return
        self._shown, self._shown_host = None, (given, at)
        title(self, "provider's tools now" if at is None else f"provider's tools as of event {at}")
        where = parts(("in ", "$text-muted"), (given.workdir or "", "bold"))
        fault = literal(f"✗ {given.missing}", "bold $text-error")
        options = [Option(literal(HOST_TODAY, "$text-warning"), disabled=True)] if at is not None else []
        options.append(Option(where if given.missing is None else fault, disabled=True))
        for group, tools in given.groups:
            options += [_heading(group), *map(_host_option, tools)]
        options.append(Option(literal(HOST_PROMOTES, "$text-muted"), disabled=True))
        self._fill(options)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if self._shown_host is not None and self.named is not None:
            self.post_message(self.Named(self.named))
            return
        tool = self.chosen
        if tool is not None and tool.seq is not None:
            self.post_message(self.Chosen(tool.seq))


def _host_option(tool: HostTool) -> Option:
    name = (f"  {tool.name:<6}", "bold" if tool.offered else "$text-muted")
    lines = [parts(name, (tool.says[0], _VERDICTS[tool.verdict]))]
    lines += [literal(f"    {line}", "$text-muted") for line in tool.says[1:]]
    return Option(Content("\n").join(lines), id=f"{TOOLBOX_BINDING}{tool.name}")


def _heading(text: str) -> Option:
    return Option(literal(text, "bold $text-primary"), disabled=True)


def _id(tool: Given) -> str:
    return f"{'promoted' if tool.promoted else 'withheld'} {tool.name}"


def _option(tool: Given) -> Option:
    sign, style = (PROMOTED, "bold $text-accent") if tool.promoted else (WITHHELD, "bold $text-error")
    lines = [parts((f"{sign} {tool.name}", style)), *(literal(f"  {line}", "$text-muted") for line in tool.says)]
    return Option(Content("\n").join(lines), id=_id(tool))
