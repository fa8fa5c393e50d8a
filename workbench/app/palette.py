"""The command palette: every action, tool, thread, model and theme, by name. Names are shown literally."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from workbench.app.matching import Match, fit, folded, words_of
from workbench.app.reach import Reach, do, reaches
from workbench.app.registry import SECTION_OF
from workbench.app.widgets.literal import literal, parts
from workbench.harness.errors import HarnessError
from workbench.harness.names import TOOLBOX
from workbench.harness.text import fold, printable

if TYPE_CHECKING:
    from workbench.app.app import WorkbenchApp

OFFERED = 12
"""How many tools, threads, models and themes each are offered before anything is typed."""

MOST_HITS = 200
"""How many hits are listed: nobody reads more, and a list of thousands takes long to draw."""

ON_MACHINE = "a tool of the toolbox: it acts on the real machine"

SLICE = 500
"""How many entries are matched in one go; then keys have their turn."""


# Without slots, so that what every key asks of it is worked out once.
@dataclass(frozen=True)
class Entry:
    """Something that can be chosen: what is searched, what is said beside it, what it does, and whether it can now."""

    text: str
    note: str
    run: Callable[[], object]
    now: bool = True

    @cached_property
    def searched(self) -> str:
        """The text as it is held against a query."""
        return folded(self.text)

    @cached_property
    def shown(self) -> Content:
        """Two lines: the name, and below what it is, so that no help text passes through the palette's own markup."""
        note = self.note if self.now else f"not now · {self.note}"
        name = literal(self.text) if self.now else literal(self.text, "$foreground 62%")
        return parts(name, "\n", (fold(note), "not bold $text-muted")) if note else name


class WorkbenchCommands(Provider):
    """Finds entries in what there was when the palette was opened."""

    @property
    def workbench(self) -> WorkbenchApp:
        """The app."""
        return cast("WorkbenchApp", self.app)

    async def startup(self) -> None:
        """Gather everything once: while one types nothing is looked up."""
        kinds = (self._actions(), self._tools(), self._threads(), self._machine(), self._models(), self._themes())
        self._kinds = [list(kind) for kind in kinds]

    async def discover(self) -> Hits:
        """Before anything is typed: what can be done here first, then some of everything that has a name."""
        actions, *named = self._kinds
        for entry in (*actions, *(entry for kind in named for entry in islice(kind, OFFERED))):
            yield DiscoveryHit(entry.shown, entry.run, text=entry.text)

    async def search(self, query: str) -> Hits:
        """What fits the query, best first; of equals what can be done now."""
        words = words_of(query)
        fits: list[tuple[float, Entry, Match]] = []
        entries = [entry for kind in self._kinds for entry in kind]
        for index, entry in enumerate(entries):
            if index % SLICE == SLICE - 1:
                await asyncio.sleep(0)
            found = fit(words, entry.searched)
            if found is not None:
                fits.append((found.score + (0.5 if entry.now else 0), entry, found))
        # Of equals the first ones stay first.
        for score, entry, found in heapq.nlargest(MOST_HITS, fits, key=itemgetter(0)):
            content = entry.shown
            for start, end in _runs(found.places):
                content = content.stylize(self.match_style or "bold underline", start, end)
            yield Hit(score, content, entry.run, text=entry.text)

    def _actions(self) -> Iterator[Entry]:
        app = self.workbench
        found = reaches(app, self.screen).values()
        # Asked once: which tab is shown is looked for in the whole screen.
        here = app.place
        for reach in sorted(found, key=lambda reach: (not reach.now, _distance(app, here, reach))):
            action = reach.action
            keys = " ".join(action.shown_keys)
            note = f"{keys}  {action.help}" if keys else action.help
            title = SECTION_OF[action.id].title
            yield Entry(f"{title}: {action.name}", note, lambda action=action: do(app, action), reach.now)

    def _tools(self) -> Iterator[Entry]:
        app = self.workbench
        if not app.opened:
            return
        try:
            view = app.view
        except HarnessError:
            return
        names = [(tool.name, tool.document.summary) for tool in view.verbs]
        names += [(name, state.summary) for name, state in view.tools.items()]
        for name, summary in names:
            yield Entry(_named("tool", name), summary, lambda name=name: app.show_tool(name))

    def _threads(self) -> Iterator[Entry]:
        app = self.workbench
        if not app.opened:
            return
        try:
            threads = app.harness.threads()
        except HarnessError:
            return
        for thread in threads:
            note = f"{thread.events} events, last {thread.last}"
            yield Entry(_named("thread", thread.id), note, lambda id=thread.id: app.show_thread(id))

    def _machine(self) -> Iterator[Entry]:
        app = self.workbench
        if not app.opened:
            return
        # Their own words are not loaded yet where nobody looked at them, and two of them have the name of a verb.
        for name in TOOLBOX:
            yield Entry(_named("toolbox", name), ON_MACHINE, lambda name=name: app.show_tool(f"toolbox:{name}"))

    def _models(self) -> Iterator[Entry]:
        app = self.workbench
        if not app.opened:
            return
        for name in app.turns.names():
            note = "answers now" if name == app.turns.model else "answers in this session, from the next turn on"
            yield Entry(f"Model: {printable(fold(name))}", note, lambda name=name: app.turns.use(name))
        if app.turns.given is not None:
            yield Entry("Model: as the settings say", "for this session", lambda: app.turns.use(None))

    def _themes(self) -> Iterator[Entry]:
        app = self.workbench
        for title, name in app.theme_titles().items():
            note = "in use" if name == app.theme else ""
            yield Entry(title, note, lambda name=name: app.choose_theme(name))


def _runs(places: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Places one after the other as pieces, from and to."""
    start = end = -1
    for place in places:
        if place != end:
            if end > start:
                yield start, end
            start = place
        end = place + 1
    if end > start:
        yield start, end


def _named(kind: str, name: str) -> str:
    return f"{kind}: {printable(fold(name))}"


def _distance(app: WorkbenchApp, here: str, reach: Reach) -> int:
    """How far from what is looked at, the tab `here`, an action is: on it, everywhere, on another one."""
    if reach.doer is app:
        return 1
    return 0 if reach.doer is not None and any(node.id == here for node in reach.doer.ancestors_with_self) else 2
