"""`find`: what a pattern matches, the order and the limits, and each promise of its description."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.harness.tools.toolbox.using import use
from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.drawn import Place, Places, Words
from workbench.harness.tools.toolbox.find import FIND, NONE
from workbench.harness.tools.toolbox.host_tool import HostContext, Result, Signal
from workbench.harness.tools.toolbox.limits import FIND_RESULTS, MAX_BYTES, MAX_GLOB


def put(ctx: HostContext, *names: str) -> None:
    for name in names:
        path = ctx.cwd / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


async def find(ctx: HostContext, pattern: str, **input: Any) -> list[str]:
    return (await use(FIND, {"pattern": pattern, **input}, ctx)).text.split("\n")


async def refusal(ctx: HostContext, pattern: str, **input: Any) -> HarnessError:
    with pytest.raises(HarnessError) as refused:
        await find(ctx, pattern, **input)
    return refused.value


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.ts", ["a/deep/y.ts", "a/x.ts", "src/a.ts", "src/in/b.spec.ts", "top.ts"]),
        ("x.ts", ["a/x.ts"]),
        ("deep/*.ts", ["a/deep/y.ts"]),
        ("src/**/*.spec.ts", ["src/in/b.spec.ts"]),
        ("**/*.spec.ts", ["src/in/b.spec.ts"]),
        ("src/**", ["src/a.ts", "src/in/", "src/in/b.spec.ts"]),
        ("./src/*.ts", ["src/a.ts"]),
        ("./*.ts", ["top.ts"]),
        ("a/", ["a/"]),
        ("deep", ["a/deep/"]),
        ("*/", ["a/", "a/deep/", "src/", "src/in/"]),
        ("{top,x}.ts", ["a/x.ts", "top.ts"]),
        ("[s-u]op.t?", ["top.ts"]),
        ("[!t]*.ts", ["a/deep/y.ts", "a/x.ts", "src/a.ts", "src/in/b.spec.ts"]),
        ("none", [NONE]),
        ("src/in/b.spec.ts", ["src/in/b.spec.ts"]),
        ("*", ["a/", "a/deep/", "a/deep/y.ts", "a/x.ts", "src/", "src/a.ts", "src/in/", "src/in/b.spec.ts", "top.ts"]),
    ],
)
async def test_what_patterns_match(here: HostContext, pattern: str, found: list[str]) -> None:
    put(here, "a/x.ts", "a/deep/y.ts", "src/a.ts", "src/in/b.spec.ts", "top.ts")
    assert await find(here, pattern) == found


async def test_an_absolute_pattern_is_held_against_absolute_paths(here: HostContext) -> None:
    put(here, "src/a.ts", "src/in/src/a.ts")
    assert await find(here, f"{here.cwd}/src/*.ts") == ["src/a.ts"]
    assert await find(here, f"{here.cwd.parent}/w*k/**/*.ts") == ["src/a.ts", "src/in/src/a.ts"]
    assert await find(here, "/elsewhere/*.ts") == [NONE]


async def test_smart_case(here: HostContext) -> None:
    put(here, "README.md", "readme.txt", "\u00c4rger")
    assert await find(here, "readme*") == ["README.md", "readme.txt"]
    assert await find(here, "README*") == ["README.md"]
    assert await find(here, "Readme*") == [NONE]
    assert await find(here, "\u00e4r*") == ["\u00c4rger"]


async def test_characters_of_several_bytes_and_signs_of_ripgrep(here: HostContext) -> None:
    put(here, "\u00e9t\u00e9.txt", "#x", "!y", "a b ", "[id].tsx", "{z}")
    assert await find(here, "?t?.txt") == ["\u00e9t\u00e9.txt"]
    assert await find(here, "#x") == ["#x"]
    assert await find(here, "!y") == ["!y"]
    assert await find(here, "a b ") == ["a b "]
    assert await find(here, r"\[id\].tsx") == ["[id].tsx"]
    assert await find(here, r"\{z\}") == ["{z}"]


async def test_gitignore_at_each_level_outside_a_repository(here: HostContext) -> None:
    put(here, "a.log", "keep.log", "sub/b.log", "sub/c.txt", "sub/out/d.txt", "other/c.txt")
    (here.cwd / ".gitignore").write_text("*.log\n!keep.log\n")
    (here.cwd / "sub" / ".gitignore").write_text("c.txt\n/out/\n")
    assert await find(here, "*.log") == ["keep.log"]
    assert await find(here, "*.txt") == ["other/c.txt"]
    assert await find(here, "sub/**") == ["sub/.gitignore"]
    assert await find(here, "*.txt", path="sub/out") == ["d.txt"]


async def test_rules_stop_at_a_repository_of_its_own(here: HostContext) -> None:
    put(here, "a.log", "nested/.git/config", "nested/b.log")
    (here.cwd / ".gitignore").write_text("*.log\n")
    assert await find(here, "*.log", path="nested") == ["b.log"]
    # From outside of any repository the rules reach into those below, and the description says so.
    assert await find(here, "*.log") == [NONE]
    put(here, ".git/config")
    assert await find(here, "*.log") == ["nested/b.log"]


async def test_git_is_left_out_unless_it_is_named(here: HostContext) -> None:
    put(here, ".git/config", "sub/.git/config", ".github/config")
    assert await find(here, "config") == [".github/config"]
    assert await find(here, ".git/config") == [".git/config", "sub/.git/config"]
    assert await find(here, ".git") == [".git/", "sub/.git/"]
    assert await find(here, "config", path=".git") == ["config"]


async def test_rows_are_sorted_folder_by_folder(here: HostContext) -> None:
    put(here, "a-b", "a/z", "a/b/c", "B", "a.b", "\u00e9")
    assert await find(here, "*") == ["B", "a/", "a/b/", "a/b/c", "a/z", "a-b", "a.b", "\u00e9"]


async def test_the_first_rows_are_given_however_many_there_are(here: HostContext) -> None:
    put(here, *(f"d{number % 3}/f{number:04}" for number in range(900)))
    answer = await use(FIND, {"pattern": "*", "limit": 3}, here)
    assert answer.text == (
        "d0/\nd0/f0000\nd0/f0003\n\n[3 results limit reached. Use limit=6 for more, or refine pattern]"
    )
    assert answer.details == {"resultLimitReached": 3}


@pytest.mark.parametrize("pattern", ["*", "**", "**/*", "./**"])
async def test_of_everything_the_beginning_of_the_list_is_enough(here: HostContext, pattern: str) -> None:
    put(here, "a-b/x", "a/z", "a/b/c", "B", "a.b", "\u00e9/\u00e9", "e/\n", "10", "9", "\U0001f600", "a b", "a/\uffee")
    (here.cwd / os.fsdecode(b"a") / os.fsdecode(b"\xff\xfe")).touch()
    (here.cwd / ".gitignore").write_text("9\n")
    everything = await find(here, pattern, limit=1_000_000)
    assert len(everything) == 18
    for limit in range(1, len(everything)):
        assert await find(here, pattern, limit=limit) == [
            *everything[:limit],
            "",
            f"[{limit} results limit reached. Use limit={limit * 2} for more, or refine pattern]",
        ]
    assert await find(here, pattern, limit=len(everything)) == everything


@pytest.mark.parametrize("limit", [0, -1, -1e30])
async def test_a_limit_below_one_counts_as_one(here: HostContext, limit: float) -> None:
    put(here, "a", "b")
    assert await find(here, "*", limit=limit) == [
        "a",
        "",
        "[1 results limit reached. Use limit=2 for more, or refine pattern]",
    ]


async def test_a_limit_is_only_spoken_of_when_there_were_more(here: HostContext) -> None:
    put(here, "a", "b")
    assert await find(here, "*", limit=2) == ["a", "b"]
    assert (await find(here, "*", limit=1))[-1].startswith("[1 results limit reached.")
    assert "whole number" in (await refusal(here, "*", limit=0.5)).message


async def test_the_cap_in_bytes(here: HostContext) -> None:
    put(here, *(f"{number:03}{'n' * 200}" for number in range(300)))
    answer = await use(FIND, {"pattern": "*", "limit": 1_000_000}, here)
    rows, notice = answer.text.split("\n\n")
    assert notice == "[50.0KB limit reached]"
    assert len(rows.encode()) <= MAX_BYTES < len(rows.encode()) + 204
    assert answer.details is not None
    assert answer.details["truncation"]["totalLines"] == 300


async def test_names_that_are_hostile_stay_on_their_row(here: HostContext) -> None:
    put(here, "new\nline/x", " edge ", "esc\x1b[31m", os.fsdecode(b"\xff.txt"))
    assert await find(here, "*") == [" edge ", "esc\u241b[31m", "new\u240aline/", "new\u240aline/x", "\ufffd.txt"]


async def test_paths_that_cannot_be_searched(here: HostContext) -> None:
    put(here, "file")
    os.mkfifo(here.cwd / "pipe")
    assert (await refusal(here, "*", path="none")).message == f"Path not found: {here.cwd}/none"
    assert (await refusal(here, "*", path="file")).message == f"Not a directory: {here.cwd}/file"
    assert "is a pipe (FIFO)" in (await refusal(here, "*", path="pipe")).message


@pytest.mark.parametrize("pattern", ["", "/", "[a", "{a", "a\\", "../x", "[z-a]", "{" * 40, "a" * 2000, "\ud800", "./"])
async def test_what_is_no_glob_is_refused_in_words(here: HostContext, pattern: str) -> None:
    assert (await refusal(here, pattern)).code == "bad_input"


async def test_a_glob_of_many_stars_takes_no_time(here: HostContext) -> None:
    put(here, "a" * 250)
    assert await find(here, "*a" * 60 + "b") == [NONE]


async def test_an_aborted_call_does_nothing(here: HostContext) -> None:
    signal = Signal()
    signal.abort()
    with pytest.raises(HarnessError, match="Operation aborted"):
        await use(FIND, {"pattern": "x"}, here, signal=signal)


async def test_the_description_keeps_its_word(here: HostContext, tmp_path: Path) -> None:
    said = " ".join(FIND.description.split())
    for promise in (
        f"at most {FIND_RESULTS} rows",
        f"at most {MAX_BYTES // 1024}KB",
        ".gitignore",
        "also outside a git repository (searched from there, a .gitignore counts in repositories below it too)",
        "so is .git unless pattern names it",
        "Hidden names are found",
        "Not found are links, and directories that hold no file",
        "sorted, with / after directories",
        "without capitals takes either case",
    ):
        assert promise in said
    assert f"pattern is a glob of at most {MAX_GLOB} characters" in said
    assert await find(here, "x" * MAX_GLOB) == [NONE]
    assert f"at most {MAX_GLOB} are taken" in (await refusal(here, "x" * (MAX_GLOB + 1))).message
    put(here, *(f"f{number}" for number in range(FIND_RESULTS + 1)), ".hidden")
    rows = await find(here, "f*")
    assert len(rows) == FIND_RESULTS + 2
    assert f"Use limit={2 * FIND_RESULTS} for more" in rows[-1]
    assert len(await find(here, "f*", limit=2 * FIND_RESULTS)) == FIND_RESULTS + 1
    assert await find(here, ".h*") == [".hidden"]
    (here.cwd / "empty").mkdir()
    (here.cwd / "link").symlink_to(tmp_path)
    assert await find(here, "{empty,link}") == [NONE]


def test_a_call_is_drawn_with_what_was_asked() -> None:
    assert FIND.render_call is not None
    line = FIND.render_call({"pattern": "*.ts", "path": "src", "limit": 5})
    assert "".join(span.text for span in line) == "find *.ts in src limit 5"
    assert FIND.render_call([])


async def test_a_result_is_drawn_as_places_that_open(here: HostContext) -> None:
    put(here, "src/a/b", "src/c")
    input = {"pattern": "*", "path": "src", "limit": 2}
    answer = await use(FIND, input, here)
    assert FIND.render_result is not None
    places, notice = FIND.render_result(input, Result(({"type": "text", "text": answer.text},)), here.cwd)
    assert places == Places((Place(f"{here.cwd}/src/a", "a/"), Place(f"{here.cwd}/src/a/b", "a/b")))
    assert isinstance(notice, Words)
    assert FIND.render_result(input, Result(({"type": "text", "text": NONE},)), here.cwd) == (Words(NONE),)
    assert FIND.render_result({}, Result(error="no"), here.cwd) == (Words("no", "error"),)
