"""Who does an action now, and having it done: for the palette, which reaches all of them from anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from textual.actions import parse
from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import ContentSwitcher

from workbench.app.actions import Action
from workbench.app.registry import ACTIONS, SECTION_OF
from workbench.app.tools.panes import Panes
from workbench.app.widgets.strip import TabStrip

if TYPE_CHECKING:
    from workbench.app.app import WorkbenchApp


@dataclass(frozen=True, slots=True)
class Reach:
    """An action, the part of the app that does it, and whether it can be done now."""

    action: Action
    doer: DOMNode | None
    now: bool


def declared(kind: type[DOMNode]) -> frozenset[str]:
    """The ids of the actions that a kind of widget has keys for."""
    return frozenset(id for ids in key_meanings(kind).values() for id in ids)


@lru_cache(maxsize=512)
def key_meanings(kind: type[DOMNode]) -> dict[str, list[str]]:
    """What each key means to a kind of widget, as ids of actions; what it inherits yields to what it says itself."""
    keys: dict[str, list[str]] = {}
    for cls in reversed(kind.__mro__):
        own: dict[str, list[str]] = {}
        for binding in cls.__dict__.get("BINDINGS", ()):
            if isinstance(binding, Binding) and binding.id:
                for key in binding.key.split(","):
                    own.setdefault(key, []).append(binding.id)
        keys |= own
    return keys


def keys_chain(screen: Screen[Any]) -> list[DOMNode]:
    """Who may take a key on a screen: from what has the focus outwards, up to the screen of a dialog."""
    start: DOMNode = screen.focused or screen
    chain: list[DOMNode] = []
    for node in start.ancestors_with_self:
        chain.append(node)
        if node.is_modal:
            break
    return chain


def reaches(app: WorkbenchApp, screen: Screen[Any]) -> dict[str, Reach]:
    """Every action by its id, as it stands for whoever looks at this screen."""
    doers: dict[str, DOMNode] = {}
    for node in _candidates(app, screen):
        for id in declared(type(node)):
            known = doers.get(id)
            if known is None or (not _displayed(known) and _displayed(node)):
                doers[id] = node
    found: dict[str, Reach] = {}
    for action in ACTIONS:
        doer = doers.get(action.id)
        if doer is None and not action.keys:
            # Without a key there is no binding that says whose it is: the tab's, else the app's.
            doer = next(iter(app.query(f"#tabs > #{SECTION_OF[action.id].place}")), app)
        found[action.id] = Reach(action, doer, doer is not None and can_do(doer, action))
    return found


def can_do(doer: DOMNode, action: Action) -> bool:
    """Whether this part of the app can do it now."""
    _, name, parameters = parse(action.run)
    return getattr(doer, f"action_{name}", None) is not None and doer.check_action(name, parameters) is True


async def do(app: WorkbenchApp, action: Action) -> None:
    """Have an action done where it is done; say so when that cannot be now."""
    doer = reaches(app, app.screen)[action.id].doer
    if isinstance(doer, Widget) and doer.screen is app.screen:
        _reveal(app, doer)
    if doer is None or not can_do(doer, action):
        app.say(f"{SECTION_OF[action.id].title}: {action.name} cannot be done now. {action.help}")
        return
    if isinstance(doer, Widget) and doer.focusable and not doer.has_focus_within:
        doer.screen.set_focus(doer)
    await app.run_action(action.run, doer)


def _candidates(app: WorkbenchApp, screen: Screen[Any]) -> Iterator[DOMNode]:
    """Who might do something, in the order in which they are asked: near the focus, on the present tab, elsewhere."""
    chain = keys_chain(screen)
    yield from chain
    if not chain[-1].is_modal:
        tabs = [*app.query("#tabs > *")]
        for tab in sorted(tabs, key=lambda tab: tab.id != app.place):
            yield from _subtree(tab)
    else:
        yield from _subtree(screen)
    yield app


def _subtree(node: Widget) -> Iterable[DOMNode]:
    return node.walk_children(with_self=True)


def _displayed(node: DOMNode) -> bool:
    """Whether it would be seen if its tab were shown."""
    for each in node.ancestors_with_self:
        if each.id == "tabs" or each.is_modal:
            return True
        if isinstance(each, Widget) and not each.display:
            # A tab that is not shown is hidden as a whole, which says nothing of its parts.
            return each.parent is not None and each.parent.id == "tabs"
    return True


def _reveal(app: WorkbenchApp, doer: Widget) -> None:
    """Show the tab that a part is on, and the pane of it."""
    above = [node for node in reversed(doer.ancestors_with_self) if isinstance(node, Widget)]
    for outer, inner in pairwise(above):
        if not isinstance(outer, ContentSwitcher | Panes) or inner.id is None or outer.current == inner.id:
            continue
        if outer.id == "tabs":
            app.action_show_tab(inner.id)
            continue
        # As if its name had been clicked, so that whoever owns the strip does all that belongs to it.
        for strip in above[above.index(outer) - 1].query(TabStrip):
            if any(place.id == inner.id for place in strip.places):
                strip.post_message(TabStrip.Picked(strip, inner.id))
