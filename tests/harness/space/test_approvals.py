"""The settings `approvals.<tool>`: what they may be, and what of them widens."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.harness.names import TOOLBOX
from workbench.harness.space.approvals import (
    DEFAULTS,
    MAX_PATTERN_CHARS,
    MAX_PATTERNS,
    Rules,
    fits,
    narrowed,
    rules_of,
    widens,
)

WORDS = st.sampled_from(["ask", "allow", "deny"])
PATTERNS = st.lists(st.sampled_from(["src/**", "*.py", "git *"]), max_size=2)
VALUES = WORDS | st.fixed_dictionaries({}, optional={"default": WORDS, "allow": PATTERNS, "ask": PATTERNS})


def test_what_looks_is_allowed_and_what_acts_asks() -> None:
    assert tuple(DEFAULTS) == TOOLBOX
    assert {name for name, verdict in DEFAULTS.items() if verdict == "ask"} == {"write", "edit", "bash"}
    assert "deny" not in DEFAULTS.values()


@pytest.mark.parametrize(
    ("tool", "value"),
    [
        ("bash", "ask"),
        ("read", "deny"),
        ("bash", {}),
        ("bash", {"default": "deny"}),
        ("bash", {"allow": ["git status", "git log *"], "deny": ["rm *", "cat ../*"], "ask": []}),
        ("write", {"allow": ["src/**", "/tmp/out/", "~/notes", ".", "/", "#draft"]}),
    ],
)
def test_what_fits(tool: str, value: Any) -> None:
    assert fits(tool, value)


@pytest.mark.parametrize(
    ("tool", "value"),
    [
        ("call", "ask"),
        ("bash", "yes"),
        ("bash", True),
        ("bash", None),
        ("bash", ["git *"]),
        ("bash", {"default": "never"}),
        ("bash", {"allow": "git *"}),
        ("bash", {"allow": [1]}),
        ("bash", {"permit": ["git *"]}),
        ("bash", {1: ["git *"]}),
        ("bash", {"allow": [""]}),
        ("bash", {"allow": ["  "]}),
        ("bash", {"allow": ["git\nstatus"]}),
        ("bash", {"deny": ["rm\x1b *"]}),
        ("bash", {"deny": ["!rm *"]}),
        ("bash", {"deny": ["rm \u202e*"]}),
        ("bash", {"deny": ["x" * (MAX_PATTERN_CHARS + 1)]}),
        ("bash", {"deny": ["x"] * (MAX_PATTERNS + 1)}),
        ("read", {"deny": ["!secret"]}),
        ("read", {"deny": ["../secret"]}),
        ("read", {"deny": ["/a/../b"]}),
        ("read", {"deny": ["[z-a]"]}),
        ("read", {"deny": ["secret\\"]}),
    ],
)
def test_what_does_not_fit(tool: str, value: Any) -> None:
    assert not fits(tool, value)


@pytest.mark.parametrize(
    ("tool", "value", "acts_at_once"),
    [
        ("bash", "allow", "ask"),
        ("write", {"default": "allow", "deny": ["a"]}, {"deny": ["a"]}),
        ("edit", {"default": "deny", "allow": ["src/**"]}, {"default": "deny"}),
        (
            "bash",
            {"allow": ["git *"], "ask": ["git push *"], "deny": ["rm *"]},
            {"ask": ["git push *"], "deny": ["rm *"]},
        ),
    ],
)
def test_what_widens_waits_and_the_rest_acts(tool: str, value: Any, acts_at_once: Any) -> None:
    assert widens(tool, value)
    assert narrowed(tool, value) == acts_at_once


@pytest.mark.parametrize(
    ("tool", "value"),
    [
        ("bash", "ask"),
        ("bash", "deny"),
        ("bash", {"default": "ask", "allow": [], "deny": ["rm *"]}),
        ("read", "allow"),
        ("read", {"default": "ask", "allow": ["src/**"]}),
        ("grep", {"default": "allow"}),
    ],
)
def test_what_does_not_widen_acts_whole(tool: str, value: Any) -> None:
    assert not widens(tool, value)
    assert narrowed(tool, value) == value


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(TOOLBOX), VALUES)
def test_what_is_narrowed_fits_and_widens_nothing(tool: str, value: Any) -> None:
    assert fits(tool, value)
    rest = narrowed(tool, value)
    assert fits(tool, rest)
    assert not widens(tool, rest)
    assert rules_of(tool, rest).ask == rules_of(tool, value).ask


def test_rules_have_the_default_of_their_tool() -> None:
    assert rules_of("bash") == Rules("ask")
    assert rules_of("read") == Rules("allow")
    assert rules_of("read", "deny") == Rules("deny")
    assert rules_of("write", {"deny": ["a"]}) == Rules("ask", deny=("a",))
    assert rules_of("bash", {"default": "deny", "allow": ["ls", "git *"], "ask": ["x"]}) == Rules(
        "deny", allow=("ls", "git *"), ask=("x",)
    )
