"""`workbench cost`: one command prints the table."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.catalogue import SAMPLE
from tests.cli.command import Workbench


def test_the_table_needs_no_space(shared: Workbench) -> None:
    ran = shared.run("cost", str(SAMPLE), space=False)
    assert ran.code == 0
    assert "15 tools declared" in ran.out
    assert "A token is taken for 3 bytes." in ran.out
    assert "2 of them under another name" in ran.err
    value = shared.run("cost", str(SAMPLE), "--json", space=False).json
    assert value["tools"] == 15
    assert value["index_and_verbs"] == value["index"]["bytes"] + value["verbs"] < value["every_schema"]
    assert {
        "given": "docx.v1.document.rawContent",
        "name": "docx_v1_document_raw_content",
        "why": "illegal",
    } in value["renamed"]
    assert "scene" not in value


def test_what_is_no_tool_is_counted_and_named(shared: Workbench) -> None:
    lines = "\n".join(["{}"] * 7)
    ran = shared.run("cost", "-", input=lines, space=False)
    assert ran.code == 0
    assert "7 lines refused" in ran.err
    assert "standard input, line 1: It has no name." in ran.err
    assert "and 2 more" in ran.err
    assert len(shared.run("cost", "-", "--json", input=lines, space=False).json["refused"]) == 7


def test_an_empty_catalogue_is_called_one(shared: Workbench) -> None:
    for data in (b"", b"\xff\n"):
        ran = shared.run("cost", "-", input=data, space=False)
        assert ran.code == 0
        assert "There is no tool in this catalogue" in ran.err
        assert "times" not in ran.out
    assert "standard input, line 1: the line is not UTF-8" in ran.err


def test_tools_of_one_name_are_not_called_illegal(shared: Workbench) -> None:
    lines = '{"name": "t1"}\n' * 3
    ran = shared.run("cost", "-", input=lines, space=False)
    assert ran.err == "3 tools; 2 with a number, because a tool before has the same name.\n"
    renamed = shared.run("cost", "-", "--json", input=lines, space=False).json["renamed"]
    assert [one["name"] for one in renamed] == ["t1_2", "t1_3"]


@pytest.mark.sandbox
def test_a_task_row_by_row(shared: Workbench) -> None:
    ran = shared.run("cost", str(SAMPLE), "--scene", "three_tools", space=False)
    assert ran.code == 0
    rows = [line for line in ran.out.splitlines() if line[:1].isdigit()]
    assert [row.split()[0] for row in rows] == ["1*", "2*", "3", "4", "5"]
    assert "times less" in ran.out
    scene = shared.run("cost", str(SAMPLE), "--scene", "three_tools", "--json", space=False).json["scene"]
    assert scene["sent"] == sum(row["sent"] for row in scene["requests"])
    assert scene["with_every_schema_needed"] < scene["with_every_schema"]


def test_where_no_lambda_can_run_the_standing_cost_is_told_all_the_same(shared: Workbench) -> None:
    lacking = (
        "import sys\n"
        "from workbench.harness.tools import engine\n"
        "from workbench.harness.tools.lambdas.availability import Availability\n"
        "async def probe(self):\n"
        "    return Availability('no bubblewrap here', 'no bubblewrap here', ())\n"
        "engine.Bubblewrap.probe = probe\n"
        "from workbench.cli.main import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    command = [sys.executable, "-c", lacking, "cost", str(SAMPLE), "--scene", "three_tools"]
    done = subprocess.run(command, env=shared.env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0
    assert "index and verbs" in done.stdout
    assert "no bubblewrap here" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("cost", "nowhere.jsonl"), 1, "no file"),
        (("cost", str(SAMPLE), "--scene", "none"), 1, "three_tools"),
        (("--space", "x", "cost", str(SAMPLE)), 2, "throwaway"),
        (("cost",), 2, "FILE"),
    ],
)
def test_misuse_is_said_in_words(shared: Workbench, arguments: tuple[str, ...], code: int, words: str) -> None:
    ran = shared.run(*arguments, space=False)
    assert ran.code == code
    assert words in ran.err
