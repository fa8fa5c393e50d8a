"""`edit`: what it replaces, what it keeps, why it fails, and that its description is true."""

from __future__ import annotations

import asyncio
import copy
import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.tools.toolbox.using import use
from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox import edit as edit_module
from workbench.harness.tools.toolbox.drawn import Diff, DiffRow, Span, Words
from workbench.harness.tools.toolbox.edit import EDIT
from workbench.harness.tools.toolbox.host_tool import HostContext, Result, Signal, ToolAnswer
from workbench.harness.tools.toolbox.limits import EDIT_FILE_BYTES


async def edit(ctx: HostContext, path: str, *edits: tuple[str, str]) -> ToolAnswer:
    """What `edit` gives."""
    return await use(EDIT, {"path": path, "edits": [{"oldText": old, "newText": new} for old, new in edits]}, ctx)


async def fault(ctx: HostContext, path: str, *edits: tuple[str, str]) -> str:
    """Why `edit` fails; the file is as before."""
    file = ctx.cwd / path
    before = file.read_bytes() if file.is_file() else None
    with pytest.raises(HarnessError) as raised:
        await edit(ctx, path, *edits)
    assert before is None or file.read_bytes() == before
    return raised.value.message


def diff(answer: ToolAnswer) -> str:
    """The rows of an answer."""
    assert answer.details is not None
    return answer.details["diff"]


async def test_t11_one_replacement(here: HostContext) -> None:
    (here.cwd / "e1").write_text("Hello, world!")
    answer = await edit(here, "e1", ("world", "testing"))
    assert answer.text == "Successfully replaced 1 block(s) in e1."
    assert (here.cwd / "e1").read_text() == "Hello, testing!"
    assert answer.details == {
        "diff": "-1 Hello, world!\n+1 Hello, testing!",
        "patch": "--- e1\n+++ e1\n@@ -1,1 +1,1 @@\n-Hello, world!\n\\ No newline at end of file\n"
        "+Hello, testing!\n\\ No newline at end of file\n",
        "firstChangedLine": 1,
    }


async def test_t12_a_text_that_is_there_three_times(here: HostContext) -> None:
    (here.cwd / "e1").write_text("foo foo foo")
    assert await fault(here, "e1", ("foo", "bar")) == (
        "Found 3 occurrences of the text in e1. The text must be unique. Please provide more context to make it unique."
    )


async def test_t13_edits_that_overlap(here: HostContext) -> None:
    (here.cwd / "e2").write_text("a\nb\nc\n")
    assert await fault(here, "e2", ("a\nb", "X"), ("b\nc", "Y")) == (
        "edits[0] and edits[1] overlap in e2. Merge them into one edit or target disjoint regions."
    )


async def test_t14_edits_in_any_order(here: HostContext) -> None:
    (here.cwd / "e").write_text("a\nb\nc\nd\ne\n")
    answer = await edit(here, "e", ("e", "E"), ("a\n", "A\n"))
    assert (here.cwd / "e").read_text() == "A\nb\nc\nd\nE\n"
    assert "2 block(s)" in answer.text
    assert diff(answer) == "-1 a\n+1 A\n 2 b\n 3 c\n 4 d\n-5 e\n+5 E"


@pytest.mark.parametrize(("content", "old"), [("a    b\n", "a b"), ("\tfoo\n", "    foo")])
async def test_t15_blanks_have_meaning_and_the_error_helps(here: HostContext, content: str, old: str) -> None:
    (here.cwd / "e").write_text(content)
    message = await fault(here, "e", (old, "x"))
    assert message.startswith(
        "Could not find the exact text in e. The old text must match exactly including all whitespace and newlines."
    )
    assert f"1 | {content}" in message
    assert "Only white space differs." in message


async def test_t16_what_cannot_be_done(here: HostContext) -> None:
    (here.cwd / "e").write_text("same\n")
    assert await fault(here, "e", ("", "x")) == "oldText must not be empty in e."
    assert await fault(here, "e", ("same", "same")) == (
        "No changes made to e. The replacement produced identical content. This might indicate an issue with special "
        "characters or the text not existing as expected."
    )
    assert await fault(here, "e", ("sa", "sa"), ("me", "me")) == (
        "No changes made to e. The replacements produced identical content."
    )
    assert await fault(here, "none", ("a", "b")) == "Could not edit file: none. Error code: ENOENT."
    assert await fault(here, "e") == "Edit tool input is invalid. edits must contain at least one replacement."


