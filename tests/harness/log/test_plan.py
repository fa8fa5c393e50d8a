"""The plan, folded out of the log."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.play import Play
from workbench.harness.log.plan import plan_of


def step(id: str, status: str = "pending", label: str = "do it") -> dict[str, Any]:
    return {"id": id, "label": label, "status": status}


async def test_a_plan_is_what_was_stated_last(play: Play) -> None:
    assert play.harness.plan("demo") is None
    await play.agent("plan", {"title": "Tea", "steps": [step("1"), step("2")]})
    answer = await play.agent("plan", {"title": "Tea", "steps": [step("1", "done"), step("2", "running")]})
    assert answer == {"status": "ok", "steps": [step("1", "done"), step("2", "running")]}
    plan = play.harness.plan("demo")
    assert plan is not None
    assert (plan.title, plan.done, [one.status for one in plan.steps]) == ("Tea", 1, ["done", "running"])


async def test_an_earlier_moment_has_the_plan_of_then(play: Play) -> None:
    await play.agent("plan", {"steps": [step("1")]})
    await play.agent("plan", {"steps": [step("1", "done")]})
    then = play.harness.plan("demo", at=2)
    assert then is not None
    assert then.steps[0].status == "pending"
    assert play.harness.plan("demo", at=1) is None, "the call alone is no plan yet"


async def test_an_empty_plan_is_none(play: Play) -> None:
    await play.agent("plan", {"steps": [step("1")]})
    await play.agent("plan", {"steps": []})
    assert play.harness.plan("demo") is None


@pytest.mark.parametrize(
    "input",
    [
        {"steps": ["a", {"label": "b", "status": "weird"}, 5]},
        {"steps": [step("1", "weird")]},
        {},
        {"steps": [{"id": "", "label": "x", "status": "done"}]},
    ],
)
async def test_what_is_no_plan_replaces_nothing(play: Play, input: dict[str, Any]) -> None:
    await play.agent("plan", {"steps": [step("1")]})
    answer = await play.agent("plan", input)
    assert (answer["status"], answer["tool"]) == ("contract", "plan")
    plan = play.harness.plan("demo")
    assert plan is not None
    assert [one.id for one in plan.steps] == ["1"]


async def test_two_steps_of_one_id_are_refused_by_name(play: Play) -> None:
    error = await play.fails("plan", {"steps": [step("a"), step("a")]}, "agent")
    assert (error.code, "id a" in error.message) == ("bad_input", True)


async def test_a_fork_has_the_plan_of_its_past(play: Play) -> None:
    await play.agent("plan", {"steps": [step("1")]})
    await play.harness.fork("demo", 2, "other")
    plan = play.harness.plan("other")
    assert plan is not None
    assert (plan.thread, plan.seq) == ("demo", 1)


def test_nothing_makes_no_plan() -> None:
    assert plan_of([]) is None
