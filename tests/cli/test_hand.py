"""`workbench hand`: a tool of the toolbox from a shell; and the questions of a turn, asked there."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Ran, Workbench
from tests.harness.on_machine import allow
from workbench import Harness
from workbench.cli.asking import question
from workbench.harness.machine import AskedCall
from workbench.harness.space.agent_file import OwnerFolders

TOUCHES = """
title = "Touching"

[[steps]]
caption = "It makes a file."
actor = "agent"
name = "bash"
input = { command = "touch made; echo done" }

[[steps]]
caption = "Done."
actor = "agent"
say = "There."
"""


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder to act in, with a scene beside it."""
    folder = tmp_path / "work"
    folder.mkdir()
    (tmp_path / "touches.toml").write_text(TOUCHES)
    return folder


@pytest.fixture
def agent(cli: Workbench, work: Path) -> Workbench:
    """The command line on a Space whose new threads act on the real machine."""
    folders = OwnerFolders(*(Path(cli.env[f"XDG_{name}_HOME"]) / "workbench" for name in ("CONFIG", "STATE")))

    async def prepare() -> None:
        async with Harness.open(cli.space, folders=folders) as harness:
            await allow(harness, work)

    asyncio.run(prepare())
    return cli


def hand(cli: Workbench, tool: str, input: Any, cwd: Path, *more: str) -> Ran:
    return cli.run("hand", tool, json.dumps(input), "--cwd", str(cwd), *more)


