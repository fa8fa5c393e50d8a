"""The command palette: every action, tool, thread and theme, by name. Names are shown literally."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from workbench.app.matching import Match, match
from workbench.app.reach import Reach, do, reaches
from workbench.app.registry import SECTION_OF
from workbench.app.theme_picker import THEME_PREFIX
from workbench.app.widgets.literal import literal, parts
from workbench.harness.errors import HarnessError
from workbench.harness.text import fold, printable

if TYPE_CHECKING:
    from workbench.app.app import WorkbenchApp

OFFERED = 12
"""How many tools, threads and themes each are offered before anything is typed."""

MOST_HITS = 200
"""How many hits are listed: nobody reads more, and a list of thousands takes long to draw."""

SLICE = 500
"""How many entries are matched in one go; then keys have their turn."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that can be chosen: what is searched, what is said beside it, what it does, and whether it can now."""

    text: str
    note: str
    run: Callable[[], object]
    now: bool = True


class WorkbenchCommands(Provider):
    """Finds entries in what there was when the palette was opened."""

    @property
    def workbench(self) -> WorkbenchApp:
        """The app."""
        return cast("WorkbenchApp", self.app)

    async def startup(self) -> None:
        """Gather everything once: while one types nothing is looked up."""
        self._kinds = [list(self._actions()), list(self._tools()), list(self._threads()), list(self._themes())]

    async def discover(self) -> Hits:
        """Before anything is typed: what can be done here first, then some of everything that has a name."""
        actions, *named = self._kinds
        for entry in (*actions, *(entry for kind in named for entry in islice(kind, OFFERED))):
            yield DiscoveryHit(_shown(literal(entry.text), entry), entry.run, text=entry.text)

    async def search(self, query: str) -> Hits:
        """What fits the query, best first; of equals what can be done now."""
        fits: list[tuple[float, int, Entry, Match]] = []
        entries = [entry for kind in self._kinds for entry in kind]
        for index, entry in enumerate(entries):
            if index % SLICE == SLICE - 1:
                await asyncio.sleep(0)
            found = match(query, entry.text)
            if found is not None:
                fits.append((found.score + (0.5 if entry.now else 0), -index, entry, found))
        for score, _, entry, found in heapq.nlargest(MOST_HITS, fits, key=lambda fit: fit[:2]):
            content = literal(entry.text)
            for place in found.places:
                content = content.stylize(self.match_style or "bold underline", place, place + 1)
            yield Hit(score, _shown(content, entry), entry.run, text=entry.text)

    def _actions(self) -> Iterator[Entry]:
        app = self.workbench
        found = reaches(app, self.screen).values()
        for reach in sorted(found, key=lambda reach: (not reach.now, _distance(app, reach))):
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

    def _themes(self) -> Iterator[Entry]:
        app = self.workbench
        for name in app.theme_names():
            note = "in use" if name == app.theme else ""
            yield Entry(f"{THEME_PREFIX}{name}", note, lambda name=name: app.choose_theme(name))


def _named(kind: str, name: str) -> str:
    return f"{kind}: {printable(fold(name))}"


def _distance(app: WorkbenchApp, reach: Reach) -> int:
    """How far from what is looked at an action is: this tab, everywhere, another tab."""
    if reach.doer is app:
        return 1
    return 0 if reach.doer is not None and any(node.id == app.place for node in reach.doer.ancestors_with_self) else 2


def _shown(content: Content, entry: Entry) -> Content:
    """Two lines: the name, and beside it what it is, so that no help text passes through the palette's own markup."""
    note = entry.note if entry.now else f"not now · {entry.note}"
    if not entry.now:
        content = content.stylize("$foreground 62%")
    return parts(content, "\n", (fold(note), "not bold $text-muted")) if note else content
