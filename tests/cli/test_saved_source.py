"""What the command line says of the source of a lambda that it saved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import Workbench

ECHO = "def main(input):\n    return input\n"

BROKEN = [
    ("python", "def main(input):\n    return {1 2}\n", 2, 13),
    ("python", "def other(input):\n    return 1\n", 1, 1),
    ("typescript", "export default (input) => {\n  return {a: };\n};\n", 2, 14),
]
"""Sources that no call can run: the runtime, the source, the line and the column of the first fault."""


@pytest.mark.parametrize(("runtime", "source", "line", "column"), BROKEN)
def test_a_lambda_that_cannot_run_is_stored_and_it_is_said_where_the_fault_is(
    cli: Workbench, runtime: str, source: str, line: int, column: int
) -> None:
    content = json.dumps({"description": "Does it.", "runtime": runtime, "source": source})
    ran = cli.run("write", "~/tools/broken", "--content", content)
    assert (ran.code, ran.out.partition("  ")[0]) == (0, "saved ~/tools/broken")
    assert "calls of it will fail" in ran.err
    assert f"line {line}, column {column}: " in ran.err
    again = cli.run("write", "~/tools/broken", "--content", content, "--json")
    assert again.result["changed"] is False
    (problem, *_) = again.json["problems"]
    assert (problem["line"], problem["column"]) == (line, column)
    assert problem["message"]


@pytest.mark.parametrize("address", ["~/tools/sound", "~/memory/sound.py", "~/self"])
def test_what_is_sound_or_no_lambda_is_saved_without_a_word_about_it(cli: Workbench, address: str) -> None:
    content = {
        "~/tools/sound": json.dumps({"description": "Echo.", "runtime": "python", "source": ECHO}),
        "~/memory/sound.py": "def main(:",
        "~/self": '{"name": "me"}',
    }[address]
    ran = cli.run("write", address, "--content", content)
    assert (ran.code, ran.err) == (0, "")
    assert set(cli.run("write", address, "--content", content, "--json").json) == {"result", "thread", "seq"}


def test_where_no_compiler_is_it_is_said_that_nothing_is_known(cli: Workbench, tmp_path: Path) -> None:
    content = json.dumps({"description": "Echo.", "source": "export default () => 1\n"})
    stand_in = tmp_path / "stand-ins" / "deno.py"
    stand_in.parent.mkdir()
    stand_in.write_text('def find_deno_bin():\n    return "/nowhere/deno"\n', "utf-8")
    env = {"PYTHONPATH": f"{stand_in.parent}:{cli.env['PYTHONPATH']}", "PATH": "/nowhere"}
    ran = cli.run("write", "~/tools/echo", "--content", content, env=env)
    assert (ran.code, ran.out.partition("  ")[0]) == (0, "saved ~/tools/echo")
    assert "is not known" in ran.err
