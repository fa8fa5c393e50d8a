"""The syntax of sources: what their own compilers say, where, and that nothing of them runs."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.tools.lambdas import interpreters, syntax_process
from workbench.harness.tools.lambdas.syntax import MAX_MESSAGE, Problem, problems

MAIN = "def main(input):\n    return 1\n"
EXPORT = "export default function () { return 1 }\n"


@pytest.mark.parametrize(
    "source",
    [
        MAIN,
        "async def main(input):\n    return 1\n",
        "main = lambda input: 1\n",
        "from json import dumps as main\n",
        "from json import *\n",
        "import main\n",
        "if 1:\n    def main(*args): pass\n",
        "def main(input, more=1, *, other=2): pass\n",
        "def set():\n    global main\n    main = 1\n",
        "class main: pass\n",
        "(main := print)\n",
        "é = '漢字😀'\n" + MAIN,
        "# -*- coding: latin-1 -*-\n" + MAIN,
    ],
)
async def test_sound_python(source: str) -> None:
    assert await problems("python", source) == ()


@pytest.mark.parametrize(
    ("source", "line", "column", "words"),
    [
        ("def main(input):\n  return (\n", 2, 10, "never closed"),
        ("é = '漢字😀' 1\n", 1, 11, "invalid syntax"),
        ("def main(input):\nreturn 1\n", 2, 1, "indented block"),
        ("def main(input):\n\tif 1:\n        x\n", 3, 1, "tabs"),
        ("return 1\n", 1, 1, "outside function"),
        ("x = 1\n", 1, 1, "no function `main(input)`"),
        ("class A:\n    def main(self, input): pass\n", 1, 1, "no function"),
        ("x = 1\ndef main(): pass\n", 2, 1, "takes one argument"),
        ("def main(a, b): pass\n", 1, 1, "takes one argument"),
        ("def main(a, *, b): pass\n", 1, 1, "takes one argument"),
        ("x = 1\nab\0", 2, 3, "NUL"),
        ("(" * 100_000, 1, 201, "too many nested"),
        ("-" * 100_000 + "1", 1, 1, "nested too deeply"),
        ("", 1, 1, "no function"),
        ("x\ny = '\ud800'", 2, 6, "lone surrogate"),
    ],
)
async def test_problems_of_python(source: str, line: int, column: int, words: str) -> None:
    (problem,) = await problems("python", source)
    assert words in problem.message
    assert (problem.line, problem.column) == (line, column)


@pytest.mark.parametrize(
    "source",
    [
        EXPORT,
        "export default async (input: {a: string}): Promise<number> => 1",
        "function f() {}\nexport { f as default }",
        "function f() {}\nexport { a, f as default }; const a = 1",
        "export { default } from 'npm:nowhere'",
        "import x from 'https://example.invalid/x.ts'\n" + EXPORT,
        "const q = /[`'\"]/;\n" + EXPORT,
        "// deno-lint-ignore-file\n" + EXPORT,
        "const text = `a ${1} b`; /* c */ " + EXPORT,
        "var unused; let {} = {};\n" + EXPORT,
    ],
)
async def test_sound_typescript(source: str) -> None:
    assert await problems("typescript", source) == ()


@pytest.mark.parametrize(
    ("source", "line", "column", "words"),
    [
        ("let x = ;\n" + EXPORT, 1, 9, "Expression expected"),
        ("\t\tlet x = ;\n", 1, 11, "Expression expected"),
        ('const é = "漢字😀"; let x = ;\n', 1, 26, "Expression expected"),
        ("// one\nexport default function () {\n  return { a: 1 ;\n}\n", 3, 17, "Expected ','"),
        ("export function f() {}\n", 1, 1, "no default export"),
        ("/* export default */ // export default\nconst a = 'export default';\n", 1, 1, "no default export"),
        ("", 1, 1, "no default export"),
    ],
)
async def test_problems_of_typescript(source: str, line: int, column: int, words: str) -> None:
    (problem,) = await problems("typescript", source)
    assert words in problem.message
    assert (problem.line, problem.column) == (line, column)


async def test_a_compiler_that_gives_up_is_no_crash() -> None:
    with pytest.raises(HarnessError) as caught:
        await problems("typescript", "(" * 50_000)
    assert caught.value.code == "failed"
    assert "could not be checked" in caught.value.message


async def test_a_message_that_repeats_a_long_line_is_cut() -> None:
    (problem,) = await problems("typescript", f"let x = '{'y' * 200_000}' 1;")
    assert len(problem.message) <= MAX_MESSAGE


@pytest.mark.parametrize("runtime", ["python", "typescript"])
async def test_nothing_of_a_source_runs(runtime: Any, tmp_path: Path) -> None:
    left = tmp_path / "left"
    code = {
        "python": f"open({str(left)!r}, 'w')\n{MAIN}",
        "typescript": f"Deno.writeTextFileSync({str(left)!r}, 'x');\n{EXPORT}",
    }
    assert await problems(runtime, code[runtime]) == ()
    assert not left.exists()


async def test_without_deno_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> interpreters.Interpreter:
        raise HarnessError("unavailable", "Deno, which runs TypeScript, is not installed.")

    monkeypatch.setattr(interpreters, "deno", none)
    with pytest.raises(HarnessError, match="Deno") as caught:
        await problems("typescript", EXPORT)
    assert caught.value.code == "unavailable"


def answering(folder: Path, script: str) -> interpreters.Interpreter:
    """A compiler that is a shell script."""
    program = folder / "compiler"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return interpreters.Interpreter(str(program))


def gone(pid: str) -> bool:
    """Whether a process is no more."""
    return not Path(f"/proc/{pid.strip()}").exists()


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("echo nonsense", "failed"),
        ("echo '{\"errors\": 3}'", "failed"),
        ("echo '[]'", "failed"),
        ("exit 3", "failed"),
        ("kill -9 $$", "failed"),
        ("head -c 5000000 /dev/zero", "limit"),
    ],
)
async def test_whatever_a_compiler_answers_is_an_error_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, code: str
) -> None:
    program = answering(tmp_path, script)
    monkeypatch.setattr(interpreters, "deno", lambda: program)
    with pytest.raises(HarnessError) as caught:
        await problems("typescript", EXPORT)
    assert caught.value.code == code


async def test_a_place_that_is_not_said_is_the_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = answering(tmp_path, 'echo \'{"errors": [{"message": "SyntaxError: so"}]}\'')
    monkeypatch.setattr(interpreters, "deno", lambda: program)
    assert await problems("typescript", EXPORT) == (Problem(1, 1, "so"),)


async def test_a_compiler_that_hangs_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = tmp_path / "pid"
    program = answering(tmp_path, f"echo $$ > {known}; exec sleep 1000")
    monkeypatch.setattr(interpreters, "deno", lambda: program)
    monkeypatch.setattr(syntax_process, "LIMIT_SECS", 0.3)
    with pytest.raises(HarnessError) as caught:
        await problems("typescript", EXPORT)
    assert caught.value.code == "timeout"
    assert gone(known.read_text())


async def test_cancelling_leaves_no_compiler_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = tmp_path / "pid"
    os.mkfifo(known)
    program = answering(tmp_path, f"echo $$ > {known}; exec sleep 1000")
    monkeypatch.setattr(interpreters, "deno", lambda: program)
    checking = asyncio.create_task(problems("typescript", EXPORT))
    pid = await asyncio.to_thread(known.read_text)
    checking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await checking
    assert gone(pid)
