"""What the agent is granted: what waits for a yes, the switches, and what flipping one did to the next request."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult

from workbench.app.seams import workbench
from workbench.app.space.answering import answer, ask
from workbench.app.space.effects import Facts, effect_words, given_words
from workbench.app.space.frame import Part
from workbench.app.space.grants import LIST, Switch, flip, flip_list, list_row, switch_row, switches
from workbench.app.space.row_view import Row, RowView, heading, text_row
from workbench.app.space.waiting import given_row, setting_of, waiting_row
from workbench.app.widgets.lines.view import LineView
from workbench.app.widgets.literal import Literal, parts
from workbench.harness.door.doing import Done
from workbench.harness.errors import HarnessError
from workbench.harness.space.agent_file import SettingsState
from workbench.harness.text import fold, printable
from workbench.harness.tools.callables import ToolState
from workbench.harness.views import View

NO_LAMBDAS = "No lambda yet. n on the Tools tab begins one; so does an agent with write ~/tools/<name>."


class GrantList(RowView):
    """The switches, with what waits above them."""


class GrantsPart(Part):
    """Space flips what is at the cursor, a click on the switch does too."""

    DEFAULT_CSS = """
    GrantsPart > #effect { height: auto; max-height: 6; border-top: solid $border-blurred; }
    """
    does = frozenset({"flip", "flip_list", "show_tool", "approve", "deny", "filter"})

    def __init__(self) -> None:
        super().__init__("p  grants: space flips", id="grants")
        self._switches: dict[str, Switch] = {}
        self._made: dict[Switch, Row] = {}
        self._states: tuple[ToolState, ...] = ()
        self._state: SettingsState | None = None
        self._facts: Facts | None = None
        self._before: tuple[str, Facts] | None = None
        self._flipping = False

    def compose(self) -> ComposeResult:
        """The filter, the list, the effect."""
        yield self.filter_line()
        yield GrantList(id="grants")
        yield Literal(id="effect", classes="words")

    def look(self, view: View) -> None:
        """Show what is granted now, and what the next request is like."""
        self._facts = Facts.of(view)
        if self._before is not None and self._before[1].thread != view.thread:
            self._before = None
        states = tuple(view.tools.values())
        if states != self._states or view.settings != self._state:
            # Most of what happens changes none of it, and there may be thousands.
            self._states, self._state = states, view.settings
            self._switches = {switch.key: switch for switch in switches(states, view.settings.settings)}
            self.filtered()
        self._show_effect(view.thread_fault)

    def _show_effect(self, fault: str | None) -> None:
        assert self._facts is not None
        given = f"✗ {fault}" if fault else given_words(self._facts)
        lines = [(fold(printable(given)), "")]
        if self._before is not None:
            lines += [(f"\n{fold(printable(line))}", "bold") for line in effect_words(*self._before, self._facts)]
        self.query_one("#effect", Literal).show(parts(*lines))

    def filtered(self) -> None:
        """Draw the rows that have the words."""
        state = self._state
        if state is None:
            return
        rows: list[Row] = []
        waiting = [
            waiting_row(setting, state.values) for setting in self.having(state.waiting, lambda setting: setting.id)
        ]
        if waiting:
            rows += [heading("waits for your yes on this machine; defaults act until then"), *waiting]
        found = self.having(self._switches.values(), lambda switch: switch.name)
        builtins = [switch for switch in found if switch.kind != "lambda"]
        lambdas = [switch for switch in found if switch.kind == "lambda"]
        everything = not self.words
        if everything:
            rows.append(list_row(state.settings))
        if builtins:
            rows += [heading("builtins and publish"), *map(self._row, builtins)]
        if lambdas:
            off = sum(not switch.on for switch in lambdas)
            counted = f"{len(lambdas):,} lambdas" if len(lambdas) != 1 else "1 lambda"
            rows += [heading(f"{counted}{f', {off:,} switched off' if off else ''}"), *map(self._row, lambdas)]
        given = [
            given_row(setting, state.values) for setting in self.having(state.approved, lambda setting: setting.id)
        ]
        if given:
            rows += [heading("acts by your yes on this machine"), *given]
        if everything:
            if not lambdas:
                rows.append(text_row(NO_LAMBDAS))
            if not waiting:
                rows.append(
                    text_row("Nothing waits. Grants act at once; a value that goes beyond its default waits here.")
                )
        elif not rows:
            rows.append(text_row("Nothing has these words. esc clears them."))
        self.rows.show(rows)

    def _row(self, switch: Switch) -> Row:
        # Rows of thousands of lambdas are made once, not at every event.
        made = self._made.get(switch)
        if made is None:
            if len(self._made) > 2 * len(self._switches) + 100:
                self._made.clear()
            made = self._made[switch] = switch_row(switch)
        return made

    def can(self, action: str) -> bool:
        """Answers only where something waits for one."""
        if action in ("approve", "deny"):
            return setting_of(self.rows.key) is not None
        return super().can(action)

    def copied(self) -> tuple[str, str] | None:
        """The name at the cursor."""
        key = self.rows.key
        name = setting_of(key) or (key.partition(" ")[2] if key is not None and key != LIST else None)
        return (name, f"the name {name}") if name else None

    # Acting -----------------------------------------------------------------------------------------------------

    def flip(self) -> None:
        """Turn the switch at the cursor over; make or take away the list; ask about what waits."""
        key = self.rows.key
        if key == LIST:
            self.flip_list()
        elif setting_of(key) is not None:
            self._ask(setting_of(key))
        elif key is not None and key in self._switches:
            self._write(self._switches[key])

    def flip_list(self) -> None:
        """Make the list of grants, or take it away."""
        self._write(None)

    def _write(self, switch: Switch | None) -> None:
        # One at a time: a second flip must start from what the first one left.
        if self._flipping:
            return
        bench = workbench(self)
        try:
            settings = bench.harness.settings().settings
        except HarnessError as error:
            bench.say_error(error.message)
            return
        made = "the list was made" if settings.tools is None else "the list was taken away"
        what = switch.flipped if switch is not None else made
        patch = flip(settings, switch) if switch is not None else flip_list(settings)
        # The next key is for what stands here once this is written.
        bench.keys_wait()
        self._flipping = True
        was, self._before = self._before, (what, self._facts) if self._facts is not None else None

        def then(done: Done | None, error: HarnessError | None) -> None:
            self._flipping = False
            if error is not None:
                self._before = was
                bench.say_error(error.message)
            else:
                self.show_now()
            bench.keys_go_on()

        bench.act("write", {"address": "~/self", "content": patch}, actor="user", then=then)

    def show_tool(self) -> None:
        """Show the tool at the cursor."""
        switch = self._switches.get(self.rows.key or "")
        if switch is not None and switch.kind != "publish":
            workbench(self).show_tool(switch.name)

    def approve(self) -> None:
        """Yes to what waits at the cursor."""
        self._answer(True)

    def deny(self) -> None:
        """No to what waits at the cursor, or to what was given a yes."""
        self._answer(False)

    def _answer(self, approved: bool) -> None:
        setting = setting_of(self.rows.key)
        if setting is not None and self._state is not None:
            shown = (*self._state.waiting, *self._state.approved)
            answer(self, setting, approved, next((one for one in shown if one.id == setting), None))

    def _ask(self, id: str | None) -> None:
        if self._state is None:
            return
        given = (self.rows.key or "").startswith("given ")
        for setting in self._state.approved if given else self._state.waiting:
            if setting.id == id:
                ask(self, setting, given=given)
                return

    @on(RowView.Pressed)
    def _pressed(self, event: RowView.Pressed) -> None:
        event.stop()
        self.flip()

    @on(LineView.Opened)
    def _opened(self, event: LineView.Opened) -> None:
        event.stop()
        self.flip()
