"""A call of the past, on its line."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.canaries import CANARIES, NEVER_SHOWN
from workbench.app.tools.call.past import Present, twig_of
from workbench.harness.log.calls import PastCall

CALL = PastCall(
    number=9,
    thread="workshop",
    seq=4,
    call="call-1",
    name="call",
    actor="user",
    time="2026-11-30T15:06:38.123Z",
    preview='{"text":"a"}',
    size=80,
    cid="bafynow",
    outcome="ok",
    code="ok",
    words="",
    duration_ms=1234,
    result_seq=5,
)
PRESENT = Present("bafynow", {"bafynow": 3, "bafyold": 1})


def words(call: PastCall, accepted: bool | None = None, present: Present = PRESENT) -> list[str]:
    twig = twig_of(call, present, accepted)
    return ["".join(text for text, _ in line) for line in (twig.line, *twig.rest)]


def test_a_call_of_the_owner_with_this_version() -> None:
    assert words(CALL) == ["✓ ok  1,234 ms  2026-11-30 15:06  you  this version", 'given {"text":"a"}']


@pytest.mark.parametrize(
    ("other", "line"),
    [
        ({"actor": "agent", "thread": "demo"}, "✓ ok  1,234 ms  2026-11-30 15:06  agent in demo  this version"),
        ({"cid": "bafyold"}, "✓ ok  1,234 ms  2026-11-30 15:06  you  version 1"),
        ({"cid": "bafyelsewhere"}, "✓ ok  1,234 ms  2026-11-30 15:06  you  …ewhere"),
        ({"cid": None}, "✓ ok  1,234 ms  2026-11-30 15:06  you"),
        ({"outcome": "running", "duration_ms": None}, "▶ running  2026-11-30 15:06  you  this version"),
        ({"outcome": "not_run", "code": "contract"}, "○ contract  1,234 ms  2026-11-30 15:06  you  this version"),
        ({"outcome": "failed", "code": "cancelled"}, "■ cancelled  1,234 ms  2026-11-30 15:06  you  this version"),
        ({"outcome": "interrupted", "code": ""}, "? interrupted  1,234 ms  2026-11-30 15:06  you  this version"),
    ],
)
def test_other_calls(other: dict[str, object], line: str) -> None:
    assert words(replace(CALL, **other))[0] == line  # pyright: ignore[reportArgumentType]


def test_a_failure_says_why_and_an_input_that_is_refused_now_is_marked() -> None:
    call = replace(CALL, outcome="failed", code="timeout", words="It was stopped after 60 seconds.\nLast output:")
    assert words(call, accepted=False) == [
        "✗ timeout  1,234 ms  2026-11-30 15:06  you  this version",
        'given {"text":"a"}',
        "It was stopped after 60 seconds.",
        "✗ the present contract no longer accepts this input",
    ]
    refused = replace(CALL, outcome="failed", code="bad_input", words="It does not match.\n  $.text: is required\n")
    assert words(refused)[2] == "$.text: is required"


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ({"cid": "bafyold"}, "✗ the present contract no longer accepts this input"),
        ({"cid": "bafyold", "outcome": "failed", "code": "bad_input"}, "✗ not accepted, then as now"),
        ({"outcome": "not_run", "code": "contract"}, "✗ the present contract does not accept this input"),
    ],
)
def test_only_what_was_accepted_once_is_no_longer_so(other: dict[str, object], says: str) -> None:
    assert words(replace(CALL, **other), accepted=False)[-1] == says  # pyright: ignore[reportArgumentType]


def test_a_long_input_is_cut_and_its_size_said() -> None:
    assert (
        words(replace(CALL, preview="x" * 300, size=5_000_000))[1] == f"given {'x' * 120} … 5,000,000 characters in all"
    )
    assert words(replace(CALL, preview=""))[1] == "given nothing"


@pytest.mark.parametrize("canary", CANARIES)
def test_nothing_of_it_steers_the_terminal(canary: str) -> None:
    call = replace(CALL, preview=canary, words=canary, code=canary, outcome="failed")
    assert not NEVER_SHOWN & set("".join(words(call, accepted=False)))
