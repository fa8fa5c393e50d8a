"""The Space tab: the block as the model reads it and what it costs; grants, what waits, memory."""

from __future__ import annotations

import json
from typing import cast

from textual import events, on
from textual.app import ComposeResult
from textual.containers import ScrollableContainer, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList

from workbench.app.actions import bindings
from workbench.app.seams import Change, Workbench
from workbench.app.space.accounts import STAGES, figures, gauge, room_left
from workbench.app.space.actions import TAB
from workbench.app.space.frame import Frame
from workbench.app.space.grants import Switch, flip, in_words, switches
from workbench.app.space.lists import Answered, Entry, GrantList, KeepingList, LineList, ShowTool, WaitingList
from workbench.app.space.memory_part import MemoryPart
from workbench.app.space.reader import Part as Text
from workbench.app.space.reader import Reader
from workbench.app.space.settings_text import settings_text
from workbench.app.transcript.marks import summary
from workbench.app.widgets.literal import Literal, literal, parts
from workbench.app.widgets.rows import Ends
from workbench.harness.door import Done
from workbench.harness.errors import HarnessError
from workbench.harness.space.index import SpaceIndex
from workbench.harness.space.settings import Waiting

WIDE_FROM = 110
"""From this width on the two halves stand side by side."""

TALL_FROM = 45
"""From this height on lists show more lines before they scroll by themselves."""

GAUGE_CELLS = 24


