"""A recorded run as a model: of a thread, and of a file that `log --json` printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.agent.asking import answer, ask
from workbench import Harness, HarnessError
from workbench.agent.models import replay
from workbench.agent.models.model import Answer, ModelCall, ModelFault, Thought, Usage
from workbench.agent.models.replay import open_replay
from workbench.agent.recorded import answers_of
from workbench.agent.turn import turn
from workbench.harness.log.payloads import as_json

LOOKING = (ModelCall("read", {"address": "~/memory/"}), ModelCall("read", {"address": "~/nowhere"}))
ANSWERS = [Answer("Let me look.", LOOKING, "calls"), Answer("Nothing is there.", (), "stop")]

EVENT: dict[str, Any] = {"thread": "t", "seq": 1, "time": "", "actor": "agent"}
SAID = EVENT | {"type": "message", "role": "assistant", "text": "Hello.", "message": "m1"}
CALL = EVENT | {"type": "tool_call", "id": "c1", "name": "read", "input": {}, "message": "m1", "process": "p"}
SENT = EVENT | {
    "actor": "system",
    "type": "request",
    "request": "r1",
    "state": "sent",
    "run": "run-1",
    "model": "openai:x",
    "system": "bafy",
    "tools": [],
    "messages": [],
    "callables": "bafy",
    "bytes": {},
}
ENDED = EVENT | {"actor": "system", "type": "request", "request": "r1", "state": "ended", "finish": "stop"}


async def conversation(harness: Harness, thread: str = "t") -> None:
    """A thread in which the agent answered twice, with two calls, one of which failed; the owner acted between."""
    await harness.say("What is there?", "user", thread)
    await harness.say("Let me look.", "agent", thread, "m1")
    await harness.perform("read", LOOKING[0].input, "agent", thread, "m1")
    with pytest.raises(HarnessError):
        await harness.perform("read", LOOKING[1].input, "agent", thread, "m1")
    await harness.perform("read", {"address": "~/tools/"}, "user", thread)
    await harness.say("Nothing is there.", "agent", thread, "m2")


def recording(folder: Path, *lines: Any) -> str:
    """A file of these lines; what is no text becomes JSON."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    (folder / "run.jsonl").write_text("\n".join(texts) + "\n")
    return str(folder / "run.jsonl")


async def test_a_thread_answers_what_it_answered(harness: Harness) -> None:
    await conversation(harness)
    model = open_replay("t", harness)
    assert (model.id, model.provider) == ("replay:t", "replay")
    assert [await answer(model, number) for number in range(2)] == ANSWERS
    await turn(harness, "again", model, "What is there?")
    assert answers_of(harness.events("again")) == tuple(ANSWERS)


async def test_a_file_answers_the_same_as_its_thread(harness: Harness, tmp_path: Path) -> None:
    await conversation(harness)
    file = recording(tmp_path, *(as_json(event) for event in harness.events("t")))
    model = open_replay(file, None)
    assert [await answer(model, number) for number in range(2)] == ANSWERS


async def test_a_fork_answers_with_its_past(harness: Harness) -> None:
    await conversation(harness)
    await harness.fork("t", 3, "f")
    await harness.say("I stop here.", "agent", "f")
    model = open_replay("f", harness)
    assert [(await answer(model, number)).text for number in range(2)] == ["Let me look.", "I stop here."]


async def test_when_nothing_is_left_the_recording_is_over(harness: Harness) -> None:
    await conversation(harness)
    model = open_replay("t", harness)
    # What is said in the thread from now on is no part of it.
    await harness.say("More.", "agent", "t")
    with pytest.raises(ModelFault, match="Thread t is over: all of its 2 answers were given") as caught:
        await answer(model, 2)
    assert not caught.value.again


async def test_thoughts_usage_and_how_it_ended_are_kept(tmp_path: Path) -> None:
    thinking = [{"text": "Hm.", "signature": "s", "provider": "anthropic"}, {"text": "Oh."}]
    usage = {"input": 10, "output": 3, "cache_read": 4}
    ended = ENDED | {"finish": "refusal", "usage": usage}
    again = SAID | {"message": "m2", "text": "Bye.", "cut": "length"}
    model = open_replay(recording(tmp_path, SENT, SAID | {"thinking": thinking}, ended, again), None)
    thoughts = (Thought("Hm.", "s", "anthropic"), Thought("Oh."))
    assert await answer(model) == Answer("Hello.", (), "refusal", thoughts, Usage(10, 3, 4))
    assert await answer(model, 1) == Answer("Bye.", (), "length")


