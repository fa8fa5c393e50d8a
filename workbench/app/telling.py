"""Telling the tabs and the status line what happens in the Space: gathered for a tick, so that a flood costs little."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never, cast

from workbench.app.seams import Change, Tab
from workbench.app.status.line import StatusLine
from workbench.app.talk import Talk, Tally, talk_of
from workbench.harness.errors import HarnessError
from workbench.harness.harness import Harness
from workbench.harness.log.events import Event
from workbench.harness.watch import Appended, Changed, Note, Progressed, Unreadable

if TYPE_CHECKING:
    from workbench.app.app import WorkbenchApp

TICK_SECS = 0.1
"""Notes are gathered for this long before the tabs are told, so that a flood costs one painting."""

SAID_FAULTS = 3
"""How many faults one toast says in words; the others are counted."""


class Telling:
    """Follows a Space and tells the tabs of an app, once they are there."""

    def __init__(self, app: WorkbenchApp) -> None:
        self._app = app
        self._pending: list[Note] = []
        self._planned = False
        self._lost = False
        self._faults: set[str] = set()
        self._begun = False
        self._tally = Tally()
        self._turn_known: tuple[bool, str | None] = (False, None)

    async def follow(self, harness: Harness) -> None:
        """Take in the Space's notes until it is closed."""
        while True:
            try:
                async for note in harness.subscribe():
                    self._pending.append(note)
                    if not isinstance(note, Progressed):
                        self._app.passed()
                    self._plan()
                return
            except HarnessError as error:
                if error.code != "limit":
                    raise
                # More happened than could be followed. From here on again; what was missed is looked up by the tabs.
                self._lost = True
                self._app.passed()
                self._plan()

    def begin(self) -> None:
        """The tabs are there: from now on they are told, also what was gathered so far."""
        self._app.turns.listen(self.turn_told)
        self._begun = True

    def look(self) -> None:
        """Have the status line look its facts up again."""
        if self._app.opened:
            # None of them is there any more while the app closes, and what is told then concerns nobody.
            for line in self._app.query(StatusLine):
                line.look(self._app.harness, lambda: self._app.view, self._talk, len(self._faults))

    def _talk(self) -> Talk:
        app = self._app
        return talk_of(app.harness, app.turns, self._tally, app.thread)

    def turn_told(self, thread: str) -> None:
        """A turn began or ended, or another model answers: what it does, the status line says by its own clock."""
        turns = self._app.turns
        known = (turns.of(thread) is not None, turns.given)
        if thread == self._app.thread and known != self._turn_known:
            self._turn_known = known
            self._app.given_model.look_again()
            for line in self._app.query(StatusLine):
                line.look_at_turn()

    def tabs(self) -> list[Tab]:
        """The tabs that are there."""
        return [cast("Tab", tab) for tab in self._app.query("#tabs > *")]

    def _plan(self) -> None:
        if not self._planned:
            self._planned = True
            self._app.set_timer(TICK_SECS, self._tell, name="tell the tabs")

    def _tell(self) -> None:
        if not self._begun:
            self._app.set_timer(TICK_SECS, self._tell, name="tell the tabs")
            return
        self._planned = False
        notes, self._pending = self._pending, []
        lost, self._lost = self._lost, False
        change = gathered(notes, lost=lost)
        self._say_faults(change.faults)
        self._app.turns.passed(change.events, lost=change.lost)
        self._tally.passed(change.events, lost=change.lost)
        for tab in self.tabs():
            try:
                tab.space_changed(change)
            except HarnessError as error:
                self._app.say_error(error.message)
        if change.events or change.settings or change.memory or change.tools or change.faults:
            self.look()

    def _say_faults(self, faults: tuple[str, ...]) -> None:
        """Say each fault once; the status line goes on counting them."""
        new = [fault for fault in dict.fromkeys(faults) if fault not in self._faults]
        if not new:
            return
        self._faults.update(new)
        rest = f"\nand {len(new) - SAID_FAULTS} more." if len(new) > SAID_FAULTS else ""
        self._app.say_error("\n".join(new[:SAID_FAULTS]) + rest)


def gathered(notes: list[Note], *, lost: bool = False) -> Change:
    """Notes as one change: events in order, of each call only its newest progress.

    When notes were `lost`, anything may be different.
    """
    events: list[Event] = []
    progress: dict[str, Progressed] = {}
    faults: list[str] = []
    what: set[str] = {"settings", "memory", "tools"} if lost else set()
    for note in notes:
        match note:
            case Appended(event):
                events.append(event)
            case Progressed():
                progress[note.call] = note
            case Changed():
                what.add(note.what)
            case Unreadable():
                faults.append(f"{note.where}: {note.why}")
            case _:
                assert_never(note)
    return Change(
        tuple(events),
        tuple(progress.values()),
        "settings" in what,
        "memory" in what,
        "tools" in what,
        tuple(faults),
        lost,
    )