class SpaceTab(Widget):
    """What the agent has. Everything on it is read from the Space; every switch is an act of the owner's."""

    BINDINGS = bindings(*TAB)
    DEFAULT_CSS = """
    SpaceTab { height: 1fr; width: 1fr; }
    SpaceTab > #space-halves { height: 1fr; layout: vertical; overflow-y: auto; }
    SpaceTab .half { height: auto; width: 1fr; }
    SpaceTab.-wide > #space-halves { layout: horizontal; overflow-y: hidden; }
    SpaceTab.-wide .half { height: 1fr; }
    SpaceTab .part { height: auto; border: round $primary; padding: 0 1; border-title-color: $text-primary; }
    SpaceTab .part:focus-within { border: heavy $accent; }
    SpaceTab .words { height: auto; color: $text-muted; }
    SpaceTab #faults { display: none; color: $text-error; border: heavy $error; }
    SpaceTab #faults.-some { display: block; }
    SpaceTab.-tall KeepingList { max-height: 28; }
    SpaceTab KeepingList:focus:nocolor > .option-list--option-highlighted { background: $foreground 40%; }
    SpaceTab #block { height: auto; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._stale = False
        self._switches: dict[str, Switch] = {}
        self._block = ""
        self._flipping = False

    def compose(self) -> ComposeResult:
        """The block and its accounts; what is granted, what waits, what is remembered."""
        with Halves(id="space-halves"):
            with VerticalScroll(classes="half", can_focus=False):
                with Frame("budget", id="budget-part"):
                    yield Literal(id="gauge")
                    yield Literal(id="accounts", classes="words")
                with Frame("the <space> block, exactly as the model reads it", id="block-part"):
                    yield Literal(id="block")
                with Frame("what each line costs · enter shows the tool", id="lines-part"):
                    yield LineList(id="lines")
            with VerticalScroll(classes="half", can_focus=False):
                yield Literal(id="faults", classes="part")
                with Frame("waits for your yes on this machine · a yes · x no", id="waiting-part"):
                    yield Literal(id="waiting-words", classes="words")
                    yield WaitingList(id="waiting")
                with Frame("grants · space flips", id="grants-part"):
                    yield Literal(id="grants-words", classes="words")
                    yield GrantList(id="grants")
                yield MemoryPart()

    @property
    def bench(self) -> Workbench:
        """The app, as a tab may use it."""
        return cast(Workbench, self.app)

    def on_mount(self) -> None:
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        """Side by side where there is room."""
        wide = event.size.width >= WIDE_FROM
        self.set_class(wide, "-wide")
        self.set_class(event.size.height >= TALL_FROM, "-tall")
        self.query_one(Halves).can_focus = not wide

    def space_changed(self, change: Change) -> None:
        """Show what is so now."""
        if not (change.events or change.settings or change.memory or change.tools):
            return
        self._show_when_seen()

    def thread_changed(self) -> None:
        """Another thread is looked at: the provider may be given other tools there."""
        self._show_when_seen()

    def on_show(self) -> None:
        """Bring up to date what was not while nobody saw it."""
        if self._stale:
            self._show()

    # Showing ----------------------------------------------------------------------------------------------------

    def _show_when_seen(self) -> None:
        if self.is_on_screen:
            self._show()
        else:
            self._stale = True

    def _show(self) -> None:
        self._stale = False
        try:
            harness = self.bench.harness
            state, tools, index = harness.settings(), harness.tools(), harness.index()
        except HarnessError as error:
            self._say_fault((error.message,))
            return
        faults = state.faults
        try:
            given = summary(harness.promoted(self.bench.thread))
        except HarnessError as error:
            # Only this depends on the thread: an event that cannot be read takes nothing else away.
            given = "unknown, because the thread cannot be read"
            faults = (*faults, error.message)
        self._say_fault(faults)
        self._show_index(index)
        found = switches(tools, state.settings)
        self._switches = {switch.key: switch for switch in found}
        self.query_one("#grants-words", Literal).show(
            f"{in_words(state.settings)}\nIn thread {self.bench.thread}: {given}"
        )
        self.query_one(GrantList).show([_switch_entry(switch) for switch in found])
        self._show_waiting(state.waiting)
        self.query_one(MemoryPart).refresh_folder()

    def _show_index(self, index: SpaceIndex) -> None:
        self._block = index.text
        self.query_one("#gauge", Literal).show(parts(f"{gauge(index, GAUGE_CELLS)} ", (figures(index), "bold")))
        self.query_one("#accounts", Literal).show(f"stage {STAGES[index.stage]}\n{room_left(index)}")
        self.query_one("#block", Literal).show(index.text)
        self.query_one(LineList).show(
            [
                Entry(
                    Ends(literal(line.text), literal(f"{line.bytes:,} B")),
                    f"{place} {line.tool}" if line.tool is not None else None,
                )
                for place, line in enumerate(index.lines)
            ]
        )

    def _show_waiting(self, waiting: tuple[Waiting, ...]) -> None:
        self.query_one("#waiting-words", Literal).show(
            "The defaults act until you answer."
            if waiting
            else "Nothing. Grants act at once; a value that goes beyond its default, such as a model, waits here."
        )
        box = self.query_one(WaitingList)
        box.display = bool(waiting)
        box.show([Entry(_waiting(setting), setting.id) for setting in waiting])

    def _say_fault(self, faults: tuple[str, ...]) -> None:
        box = self.query_one("#faults", Literal)
        box.set_class(bool(faults), "-some")
        box.show("\n".join(f"✗ {fault}" for fault in faults))

    # Acting -----------------------------------------------------------------------------------------------------

    @on(OptionList.OptionSelected, "#lines")
    def _chose_line(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option.id is not None:
            self.bench.show_tool(event.option.id.partition(" ")[2])

    @on(ShowTool)
    def _show_tool(self, message: ShowTool) -> None:
        message.stop()
        switch = self._switches.get(message.key or "")
        if switch is not None and switch.kind != "publish":
            self.bench.show_tool(switch.name)

    @on(OptionList.OptionSelected, "#grants")
    def _flip(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        switch = self._switches.get(event.option.id or "")
        # One at a time: a second flip must start from what the first one left.
        if switch is None or self._flipping:
            return
        try:
            patch = flip(self.bench.harness.settings().settings, switch)
        except HarnessError as error:
            self._say_fault((error.message,))
            return
        self._flipping = True

        def then(done: Done | None, error: HarnessError | None) -> None:
            self._flipping = False
            if error is not None:
                self.bench.say_error(error.message)

        self.bench.act("write", {"address": "~/self", "content": patch}, actor="user", then=then)

    @on(Answered)
    def _answered(self, message: Answered) -> None:
        message.stop()
        if message.setting is not None:
            self.run_worker(
                self._answer(message.setting, message.approved),
                name="answer a setting",
                group="space-answers",
                exit_on_error=False,
            )

    async def _answer(self, setting: str, approved: bool) -> None:
        try:
            await self.bench.harness.approve(setting, approved)
        except HarnessError as error:
            self.bench.say_error(error.message)
        else:
            self.bench.say(f"{'Yes' if approved else 'No'} to {setting}, on this machine.")

    def action_flip(self) -> None:
        """Turn the switch at the cursor over."""
        self.query_one(GrantList).action_flip()

    def action_show_tool(self) -> None:
        """Show the tool at the cursor of the switches."""
        self.query_one(GrantList).action_show_tool()

    def action_approve(self) -> None:
        """Yes to the setting at the cursor."""
        self.query_one(WaitingList).action_approve()

    def action_deny(self) -> None:
        """No to the setting at the cursor."""
        self.query_one(WaitingList).action_deny()

    def action_cursor_down(self) -> None:
        """The next line of the list that has the keys."""
        if isinstance(self.app.focused, KeepingList):
            self.app.focused.action_cursor_down()

    def action_cursor_up(self) -> None:
        """The line before."""
        if isinstance(self.app.focused, KeepingList):
            self.app.focused.action_cursor_up()

    def action_read_settings(self) -> None:
        """Read what acts now, setting by setting."""
        try:
            said = settings_text(self.bench.harness.settings())
        except HarnessError as error:
            self._say_fault((error.message,))
            return
        self.app.push_screen(Reader("~/self · settings", lambda start: Text(said)))

    def action_copy_block(self) -> None:
        """Copy the block."""
        self.bench.copy(self._block, "the <space> block")


class Halves(ScrollableContainer, can_focus=True):
    """Both halves. One above the other they scroll as one page, which has the keys at first: its top is the budget."""


def _switch_entry(switch: Switch) -> Entry:
    sign = "■ on " if switch.on else "□ off"
    head = parts((sign, "bold $text-success" if switch.on else "bold $text-muted"), f" {switch.name}")
    words = literal(switch.words if switch.why is None else f"{switch.words} · cannot be called")
    if switch.why is None:
        return Entry(parts(head, ("  ", ""), (words.plain, "$text-muted")), switch.key)
    lines = [parts(head, ("  ", ""), (words.plain, "$text-warning")), literal(f"      {switch.why}", "$text-muted")]
    return Entry(Content("\n").join(lines), switch.key)


def _waiting(setting: Waiting) -> Content:
    said = "you said no" if setting.denied else "waits"
    if not setting.built:
        said = "this version cannot do it; its default acts"
    value = json.dumps(setting.value, ensure_ascii=False, default=str)
    default = json.dumps(setting.default, ensure_ascii=False, default=str)
    return Content("\n").join(
        [
            parts((setting.id, "bold"), f" = {value[:200]}"),
            literal(f"    default {default[:80]} · {said}", "$text-muted"),
        ]
    )