async def test_a_request_that_failed_lends_its_usage_to_nobody(tmp_path: Path) -> None:
    failed = ENDED | {"finish": "failed", "usage": {"input": 1}}
    run = EVENT | {"actor": "system", "type": "run", "run": "r", "state": "end", "reason": "", "process": "p"}
    again = [SENT | {"request": "r2"}, CALL, ENDED | {"request": "r2", "usage": {"input": 2}}]
    model = open_replay(recording(tmp_path, SENT, failed, *again, run, SAID | {"message": "m2"}), None)
    assert await answer(model) == Answer("", (ModelCall("read", {}),), "calls", usage=Usage(2))
    assert await answer(model, 1) == Answer("Hello.", (), "stop")


async def test_blank_lines_and_events_of_no_matter_are_passed_over(tmp_path: Path) -> None:
    fork = EVENT | {"type": "fork", "parent": "p", "parent_seq": 2}
    model = open_replay(recording(tmp_path, fork, "", "  \r", EVENT | {"type": "of tomorrow"}, SAID), None)
    assert await answer(model) == Answer("Hello.", (), "stop")


async def test_numbers_of_any_length_are_kept(tmp_path: Path) -> None:
    number = 123456789012345678901234567890
    model = open_replay(recording(tmp_path, CALL | {"input": {"n": number}}), None)
    assert (await answer(model)).calls == (ModelCall("read", {"n": number}),)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "it is not JSON"),
        ("\ufeff{}", "it is not JSON"),
        ('{"type": NaN}', "not JSON: NaN"),
        ("9" * 5000, "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("[" * 300 + "]" * 300, "nested over"),
        ('"\\ud800"', "lone surrogate"),
        ("[]", "not an object with a type"),
        ("{}", "not an object with a type"),
        ('{"type": ["message"]}', "not an object with a type"),
        (SAID | {"text": 1}, "not a message as the log has it"),
        (SAID | {"role": "system"}, "not a message as the log has it"),
        (SAID | {"actor": "nobody" * 1000}, "not a message as the log has it"),
        (SAID | {"thinking": "Hm."}, "not a message as the log has it"),
        (SAID | {"cut": "short"}, "not a message as the log has it"),
        ({key: value for key, value in CALL.items() if key != "input"}, "not a tool_call as the log has it"),
        (ENDED | {"usage": {"input": "many"}}, "not a request as the log has it"),
        (SENT | {"bytes": None}, "not a request as the log has it"),
    ],
)
def test_a_line_that_is_no_event_is_named(tmp_path: Path, line: Any, fault: str) -> None:
    with pytest.raises(HarnessError) as caught:
        open_replay(recording(tmp_path, SAID, "", line), None)
    assert caught.value.code == "bad_input"
    assert caught.value.message.startswith("Line 3 of the recording run.jsonl is no event: ")
    assert fault in caught.value.message
    assert len(caught.value.message) < 500


def test_a_line_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").write_bytes(b'{"type": "\xff"}')
    with pytest.raises(HarnessError, match="Line 1 of the recording"):
        open_replay(str(tmp_path / "run.jsonl"), None)


def test_a_file_that_is_too_long_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "MAX_RECORDING_BYTES", 10)
    with pytest.raises(HarnessError, match="over 10 bytes") as caught:
        open_replay(recording(tmp_path, SAID), None)
    assert caught.value.code == "limit"


async def test_what_is_not_there_is_said(harness: Harness, tmp_path: Path) -> None:
    await harness.say("Is anybody there?", "user", "silent")
    (tmp_path / "folder.jsonl").mkdir()
    for source, fault in [
        ("none", "Thread none has no answer"),
        ("silent", "Thread silent has no answer"),
        ("a b", "A thread is named by"),
        (str(tmp_path / "none.jsonl"), "There is no file"),
        (str(tmp_path / "folder.jsonl"), "There is no file"),
        ("\0.jsonl", "jsonl"),
    ]:
        with pytest.raises(HarnessError, match=fault):
            open_replay(source, harness)
    with pytest.raises(HarnessError, match="no Space is open"):
        open_replay("silent", None)


async def test_it_sends_nothing(tmp_path: Path) -> None:
    model = open_replay(recording(tmp_path, SAID), None)
    assert await model.body(ask()) is None
    await model.close()
