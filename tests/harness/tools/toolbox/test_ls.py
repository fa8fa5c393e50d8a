"""`ls`: the entries of a directory, their order, and what is left out."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.tools.toolbox.using import use
from workbench.harness.errors import HarnessError
from workbench.harness.space.document import builtin_document
from workbench.harness.tools.toolbox.collation import collation_key
from workbench.harness.tools.toolbox.drawn import Place, Places, Words
from workbench.harness.tools.toolbox.host_tool import HostContext, Result, Signal
from workbench.harness.tools.toolbox.limits import LS_ENTRIES, MAX_BYTES
from workbench.harness.tools.toolbox.ls import LS, one_line, render_call, render_result


async def listed(ctx: HostContext, **input: Any) -> str:
    """The text that `ls` gives."""
    return (await use(LS, input, ctx)).text


async def refused(ctx: HostContext, **input: Any) -> HarnessError:
    """Why `ls` fails."""
    with pytest.raises(HarnessError) as raised:
        await use(LS, input, ctx)
    return raised.value


def fill(folder: Path, count: int) -> None:
    """So many files."""
    for number in range(count):
        (folder / f"f{number:05}").touch()


async def test_t25_the_order_is_signs_digits_letters(here: HostContext) -> None:
    for name in ("B", "a", "C", "_x", ".h", "10", "9", "é", "z", "Z2", "A1", "-d"):
        (here.cwd / name).touch()
    assert (await listed(here)).split("\n") == ["_x", "-d", ".h", "10", "9", "a", "A1", "B", "C", "é", "z", "Z2"]


async def test_t25_a_notice_only_where_there_was_a_further_entry(here: HostContext) -> None:
    fill(here.cwd, 500)
    whole = await use(LS, {}, here)
    assert whole.text.endswith("f00499")
    assert whole.details is None
    (here.cwd / "g").touch()
    cut = await use(LS, {}, here)
    assert cut.text.endswith("f00499\n\n[500 entries limit reached. Use limit=1000 for more]")
    assert cut.details == {"entryLimitReached": 500}
    assert (await listed(here, limit=1000)).endswith("f00499\ng")


async def test_t25_links_are_followed_and_those_that_lead_nowhere_left_out(here: HostContext) -> None:
    (here.cwd / "nowhere").symlink_to("gone")
    (here.cwd / "circle").symlink_to("circle")
    (here.cwd / "up").symlink_to("..")
    (here.cwd / "sub").mkdir()
    (here.cwd / "f").touch()
    (here.cwd / "link").symlink_to("f")
    assert (await listed(here)).split("\n") == ["f", "link", "sub/", "up/"]


async def test_t25_an_empty_directory_and_one_of_dangling_links(here: HostContext) -> None:
    assert await listed(here) == "(empty directory)"
    (here.cwd / "nowhere").symlink_to("gone")
    assert await listed(here) == "(empty directory)"


async def test_t25_a_file_is_no_directory_and_what_is_missing_is_said(here: HostContext) -> None:
    (here.cwd / "f").touch()
    assert (await refused(here, path="f")).message == f"Not a directory: {here.cwd}/f"
    missing = await refused(here, path="gone")
    assert (missing.code, missing.message) == ("not_found", f"Path not found: {here.cwd}/gone")
    assert (await refused(here, path="f/below")).message == f"Path not found: {here.cwd}/f/below"


async def test_a_pipe_is_named_and_never_opened(here: HostContext) -> None:
    os.mkfifo(here.cwd / "pipe")
    assert await listed(here) == "pipe"
    assert (await refused(here, path="pipe")).message == f"Not a directory: {here.cwd}/pipe"


async def test_a_directory_that_cannot_be_read_is_said(here: HostContext, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: object) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", denied)
    error = await refused(here)
    assert (error.code, error.message) == ("refused", "Cannot read directory: Permission denied")


async def test_an_answer_is_cut_by_bytes_too(here: HostContext) -> None:
    for number in range(600):
        (here.cwd / f"{number:03}{'n' * 200}").touch()
    answer = await use(LS, {"limit": 550}, here)
    rows, _, notice = answer.text.partition("\n\n")
    assert notice == "[550 entries limit reached. Use limit=1100 for more. 50.0KB limit reached]"
    assert len(rows.split("\n")) == MAX_BYTES // 204
    assert answer.details is not None
    assert answer.details["entryLimitReached"] == 550
    assert answer.details["truncation"]["outputLines"] == MAX_BYTES // 204
    assert (await listed(here, limit=5000)).endswith("\n\n[50.0KB limit reached]")


async def test_a_limit_counts_names(here: HostContext) -> None:
    fill(here.cwd, 3)
    assert await listed(here, limit=1) == "f00000\n\n[1 entries limit reached. Use limit=2 for more]"
    assert await listed(here, limit=3.0) == "f00000\nf00001\nf00002"
    assert (await refused(here, limit=1.5)).code == "bad_input"
    assert (await refused(here, limit="5")).code == "bad_input"


@pytest.mark.parametrize("limit", [0, -1, -1e30])
async def test_a_limit_below_one_counts_as_one_as_in_grep_and_find_and_calls_no_full_directory_empty(
    here: HostContext, limit: float
) -> None:
    assert await listed(here, limit=limit) == "(empty directory)"
    fill(here.cwd, 3)
    assert await listed(here, limit=limit) == "f00000\n\n[1 entries limit reached. Use limit=2 for more]"


async def test_one_entry_is_one_line_whatever_its_name_holds(here: HostContext) -> None:
    (here.cwd / "two\nlines").touch()
    (here.cwd / "tab\there").touch()
    (here.cwd / "esc\x1b[31m").mkdir()
    (here.cwd / "sep\u2028\x85\x7f").touch()
    (here.cwd / os.fsdecode(b"bad\xff")).touch()
    text = await listed(here)
    assert sorted(text.split("\n")) == sorted(["two␊lines", "tab␉here", "esc␛[31m/", "sep\ufffd\ufffd␡", "bad\ufffd"])
    text.encode()


async def test_paths_as_every_tool_takes_them(here: HostContext) -> None:
    (here.cwd / "sub").mkdir()
    (here.cwd / "sub" / "f").touch()
    assert await listed(here, path="sub") == "f"
    assert await listed(here, path="@sub/") == "f"
    assert await listed(here, path=str(here.cwd / "sub")) == "f"
    assert await listed(here, path="") == "sub/"
    assert await listed(here, file_path="sub") == "f"
    assert "which differ" in (await refused(here, path="sub", file_path="other")).message
    assert (await refused(here, path="a\0b")).code == "bad_input"


async def test_an_aborted_call_lists_nothing(here: HostContext) -> None:
    signal = Signal()
    signal.abort()
    with pytest.raises(HarnessError, match=r"^Operation aborted$"):
        await use(LS, {}, here, signal=signal)


async def test_an_abort_stops_between_entries(here: HostContext, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(here.cwd, 2000)
    signal = Signal()
    seen: list[str] = []
    key = collation_key

    def aborting(name: str) -> tuple[str, str, str]:
        seen.append(name)
        signal.abort()
        return key(name)

    monkeypatch.setattr("workbench.harness.tools.toolbox.ls.collation_key", aborting)
    with pytest.raises(HarnessError, match=r"^Operation aborted$"):
        await use(LS, {}, here, signal=signal)
    assert 0 < len(seen) < 2000


@pytest.mark.parametrize(
    "names",
    [
        ["_", "-", ",", ";", ":", "!", "?", ".", "'", '"', "(", "[", "{", "@", "*", "\\", "&", "#", "%", "`", "^", "+"],
        ["+", "<", "=", ">", "|", "~", "$", "→", "0", "9", "a", "b", "z"],
        ["e", "é", "ea", "f"],
        ["A", "a", "ab", "AC", "b"],
        ["strasse", "straße", "strassf"],
        ["1", "10", "1a", "2", "٣", "4"],
        ["z", "α", "β", "я", "中"],
        ["file", "file 2", "file_2", "file-2", "file.txt", "file1"],
    ],
)
def test_the_order_of_names(names: list[str]) -> None:
    assert sorted(reversed(names), key=collation_key) == names


@given(st.lists(st.text(), unique=True))
def test_every_name_has_a_place_of_its_own(names: list[str]) -> None:
    assert len({collation_key(name) for name in names}) == len(names)
    assert all("\n" not in one_line(name) for name in names if name.isprintable())


@pytest.mark.parametrize(
    ("sent", "drawn"),
    [
        ({}, "ls ."),
        ({"path": "src"}, "ls src"),
        ({"file_path": "src", "limit": 5.0}, "ls src limit 5"),
        ({"path": 5, "limit": "x"}, "ls ."),
        (None, "ls ."),
    ],
)
def test_a_call_is_drawn_in_one_line_whatever_was_sent(sent: Any, drawn: str) -> None:
    assert "".join(span.text for span in render_call(sent)) == drawn


def test_names_are_drawn_as_places_that_can_be_opened() -> None:
    text = "f\nsub/\n\n[2 entries limit reached. Use limit=4 for more]"
    assert render_result({"path": "src"}, Result(({"type": "text", "text": text},)), Path("/work")) == (
        Places((Place("/work/src/f", "f"), Place("/work/src/sub", "sub/"))),
        Words("[2 entries limit reached. Use limit=4 for more]"),
    )


def test_what_is_no_list_is_drawn_as_words() -> None:
    empty = Result(({"type": "text", "text": "(empty directory)"},))
    assert render_result({}, empty, Path("/work")) == (Words("(empty directory)"),)
    none = Result(({"type": "text", "text": "\n\n[0 entries limit reached. Use limit=500 for more]"},))
    assert render_result({}, none, Path("/")) == (Words("[0 entries limit reached. Use limit=500 for more]"),)
    assert render_result({"path": "a\0"}, Result(error="no"), Path("/")) == (Words("no", "error"),)
    odd = Result(({"type": "text", "text": "f"},))
    assert render_result({"path": "a\0"}, odd, Path("/work")) == (Places((Place("/work/f", "f"),)),)


async def test_its_description_keeps_its_word(here: HostContext) -> None:
    said = LS.description
    found = re.search(r"at most (\d+) names, or as many as limit says, and at most (\d+)KB", said)
    assert found
    assert [int(number) for number in found.groups()] == [LS_ENTRIES, MAX_BYTES // 1024]

    assert "a / after directories and after links to directories, names that begin with a dot included" in said
    assert "links that lead nowhere left out" in said
    assert "It looks into no directory below" in said
    (here.cwd / ".hidden").mkdir()
    (here.cwd / ".hidden" / "below").touch()
    (here.cwd / "link").symlink_to(".hidden")
    (here.cwd / "nowhere").symlink_to("gone")
    assert "without it the working directory is listed" in said
    assert await listed(here) == ".hidden/\nlink/"

    assert "a newline as ␊" in said
    assert "bytes that are not UTF-8 as U+FFFD" in said
    (here.cwd / "a\nb").touch()
    (here.cwd / os.fsdecode(b"c\xff")).touch()
    assert await listed(here) == ".hidden/\na␊b\nc\ufffd\nlink/"

    assert "the last line of the answer says so in brackets: ask again with the larger limit that it names" in said
    fill(here.cwd, LS_ENTRIES + 100)
    cut = await listed(here)
    assert len(cut.partition("\n\n")[0].split("\n")) == LS_ENTRIES
    larger = re.fullmatch(r"\[.*Use limit=(\d+) for more\]", cut.split("\n")[-1])
    assert larger
    assert len((await listed(here, limit=int(larger[1]))).split("\n")) == LS_ENTRIES + 104


def test_the_declaration_is_sound() -> None:
    document = LS.document()
    judged = builtin_document(
        name=document.name,
        description=document.description,
        input=document.input,
        binding=document.binding or "",
        summary=document.summary,
        output=document.output,
    )
    assert judged == document
    assert "required" not in document.input or document.input["required"] == []
    assert {key: body["type"] for key, body in document.input["properties"].items()} == {
        "path": "string",
        "limit": "number",
    }
    assert LS.execution_mode == "parallel"
