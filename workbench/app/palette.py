"""The command palette: every action, tool, thread and theme, by name. Names are shown literally."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from workbench.app.registry import ACTIONS, TITLES
from workbench.app.widgets.literal import literal, parts
from workbench.harness.errors import HarnessError
from workbench.harness.text import fold, printable

if TYPE_CHECKING:
    from workbench.app.app import WorkbenchApp

MOST_OF_A_KIND = 400
"""How many tools or threads are looked through for a query; more would make typing slow."""


THEME_PREFIX = "theme: "
"""What the entries of themes begin with; the app previews the one that is highlighted."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that can be chosen: what is searched, what is said beside it, and what it does."""

    text: str
    note: str
    run: Callable[[], object]


class WorkbenchCommands(Provider):
    """Finds entries in what the app shows now."""

    @property
    def workbench(self) -> WorkbenchApp:
        """The app."""
        return cast("WorkbenchApp", self.app)

    async def discover(self) -> Hits:
        """Before anything is typed: the actions of this tab first."""
        here = self.workbench.place
        for entry in sorted(self._actions(), key=lambda entry: not entry.text.startswith(TITLES[here])):
            yield DiscoveryHit(_shown(literal(printable(entry.text)), entry.note), entry.run, text=entry.text)

    async def search(self, query: str) -> Hits:
        """What fits the query, best first."""
        matcher = self.matcher(query)
        for entry in self._entries():
            score, offsets = matcher.fuzzy_search.match(query, entry.text)
            if score > 0:
                content = literal(entry.text)
                for offset in offsets:
                    content = content.stylize(matcher.match_style, offset, offset + 1)
                yield Hit(score, _shown(content, entry.note), entry.run, text=entry.text)

    def _entries(self) -> Iterator[Entry]:
        yield from self._actions()
        yield from self._tools()
        yield from self._threads()
        yield from self._themes()

    def _actions(self) -> Iterator[Entry]:
        app = self.workbench
        for action in ACTIONS:
            if app.can_run(action):
                keys = " ".join(action.shown_keys)
                note = f"{keys}  {action.help}" if keys else action.help
                yield Entry(
                    f"{TITLES[action.where]}: {action.name}", note, lambda action=action: app.run_from_palette(action)
                )

    def _tools(self) -> Iterator[Entry]:
        app = self.workbench
        if not app.opened:
            return
        try:
            names = [(tool.name, tool.document.summary) for tool in app.harness.verbs()]
            names += [(state.name, state.summary) for state in app.harness.tools()]
        except HarnessError:
            return
        for name, summary in names:
            yield Entry(f"tool: {fold(printable(name))}", summary, lambda name=name: app.show_tool(name))

    def _threads(self) -> Iterator[Entry]:
        app = self.workbench
        if not app.opened:
            return
        for thread in app.harness.threads()[:MOST_OF_A_KIND]:
            note = f"{thread.events} events, last {thread.last}"
            yield Entry(f"thread: {printable(thread.id)}", note, lambda id=thread.id: app.show_thread(id))

    def _themes(self) -> Iterator[Entry]:
        app = self.workbench
        for name in app.theme_names():
            note = "in use" if name == app.theme else ""
            yield Entry(f"{THEME_PREFIX}{name}", note, lambda name=name: app.choose_theme(name))


def _shown(content: Content, note: str) -> Content:
    """Two lines: the name, and beside it what it is, so that no help text passes through the palette's own markup."""
    if not note:
        return content
    return parts(content, "\n", (fold(note), "$text-muted"))
