"""The Space tab: the block as the model reads it, grants, settings, memory; one at a time, in pairs, or all at once."""

from __future__ import annotations

from typing import cast

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container

from workbench.app.actions import bindings
from workbench.app.seams import Change, Workbench
from workbench.app.space.actions import TAB_ACTIONS
from workbench.app.space.doing import Doing
from workbench.app.space.frame import Part
from workbench.app.space.grants_part import GrantsPart
from workbench.app.space.index_part import IndexPart
from workbench.app.space.memory_part import MemoryPart
from workbench.app.space.settings_part import SettingsPart
from workbench.app.space.settings_rows import fault_lines
from workbench.app.space.sheet import Sheet
from workbench.app.space.texts import SettingText, settings_file
from workbench.app.widgets.field import Field
from workbench.app.widgets.lines.view import LineView
from workbench.app.widgets.literal import Literal
from workbench.app.widgets.strip import Place, TabStrip
from workbench.harness.errors import HarnessError
from workbench.harness.space.agent_file import SettingsState

PARTS = (
    Place("index", "Index", "i"),
    Place("grants", "Grants", "p"),
    Place("settings", "Settings", "s"),
    Place("memory", "Memory", "m"),
)
"""The parts, in the order of the keys that go through them."""

PAIR_FROM = 110
"""From this width on the block stays at the left of whatever else is looked at."""

ALL_FROM = (160, 40)
"""From this width and height on all four are there at once."""

ANYWHERE = frozenset({"part", "next_part", "copy", "back"})
"""Actions that belong to no part."""


