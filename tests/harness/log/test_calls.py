"""The history of a tool: its calls out of the whole log, newest first, without reading what they carried."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.on_machine import on_machine
from tests.harness.play import Play
from workbench import Harness, HarnessError
from workbench.harness.space.agent_file import OwnerFolders
from workbench.harness.store.store import Store

SEARCH = {"query": "word"}


async def test_calls_by_anyone_in_any_thread_by_the_verb_or_directly(play: Play) -> None:
    harness = play.harness
    await harness.perform("call", {"tool": "search", "input": SEARCH})
    await play.agent("call", {"tool": "search", "input": SEARCH})
    await play.agent("search", SEARCH)
    await play.fails("call", {"tool": "search", "input": {"nonsense": 1}})
    await harness.perform("read", {"address": "~/tools/search"})
    calls = harness.calls("search")
    assert [(call.actor, call.thread, call.name, call.outcome, call.code) for call in calls] == [
        ("user", "demo", "call", "failed", "bad_input"),
        ("agent", "demo", "search", "ok", "ok"),
        ("agent", "demo", "call", "not_run", "contract"),
        ("user", "workshop", "call", "ok", "ok"),
    ]
    assert [call.preview for call in calls] == ['{"nonsense":1}', *['{"query":"word"}'] * 3]
    tool = harness.tool("search")
    assert tool is not None
    assert {call.cid for call in calls} == {tool.cid}
    assert "nonsense" in calls[0].words
    assert [call.name for call in harness.calls("read")] == ["read"]
    assert harness.calls("no_such") == []


async def test_a_call_keeps_the_version_it_ran_with(harness: Harness) -> None:
    play = Play(harness)
    first = (await play.save("el")).result["cid"]
    await play.fails("call", {"tool": "el", "input": 1})
    second = (await play.save("el", description="Another.")).result["cid"]
    await play.fails("call", {"tool": "el", "input": 1})
    assert [call.cid for call in harness.calls("el")] == [second, first]


async def test_a_page_has_so_many_and_says_where_to_go_on(harness: Harness) -> None:
    for number in range(7):
        await harness.perform("call", {"tool": "search", "input": {"query": f"q{number}"}})
    numbers: list[int] = []
    before: int | None = None
    while True:
        page = harness.calls_page("search", 2, before, span=5)
        numbers += [call.number for call in page.calls]
        before = page.before
        if before is None:
            break
    assert numbers == [call.number for call in harness.calls("search")]
    assert len(numbers) == 7
    assert harness.calls("search", limit=3, before=numbers[2])[0].number == numbers[3]


async def test_a_call_that_runs_and_one_that_was_interrupted(tmp_path: Path, folders: OwnerFolders) -> None:
    root = tmp_path / "space"
    async with Harness.open(root, folders=folders):
        pass
    store = Store.open(root)
    body = '{"id":"call-1","name":"search","input":{"query":"x"},"message":"m","process":"%s","surface":"verbs"}'
    store.append("demo", "agent", "tool_call", body % store.process, "call-1")
    async with Harness.open(root, folders=folders) as harness:
        assert [call.outcome for call in harness.calls("search")] == ["running"]
        store.close()
        assert [(call.outcome, call.duration_ms) for call in harness.calls("search")] == [("interrupted", None)]
        await harness.perform("read", {"address": "~/memory/"})
        assert [(call.outcome, call.code) for call in harness.calls("search")] == [("interrupted", "interrupted")]


async def test_large_inputs_and_results_are_found_and_read_only_when_asked(harness: Harness) -> None:
    store = harness._space.store  # pyright: ignore[reportPrivateUsage]
    long = "word " * 200_000
    with pytest.raises(HarnessError):
        await harness.perform("call", {"tool": "search", "input": {"query": "x", "also": long}})
    call = harness._log.call("demo", "agent", "call", {"input": {"query": long}, "tool": "search"}, "m")
    answer = {"status": "ok", "tool": "search", "cid": "bafyrei" + "a" * 52, "output": {"text": long}, "duration_ms": 5}
    harness._log.result(call, output=answer)
    newest, refused = harness.calls("search")
    assert (newest.outcome, newest.cid) == ("ok", answer["cid"])
    assert newest.preview.startswith('{"query":"word word')
    assert len(newest.preview) == 300
    assert newest.size > 1_000_000
    assert refused.code == "bad_input"
    made, result = harness.recorded(newest.number).read()
    assert made.input["input"]["query"] == long
    assert result is not None
    assert result.output == answer
    assert store.last_id() == 4


async def test_rows_that_are_no_json_do_not_hide_the_others(harness: Harness) -> None:
    await harness.perform("call", {"tool": "search", "input": SEARCH})
    store = harness._space.store  # pyright: ignore[reportPrivateUsage]
    for number, payload in enumerate(
        ['no "search" json', '{"name":"search"}', '["search"]', '{"name":{"a":"search"}}']
    ):
        store.append("odd", "agent", "tool_call", payload, f"odd-{number}")
        store.append("odd", "agent", "tool_result", payload, f"odd-{number}")
    calls = harness.calls("search")
    assert [(call.thread, call.outcome) for call in calls] == [("odd", "ok"), ("workshop", "ok")]
    with pytest.raises(HarnessError, match="none of this workbench"):
        harness.recorded(calls[0].number).read()
    with pytest.raises(HarnessError, match="is no call"):
        harness.recorded(2)


async def test_a_tool_of_the_toolbox_is_named_by_its_binding_and_is_not_the_verb(
    tmp_path: Path, folders: OwnerFolders
) -> None:
    work = tmp_path / "work"
    async with on_machine(tmp_path / "space", folders, work) as play:
        harness = play.harness
        await harness.perform("read", {"address": "~/memory/"})
        with pytest.raises(HarnessError):
            await harness.hand("read", {"path": "missing"}, tmp_path)
        (verb,) = harness.calls("read")
        (tool,) = harness.calls("toolbox:read")
        assert (verb.cwd, verb.preview) == (None, '{"address":"~/memory/"}')
        assert (tool.cwd, tool.preview, tool.cid) == (str(tmp_path), '{"path":"missing"}', None)
        assert harness.calls("toolbox:write") == []


async def test_a_name_that_the_machine_does_not_have_is_no_call_of_a_tool_of_the_space(
    tmp_path: Path, folders: OwnerFolders
) -> None:
    async with on_machine(tmp_path / "space", folders, tmp_path / "work") as play:
        with pytest.raises(HarnessError):
            await play.harness.perform("search", {"query": "x"}, "agent", "hands")
        assert play.harness.calls("search") == []
