"""Switches, and what flipping one writes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.app.space.grants import Switch, flip, flip_list, in_words, list_row, switch_row, switches
from workbench.harness.names import BUILTINS
from workbench.harness.space.settings import GRANTABLE, Settings
from workbench.harness.tools.callables import ToolState

EVERYTHING = ["search", "web_search", "navigate", "execute", "publish"]


@pytest.mark.parametrize(
    ("settings", "switch", "patch"),
    [
        (Settings(), Switch("search", "builtin", True), {"tools": EVERYTHING[1:]}),
        (Settings(), Switch("publish", "publish", True), {"tools": EVERYTHING[:-1]}),
        (Settings(tools=("search",)), Switch("search", "builtin", True), {"tools": []}),
        (Settings(tools=("search",)), Switch("execute", "builtin", False), {"tools": ["search", "execute"]}),
        (Settings(tools=tuple(EVERYTHING[:-1])), Switch("publish", "publish", False), {"tools": None}),
        (Settings(tools=("serch", "search")), Switch("search", "builtin", True), {"tools": ["serch"]}),
        (Settings(), Switch("el", "lambda", True), {"switched_off": ["el"]}),
        (Settings(switched_off=("a", "el")), Switch("el", "lambda", False), {"switched_off": ["a"]}),
        (Settings(switched_off=("el",)), Switch("el", "lambda", False), {"switched_off": None}),
    ],
)
def test_what_flipping_writes(settings: Settings, switch: Switch, patch: dict[str, Any]) -> None:
    assert flip(settings, switch) == patch


@given(st.one_of(st.none(), st.lists(st.sampled_from(GRANTABLE), unique=True)), st.sampled_from(GRANTABLE))
def test_flipping_twice_grants_the_same_again(listed: list[str] | None, name: str) -> None:
    before = Settings(tools=None if listed is None else tuple(listed))
    granted = set(GRANTABLE if listed is None else listed)
    once = flip(before, Switch(name, "builtin", name in granted))["tools"]
    after = Settings(tools=None if once is None else tuple(once))
    twice = flip(after, Switch(name, "builtin", name not in granted))["tools"]
    assert set(GRANTABLE if twice is None else twice) == granted


def test_the_list_is_made_of_everything_and_taken_away() -> None:
    assert flip_list(Settings()) == {"tools": EVERYTHING}
    assert flip_list(Settings(tools=("search",))) == {"tools": None}


def test_the_switches_in_order_with_why_each_cannot_be_called_though_it_is_granted() -> None:
    states = [
        ToolState(name, "builtin", "c", "", True, name != "navigate", None, None)
        if name != "navigate"
        else ToolState(name, "builtin", "c", "", True, False, "unavailable", "No window.")
        for name in BUILTINS
    ]
    states.append(ToolState("el", "lambda", "c", "", True, False, "needs_execute", "Grant execute."))
    states.append(ToolState("off", "lambda", "c", "", False, False, "not_granted", "Switched off."))
    found = switches(states, Settings(switched_off=("off",)))
    assert [switch.name for switch in found] == [*BUILTINS, "publish", "el", "off"]
    assert {switch.name: (switch.reason, switch.why) for switch in found if switch.reason} == {
        "navigate": ("unavailable", "No window."),
        "el": ("needs_execute", None),
    }
    assert (found[-1].words, found[-2].words) == ("switched off", "switched on")


@pytest.mark.parametrize(
    ("settings", "says", "offers"),
    [
        (Settings(), "No list in agent.toml: everything is granted", "l makes a list"),
        (Settings(tools=("search",)), "lists search; of the builtins and publish nothing else", "takes the list away"),
        (Settings(tools=()), "nothing is granted", "takes the list away"),
    ],
)
def test_the_list_in_words(settings: Settings, says: str, offers: str) -> None:
    assert says in in_words(settings)
    row = list_row(settings)
    assert says in row.notes[0][0]
    assert offers in row.tail[0]


def test_a_switch_says_its_state_without_colour_and_why_it_does_not_work() -> None:
    on = switch_row(Switch("navigate", "builtin", True, "unavailable", "No [/] window."))
    assert on.head[0][0] == "■ on "
    assert on.tail[0] == "granted · unavailable"
    assert on.notes[0][0] == "No [/] window."
    off = switch_row(Switch("el", "lambda", False))
    assert (off.head[0][0], off.tail[0], off.notes) == ("□ off", "switched off", ())
