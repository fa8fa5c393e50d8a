"""`read` of text: its pages and its notices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.harness.tools.toolbox.using import use
from workbench.harness.errors import HarnessError
from workbench.harness.space.document import builtin_document
from workbench.harness.tools.toolbox.host_tool import HostContext, ToolAnswer
from workbench.harness.tools.toolbox.limits import MAX_BYTES
from workbench.harness.tools.toolbox.read import READ


def numbered(count: int) -> str:
    """So many lines, the last without a newline."""
    return "\n".join(f"Line {number}" for number in range(1, count + 1))


async def read(ctx: HostContext, path: str, **options: Any) -> ToolAnswer:
    """What `read` gives."""
    return await use(READ, {"path": path, **options}, ctx)


async def refused(ctx: HostContext, path: str, **options: Any) -> HarnessError:
    """Why `read` fails."""
    with pytest.raises(HarnessError) as raised:
        await read(ctx, path, **options)
    return raised.value


async def test_t1_a_text_that_fits_comes_as_it_is(here: HostContext) -> None:
    (here.cwd / "f").write_bytes(b"a\nb\nc\n")
    answer = await read(here, "f")
    assert answer == ToolAnswer.of("a\nb\nc\n")
    assert answer.details is None


async def test_t2_a_long_text_is_cut_to_whole_lines_and_says_where_to_go_on(here: HostContext) -> None:
    (here.cwd / "f").write_text(numbered(2500))
    answer = await read(here, "f")
    assert answer.text.startswith("Line 1\nLine 2\n")
    assert answer.text.endswith("Line 2000\n\n[Showing lines 1-2000 of 2500. Use offset=2001 to continue.]")
    assert answer.details is not None
    truncation = answer.details["truncation"]
    assert (truncation["totalLines"], truncation["outputLines"], truncation["truncatedBy"]) == (2500, 2000, "lines")


async def test_t3_a_limit_stops_early(here: HostContext) -> None:
    (here.cwd / "f").write_text(numbered(100))
    answer = await read(here, "f", offset=41, limit=20)
    assert answer.text.startswith("Line 41\n")
    assert answer.text.endswith("Line 60\n\n[40 more lines in file. Use offset=61 to continue.]")
    assert answer.details is None


async def test_t4_an_offset_after_the_end_is_refused_with_the_number_of_lines(here: HostContext) -> None:
    (here.cwd / "f").write_text(numbered(3))
    error = await refused(here, "f", offset=100)
    assert (error.code, error.message) == ("bad_input", "Offset 100 is beyond end of file (3 lines total)")


async def test_t5_an_empty_file_is_an_empty_text_of_no_lines(here: HostContext) -> None:
    (here.cwd / "f").touch()
    assert (await read(here, "f")).text == ""
    assert (await read(here, "f", offset=1, limit=3)).text == ""
    assert (await refused(here, "f", offset=2)).message == "Offset 2 is beyond end of file (0 lines total)"


@pytest.mark.parametrize("asked", ["x AM.txt", "caf\u00e9.txt", "d'x.txt", "@d'x.txt"])
async def test_t6_names_that_a_model_writes_otherwise_are_found(here: HostContext, asked: str) -> None:
    for name in ("x\u202fAM.txt", "cafe\u0301.txt", "d\u2019x.txt"):
        (here.cwd / name).write_text("found")
    assert (await read(here, asked)).text == "found"


@pytest.mark.parametrize(
    ("stored", "given_text"),
    [
        (b"\x61\xff\xfe\x62\n", "a\ufffd\ufffdb\n"),
        (b"one\r\ntwo\r\n", "one\r\ntwo\r\n"),
        (b"\xef\xbb\xbfone\n", "\ufeffone\n"),
        (b"a\x00b\x1b[31m\x0b\x0c\x85\n", "a\x00b\x1b[31m\x0b\x0c\ufffd\n"),
        ("a\u2028b\x85c\n".encode(), "a\u2028b\x85c\n"),
    ],
)
async def test_t9_bytes_come_as_they_are_and_foreign_ones_as_u_fffd(
    here: HostContext, stored: bytes, given_text: str
) -> None:
    (here.cwd / "f").write_bytes(stored)
    assert (await read(here, "f")).text == given_text


async def test_bug_16_a_newline_ends_a_line_and_starts_none(here: HostContext) -> None:
    (here.cwd / "f").write_bytes(b"a\nb\nc\n")
    assert (await read(here, "f", limit=3)).text == "a\nb\nc\n"
    assert (await read(here, "f", limit=2)).text == "a\nb\n\n[1 more lines in file. Use offset=3 to continue.]"
    assert (await read(here, "f", offset=3)).text == "c\n"
    assert (await refused(here, "f", offset=4)).message == "Offset 4 is beyond end of file (3 lines total)"


async def test_empty_lines_are_lines(here: HostContext) -> None:
    (here.cwd / "f").write_bytes(b"\n\nx\n\n")
    assert (await read(here, "f", offset=1, limit=1)).text == "\n\n[3 more lines in file. Use offset=2 to continue.]"
    assert (await read(here, "f", offset=2, limit=2)).text == "\nx\n\n[1 more lines in file. Use offset=4 to continue.]"
    assert (await read(here, "f", offset=4)).text == "\n"


@pytest.mark.parametrize("offset", [0, -1, -100, 1, 1.0])
async def test_an_offset_below_one_is_the_first_line(here: HostContext, offset: float) -> None:
    (here.cwd / "f").write_bytes(b"a\nb\n")
    assert (await read(here, "f", offset=offset)).text == "a\nb\n"


async def test_a_limit_of_no_lines_says_how_many_there_are(here: HostContext) -> None:
    (here.cwd / "f").write_bytes(b"a\nb\nc\n")
    assert (await read(here, "f", limit=0)).text == "\n\n[3 more lines in file. Use offset=1 to continue.]"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"limit": -1}, "limit is -1. It counts lines: give 0 or more, or leave it out."),
        ({"limit": 1.5}, "limit is 1.5. It must be a whole number."),
        ({"offset": 2.5}, "offset is 2.5. It must be a whole number."),
        ({"offset": 1e300}, f"Offset {int(1e300)} is beyond end of file (1 lines total)"),
    ],
)
async def test_numbers_that_count_no_lines_are_refused(here: HostContext, options: dict[str, Any], words: str) -> None:
    (here.cwd / "f").write_text("a")
    error = await refused(here, "f", **options)
    assert (error.code, error.message) == ("bad_input", words)


async def test_a_text_that_is_not_a_number_is_not_taken_for_one(here: HostContext) -> None:
    (here.cwd / "f").write_text("a")
    assert (await refused(here, "f", limit="5")).code == "bad_input"


async def test_a_page_is_cut_by_bytes_as_well(here: HostContext) -> None:
    (here.cwd / "f").write_text("\n".join("x" * 99 for _ in range(1000)))
    answer = await read(here, "f")
    assert answer.text.endswith("x\n\n[Showing lines 1-512 of 1000 (50.0KB limit). Use offset=513 to continue.]")
    assert len(answer.text.rpartition("\n\n")[0]) == 51_199
    assert answer.details is not None
    assert answer.details["truncation"]["truncatedBy"] == "bytes"
    assert answer.details["truncation"]["totalBytes"] == 99_999


async def test_a_limit_over_a_page_gives_a_page(here: HostContext) -> None:
    (here.cwd / "f").write_text(numbered(5000))
    answer = await read(here, "f", offset=11, limit=3000)
    assert answer.text.endswith("Line 2010\n\n[Showing lines 11-2010 of 5000. Use offset=2011 to continue.]")
    assert answer.details is not None
    assert answer.details["truncation"]["totalLines"] == 3000


async def test_a_line_of_exactly_a_page_is_given(here: HostContext) -> None:
    line = "x" * MAX_BYTES
    (here.cwd / "alone").write_text(line)
    (here.cwd / "ended").write_text(line + "\n")
    (here.cwd / "first").write_text(line + "\n\n")
    assert (await read(here, "alone")).text == line
    assert (await read(here, "ended")).text == line
    notice = "[Showing lines 1-1 of 2 (50.0KB limit). Use offset=2 to continue.]"
    assert (await read(here, "first")).text == f"{line}\n\n{notice}"
    assert (await read(here, "first", offset=2)).text == "\n"


@pytest.mark.parametrize(("ending", "total"), [(b"", 2), (b"\n", 2), (b"\nmore\n", 3)])
async def test_a_line_over_a_page_is_named_with_its_size_and_a_way_to_see_it(
    here: HostContext, ending: bytes, total: int
) -> None:
    (here.cwd / "f").write_bytes(b"short\n" + b"x" * 60_000 + ending)
    answer = await read(here, "f", offset=2)
    assert answer.text == "[Line 2 is 58.6KB, exceeds 50.0KB limit. Use bash: sed -n '2p' f | head -c 51200]"
    assert answer.details is not None
    assert answer.details["truncation"]["firstLineExceedsLimit"] is True
    notice = f"[Showing lines 1-1 of {total} (50.0KB limit). Use offset=2 to continue.]"
    assert (await read(here, "f")).text == f"short\n\n{notice}"


async def test_foreign_bytes_count_as_the_characters_they_become(here: HostContext) -> None:
    (here.cwd / "f").write_bytes(b"\xff" * 20_000 + b"\nafter\n")
    assert (await read(here, "f")).text.startswith("[Line 1 is 58.6KB, exceeds 50.0KB limit. ")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(st.sampled_from([b"", b"a", b"\xc3\xa9\xff", b"x" * 997, b"y" * 30_000]), max_size=120),
    ended=st.booleans(),
    limit=st.sampled_from([None, 1, 7, 5000]),
)
async def test_pages_joined_are_the_file(tmp_path: Path, lines: list[bytes], ended: bool, limit: int | None) -> None:
    stored = b"\n".join(lines) + (b"\n" if ended and lines else b"")
    (tmp_path / "f").write_bytes(stored)
    count = stored.count(b"\n") + (not stored.endswith(b"\n") if stored else 0)
    ctx = HostContext(cwd=tmp_path)
    pages: list[str] = []
    offset = 1
    while True:
        answer = await read(ctx, "f", offset=offset, **({} if limit is None else {"limit": limit}))
        content, _, notice = answer.text.rpartition("\n\n[")
        if "to continue.]" not in notice:
            pages.append(answer.text)
            break
        pages.append(content)
        going_on = int(notice.split("offset=")[1].split(" ")[0])
        assert going_on > offset
        offset = going_on
    assert offset <= max(count, 1)
    assert "\n".join(pages).removesuffix("\n") == stored.decode("utf-8", "replace").removesuffix("\n")
    assert (await refused(ctx, "f", offset=count + 2)).message.endswith(f"({count} lines total)")


def test_the_declaration_is_sound_and_its_numbers_are_numbers() -> None:
    document = READ.document()
    judged = builtin_document(
        name=document.name,
        description=document.description,
        input=document.input,
        binding=document.binding or "",
        summary=document.summary,
        output=document.output,
    )
    assert judged == document
    assert document.input["required"] == ["path"]
    assert {key: body["type"] for key, body in document.input["properties"].items()} == {
        "path": "string",
        "offset": "number",
        "limit": "number",
    }
    assert READ.execution_mode == "parallel"
