"""`write`: what it makes, what it keeps, what it refuses, and that its description is true."""

from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.tools.toolbox.using import use
from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.drawn import Code, Span, Words
from workbench.harness.tools.toolbox.host_tool import HostContext, Result, Signal
from workbench.harness.tools.toolbox.write import WRITE


async def write(ctx: HostContext, path: str, content: str) -> str:
    """What `write` says."""
    return (await use(WRITE, {"path": path, "content": content}, ctx)).text


async def fault(ctx: HostContext, path: str, content: str = "x") -> str:
    """Why `write` fails."""
    with pytest.raises(HarnessError) as raised:
        await write(ctx, path, content)
    return raised.value.message


async def test_t10_parents_are_made_and_a_link_and_a_mode_are_kept(here: HostContext) -> None:
    assert await write(here, "x/y/z.txt", "q") == "Successfully wrote 1 bytes to x/y/z.txt"
    assert (here.cwd / "x/y/z.txt").read_text() == "q"
    real, link = here.cwd / "tool.sh", here.cwd / "link"
    real.write_text("old")
    real.chmod(0o755)
    link.symlink_to("tool.sh")
    assert await write(here, "link", "new") == "Successfully wrote 3 bytes to link"
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o755


async def test_t6_it_has_no_other_spellings_of_a_name(here: HostContext) -> None:
    (here.cwd / "x\u202fAM.txt").write_text("old")
    await write(here, "x AM.txt", "new")
    assert (here.cwd / "x AM.txt").read_text() == "new"
    assert (here.cwd / "x\u202fAM.txt").read_text() == "old"


@pytest.mark.parametrize(
    ("content", "count"),
    [("héllo\n", 7), ("😀", 4), ("", 0), ("a\r\nb\n", 5), ("\ufeffx", 4), ("a\ud800b", 5)],
    ids=["accents", "emoji", "nothing", "line endings", "a mark", "half a character"],
)
async def test_24_it_counts_bytes_and_writes_what_it_was_given(here: HostContext, content: str, count: int) -> None:
    answer = await use(WRITE, {"path": "f", "content": content}, here)
    assert answer.text == f"Successfully wrote {count} bytes to f"
    assert answer.details is None
    assert (here.cwd / "f").read_bytes() == content.replace("\ud800", "\ufffd").encode()


async def test_a_link_to_nothing_is_written_through(here: HostContext) -> None:
    (here.cwd / "link").symlink_to("made/target")
    await write(here, "link", "x")
    assert (here.cwd / "link").is_symlink()
    assert (here.cwd / "made/target").read_text() == "x"


async def test_the_systems_words_come_first(here: HostContext) -> None:
    (here.cwd / "folder").mkdir()
    (here.cwd / "file").touch()
    (here.cwd / "loop").symlink_to("loop")
    for path in ("folder", "", "~"):
        assert (await fault(here, path)).startswith("EISDIR: illegal operation on a directory, open '/")
    assert (await fault(here, "folder")).startswith(
        f"EISDIR: illegal operation on a directory, open '{here.cwd / 'folder'}'"
    )
    assert (await fault(here, "file/x")).startswith(f"EEXIST: file already exists, mkdir '{here.cwd / 'file'}'")
    assert (await fault(here, "loop")).startswith("ELOOP: too many symbolic links encountered, open")
    assert (await fault(here, "n" * 300)).startswith("ENAMETOOLONG: name too long, open")


async def test_what_is_no_file_is_refused_before_it_is_opened(here: HostContext) -> None:
    os.mkfifo(here.cwd / "pipe")
    (here.cwd / "link").symlink_to("pipe")
    os.mknod(here.cwd / "socket", stat.S_IFSOCK | 0o600)
    for path, kind in (("pipe", "a pipe (FIFO)"), ("link", "a pipe (FIFO)"), ("socket", "a socket")):
        assert await fault(here, path) == f"{path} is {kind}. write makes and replaces regular files only."
    assert "/dev/null is a device" in await fault(here, "/dev/null")
    assert stat.S_ISFIFO((here.cwd / "pipe").stat().st_mode)


async def test_an_aborted_call_writes_nothing(here: HostContext) -> None:
    signal = Signal()
    signal.abort()
    with pytest.raises(HarnessError, match=r"^Operation aborted$") as raised:
        await use(WRITE, {"path": "a/f", "content": "x"}, here, signal=signal)
    assert raised.value.code == "cancelled"
    assert not (here.cwd / "a").exists()


async def test_file_path_is_path(here: HostContext) -> None:
    sent: dict[str, Any] = {"file_path": "f", "content": "x"}
    await use(WRITE, sent, here)
    assert (here.cwd / "f").read_text() == "x"
    assert sent == {"file_path": "f", "content": "x"}
    with pytest.raises(HarnessError):
        await use(WRITE, {"path": "a", "file_path": "b", "content": "x"}, here)


async def test_calls_for_one_file_take_effect_in_their_order(here: HostContext) -> None:
    (here.cwd / "link").symlink_to("f")
    await asyncio.gather(*(write(here, "f" if number % 2 else "link", str(number)) for number in range(10)))
    assert (here.cwd / "f").read_text() == "9"
    assert (here.cwd / "link").is_symlink()


async def test_the_description_is_true(here: HostContext) -> None:
    """What each sentence promises that no test above has shown."""
    says = WRITE.description
    assert "no newline is added at the end, no line ending is changed" in says
    await write(here, "f", "a\r\nb")
    assert (here.cwd / "f").read_bytes() == b"a\r\nb"
    assert "replaces everything that was in it" in says
    await write(here, "f", "c")
    assert (here.cwd / "f").read_bytes() == b"c"
    assert "several hard links" in says
    os.link(here.cwd / "f", here.cwd / "g")
    await write(here, "f", "d")
    assert (here.cwd / "g").read_bytes() == b"d"
    assert "Its mode is kept, and a symbolic link is written through and stays a link" in says
    assert "Folders that are missing above the file are made" in says
    assert "Folders, pipes and devices are refused" in says
    assert "in the order of the calls" in says
    assert WRITE.execution_mode == "sequential"


@given(
    st.one_of(
        st.none(),
        st.integers(),
        st.dictionaries(
            st.sampled_from(["path", "content", "file_path"]), st.one_of(st.text(), st.integers(), st.none())
        ),
    )
)
def test_drawing_stands_any_input(input: Any) -> None:
    assert WRITE.render_call is not None
    assert WRITE.render_result is not None
    assert WRITE.render_call(input)
    assert WRITE.render_result(input, Result(), Path("/"))
    assert WRITE.render_result(input, Result(error="no"), Path("/")) == (Words("no", "error"),)


def test_a_call_is_its_path_and_its_size_and_the_result_is_what_was_written() -> None:
    assert WRITE.render_call is not None
    assert WRITE.render_result is not None
    input = {"path": "a.py", "content": "x = 'é'\ny = 2\n"}
    assert WRITE.render_call(input) == (
        Span("write", "name"),
        Span(" "),
        Span("a.py", "path"),
        Span(" 2 lines, 15 bytes", "number"),
    )
    result = Result(content=({"type": "text", "text": "Successfully wrote 15 bytes to a.py"},))
    assert WRITE.render_result(input, result, Path("/")) == (
        Code(input["content"], "a.py"),
        Words("Successfully wrote 15 bytes to a.py"),
    )