@pytest.mark.parametrize(
    ("sent", "count"),
    [
        ({"edits": '[{"oldText":"a","newText":"z"}]'}, 1),
        ({"oldText": "a", "newText": "z"}, 1),
        ({"edits": [{"oldText": "b", "newText": "y"}], "oldText": "a", "newText": "z"}, 2),
        ({"edits": '[{"oldText":"b","newText":"y"}]', "oldText": "a", "newText": "z"}, 2),
        ({"edits": None, "oldText": "a", "newText": "z"}, 1),
        ({"edits": {"oldText": "a", "newText": "z"}}, 1),
        ({"edits": [{"oldText": "a", "newText": "z", "note": "more"}], "reason": "extra"}, 1),
    ],
    ids=["as text", "at the top", "both", "both, as text", "null and at the top", "one alone", "more keys"],
)
async def test_t17_habits_of_models_are_repaired_on_a_copy(here: HostContext, sent: dict[str, Any], count: int) -> None:
    """12"""
    for key in ("path", "file_path"):
        (here.cwd / "e").write_text("a b\n")
        input = {key: "e", **sent}
        before = copy.deepcopy(input)
        assert EDIT.prepare_arguments is not None
        prepared = EDIT.prepare_arguments(input)
        assert input == before
        assert len(prepared["edits"]) == count
        assert prepared["edits"][-1]["oldText"] == "a"
        assert (await use(EDIT, input, here)).text == f"Successfully replaced {count} block(s) in e."
        assert (here.cwd / "e").read_text() == ("z y\n" if count == 2 else "z b\n")


@pytest.mark.parametrize(
    "sent",
    [
        {"path": "e", "edits": "not json"},
        {"path": "e", "edits": '"text"'},
        {"path": "e", "edits": "[" * 100_000},
        {"path": "e", "edits": 3, "oldText": "a", "newText": "b"},
        {"path": "e", "oldText": "a"},
        {"path": "e", "oldText": None, "newText": "b"},
        {"path": "e"},
    ],
)
def test_what_cannot_be_repaired_is_left_for_the_schema_to_name(sent: dict[str, Any]) -> None:
    assert EDIT.prepare_arguments is not None
    assert EDIT.prepare_arguments(sent) == sent


async def test_t18_two_places_of_a_long_file(here: HostContext) -> None:
    (here.cwd / "e").write_text("".join(f"L{number}\n" for number in range(1, 31)))
    rows = diff(await edit(here, "e", ("L10\n", "X10\n"), ("L25\n", ""))).split("\n")
    kept = [f" {number:>2} L{number}" for number in range(1, 31)]
    assert rows == [
        "    ...",
        *kept[5:9],
        "-10 L10",
        "+10 X10",
        *kept[10:14],
        "    ...",
        *kept[20:24],
        "-25 L25",
        *kept[25:29],
        "    ...",
    ]


async def test_9_only_touched_lines_change_and_every_ending_and_the_mark_stay(here: HostContext) -> None:
    file = here.cwd / "e"
    file.write_bytes("\ufeffone\r\ntwo — “2”\nthree\rfour  \r\nfive".encode())
    await edit(here, "e", ('two - "2"', "TWO\nAND"), ("five", "FIVE\nSIX"))
    assert file.read_bytes() == "\ufeffone\r\nTWO\nAND\nthree\rfour  \r\nFIVE\r\nSIX".encode()


async def test_10_a_unique_exact_match_is_taken_where_the_other_form_repeats(here: HostContext) -> None:
    (here.cwd / "e").write_text("it's\nit’s\n")
    answer = await edit(here, "e", ("it's", "X"))
    assert (here.cwd / "e").read_text() == "X\nit’s\n"
    assert "normalised" not in (answer.details or {})


async def test_13_the_code_is_named(here: HostContext) -> None:
    (here.cwd / "file").touch()
    (here.cwd / "loop").symlink_to("loop")
    assert await fault(here, "file/x", ("a", "b")) == "Could not edit file: file/x. Error code: ENOTDIR."
    assert await fault(here, "loop", ("a", "b")) == "Could not edit file: loop. Error code: ELOOP."
    assert (await fault(here, "", ("a", "b"))).startswith("EISDIR: illegal operation on a directory, read")


