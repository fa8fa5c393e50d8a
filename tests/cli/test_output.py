"""What leaves the command line: pure JSON for machines, safe text for people, and quiet ends."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.canaries import CANARIES, NEVER_SHOWN
from tests.cli.command import Workbench

EVIL = "red \x1b[31m bell \x07 turned \u202e back\n"
PLAIN_C = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
UNDECODABLE = b"\xff"


@pytest.fixture(scope="module")
def full(shared: Workbench) -> Workbench:
    """A Space with a hostile file, a lambda that speaks of it, and a thread."""
    cli = shared
    cli.run("write", "~/memory/evil", "--file", "-", input=EVIL)
    cli.save("speak", "def main(input):\n    return 1\n", summary="Bold [b]claims[/b] \x1b[31m—\u202e é")
    cli.run("call", "speak", "{}", "--as", "agent", "--thread", "t")
    cli.run("call", "speak", '{"x": "</pre><script>alert(1)</script>"}', "--as", "agent", "--thread", "html")
    return cli


@pytest.mark.sandbox
def test_no_canary_reaches_a_terminal_by_any_way(cli: Workbench, tmp_path: Path) -> None:
    source = tmp_path / "canaries.py"
    source.write_text(f"TEXTS = {list(CANARIES)!r}\n\n\ndef main(input):\n    print(*TEXTS)\n    return TEXTS\n")
    contract = {"description": "\n".join(CANARIES), "summary": " ".join(CANARIES)[:60], "input": {"title": CANARIES[8]}}
    (tmp_path / "contract.json").write_text(json.dumps(contract))
    cli.run("write", "~/tools/canaries", "--source", str(source), "--contract", str(tmp_path / "contract.json"))
    cli.run("write", "~/memory/canaries", "--file", "-", input="\n".join(CANARIES))
    for text in CANARIES:
        cli.run("call", "search", json.dumps({"query": text[:900]}), "--as", "agent", "--thread", "t")
    shown = [
        cli.run("read", "~/tools/canaries"),
        cli.run("read", "~/tools/canaries", "--options", '{"part": "source"}'),
        cli.run("read", "~/tools/canaries", "--options", '{"part": "document"}'),
        cli.run("read", "~/memory/canaries"),
        cli.run("call", "canaries"),
        cli.run("tools"),
        cli.run("index"),
        cli.run("log", "t"),
        cli.run("log", "workshop"),
        cli.run("log", "t", "--format", "md"),
        cli.run("request", "t"),
    ]
    for ran in shown:
        assert ran.code == 0, ran
        assert not NEVER_SHOWN & set(ran.out + ran.err)
    assert "list[int]" in shown[0].out
    assert "[/x" in shown[4].out


COMMANDS = [
    ["tools"],
    ["read", "~/memory/evil"],
    ["read", "~/tools/speak"],
    ["read", "~/tools/"],
    ["read", "~/self"],
    ["read", "thread:t"],
    ["write", "~/memory/x", "--content", "é"],
    ["index"],
    ["threads"],
    ["log", "t", "--format", "md"],
    ["log", "t", "--format", "html"],
    ["promoted", "t"],
    ["promoted", "t", "--at", "1"],
    ["request", "t"],
    ["request", "t", "--at", "1"],
    ["approve"],
    ["fsck"],
    ["init"],
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_json_is_one_value_and_nothing_else(full: Workbench, arguments: list[str]) -> None:
    for ran in (full.run(*arguments, "--json"), full.run("--json", *arguments)):
        assert (ran.code, ran.err) == (0, "")
        assert isinstance(ran.json, dict)


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_people_never_get_a_control_character(full: Workbench, arguments: list[str]) -> None:
    ran = full.run(*arguments)
    assert ran.code == 0
    for text in (ran.out, ran.err):
        assert not {"\x1b", "\x07", "\u202e"} & set(text)


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_locale_without_letters_is_no_reason_to_fail(full: Workbench, arguments: list[str]) -> None:
    for options in ([], ["--json"]):
        ran = full.run(*arguments, *options, env=PLAIN_C)
        assert ran.code == 0, ran
        assert ran.out.isascii() or "--json" not in options


def test_a_log_is_a_value_a_line(full: Workbench) -> None:
    ran = full.run("log", "t", "--json")
    events = [json.loads(line) for line in ran.out.splitlines()]
    assert [event["seq"] for event in events] == [1, 2]
    assert [event["type"] for event in events] == ["tool_call", "tool_result"]
    assert full.run("log", "t").out.count("\n") == 2


def test_a_page_of_html_holds_no_markup_of_the_thread(full: Workbench) -> None:
    page = full.run("log", "html", "--format", "html").out
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert page.startswith("<!doctype html>")


@pytest.mark.parametrize(
    "arguments",
    [
        ["write", "~/memory/x", "--content", UNDECODABLE],
        ["read", b"~/memory/" + UNDECODABLE],
        ["call", UNDECODABLE],
        ["call", "speak", UNDECODABLE],
        ["call", "speak", "{}", "--thread", UNDECODABLE],
        ["call", "speak", "{}", "--message", UNDECODABLE],
        ["log", UNDECODABLE],
        ["promoted", UNDECODABLE],
        ["approve", UNDECODABLE],
        ["cid", UNDECODABLE],
    ],
    ids=repr,
)
def test_bytes_that_are_no_text_are_refused_in_words(full: Workbench, arguments: list[str | bytes]) -> None:
    people = full.run(*arguments)
    assert (people.code, people.out) == (1, "")
    assert people.err.startswith("workbench: ")
    machine = full.run(*arguments, "--json")
    assert machine.code == 1
    assert machine.json["error"]["message"]


def test_a_reader_that_goes_away_is_no_error(full: Workbench) -> None:
    text = "".join(f"{number:050}\n" for number in range(900))
    full.run("write", "~/memory/long", "--file", "-", input=text)
    with full.start("read", "~/memory/long") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


@pytest.mark.parametrize("end", ["closed", "full"])
def test_an_output_that_takes_nothing_is_said(full: Workbench, end: str) -> None:
    redirect = ">&-" if end == "closed" else ">/dev/full"
    command = ["sh", "-c", f'exec "$@" {redirect}', "sh", *full.command("tools", "--json")]
    done = subprocess.run(command, capture_output=True, env=full.env, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stderr.decode().count("\n") == 1
    assert full.run("fsck").code == 0


def test_a_defect_of_ours_is_one_line_and_a_report(cli: Workbench, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    (broken / "sqlite3").mkdir(parents=True)
    (broken / "sqlite3" / "__init__.py").write_text("raise RuntimeError('no database today')\n")
    path = os.pathsep.join([str(broken), cli.env["PYTHONPATH"]])
    ran = cli.run("tools", env={"PYTHONPATH": path})
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.count("\n") == 1
    assert "no database today" in ran.err
    reports = list((tmp_path / "state" / "workbench" / "crashes").iterdir())
    assert len(reports) == 1
    assert str(reports[0]) in ran.err
    assert "Traceback" in reports[0].read_text()
    assert cli.run("tools", "--json", env={"PYTHONPATH": path}).json["error"]["code"] == "failed"


def test_without_a_terminal_the_app_says_so(cli: Workbench) -> None:
    ran = cli.run()
    assert (ran.code, ran.out) == (1, "")
    assert "terminal" in ran.err
