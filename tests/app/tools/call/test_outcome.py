"""What came of a call, as a line and a tree: nothing of an answer is left out, on errors neither."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.canaries import CANARIES, NEVER_SHOWN
from workbench.app.tools.call.outcome import Outcome, Where, failed, refused_here, succeeded
from workbench.app.widgets.outline.twig import Twig
from workbench.harness.space.schema import Problem
from workbench.harness.strict_json import pretty

HERE = Where("workshop", 14)
OK = {"status": "ok", "tool": "el", "cid": "bafy", "output": {"words": 3}, "duration_ms": 1200}


def status(outcome: Outcome) -> str:
    return "".join(text for text, _ in outcome.status)


def lines(outcome: Outcome) -> list[str]:
    """The lines of its tree, as far as they begin unfolded."""
    found: list[str] = []

    def add(twigs: Sequence[Twig], depth: int) -> None:
        for twig in twigs:
            found.append("  " * depth + "".join(text for text, _ in twig.line))
            if twig.children is not None and twig.key in outcome.unfolded:
                add(twig.children(), depth + 1)

    add(outcome.twigs, 0)
    return found


@pytest.mark.parametrize(
    ("outcome", "line"),
    [
        (succeeded(OK, {}, HERE), "✓ ok · 1,200 ms · event 14 of workshop"),
        (succeeded({"status": "saved"}, {}, HERE), "✓ saved · event 14 of workshop"),
        (succeeded({"status": "contract", "message": "m"}, {}, HERE), "○ not run: contract · event 14 of workshop"),
        (succeeded(OK, {}, Where("demo", 2, 5, "of old")), "✓ ok · 1,200 ms · event 2 of demo · of old"),
        (failed("failed", "m", {}, HERE), "✗ failed · event 14 of workshop"),
        (failed("cancelled", "m", {}, Where("t", 3, beside="after 3 s")), "■ cancelled · event 3 of t · after 3 s"),
        (
            failed("timeout", "m", {}, Where("t", 3, beside="after 9 s of 9 s")),
            "✗ timeout · event 3 of t · after 9 s of 9 s",
        ),
        (failed("interrupted", "m", {}, HERE), "? interrupted · event 14 of workshop"),
        (failed("bad_input", "m", {}, Where(None, None)), "✗ bad_input · nothing was logged"),
        (refused_here("No."), "✗ not run · nothing was logged"),
    ],
)
def test_how_it_ended_stands_in_one_line_without_colour(outcome: Outcome, line: str) -> None:
    assert status(outcome) == line


def test_every_part_of_an_answer_has_its_section() -> None:
    answer = OK | {
        "logs": "counting\ndone\n",
        "changed_files": [
            {"path": "a.md", "change": "created"},
            {"path": "b.md", "change": "modified", "shared": True},
        ],
        "unknown_keys": [{"key": "txt", "path": "$.txt", "nearest": "text"}],
        "unchecked": ["$.pattern"],
        "made_up_later": {"a": 1},
    }
    assert lines(succeeded(answer, {"text": "x"}, HERE)) == [
        "output  {1}",
        "  words: 3",
        "logs  2 lines",
        "  counting",
        "  done",
        "changed files  2",
        "  created  a.md",
        "  modified  b.md  another call was at work meanwhile: it may have been that one",
        "unknown keys  1",
        "  $.txt  the schema does not name it  did you mean text?",
        "unchecked  [1]",
        '  0: "$.pattern"',
        "made_up_later  {1}",
        "  a: 1",
        "input  {1}",
    ]


def test_the_structured_and_the_text_half_are_both_there() -> None:
    answer = OK | {"output": {"content": [{"type": "text", "text": "3 words"}], "structured": {"words": 3}}}
    shown = lines(succeeded(answer, {}, HERE))
    assert any("3 words" in line for line in shown)
    assert any("words: 3" in line for line in shown)


def test_what_is_large_begins_folded_and_small_things_unfolded() -> None:
    large = OK | {"output": {"many": list(range(1_000))}}
    assert lines(succeeded(large, {}, HERE)) == ["output  {1}", "  many: [1,000]", "input  {}"]
    nested = OK | {"output": {"a": {"b": {"c": [1]}}}}
    assert lines(succeeded(nested, {}, HERE))[-2].strip() == "0: 1"


def test_a_failure_is_told_in_its_words_with_its_last_output() -> None:
    outcome = failed("cancelled", "Cancelled.", {"n": 1}, HERE, tail="step 1\nstep 2")
    assert lines(outcome) == ["Cancelled.", "its last output  2 lines", "  step 1", "  step 2", "input  {1}"]
    assert outcome.text == "Cancelled.\n\nIts last output:\nstep 1\nstep 2"
    crashed = failed("failed", "It failed: no.\nLast lines of stderr:\nTraceback\n", {}, HERE, tail="Traceback")
    assert lines(crashed) == ["It failed: no.", "more  2 lines", "  Last lines of stderr:", "  Traceback", "input  {}"]


def test_a_refused_input_says_what_is_wrong_where() -> None:
    problems = (Problem("$.text", "is required"), Problem("$.n", "must be an integer"))
    outcome = failed("bad_input", "It does not match.\nthe contract", {}, HERE, problems=problems)
    assert lines(outcome) == [
        "what the schema refuses  2",
        "  $.text  is required",
        "  $.n  must be an integer",
        "message  2 lines",
        "input  {}",
    ]
    assert outcome.problems == problems
    here = refused_here("Two fields are not right.", problems)
    assert here.text == "Two fields are not right.\n$.text: is required\n$.n: must be an integer"


@pytest.mark.parametrize("answer", [None, 5, "text", [1, 2], {"a": 1}, {"status": 3}, {"output": None}])
def test_any_answer_can_be_shown_and_is_copied_whole(answer: Any) -> None:
    outcome = succeeded(answer, {}, HERE)
    assert outcome.text == pretty(answer)
    assert status(outcome).startswith("✓ ok")
    assert lines(outcome)


@pytest.mark.parametrize("canary", CANARIES)
def test_nothing_that_came_back_steers_the_terminal(canary: str) -> None:
    answer = OK | {
        "output": {canary: canary},
        "logs": canary,
        "changed_files": [{"path": canary, "change": canary}],
        "unknown_keys": [{"key": canary, "path": canary, "nearest": canary}],
        canary: canary,
    }
    problem = Problem(canary, canary)
    for outcome in (
        succeeded(answer, canary, HERE),
        succeeded({"status": "contract", "message": canary, "errors": [{"path": canary, "message": canary}]}, {}, HERE),
        failed(canary, canary, {canary: 1}, HERE, tail=canary, problems=[problem]),
        failed("failed", canary, {}, HERE, tail=canary),
        refused_here(canary, [problem]),
    ):
        assert not NEVER_SHOWN & set("".join(lines(outcome)))
        assert not NEVER_SHOWN & set(status(outcome).replace(canary, ""))