def in_removed(cli: Workbench, folder: Path, *arguments: str, space: bool = True) -> Ran:
    """Run it in a folder that is there no more."""
    folder.mkdir()
    shell = ["sh", "-c", 'cd "$0" && rmdir "$0" && exec "$@"', str(folder)]
    done = subprocess.run(
        [*shell, *cli.command(*arguments, space=space)], capture_output=True, env=cli.env, timeout=60, check=False
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def _stop(process: subprocess.Popen[Any]) -> None:
    if process.poll() is None:
        process.kill()
    process.wait(30)


def test_people_get_the_text(cli: Workbench, work: Path) -> None:
    (work / "a.txt").write_text("one\n\x1b[31mtwo\n")
    ran = hand(cli, "read", {"path": "a.txt"}, work)
    assert (ran.code, ran.out, ran.err) == (0, "one\n␛[31mtwo\n", "")


def test_machines_get_content_details_and_is_error(cli: Workbench, work: Path) -> None:
    ran = hand(cli, "write", {"path": "a/b.txt", "content": "héllo\n"}, work, "--json")
    assert ran.json | {"seq": 0} == {
        "content": [{"type": "text", "text": "Successfully wrote 7 bytes to a/b.txt"}],
        "details": None,
        "is_error": False,
        "thread": "workshop",
        "seq": 0,
    }
    failed = hand(cli, "bash", {"command": "echo no; exit 3"}, work, "--json")
    assert (failed.code, failed.json["is_error"], failed.json["details"]) == (1, True, {})
    assert failed.json["content"] == [{"type": "text", "text": "no\n\n\nCommand exited with code 3"}]


def test_a_failure_is_said_in_words(cli: Workbench, work: Path) -> None:
    ran = hand(cli, "read", {"path": "missing"}, work)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("workbench: ENOENT: no such file or directory")
    refused = hand(cli, "read", {"limit": "ten"}, work)
    assert refused.code == 1
    assert "path: must have required properties path" in refused.err
    assert "limit: must be number" in refused.err


def test_what_a_failing_command_printed_is_output(cli: Workbench, work: Path) -> None:
    ran = hand(cli, "bash", {"command": "echo one; echo two >&2; exit 3"}, work)
    assert (ran.code, ran.out, ran.err) == (1, "one\ntwo\n", "workbench: Command exited with code 3\n")


def test_a_file_that_goes_with_the_command_is_said_to(cli: Workbench, work: Path) -> None:
    ran = hand(cli, "bash", {"command": "seq 1 3000"}, work)
    assert ran.code == 0
    assert "Full output: " in ran.out
    assert ran.err == "That file went with this command; let the command itself write what you want to keep.\n"


def test_there_are_seven(cli: Workbench, work: Path) -> None:
    ran = hand(cli, "rm", {}, work)
    assert (ran.code, ran.err) == (
        1,
        "workbench: Tool rm not found. There are: read, write, edit, bash, grep, find, ls.\n",
    )


@pytest.mark.parametrize("name", ["missing", "touches.toml"])
def test_it_makes_no_directory_to_act_in(cli: Workbench, work: Path, name: str) -> None:
    ran = hand(cli, "write", {"path": "a", "content": "x"}, work.parent / name)
    assert (ran.code, "is no directory to act in" in ran.err) == (1, True)
    assert not (work.parent / "missing").exists()


def test_without_a_directory_it_acts_where_you_are(cli: Workbench, work: Path) -> None:
    (work / "here.txt").write_text("")
    ran = cli.run("hand", "ls", "{}", cwd=work)
    assert (ran.code, ran.out) == (0, "here.txt\n")


@pytest.mark.parametrize(("tool", "input"), [("ls", "{}"), ("bash", '{"command": "touch made"}')])
@pytest.mark.parametrize("named", [False, True], ids=["where one is", "with --cwd"])
def test_a_folder_whose_name_is_no_text_is_refused_in_words(
    cli: Workbench, work: Path, tool: str, input: str, named: bool
) -> None:
    folder = work / os.fsdecode(b"n\xff")
    folder.mkdir()
    more = ("--cwd", os.fsencode(folder)) if named else ()
    ran = cli.run("hand", tool, input, *more, cwd=work if named else folder)
    assert ran.code == 1
    assert ran.err.startswith(f"workbench: The name of {work}/n\ufffd is not UTF-8, and the log could not say where")
    assert os.listdir(folder) == []


@pytest.mark.parametrize("arguments", [("ls", "{}"), ("bash", '{"command": "true"}'), ("ls", "{}", "--cwd", "below")])
def test_a_folder_that_was_removed_is_said_to_be(cli: Workbench, work: Path, arguments: tuple[str, ...]) -> None:
    ran = in_removed(cli, work / "gone", "hand", *arguments)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == (
        f"workbench: Working directory does not exist: {work / 'gone'}. Name one that is there with --cwd, as a whole "
        "path.\n"
    )


def test_from_a_folder_that_was_removed_one_acts_elsewhere(cli: Workbench, work: Path) -> None:
    (work / "here.txt").write_text("")
    assert in_removed(cli, work.parent / "gone", "hand", "ls", "{}", "--cwd", str(work)).out == "here.txt\n"
    for command in (("hand", "ls", "{}", "--cwd", str(work)), ("init",), ("tools",)):
        ran = in_removed(cli, work.parent / "gone", *command, "--space", "../beside", space=False)
        assert (ran.code, ran.out) == (1, "")
        assert ran.err.startswith("workbench: ../beside starts from the folder you are in, and that was removed.")


def test_a_home_that_nobody_has_is_no_directory(cli: Workbench, work: Path) -> None:
    ran = cli.run("hand", "ls", "{}", "--cwd", "~nobody-has-this/x", cwd=work)
    assert (ran.code, "is no directory to act in" in ran.err) == (1, True)


def test_an_image_comes_whole_for_machines(cli: Workbench, work: Path) -> None:
    from PIL import Image

    Image.new("RGB", (3, 2), "red").save(work / "red.png")
    ran = hand(cli, "read", {"path": "red.png"}, work, "--json")
    text, image = ran.json["content"]
    assert text["text"].startswith("Read image file [image/png]")
    assert (image["type"], image["mimeType"], image["width"], image["height"]) == ("image", "image/png", 3, 2)
    assert image["data"].startswith("iVBORw0KGgo")
    shown = hand(cli, "read", {"path": "red.png"}, work)
    assert (shown.out, "3x2" in shown.err) == ("Read image file [image/png]\n", True)


# What asks ---------------------------------------------------------------------------------------------------------


def test_a_turn_without_a_terminal_is_told_no(agent: Workbench, work: Path) -> None:
    ran = agent.run("run", "t", "go", "--model", "scripted:touches.toml", cwd=work.parent)
    assert (ran.code, ran.out) == (0, "There.\n")
    assert "nobody is there to be asked" in ran.err
    assert not (work / "made").exists()


def test_a_thread_that_begins_before_the_yes_says_on_which_surface(cli: Workbench, work: Path) -> None:
    cli.run("write", "~/self", "--content", json.dumps({"surface": "toolbox", "workdir": str(work)}))
    ran = cli.run("run", "t", "go", "--model", "scripted:touches.toml", cwd=work.parent)
    assert "surface and workdir of the settings wait for your yes (workbench approve), so thread t begins on" in ran.err
    again = cli.run("run", "t", "go", "--model", "scripted:touches.toml", cwd=work.parent)
    assert "wait for your yes" not in again.err


@pytest.mark.parametrize(
    ("tool", "input", "lines"),
    [
        ("bash", {"command": "a\nb"}, ["  $ a", "  $ b"]),
        ("write", {"path": "p", "content": "x\ny\n"}, ["  p, 4 bytes:", "  | x", "  | y"]),
        ("edit", {"path": "p", "edits": [{"oldText": "a\nb", "newText": "c"}]}, ["  p", "  - a", "  - b", "  + c"]),
        ("edit", {"path": "p", "edits": [3]}, ["  p", "  3"]),
        ("edit", {"path": 3}, ['  {"path":3}']),
        ("write", {"path": "p", "content": "x\n" * 50}, ["  p, 100 bytes:", *["  | x"] * 40, "  | … 10 more lines"]),
    ],
)
def test_a_question_shows_what_would_be_done(tool: str, input: Any, lines: list[str]) -> None:
    asked = AskedCall("call-1", "t", 1, tool, input, "/w", "it asks", "")
    assert question(asked) == [f"? {tool} asks before it acts, in /w: it asks", *lines]


@pytest.mark.parametrize("no", [False, True])
def test_with_ask_another_terminal_answers(agent: Workbench, work: Path, no: bool) -> None:
    command = agent.command("run", "t", "go", "--model", "scripted:touches.toml", "--ask")
    turn = subprocess.Popen(
        command, cwd=work.parent, env=agent.env, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    try:
        assert turn.stderr is not None
        line = next(line for line in turn.stderr if "approve call-" in line)
        id = next(word for word in line.split() if word.startswith("call-"))
        listed = agent.run("approve")
        assert id in listed.out
        assert "$ touch made; echo done" in listed.out
        (waiting,) = agent.run("approve", "--json").json["calls"]
        assert (waiting["id"], waiting["tool"], waiting["cwd"]) == (id, "bash", str(work))
        said = agent.run("approve", id, *(["--deny"] if no else []), "--json").result
        assert said == {"status": "denied" if no else "approved", "id": id, "tool": "bash"}
        turn.stderr.read()
        assert turn.wait(30) == 0
    finally:
        _stop(turn)
    assert (work / "made").exists() is not no


@pytest.mark.parametrize(
    ("before", "typed", "made"),
    [(b"", b"y\n", True), (b"", b"\n", False), (b"y\ny\n", b"\n", False), (b"n\nsomething else", b"yes\nn\n", True)],
)
def test_at_a_terminal_it_asks_there_and_takes_what_is_typed_from_then_on(
    agent: Workbench, work: Path, before: bytes, typed: bytes, made: bool
) -> None:
    mine, theirs = pty.openpty()
    os.write(mine, before)
    turn = subprocess.Popen(
        agent.command("run", "t", "go", "--model", "scripted:touches.toml"),
        cwd=work.parent,
        env=agent.env,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    seen = b""
    try:
        deadline = time.monotonic() + 60
        while b"Yes? [y/N]" not in seen and time.monotonic() < deadline:
            seen += os.read(mine, 4096)
        assert b"$ touch made; echo done" in seen
        os.write(mine, typed)
        while True:
            try:
                seen += os.read(mine, 4096)
            except OSError:
                break
        assert turn.wait(30) == 0
    finally:
        _stop(turn)
        os.close(mine)
    assert b"There." in seen
    assert (work / "made").exists() is made
