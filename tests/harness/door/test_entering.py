"""What may enter: what is refused before an act exists, and what is allowed up to its limit."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.play import Play
from workbench import HarnessError
from workbench.harness.space.memory import MAX_FILE_BYTES

DEEP: Any = 0
for _ in range(200):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    ("act", "code"),
    [
        ({"actor": "nobody"}, "bad_input"),
        ({"actor": "agent", "thread": None}, "bad_input"),
        ({"thread": "../x"}, "bad_input"),
        ({"thread": "a b"}, "bad_input"),
        ({"thread": ""}, "bad_input"),
        ({"thread": "x\n"}, "bad_input"),
        ({"name": ""}, "bad_input"),
        ({"name": "x" * 300}, "bad_input"),
        ({"name": "\ud800"}, "bad_input"),
        ({"input": DEEP}, "limit"),
        ({"input": {"a": float("nan")}}, "bad_input"),
        ({"input": {"a": "\ud800"}}, "bad_input"),
        ({"input": {1: 2}}, "bad_input"),
        ({"input": {"a": b"x"}}, "bad_input"),
        ({"input": {"address": "~/memory/x", "content": "x" * (5 * 1024 * 1024)}, "name": "write"}, "limit"),
        ({"input": {"tool": "el", "input": {"text": "x" * (5 * 1024 * 1024)}}, "name": "call"}, "limit"),
        ({"message": ""}, "bad_input"),
    ],
)
async def test_what_could_not_even_be_logged_leaves_no_event(play: Play, act: dict[str, Any], code: str) -> None:
    before = {thread.id: thread.events for thread in play.harness.threads()}
    whole: dict[str, Any] = {"name": "read", "input": {"address": "~/self"}, "actor": "user", "thread": "demo"} | act
    with pytest.raises(HarnessError) as refused:
        await play.harness.perform(**whole)
    assert (refused.value.code, refused.value.seq) == (code, None)
    assert {thread.id: thread.events for thread in play.harness.threads()} == before


def deep(levels: int) -> Any:
    value: Any = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


@pytest.mark.parametrize("direct", [True, False])
async def test_an_input_may_be_as_deep_as_it_may_be_by_either_way(play: Play, direct: bool) -> None:
    def act(levels: int) -> tuple[str, Any]:
        return ("zzz", deep(levels)) if direct else ("call", {"tool": "zzz", "input": deep(levels)})

    assert (await play.agent(*act(128)))["status"] == "no_such_tool"
    with pytest.raises(HarnessError) as refused:
        await play.agent(*act(129))
    assert (refused.value.code, refused.value.seq) == ("limit", None)


async def test_a_document_may_be_as_deep_as_text_and_as_an_object(play: Play) -> None:
    # The content is level 1 and its input level 2.
    content = {"description": "D.", "source": "x", "input": {"default": deep(126)}}
    assert (await play.owner("write", {"address": "~/tools/deep", "content": content}))["status"] == "saved"
    too_deep = content | {"input": {"default": deep(127)}}
    assert (await play.fails("write", {"address": "~/tools/deep", "content": too_deep})).code == "limit"


async def test_content_is_allowed_at_its_limit_and_refused_one_byte_over(play: Play) -> None:
    act = {"address": "~/memory/x", "content": "é" * (MAX_FILE_BYTES // 2)}
    assert (await play.owner("write", act))["status"] == "saved"
    before = len(play.harness.events("demo"))
    refused = await play.fails("write", act | {"content": act["content"] + "x"})
    assert (refused.code, refused.seq) == ("limit", None)
    assert str(MAX_FILE_BYTES) in refused.message
    assert str(MAX_FILE_BYTES + 1) in refused.message
    assert len(play.harness.events("demo")) == before


async def test_a_whole_number_may_be_written_with_a_point(play: Play) -> None:
    answer = await play.owner("call", {"tool": "search", "input": {"query": "el", "limit": 5.0}})
    assert answer["status"] == "ok"
