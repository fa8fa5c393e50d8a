"""Acts on the real machine: on which surface, after whose yes, and what is asked before them."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.harness.on_machine import allow, answered, asked, on_machine
from tests.harness.play import Play
from workbench import Harness, HarnessError
from workbench.harness.log.events import Approval, ToolCall, ToolResult
from workbench.harness.log.log import Outcome
from workbench.harness.names import TOOLBOX, VERBS
from workbench.harness.space.agent_file import OwnerFolders
from workbench.harness.tools.toolbox.hooks import Blocked, CallDone, CallMade, Hooks, Replaced
from workbench.harness.tools.toolbox.host_tool import TextBlock


@pytest.fixture
async def hands(tmp_path: Path, folders: OwnerFolders) -> AsyncIterator[Play]:
    """Acts in a thread of the toolbox surface, in the folder `work`."""
    async with on_machine(tmp_path / "space", folders, tmp_path / "work") as acts:
        yield acts


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """The working directory of `hands`."""
    return tmp_path / "work"


def text_of(result: dict) -> str:
    return "\n".join(block["text"] for block in result["content"] if block["type"] == "text")


# The surface -------------------------------------------------------------------------------------------------------


async def test_it_takes_the_owners_yes_to_surface_and_workdir(harness: Harness, tmp_path: Path) -> None:
    content = {"surface": "toolbox", "workdir": str(tmp_path)}
    await harness.perform("write", {"address": "~/self", "content": content})
    assert {waiting.id for waiting in harness.waiting()} == {"surface", "workdir"}
    assert harness.surface("a") == "verbs"
    await harness.approve("surface")
    assert harness.surface("a") == "verbs"
    assert any("workdir" in fault for fault in harness.settings().faults)
    await harness.approve("workdir")
    assert (harness.surface("a"), harness.settings().faults) == ("toolbox", ())


async def test_a_yes_is_to_the_value_that_was_seen(harness: Harness, tmp_path: Path) -> None:
    file = harness.root / "agent.toml"
    file.write_text(f'surface = "toolbox"\nworkdir = "{tmp_path}"\n')
    seen = {waiting.id: waiting for waiting in harness.waiting()}
    file.write_text('surface = "toolbox"\nworkdir = "/"\n')
    with pytest.raises(HarnessError, match="changed since you saw it") as caught:
        await harness.approve("workdir", seen=seen["workdir"])
    assert caught.value.code == "conflict"
    await harness.approve("surface", seen=seen["surface"])
    assert [waiting.id for waiting in harness.waiting()] == ["workdir"]
    assert not any(isinstance(event, Approval) and event.key == "workdir" for event in harness.events("workshop"))


async def test_a_workdir_that_is_not_there_is_said_once_and_for_all(harness: Harness, tmp_path: Path) -> None:
    await allow(harness, tmp_path / "nowhere")
    hands = Play(harness, "hands")
    error = await hands.fails("ls", {}, "agent")
    assert (error.code, f"{tmp_path}/nowhere is not there" in error.message) == ("unavailable", True)
    assert (harness.toolbox().tools, harness.toolbox().missing) == ((), error.message)
    os.mkdir(tmp_path / "nowhere")
    await hands.agent("ls", {})


async def test_a_thread_keeps_the_surface_that_it_began_with_and_hands_it_to_its_forks(
    play: Play, tmp_path: Path
) -> None:
    await play.agent("read", {"address": "~/memory/"})
    await allow(play.harness, tmp_path)
    assert play.harness.surface("demo") == "verbs"
    assert play.harness.surface("new") == "toolbox"
    await play.harness.say("hello", thread="new")
    await play.harness.fork("demo", 1, "fork-of-verbs")
    await play.harness.fork("new", 1, "fork-of-toolbox")
    await play.harness.approve("surface", False)
    assert play.harness.surface("fork-of-verbs") == "verbs"
    assert play.harness.surface("fork-of-toolbox") == "toolbox"
    assert play.harness.surface("another") == "verbs"


async def test_the_workshop_is_always_of_the_verbs_surface(hands: Play) -> None:
    assert hands.harness.surface("workshop") == "verbs"
    done = await hands.harness.perform("read", {"address": "~/memory/"})
    assert done.result["status"] == "ok"


async def test_its_requests_hold_the_seven_and_no_verb_no_block_and_no_promotion(hands: Play, work: Path) -> None:
    (work / "a.txt").write_text("one\n")
    await hands.agent("read", {"path": "a.txt"})
    await hands.fails("execute", {"runtime": "shell", "code": "id"}, "agent")
    request = hands.harness.request("hands")
    assert tuple(tool["name"] for tool in request.tools) == TOOLBOX
    assert "<space>" not in request.system
    assert str(work) in request.system
    promotion = hands.harness.promoted("hands")
    assert (promotion.provider_tools, promotion.promoted, promotion.withheld) == (TOOLBOX, (), ())


async def test_without_the_yes_its_threads_do_nothing_and_say_why(hands: Play, work: Path) -> None:
    (work / "a.txt").write_text("one\n")
    await hands.agent("read", {"path": "a.txt"})
    await hands.harness.approve("surface", False)
    error = await hands.fails("read", {"path": "a.txt"}, "agent")
    assert (error.code, "workbench approve" in error.message) == ("unavailable", True)
    with pytest.raises(HarnessError, match="workbench approve"):
        hands.harness.request("hands")


async def test_what_a_tool_says_is_what_the_model_reads(hands: Play, work: Path) -> None:
    (work / "a.txt").write_text("<b>one</b>\n")
    await hands.agent("read", {"path": "a.txt"}, "m1")
    await hands.fails("read", {"path": "b.txt"}, "agent")
    first, second = [message for message in hands.harness.request("hands").messages if message["role"] == "tool"]
    assert first["results"][0]["text"] == "<b>one</b>\n"
    assert "is_error" not in first["results"][0]
    assert second["results"][0]["text"].startswith("ENOENT: no such file or directory")
    assert second["results"][0]["is_error"] is True


async def test_without_a_workdir_its_past_is_told_as_it_was(hands: Play, work: Path) -> None:
    (work / "a.txt").write_text("one\n")
    await hands.agent("read", {"path": "a.txt"})
    await hands.harness.approve("workdir", False)
    error = await hands.fails("ls", {}, "agent")
    assert error.code == "unavailable"
    last = hands.harness.events("hands")[-1].seq
    request = hands.harness.request("hands", last)
    assert "None" not in request.system
    answers = [result for message in request.messages for result in message.get("results", ())]
    assert [(answer["text"], answer.get("is_error", False)) for answer in answers] == [
        ("one\n", False),
        (error.message, True),
    ]


async def test_a_text_that_a_hook_made_too_long_is_cut_and_says_what_to_do(hands: Play) -> None:
    async def longer(done: CallDone) -> Replaced:
        return Replaced(content=(TextBlock("x" * 70_000),))

    hands.harness.use_hooks(Hooks(after=(longer,)))
    await hands.agent("ls", {})
    (answer,) = [result for message in hands.harness.request("hands").messages for result in message.get("results", ())]
    assert len(answer["text"]) <= 50 * 1024
    assert answer["text"].endswith("\n[cut: 70000 bytes in all; narrow the call to get the part that you need]")


async def test_a_call_says_where_it_acts_and_what_it_is_bound_to(hands: Play, work: Path) -> None:
    await hands.agent("ls", {})
    call = next(event for event in hands.harness.events("hands") if isinstance(event, ToolCall))
    assert (call.binding, call.cwd) == ("toolbox:ls", str(work))


async def test_an_unknown_name_is_answered_with_the_names_there_are(hands: Play) -> None:
    error = await hands.fails("search", {"query": "x"}, "agent")
    assert error.message == f"Tool search not found. There are: {', '.join(TOOLBOX)}."
    await hands.harness.perform("write", {"address": "~/self", "content": {"approvals": {"bash": "deny"}}})
    offered = [name for name in TOOLBOX if name != "bash"]
    assert (await hands.fails("search", {}, "agent")).message.endswith(f"There are: {', '.join(offered)}.")


# The wall ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*TOOLBOX, "toolbox:bash", "toolbox/bash", "Bash", "hand", "~/tools/bash"])
async def test_on_the_verbs_surface_nothing_of_it_is_reachable(play: Play, tmp_path: Path, name: str) -> None:
    await play.agent("read", {"address": "~/memory/"})
    await allow(play.harness, tmp_path, bash="allow", write="allow", edit="allow")
    mark = tmp_path / "reached"
    inputs = {"command": f"touch {mark}", "path": str(mark), "content": "x", "pattern": "x"}
    verb = name in VERBS
    direct = await play.agent(name, inputs)
    called = await play.agent("call", {"tool": name, "input": inputs})
    again = await play.agent("call", {"tool": name, "input": inputs})
    nested = await play.agent("call", {"tool": "call", "input": {"tool": name, "input": inputs}})
    statuses = {answer["status"] for answer in (direct, called, again, nested)}
    assert statuses <= {"no_such_tool", "contract"}
    assert not any(answer.get("executed", False) for answer in (direct, called, again, nested))
    assert not mark.exists()
    assert name not in play.provider() or verb
    assert set(play.provider()) == set(VERBS)
    refused = await play.fails("write", {"address": f"~/tools/{name.removeprefix('~/tools/')}", "content": {}})
    assert refused.code in ("bad_input", "refused")


async def test_a_lambda_or_an_owner_of_the_verbs_surface_does_not_reach_it_either(play: Play, tmp_path: Path) -> None:
    await play.owner("read", {"address": "~/memory/"})
    await allow(play.harness, tmp_path)
    assert (await play.fails("bash", {"command": "id"})).code == "not_found"
    assert (await play.fails("call", {"tool": "bash", "input": {"command": "id"}})).code == "not_found"


# What is asked -----------------------------------------------------------------------------------------------------


async def test_with_nobody_there_what_asks_is_not_done(hands: Play, work: Path) -> None:
    for name, input in (
        ("bash", {"command": "touch made"}),
        ("write", {"path": "made", "content": "x"}),
        ("edit", {"path": "made", "edits": [{"oldText": "a", "newText": "b"}]}),
    ):
        error = await hands.fails(name, input, "agent")
        assert (error.code, "nobody is there" in error.message) == ("refused", True)
    assert os.listdir(work) == []
    assert hands.harness.asked() == []


@pytest.mark.parametrize("yes", [True, False])
async def test_the_owners_answer_decides_and_is_in_the_log(hands: Play, work: Path, yes: bool) -> None:
    act = hands.harness.perform("write", {"path": "made", "content": "x"}, "agent", "hands")
    if yes:
        done = await answered(hands.harness, act, yes=True)
        assert text_of(done.result) == "Successfully wrote 1 bytes to made"
    else:
        with pytest.raises(HarnessError, match="said no") as caught:
            await answered(hands.harness, act, yes=False)
        assert caught.value.code == "refused"
    assert (work / "made").exists() is yes
    question, answer = [event for event in hands.harness.events("hands") if isinstance(event, Approval)]
    assert (question.approved, question.actor, answer.approved, answer.actor) == (None, "system", yes, "user")
    assert hands.harness.asked() == []


async def test_an_answer_is_given_once(hands: Play) -> None:
    with hands.harness.attended():
        task = asyncio.ensure_future(hands.harness.perform("bash", {"command": "true"}, "agent", "hands"))
        (call,) = await asked(hands.harness)
        assert (call.tool, call.input, call.thread) == ("bash", {"command": "true"}, "hands")
        await hands.harness.approve(call.id)
        with pytest.raises(HarnessError) as caught:
            await hands.harness.approve(call.id, False)
        assert caught.value.code == "not_found"
        await task


async def test_another_process_answers(hands: Play, tmp_path: Path, folders: OwnerFolders) -> None:
    with hands.harness.attended():
        task = asyncio.ensure_future(hands.harness.perform("bash", {"command": "echo hi"}, "agent", "hands"))
        (call,) = await asked(hands.harness)
        async with Harness.open(tmp_path / "space", folders=folders) as other:
            assert [waiting.id for waiting in other.asked()] == [call.id]
            await other.approve(call.id)
        assert text_of((await task).result) == "hi\n"


async def test_an_abort_while_it_waits_does_nothing(hands: Play, work: Path) -> None:
    with hands.harness.attended():
        task = asyncio.ensure_future(hands.harness.perform("bash", {"command": "touch made"}, "agent", "hands"))
        await asked(hands.harness)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    result = next(event for event in hands.harness.events("hands") if isinstance(event, ToolResult))
    assert result.error is not None
    assert (result.error["code"], "waited" in result.error["message"]) == ("cancelled", True)
    assert os.listdir(work) == []
    assert hands.harness.asked() == []


@pytest.mark.parametrize(
    "command", ["git status; id", "git status $(id)", "git status\nid", "git status && id", "`id`"]
)
async def test_a_pattern_lets_no_operator_pass(tmp_path: Path, folders: OwnerFolders, command: str) -> None:
    rules = {"allow": ["git status*"]}
    async with on_machine(tmp_path / "space", folders, tmp_path / "work", bash=rules) as hands:
        error = await hands.fails("bash", {"command": command}, "agent")
        assert (error.code, "nobody is there" in error.message) == ("refused", True)
        with pytest.raises(HarnessError, match="said no"):
            await answered(hands.harness, hands.harness.perform("bash", {"command": command}, "agent", "hands"), False)
        plain = await hands.fails("bash", {"command": "git status --definitely-no-option"}, "agent")
        assert "Command exited with code" in plain.message


async def test_a_denial_acts_at_once_and_a_permission_waits(harness: Harness, tmp_path: Path) -> None:
    await allow(harness, tmp_path)
    table = {"allow": ["ls*"], "deny": ["rm *"]}
    await harness.perform("write", {"address": "~/self", "content": {"approvals": {"bash": table, "read": "deny"}}})
    assert [waiting.id for waiting in harness.waiting()] == ["approvals.bash"]
    assert harness.settings().settings.approvals["bash"] == {"deny": ["rm *"]}
    assert harness.waiting()[0].default == {"deny": ["rm *"]}, "what acts meanwhile"
    hands = Play(harness, "hands")
    assert (await hands.fails("bash", {"command": "rm x"}, "agent")).message.startswith("The owner's settings")
    assert "nobody is there" in (await hands.fails("bash", {"command": "ls"}, "agent")).message
    await harness.approve("approvals.bash")
    await hands.agent("bash", {"command": "ls"})
    assert "read" not in harness.toolbox().tools
    assert "read" not in [tool["name"] for tool in harness.request("hands").tools]
    assert (await hands.fails("read", {"path": "x"}, "agent")).code == "refused"


async def test_the_owner_is_not_asked_about_the_owners_own_acts(hands: Play, work: Path) -> None:
    await hands.owner("write", {"path": "mine", "content": "x"})
    assert (work / "mine").read_text() == "x"


@pytest.mark.parametrize("tool", ["write", "edit"])
async def test_the_space_and_the_owners_answers_are_not_written(
    tmp_path: Path, folders: OwnerFolders, tool: str
) -> None:
    async with on_machine(tmp_path / "space", folders, tmp_path, write="allow", edit="allow") as hands:
        (tmp_path / "way").symlink_to(tmp_path / "space")
        answers = next((tmp_path / "config").rglob("*.json"))
        before = answers.read_text()
        for path in ("space/agent.toml", "way/agent.toml", "space/new", "./space/../space/memory/x", str(answers)):
            change = {"content": "x"} if tool == "write" else {"edits": [{"oldText": "a", "newText": "b"}]}
            error = await hands.fails(tool, {"path": path} | change, "agent")
            assert error.code == "refused", path
        assert answers.read_text() == before


async def test_what_the_owner_takes_back_in_mid_batch_is_not_done_any_more(
    tmp_path: Path, folders: OwnerFolders
) -> None:
    async with on_machine(tmp_path / "space", folders, tmp_path / "work", write="allow", edit="ask") as hands:
        harness = hands.harness
        run = await harness.start_run("hands")
        sent = await harness.send("hands", run, "scripted:x", harness.request("hands"))
        calls: list[tuple[str, Any]] = [
            ("edit", {"path": "a", "edits": [{"oldText": "1", "newText": "2"}]}),
            ("write", {"path": "b", "content": "1"}),
            ("ls", {}),
        ]
        (tmp_path / "work" / "a").write_text("1")
        with harness.attended():
            task = asyncio.ensure_future(harness.answered(sent, Outcome("calls"), None, calls))
            (call,) = await asked(harness)
            await harness.approve("surface", False)
            await harness.approve(call.id, True)
            ended = await task
        assert [one.code for one in ended if isinstance(one, HarnessError)] == ["unavailable"] * 3
        assert [(path.name, path.read_text()) for path in (tmp_path / "work").iterdir()] == [("a", "1")]


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("a", None),
        ("./sub/../a", None),
        ("link/a", "there/a"),
        ("~/a", "home/a"),
        ("@a", "work/a"),
        ("\u00a0a", "work/ a"),
    ],
)
async def test_the_question_says_where_a_path_leads_if_it_does_not_read_so(
    hands: Play, work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, place: str | None
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "there").mkdir()
    (work / "link").symlink_to(tmp_path / "there")
    with hands.harness.attended():
        act = hands.harness.perform("write", {"path": path, "content": "x"}, "agent", "hands")
        task = asyncio.ensure_future(act)
        (call,) = await asked(hands.harness)
        await hands.harness.approve(call.id, False)
        with pytest.raises(HarnessError, match="said no"):
            await task
    leads = "" if place is None else f'; the path leads to "{tmp_path / place}"'
    assert call.why == f"write asks before each call (approvals.write){leads}"


# By hand -----------------------------------------------------------------------------------------------------------


async def test_the_owner_uses_a_tool_by_hand_on_any_surface(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    with pytest.raises(HarnessError, match="the working directory") as raised:
        await harness.hand("ls", {}, tmp_path / os.fsdecode(b"n\xff"))
    assert raised.value.code == "bad_input"
    done = await harness.hand("read", {"path": "a.txt"}, tmp_path)
    assert (text_of(done.result), done.thread) == ("one\n", "workshop")
    call = next(event for event in harness.events("workshop") if isinstance(event, ToolCall))
    assert (call.binding, call.cwd, call.actor) == ("toolbox:read", str(tmp_path), "user")


async def test_results_of_one_message_stand_in_the_order_of_its_calls(hands: Play, work: Path) -> None:
    (work / "a.txt").write_text("one\n")
    with hands.harness.attended():
        slow = asyncio.ensure_future(
            hands.harness.perform("write", {"path": "b", "content": "x"}, "agent", "hands", "m")
        )
        (call,) = await asked(hands.harness)
        await hands.agent("read", {"path": "a.txt"}, "m")
        await hands.harness.approve(call.id)
        await slow
    (answers,) = [message for message in hands.harness.request("hands").messages if message["role"] == "tool"]
    assert [result["name"] for result in answers["results"]] == ["write", "read"]


# Hooks -------------------------------------------------------------------------------------------------------------


async def test_what_a_hook_makes_of_a_call_is_what_the_owner_is_asked_about(hands: Play, work: Path) -> None:
    async def elsewhere(made: CallMade) -> dict:
        return {**made.params, "path": "moved"}

    async def signed(done: CallDone) -> Replaced:
        assert done.answer.text == "Successfully wrote 1 bytes to moved"
        return Replaced(content=(TextBlock("written, and looked at"),))

    hands.harness.use_hooks(Hooks(before=(elsewhere,), after=(signed,)))
    with hands.harness.attended():
        act = hands.harness.perform("write", {"path": "meant", "content": "x"}, "agent", "hands")
        task = asyncio.ensure_future(act)
        (call,) = await asked(hands.harness)
        assert call.input == {"path": "moved", "content": "x"}
        await hands.harness.approve(call.id)
        done = await task
    assert text_of(done.result) == "written, and looked at"
    assert os.listdir(work) == ["moved"]
    logged = next(event for event in hands.harness.events("hands") if isinstance(event, ToolCall))
    assert logged.input == {"path": "meant", "content": "x"}, "the log keeps what was sent"


async def test_a_hook_that_blocks_is_an_error_with_its_reason(hands: Play) -> None:
    async def no(made: CallMade) -> Blocked:
        return Blocked("not on a Monday")

    hands.harness.use_hooks(Hooks(before=(no,)))
    assert (await hands.fails("ls", {}, "agent")).message == "not on a Monday"
    hands.harness.use_hooks(None)
    await hands.agent("ls", {})


async def test_half_a_character_in_the_words_of_a_failure_does_not_keep_them_out_of_the_log(hands: Play) -> None:
    async def no(made: CallMade) -> Blocked:
        return Blocked("no\ud800")

    hands.harness.use_hooks(Hooks(before=(no,)))
    error = await hands.fails("ls", {}, "agent")
    assert error.message.startswith("no\ufffd")
    result = next(event for event in hands.harness.events("hands") if isinstance(event, ToolResult))
    assert result.error == {"code": "refused", "message": error.message}


async def test_the_full_output_of_a_command_is_there_until_the_workbench_ends(hands: Play) -> None:
    done = await hands.harness.perform("bash", {"command": "seq 1 3000"}, "user", "hands")
    file = text_of(done.result).rpartition("Full output: ")[2].rstrip("]")
    page = text_of(await hands.agent("read", {"path": file, "limit": 1}))
    assert page == "1\n\n[2999 more lines in file. Use offset=2 to continue.]"
    gone = re.sub(r"(?<=workbench-output-)\w{8}", "a" * 8, file)
    error = await hands.fails("read", {"path": gone}, "agent")
    assert (error.code, "full output of a bash command" in error.message) == ("not_found", True)
