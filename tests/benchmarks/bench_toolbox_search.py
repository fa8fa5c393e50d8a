"""`grep` and `find` of the toolbox on a large tree, against bare ripgrep asked the same.

    python -m tests.benchmarks.bench_toolbox_search [--files 100000] [--rounds 9] [--at DIR]

The tree is made in a temporary folder and removed again. Within one run both are asked in turns, ripgrep as a person
would: its own order, plain output. For `find` that is its list of files, from which what is wanted is still to be
taken: a glob given to ripgrep wins over `.gitignore`, which is another question; it is asked last, to compare. The aim
is a ratio of 1.3 at most.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from tests.harness.tools.toolbox.using import use
from workbench.harness.tools.toolbox.find import FIND
from workbench.harness.tools.toolbox.grep import GREP
from workbench.harness.tools.toolbox.host_tool import HostContext, HostTool
from workbench.harness.tools.toolbox.ripgrep.locate import ripgrep

GOAL = 1.3
"""How often the time of bare ripgrep ours may take."""

KINDS = ("py", "ts", "md", "txt")


class Question(NamedTuple):
    """One thing to search for, as it is put to us and to ripgrep."""

    what: str
    tool: HostTool
    ours: dict[str, Any]
    bare: tuple[str, ...]


QUESTIONS = (
    Question("grep, rare", GREP, {"pattern": "needle"}, ("-n", "needle")),
    Question("grep, in every file", GREP, {"pattern": r"def value_1\("}, ("-n", r"def value_1\(")),
    Question("grep, every line", GREP, {"pattern": "line"}, ("-n", "line")),
    Question("grep, rare, *.py", GREP, {"pattern": "needle", "glob": "*.py"}, ("-n", "-g", "*.py", "needle")),
    Question("find, a quarter", FIND, {"pattern": "*.py"}, ("--files",)),
    Question("find, one in 100", FIND, {"pattern": "file07*"}, ("--files",)),
    Question("find, everything", FIND, {"pattern": "*"}, ("--files",)),
    Question("find, with folders", FIND, {"pattern": "mod07/**/*.ts"}, ("--files",)),
    Question("find, against -g", FIND, {"pattern": "*.py"}, ("--files", "-g", "*.py")),
)


def make_tree(root: Path, files: int) -> None:
    """So many small files, in folders of 100, in folders of 40."""
    for number in range(files):
        folder = root / f"pkg{number // 4000:03}" / f"mod{number // 100 % 40:02}"
        if number % 100 == 0:
            folder.mkdir(parents=True)
        lines = [f"line {line} of file {number}: def value_{line}(): return {line}\n" for line in range(10)]
        if number % 997 == 0:
            lines.append("here is a needle to find\n")
        (folder / f"file{number % 100:02}.{KINDS[number % 4]}").write_text("".join(lines))


def bare_seconds(root: Path, question: Question) -> float:
    """How long ripgrep alone takes, with all that it prints read."""
    began = time.perf_counter()
    subprocess.run([ripgrep(), "--no-config", *question.bare, "./"], cwd=root, capture_output=True, check=True)
    return time.perf_counter() - began


async def our_seconds(root: Path, question: Question) -> float:
    """How long the tool takes."""
    began = time.perf_counter()
    await use(question.tool, question.ours, HostContext(cwd=root))
    return time.perf_counter() - began


async def measured(root: Path, question: Question, rounds: int) -> tuple[float, float]:
    """The medians of both, asked in turns."""
    bare: list[float] = []
    ours: list[float] = []
    for turn in range(rounds + 1):
        times = await our_seconds(root, question), bare_seconds(root, question)
        if turn:
            ours.append(times[0])
            bare.append(times[1])
    return statistics.median(bare), statistics.median(ours)


def main() -> None:
    """Make the tree, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--at", type=Path, default=None, help="a folder to make the tree in")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.at) as place:
        root = Path(place)
        make_tree(root, given.files)
        print(f"{given.files} files, medians of {given.rounds} rounds; the aim is {GOAL} at most")
        for question in QUESTIONS:
            bare, ours = asyncio.run(measured(root, question, given.rounds))
            mark = "" if ours / bare <= GOAL else "  over the aim"
            print(f"{question.what:22} rg {bare * 1000:7.1f} ms   ours {ours * 1000:7.1f} ms   {ours / bare:.2f}{mark}")


if __name__ == "__main__":
    main()
