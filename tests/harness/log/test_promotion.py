"""Which tools the agent touched, and what of them the provider is given."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.harness.log.events import Event, ToolCall, ToolResult
from workbench.harness.log.promotion import Promotion, Touches, fold, named_tool, promote
from workbench.harness.names import VERBS


def call(seq: int, name: str, input: Any, actor: Any = "agent", message: str | None = None) -> ToolCall:
    return ToolCall(
        number=seq,
        thread="demo",
        seq=seq,
        time="2026-11-30T12:00:00.000Z",
        actor=actor,
        id=f"call-{seq}",
        name=name,
        input=input,
        message=message or f"m{seq}",
        process="process-0",
    )


@pytest.mark.parametrize(
    ("name", "input", "touched"),
    [
        ("read", {"address": "~/tools/L"}, "L"),
        ("read", {"address": " ~/tools/L/// "}, "L"),
        ("read", {"address": "~/tools"}, None),
        ("read", {"address": "~/tools/"}, None),
        ("read", {"address": "~/tools/read"}, None),
        ("read", {"address": "~/memory/L"}, None),
        ("read", {"address": 7}, None),
        ("read", "~/tools/L", None),
        ("call", {"tool": "L"}, "L"),
        ("call", {"tool": "bash", "input": {}}, "bash"),
        ("call", {"tool": "read"}, None),
        ("call", {"tool": ""}, None),
        ("call", {"tool": ["L"]}, None),
        ("call", ["L"], None),
        ("write", {"address": "~/tools/L", "content": "{}"}, "L"),
        ("write", {"address": "~/tools/L", "options": {"delete": True}}, None),
        ("write", {"address": "~/tools/L", "options": {"delete": False}, "content": "{}"}, "L"),
        ("write", {"address": "~/memory/L", "content": ""}, None),
        ("L", {}, "L"),
        ("bash", {"command": "ls"}, "bash"),
        ("plan", {"steps": []}, None),
        ("delegate", {"tool": "L"}, None),
    ],
)
def test_what_an_act_touches(name: str, input: Any, touched: str | None) -> None:
    assert named_tool(name, input) == touched


@pytest.mark.parametrize("actor", ["user", "system", "trigger"])
def test_only_the_agent_touches(actor: str) -> None:
    assert fold(Touches(), [call(1, "call", {"tool": "L"}, actor=actor)]) == Touches()


def test_the_first_touch_stays_and_order_is_of_first_touch() -> None:
    touches = fold(Touches(), [call(1, "b", {}), call(2, "a", {}), call(3, "b", {})])
    assert [(touch.name, touch.seq) for touch in touches.touches] == [("b", 1), ("a", 2)]


def test_a_touch_counts_from_the_next_message_on() -> None:
    touches = fold(Touches(), [call(1, "L", {}, message="m"), call(2, "L", {}, message="m")])
    assert not touches.before("L", "m")
    assert touches.before("L", "m2")
    assert not touches.before("other", "m2")


NAMES = st.sampled_from(["a", "b", "bash", "edit", "read", "search", "execute", "~/tools/a", ""])
CALLS = st.builds(
    lambda seq, name, tool, actor, message: call(seq, name, {"tool": tool, "address": tool}, actor, message),
    st.integers(1, 99),
    NAMES.filter(bool) | st.sampled_from(VERBS),
    NAMES | st.none() | st.integers(),
    st.sampled_from(["user", "agent", "system", "trigger"]),
    st.sampled_from(["m1", "m2", "m3"]),
)
LOGS: st.SearchStrategy[list[Event]] = st.lists(
    CALLS
    | st.builds(
        lambda seq: ToolResult(
            number=seq, thread="demo", seq=seq, time="", actor="agent", id=f"call-{seq}", name="call", output={}
        ),
        st.integers(1, 99),
    )
)


@given(LOGS, st.integers(0, 20))
def test_folding_a_prefix_and_then_the_rest_is_folding_the_whole(log: list[Event], cut: int) -> None:
    assert fold(fold(Touches(), log[:cut]), log[cut:]) == fold(Touches(), log)


@given(LOGS)
def test_the_owners_events_change_nothing(log: list[Event]) -> None:
    assert fold(Touches(), log) == fold(Touches(), [event for event in log if event.actor != "user"])


def promotion(log: list[Event], callable_now: set[str]) -> Promotion:
    return promote(
        fold(Touches(), log), lambda name: f"cid-{name}" if name in callable_now else None, lambda name: "unknown"
    )


@given(LOGS, st.sets(NAMES))
def test_the_provider_gets_the_verbs_and_callables_and_nothing_else(log: list[Event], callable_now: set[str]) -> None:
    promoted = promotion(log, callable_now)
    assert promoted.provider_tools[: len(VERBS)] == VERBS
    assert set(promoted.provider_tools[len(VERBS) :]) <= callable_now
    assert not {tool.name for tool in promoted.withheld} & callable_now


@given(LOGS, LOGS, st.sets(NAMES))
def test_while_callables_stay_the_list_only_grows_at_its_end(
    log: list[Event], more: list[Event], callable_now: set[str]
) -> None:
    before = promotion(log, callable_now).provider_tools
    assert promotion(log + more, callable_now).provider_tools[: len(before)] == before


def test_in_a_thread_of_the_toolbox_surface_nothing_is_touched() -> None:
    first = msgspec.structs.replace(call(1, "bash", {}), surface="toolbox")
    elsewhere = msgspec.structs.replace(call(3, "el", {}), thread="other")
    touches = fold(fold(Touches(), [first]), [call(2, "edit", {}), elsewhere])
    assert [touch.name for touch in touches.touches] == ["el"]
