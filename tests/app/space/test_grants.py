"""Switches, and what flipping one writes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.app.space.grants import Switch, flip, in_words, switches
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


def test_the_switches_in_order_with_why_each_cannot_be_called() -> None:
    states = [
        ToolState(
            name,
            "builtin",
            "c",
            "",
            True,
            name != "navigate",
            None if name != "navigate" else "unavailable",
            "No window.",
        )
        for name in BUILTINS
    ]
    states += [ToolState("el", "lambda", "c", "", True, False, "needs_execute", "Grant execute.")]
    found = switches(states, Settings())
    assert [switch.name for switch in found] == [*BUILTINS, "publish", "el"]
    assert {switch.name: switch.why for switch in found if switch.why} == {
        "navigate": "unavailable: No window.",
        "el": "needs_execute: Grant execute.",
    }
    assert found[-1].words == "switched on"


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (Settings(), "No list in agent.toml: everything is granted"),
        (Settings(tools=("search",)), "lists search; nothing else"),
        (Settings(tools=()), "nothing is granted"),
        (Settings(switched_off=("el",)), "Switched off: el."),
    ],
)
def test_the_settings_in_words(settings: Settings, says: str) -> None:
    assert says in in_words(settings)