class SpaceTab(Doing):
    """What the agent has. Everything on it is read from the Space; every change is an act of the owner's."""

    BINDINGS = bindings(*TAB_ACTIONS)
    DEFAULT_CSS = """
    SpaceTab { height: 1fr; width: 1fr; layout: vertical; }
    SpaceTab > #parts { background: $background; }
    SpaceTab > #faults { display: none; height: auto; max-height: 8; width: 1fr; padding: 0 1; color: $text-error; }
    SpaceTab > #faults.-some { display: block; }
    SpaceTab > #board { height: 1fr; width: 1fr; }
    SpaceTab > #board > .part { display: none; border: none; }
    SpaceTab > #board > .part.-present { display: block; }
    SpaceTab.-pair > #board, SpaceTab.-all > #board { layout: grid; grid-size: 2; }
    SpaceTab.-pair > #board > .part, SpaceTab.-all > #board > .part { border: round $primary; }
    SpaceTab.-pair > #board > .part:focus-within, SpaceTab.-all > #board > .part:focus-within { border: heavy $accent; }
    SpaceTab.-pair > #board > #index-part { display: block; }
    SpaceTab.-all > #board > .part { display: block; }
    SpaceTab.-all > #parts { display: none; }
    SpaceTab.-sheet > #board, SpaceTab.-sheet > #parts { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._stale = False
        self._present = "index"
        self._other = "grants"
        self._offered: tuple[bool | None, ...] = ()

    def compose(self) -> ComposeResult:
        """The parts; what is wrong with the settings; a text over all of it while one is open."""
        yield TabStrip(PARTS, id="parts")
        yield Literal(id="faults")
        with Container(id="board"):
            yield IndexPart()
            yield GrantsPart()
            yield MemoryPart()
            yield SettingsPart()
        yield Sheet()

    @property
    def bench(self) -> Workbench:
        """The app, as a tab may use it."""
        return cast("Workbench", self.app)

    @property
    def sheet(self) -> Sheet:
        """The text that is open."""
        return self.query_one(Sheet)

    @property
    def unsaved(self) -> list[str]:
        """What is being edited and would be lost."""
        return [*self.sheet.unsaved, *self.query_one(SettingsPart).unsaved]

    def part(self, id: str) -> Part:
        """A part, by its name."""
        return self.query_one(f"#{id}-part", Part)

    @property
    def here(self) -> Part:
        """The part that has the keys, or that is looked at."""
        focused = self.app.focused
        around = focused.ancestors if focused is not None else ()
        return next((part for part in self.query(Part) if part in around), None) or self.part(self._present)

    def on_mount(self) -> None:
        self._arrange()
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        """One part at a time, the block beside another, or all."""
        wide, high = event.size.width, event.size.height
        all_at_once = wide >= ALL_FROM[0] and high >= ALL_FROM[1]
        self.set_class(all_at_once, "-all")
        self.set_class(wide >= PAIR_FROM and not all_at_once, "-pair")
        self._arrange()

    # What happened ----------------------------------------------------------------------------------------------

    def space_changed(self, change: Change) -> None:
        """Show what is so now."""
        if change.memory:
            self.query_one(MemoryPart).memory_changed()
        if change.memory or change.settings:
            self.sheet.source_changed()
        if change.events or change.settings or change.memory or change.tools:
            self._show_when_seen()

    def thread_changed(self) -> None:
        """Another thread is looked at: the provider may be given other tools there."""
        self._show_when_seen()

    def on_show(self) -> None:
        """Bring up to date what was not while nobody saw it."""
        if self._stale:
            self._show()

    def _show_when_seen(self) -> None:
        if self.is_on_screen:
            self._show()
        else:
            self._stale = True

    def _show(self) -> None:
        self._stale = False
        try:
            view = self.bench.view
            self._say_faults(view.settings)
        except HarnessError as error:
            self._say_fault((f"✗ {error.message}",))
            return
        for part in self.query(Part):
            part.look(view)
        self._offer()

    def _say_faults(self, state: SettingsState) -> None:
        if not state.faults:
            self._say_fault(())
            return
        try:
            text = self.bench.harness.settings_text()
        except HarnessError:
            text = None
        lines = [*fault_lines(state.faults, text)]
        if state.values is None and state.known:
            lines.append("    Until it is mended these settings act; f shows the file.")
        self._say_fault(tuple(lines))

    def _say_fault(self, lines: tuple[str, ...]) -> None:
        box = self.query_one("#faults", Literal)
        box.set_class(bool(lines), "-some")
        box.show("\n".join(lines))

    # Parts ------------------------------------------------------------------------------------------------------

    def _arrange(self) -> None:
        """Beside the block stands what was looked at last; alone, what is looked at."""
        shown = {self._present} if not self.has_class("-pair") else {"index", self._other}
        for part in self.query(Part):
            part.set_class(part.place in shown, "-present")
        self.query_one("#parts", TabStrip).mark(self._present)

    @on(TabStrip.Picked, "#parts")
    def _picked(self, event: TabStrip.Picked) -> None:
        event.stop()
        self.action_part(event.place)

    def action_part(self, id: str) -> None:
        """Go to a part."""
        self._present = id
        if id != "index":
            self._other = id
        self._arrange()
        self.part(id).focus_content()
        self._offer()

    def action_next_part(self, step: int) -> None:
        """Go some parts on, round at the end."""
        ids = [place.id for place in PARTS]
        self.action_part(ids[(ids.index(self.here.place) + step) % len(ids)])

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        here = self.here.place
        if here != self._present and not self.sheet.is_open:
            self._present = here
            self._other = here if here != "index" else self._other
            self._arrange()
        self._offer()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what can be done in the part that has the keys."""
        if not self.is_mounted:
            return True
        if self.sheet.is_open:
            return False
        if action in ANYWHERE:
            return True
        return self.here.can(action)

    @on(LineView.Moved)
    def _moved(self, event: LineView.Moved) -> None:
        event.stop()
        self._offer()

    def _offer(self) -> None:
        here = self.here
        offer = tuple(here.can(action.run) for action in TAB_ACTIONS)
        if offer != self._offered:
            self._offered = offer
            self.refresh_bindings()

    # Texts ------------------------------------------------------------------------------------------------------

    @on(MemoryPart.Read)
    def _read(self, event: MemoryPart.Read) -> None:
        event.stop()
        self.add_class("-sheet")
        if event.edit:
            self.sheet.edit(event.source, fresh=event.fresh)
        else:
            self.sheet.read(event.source)

    @on(SettingsPart.Compose)
    def _compose_setting(self, event: SettingsPart.Compose) -> None:
        event.stop()
        self.add_class("-sheet")
        self.sheet.edit(SettingText(self.bench.harness, event.setting.path))

    @on(SettingsPart.ReadFile)
    def _read_settings_file(self, event: SettingsPart.ReadFile) -> None:
        event.stop()
        self.add_class("-sheet")
        self.sheet.read(settings_file(self.bench.harness))

    @on(Sheet.Closed)
    def _sheet_closed(self, event: Sheet.Closed) -> None:
        event.stop()
        self.remove_class("-sheet")
        self.part(self._present).focus_content()
        self.query_one(MemoryPart).memory_changed()
        self._offer()

    # Keys -------------------------------------------------------------------------------------------------------

    def action_back(self) -> None:
        """One step out."""
        if not self.here.back() and isinstance(self.app.focused, Field):
            self.here.focus_content()

    def action_copy(self) -> None:
        """Copy what the part is about."""
        copied = self.here.copied()
        if copied is not None:
            self.bench.copy(*copied)
        else:
            self.bench.say("There is nothing to copy at the cursor.")

    def action_filter(self) -> None:
        """Ask for words to filter by."""
        self.here.filter()