async def test_14_three_edits_at_once_all_land(here: HostContext) -> None:
    (here.cwd / "e").write_text("a b c\n")
    (here.cwd / "link").symlink_to("e")
    os.link(here.cwd / "e", here.cwd / "hard")
    await asyncio.gather(edit(here, "e", ("a", "A")), edit(here, "link", ("b", "B")), edit(here, "hard", ("c", "C")))
    assert (here.cwd / "e").read_text() == "A B C\n"
    assert (here.cwd / "link").is_symlink()


@pytest.mark.parametrize("content", [b"a\xff\n", b"a\xc3(\n", b"\xff\xfea\x00", b"a\xed\xa0\x80", b"a\xc3"])
async def test_15_what_is_not_valid_utf_8_is_refused_and_never_rewritten(here: HostContext, content: bytes) -> None:
    (here.cwd / "e").write_bytes(content)
    assert (await fault(here, "e", ("a", "b"))).startswith("e is not valid UTF-8: byte ")


async def test_what_is_no_file_is_refused_before_it_is_opened(here: HostContext) -> None:
    os.mkfifo(here.cwd / "pipe")
    assert await fault(here, "pipe", ("a", "b")) == "pipe is a pipe (FIFO). edit changes regular files only."
    assert await fault(here, "/dev/zero", ("a", "b")) == "/dev/zero is a device. edit changes regular files only."


async def test_a_file_that_is_too_large_is_refused_with_both_figures(here: HostContext) -> None:
    with (here.cwd / "e").open("wb") as file:
        file.truncate(EDIT_FILE_BYTES + 1)
    with pytest.raises(HarnessError) as raised:
        await edit(here, "e", ("a", "b"))
    assert raised.value.code == "limit"
    assert (
        f"e has {EDIT_FILE_BYTES + 1:,} bytes; edit takes files of at most {EDIT_FILE_BYTES:,}" in raised.value.message
    )


async def test_a_rewrite_of_a_large_file_keeps_a_bounded_diff_and_says_so(here: HostContext) -> None:
    text = "".join(f"line {number}\n" for number in range(100_000))
    (here.cwd / "e").write_text(text)
    answer = await edit(here, "e", (text, text.replace("line", "row")))
    assert answer.details is not None
    assert answer.details["patch"] is None
    assert len(diff(answer)) < 60_000
    assert "200000 rows" in answer.details["diffCut"]
    assert (here.cwd / "e").read_text().startswith("row 0\n")


async def test_an_edit_keeps_the_mode_and_leaves_nothing_beside_the_file(here: HostContext) -> None:
    (here.cwd / "e").write_text("a")
    (here.cwd / "e").chmod(0o750)
    await edit(here, "e", ("a", ""))
    assert stat.S_IMODE((here.cwd / "e").stat().st_mode) == 0o750
    assert (here.cwd / "e").read_bytes() == b""
    assert os.listdir(here.cwd) == ["e"]


async def test_half_characters_in_new_text_become_the_replacement(here: HostContext) -> None:
    (here.cwd / "e").write_text("a")
    await edit(here, "e", ("a", "b\ud83d"))
    assert (here.cwd / "e").read_text() == "b\ufffd"


async def test_an_aborted_call_changes_nothing(here: HostContext) -> None:
    (here.cwd / "e").write_text("a")
    signal = Signal()
    signal.abort()
    input = {"path": "e", "edits": [{"oldText": "a", "newText": "b"}]}
    with pytest.raises(HarnessError, match=r"^Operation aborted$"):
        await use(EDIT, input, here, signal=signal)
    assert (here.cwd / "e").read_text() == "a"


async def test_an_abort_during_the_last_step_says_that_the_file_was_edited(
    here: HostContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here.cwd / "e").write_text("a")
    signal = Signal()
    writing = edit_module.write_whole

    def write(real: Path, data: bytes, own: Signal) -> None:
        writing(real, data, own)
        signal.abort()

    monkeypatch.setattr(edit_module, "write_whole", write)
    input = {"path": "e", "edits": [{"oldText": "a", "newText": "b"}]}
    with pytest.raises(HarnessError, match=r"^Operation aborted\. e had been edited by then\.$"):
        await use(EDIT, input, here, signal=signal)
    assert (here.cwd / "e").read_text() == "b"


