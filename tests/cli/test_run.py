"""`workbench run`: a turn from a shell, as it happens, and every way in which it can end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.agent.servers.fake_provider import FakeProvider
from tests.cli.command import Workbench, end, until
from tests.cli.provided import Provided
from tests.cli.scenes import LONG, SCENE


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    """A folder with scene files."""
    (tmp_path / "look.toml").write_text(SCENE)
    (tmp_path / "long.toml").write_text(LONG)
    return tmp_path


def lines(text: str) -> list[dict[str, Any]]:
    """The JSON values, one a line."""
    return [json.loads(line) for line in text.splitlines()]


def test_what_the_agent_says_is_the_output_and_what_it_does_stands_beside(cli: Workbench, scenes: Path) -> None:
    ran = cli.run("run", "t", "find x", "--model", "scripted:look.toml", cwd=scenes)
    assert ran.code == 0
    assert ran.out == "Let me ␛[31mlook.\nNothing there.\n"
    aside = ran.err.splitlines()
    assert aside[0] == "thinking…"
    assert aside.count("+ search is now a tool of the provider") == 1
    assert sum("call → contract (untouched)" in line for line in aside) == 1
    assert sum("search → ok" in line for line in aside) == 1
    assert aside[-1] == "done: 3 requests"
    assert "Hm." not in ran.err
    assert "find x" not in ran.err, "what one typed needs no telling"


def test_for_machines_pieces_and_events_come_one_a_line_and_the_turn_last(cli: Workbench, scenes: Path) -> None:
    ran = cli.run("run", "t", "find x", "--model", "scripted:look.toml", "--json", cwd=scenes)
    assert (ran.code, ran.err) == (0, "")
    values = lines(ran.out)
    assert "".join(one["text"] for one in values if one["type"] == "piece" and one["kind"] == "text") == (
        "Let me \x1b[31mlook.Nothing there."
    )
    assert {one["kind"] for one in values if one["type"] == "piece"} == {"text", "thinking", "calling"}
    assert [one for one in values if "seq" in one] == cli.events("t")
    last = values[-1]
    assert (last["type"], last["reason"], last["requests"], last["words"]) == ("turn", "done", 3, "")
    assert set(last["usage"]) == {"input", "output", "cache_read", "cache_write"}
    assert last["cost"] is None
    # An answer's pieces stand between the event that it was asked for and the one that it entered the log with.
    kinds = [one["type"] for one in values]
    assert kinds.index("request") < kinds.index("piece") < kinds.index("tool_call")


def test_a_recording_gives_the_same_answers_and_replaces_no_file_of_others(cli: Workbench, scenes: Path) -> None:
    run = ("run", "t", "find x", "--model", "scripted:look.toml", "--record")
    taken = scenes / "look.toml"
    before = taken.read_text()
    refused = cli.run(*run, "look.toml", cwd=scenes)
    assert (refused.code, taken.read_text()) == (1, before)
    assert "no recording" in refused.err
    assert cli.run("log", "t").code == 1, "nothing was done before"
    assert ".toml" in cli.run(*run, "out.txt", cwd=scenes).err
    assert cli.run(*run, "nowhere/out.toml", cwd=scenes).code == 1

    assert cli.run(*run, "out.toml", cwd=scenes).code == 0
    again = cli.run("run", "again", "find x", "--model", "scripted:out.toml", "--record", "out.toml", cwd=scenes)
    assert again.code == 0
    assert again.out == "Let me ␛[31mlook.\nNothing there.\n"
    assert not [file for file in os.listdir(scenes) if file.startswith(".out")]


def test_a_recording_replaces_nothing_but_a_recording(cli: Workbench, scenes: Path) -> None:
    run = ("run", "t", "find x", "--model", "scripted:look.toml", "--record")
    os.mkfifo(scenes / "fifo.toml")
    (scenes / "folder.toml").mkdir()
    (scenes / "dangling.toml").symlink_to("elsewhere.toml")
    assert cli.run("run", "u", "find x", *run[3:], "real.toml", cwd=scenes).code == 0
    (scenes / "linked.toml").symlink_to("real.toml")
    there = set(os.listdir(scenes))
    for name in ("fifo.toml", "folder.toml", "dangling.toml", "linked.toml"):
        ran = cli.run(*run, name, cwd=scenes)
        assert ran.code == 1
        assert "is no plain file, so it is not replaced" in ran.err
    assert set(os.listdir(scenes)) == there
    assert (scenes / "dangling.toml").is_symlink()
    assert (scenes / "linked.toml").is_symlink()
    assert cli.run("log", "t").code == 1, "nothing was done before"


def test_what_came_to_the_place_of_a_recording_meanwhile_stays(cli: Workbench, scenes: Path) -> None:
    model = ("--model", f"scripted:{scenes / 'long.toml'}", "--record", str(scenes / "out.toml"))
    text = (scenes / "long.toml").read_text().replace("pace = 0.05", "pace = 0.001").replace("word " * 4_000, "")
    (scenes / "long.toml").write_text(text)
    with cli.start("run", "t", "go", *model) as process:
        assert process.stdout is not None
        assert process.stdout.read(1) == "w"
        (scenes / "out.toml").write_text("mine")
        _, err = process.communicate(timeout=60)
    assert (process.returncode, (scenes / "out.toml").read_text()) == (1, "mine")
    assert "is no recording, so it is not replaced" in err
    assert [e["reason"] for e in cli.events("t") if e["type"] == "run" and e["state"] == "end"] == ["done"]


def test_the_message_may_come_from_standard_input_or_have_been_said_before(cli: Workbench, scenes: Path) -> None:
    model = ("--model", "scripted:look.toml")
    assert cli.run("run", "t", "-", *model, input="größe\nsecond line", cwd=scenes).code == 0
    assert next(e["text"] for e in cli.events("t") if e["type"] == "message") == "größe\nsecond line"
    nothing = cli.run("run", "t", *model, cwd=scenes)
    assert nothing.code == 0
    assert "Nothing in this thread waits for an answer." in nothing.err
    assert cli.run("run", "t", "  ", *model, cwd=scenes).code == 1


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (None, "No model is set"),
        ("nonsense", "names no model"),
        ("scripted:none.toml", "none.toml"),
        ("replay:nobody", "nobody"),
    ],
)
def test_without_a_model_nothing_is_said(shared: Workbench, model: str | None, words: str) -> None:
    ran = shared.run("run", "silent", "hi", *(("--model", model) if model else ()))
    assert (ran.code, ran.out) == (1, "")
    assert words in ran.err
    assert shared.run("log", "silent").code == 1


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_ctrl_c_aborts_the_turn_in_order(cli: Workbench, scenes: Path, options: tuple[str, ...]) -> None:
    with cli.start("run", "t", "go", "--model", f"scripted:{scenes / 'long.toml'}", *options) as process:
        assert process.stdout is not None
        read = process.stdout.read(1) if not options else process.stdout.readline()
        until(lambda: any(e["type"] == "request" for e in cli.events("t")), "it was asked")
        ran = end(process, signal.SIGINT)
    assert read
    assert ran.code == 130
    if options:
        assert lines(ran.out)[-1]["reason"] == "aborted"
    else:
        assert "Aborted." in ran.err
    events = cli.events("t")
    assert [e["state"] for e in events if e["type"] == "run"] == ["start", "end"]
    assert [e["finish"] for e in events if e["type"] == "request" and e["state"] == "ended"] == ["aborted"]
    assert cli.run("fsck").code == 0


def test_a_reader_that_goes_away_aborts_it_too(cli: Workbench, scenes: Path) -> None:
    with cli.start("run", "t", "go", "--model", f"scripted:{scenes / 'long.toml'}") as process:
        assert process.stdout is not None
        assert process.stdout.read(1) == "w"
        process.stdout.close()
        assert process.wait(30) == 128 + signal.SIGPIPE
    assert [e["state"] for e in cli.events("t") if e["type"] == "run"] == ["start", "end"]


def test_one_live_turn_a_thread(cli: Workbench, scenes: Path) -> None:
    with cli.start("run", "t", "go", "--model", f"scripted:{scenes / 'long.toml'}") as process:
        assert process.stdout is not None
        process.stdout.read(1)
        other = cli.run("run", "t", "me too", "--model", "scripted:look.toml", cwd=scenes)
        assert other.code == 1
        assert "live run" in other.err
        value = cli.run("run", "t", "me too", "--model", "scripted:look.toml", "--json", cwd=scenes).json
        assert value["error"]["code"] == "conflict"
        elsewhere = cli.run("run", "u", "me too", "--model", "scripted:look.toml", cwd=scenes)
        assert elsewhere.code == 0
        end(process, signal.SIGTERM)
    assert "me too" not in [e.get("text") for e in cli.events("t")]


@pytest.mark.usefixtures("with_the_extra")
async def test_the_first_word_is_there_before_the_last_is_sent(cli: Workbench) -> None:
    async with FakeProvider() as server:
        await asyncio.to_thread(Provided, cli, server)
        reply = server.answer(text="First and then the last.", hold_after=3)
        process = await asyncio.create_subprocess_exec(
            *cli.command("run", "t", "hi"), env=cli.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout is not None
        first = await asyncio.wait_for(process.stdout.read(5), 60)
        assert first == b"First"
        reply.release()
        out, err = await asyncio.wait_for(process.communicate(), 60)
    assert (first + out).decode() == "First and then the last.\n"
    assert process.returncode == 0, err


@pytest.mark.usefixtures("with_the_extra")
async def test_how_it_ended_is_said_with_what_it_took(cli: Workbench) -> None:
    async with FakeProvider() as server:
        provided = await asyncio.to_thread(Provided, cli, server)
        server.answer(text="Hello.", usage={"input": 3, "output": 2})
        done = await provided.run("t", "hi")
        assert (done.code, done.out) == (0, "Hello.\n")
        assert done.err.splitlines()[-1] == "done: 1 request, 3 tokens in, 2 tokens out, cost 7.0000"

        server.fail(401, "wrong key")
        failed = await provided.run("t", "again")
        assert (failed.code, failed.out) == (1, "")
        assert "failed: 1 request" in failed.err

        server.answer(text="Hel", finish="length")
        cut = await provided.run("t", "again", "--json")
        assert cut.code == 1
        last = lines(cut.out)[-1]
        assert (last["type"], last["reason"]) == ("turn", "length")
        assert last["words"]

        server.fail(503, "busy", retry_after="0")
        server.answer(text="At last.")
        retried = await provided.run("t", "again")
        assert (retried.code, retried.out) == (0, "At last.\n")
        assert "asked again in" in retried.err