async def test_a_cancelled_edit_is_over_before_the_next_one_reads(
    here: HostContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trap 11."""
    (here.cwd / "e").write_text("a b")
    writing = edit_module.write_whole
    begun, go_on = threading.Event(), threading.Event()

    def write(real: Path, data: bytes, own: Signal) -> None:
        if not begun.is_set():
            begun.set()
            go_on.wait(10)
        writing(real, data, Signal())

    monkeypatch.setattr(edit_module, "write_whole", write)
    first = asyncio.create_task(edit(here, "e", ("a", "A")))
    await asyncio.to_thread(begun.wait, 10)
    second = asyncio.create_task(edit(here, "e", ("b", "B")))
    first.cancel()
    for _ in range(20):
        await asyncio.sleep(0)
    go_on.set()
    await second
    with pytest.raises(asyncio.CancelledError):
        await first
    assert (here.cwd / "e").read_text() == "A B"


async def test_the_description_is_true(here: HostContext) -> None:
    """What each sentence promises that no test above has shown."""
    says = EDIT.description
    file = here.cwd / "e"
    assert "all of them are looked up in the file as it was before the call, not one after the other" in says
    file.write_text("one two\n")
    await edit(here, "e", ("one", "two"), ("two", "three"))
    assert file.read_text() == "two three\n"
    assert "All edits of a call are made or none" in says
    file.write_text("one two\n")
    message = await fault(here, "e", ("one", "1"), ("twoo", "2"))
    assert message.startswith("Could not find edits[1] in e. The oldText must match exactly including all whitespace")
    assert "where something comes close, shows the closest place" in says
    assert "1 | one two" in message
    assert "typographic quotes, dashes and spaces taken as plain ones and blanks at line ends left out" in says
    file.write_text("“a” – b\u00a0c  \nnext – line\n")
    answer = await edit(here, "e", ('"a" - b c\n', "X – Y\n"))
    assert "Then the lines that it touches are written in that plain form" in says
    assert file.read_text() == "X – Y\nnext – line\n"
    assert answer.details is not None
    assert answer.details["normalised"] == [0]
    assert "newText is taken literally" in says
    await edit(here, "e", ("X – Y", r"$& \1"))
    assert file.read_text().startswith(r"$& \1" + "\n")
    assert f"at most {EDIT_FILE_BYTES // 1024 // 1024} MiB" in says
    assert "a symbolic link stays a link" in says
    (here.cwd / "link").symlink_to("e")
    await edit(here, "link", ("next", "last"))
    assert (here.cwd / "link").is_symlink()
    assert "last" in file.read_text()
    assert EDIT.execution_mode == "sequential"


ANY = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["path", "file_path", "edits", "oldText", "newText"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(ANY, ANY)
def test_drawing_stands_any_input(input: Any, details: Any) -> None:
    assert EDIT.render_call is not None
    assert EDIT.render_result is not None
    assert EDIT.render_call(input)
    result = Result(details={"diff": details, "normalised": details})
    assert EDIT.render_result(input, result, Path("/"))
    assert EDIT.render_result(input, Result(error="no"), Path("/")) == (Words("no", "error"),)


async def test_a_result_is_drawn_as_its_diff(here: HostContext) -> None:
    assert EDIT.render_call is not None
    assert EDIT.render_result is not None
    (here.cwd / "e").write_text("a\nb\n")
    input = {"path": "e", "edits": [{"oldText": "b", "newText": "c"}]}
    answer = await use(EDIT, input, here)
    result = Result(content=({"type": "text", "text": answer.text},), details=answer.details)
    rows = (DiffRow("context", 1, "a"), DiffRow("removed", 2, "b"), DiffRow("added", 2, "c"))
    assert EDIT.render_result(input, result, here.cwd) == (Diff("e", rows), Words(answer.text))
    without = Result(content=result.content)
    bare = (DiffRow("removed", None, "b"), DiffRow("added", None, "c"))
    assert EDIT.render_result(input, without, here.cwd) == (Diff("e", bare), Words(answer.text))
    assert EDIT.render_call(input) == (Span("edit", "name"), Span(" "), Span("e", "path"), Span(" 1 edit", "number"))
