"""`read`: the file that is meant, what is not read, and how a call is ended."""

from __future__ import annotations

import asyncio
import os
import shlex
import socket
import subprocess
from typing import Any

import pytest

from tests.harness.tools.toolbox.using import use
from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.host_tool import HostContext, Signal, ToolAnswer
from workbench.harness.tools.toolbox.limits import MAX_BYTES
from workbench.harness.tools.toolbox.read import READ
from workbench.harness.tools.toolbox.saved import SavedOutput, gone


async def read(ctx: HostContext, path: str, **options: Any) -> ToolAnswer:
    """What `read` gives."""
    return await use(READ, {"path": path, **options}, ctx)


async def refused(ctx: HostContext, path: str, **options: Any) -> HarnessError:
    """Why `read` fails."""
    with pytest.raises(HarnessError) as raised:
        await read(ctx, path, **options)
    return raised.value


@pytest.mark.parametrize("name", ["it's $(touch bad); `id`", "-n", "two words", "a\nb", "~"])
async def test_the_command_in_a_notice_is_safe_to_paste(here: HostContext, name: str) -> None:
    (here.cwd / name).write_bytes(b"y" * 60_000 + b"\nsecond\n")
    given_path = f"./{name}" if name == "~" else name
    answer = await read(here, given_path)
    command = answer.text.split("Use bash: ")[1].removesuffix("]")
    shell = ["sh", "-c", command]
    done = await asyncio.to_thread(subprocess.run, shell, cwd=here.cwd, capture_output=True, check=True)
    assert done.stdout == b"y" * MAX_BYTES
    assert not (here.cwd / "bad").exists()


async def test_the_command_in_a_notice_means_the_file_that_was_meant(here: HostContext) -> None:
    (here.cwd / "plain").write_bytes(b"y" * 60_000)
    answer = await read(here, "@plain")
    assert shlex.quote(str(here.cwd / "plain")) in answer.text


async def test_a_name_that_is_no_utf_8_stays_out_of_the_answer(here: HostContext) -> None:
    name = os.fsdecode(b"bad\xff")
    (here.cwd / name).write_bytes(b"y" * 60_000)
    assert "sed -n '1p' 'bad\ufffd' | head" in (await read(here, name)).text
    (await refused(here, name + "gone")).message.encode()


async def test_a_missing_file_is_said_in_the_words_of_the_system(here: HostContext) -> None:
    error = await refused(here, "no/such")
    assert error.code == "not_found"
    assert error.message.startswith(f"ENOENT: no such file or directory, access '{here.cwd}/no/such'")


async def test_a_link_that_leads_nowhere_is_missing_and_one_that_leads_somewhere_is_followed(here: HostContext) -> None:
    (here.cwd / "nowhere").symlink_to("gone")
    (here.cwd / "there").write_text("text")
    (here.cwd / "link").symlink_to("there")
    assert (await refused(here, "nowhere")).message.startswith("ENOENT: no such file or directory, access '")
    assert (await read(here, "link")).text == "text"


@pytest.mark.parametrize("path", ["", ".", "sub", "sub/"])
async def test_a_directory_is_refused(here: HostContext, path: str) -> None:
    (here.cwd / "sub").mkdir()
    error = await refused(here, path)
    assert error.code == "refused"
    assert error.message.startswith("EISDIR: illegal operation on a directory, read")


async def test_a_file_taken_for_a_directory_is_said(here: HostContext) -> None:
    (here.cwd / "f").touch()
    assert (await refused(here, "f/x")).message.startswith("ENOTDIR: not a directory, access '")


async def test_a_file_that_may_not_be_read_is_said(here: HostContext, monkeypatch: pytest.MonkeyPatch) -> None:
    (here.cwd / "f").touch()

    def denied(*arguments: object, **options: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", denied)
    error = await refused(here, "f")
    assert error.code == "refused"
    assert error.message.startswith(f"EACCES: permission denied, access '{here.cwd}/f'")


async def test_trap_12_a_pipe_a_socket_and_a_device_are_refused_before_they_are_opened(
    here: HostContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(here.cwd / "pipe")
    (here.cwd / "link").symlink_to("pipe")
    opened: list[object] = []
    monkeypatch.chdir(here.cwd)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("sock")
        monkeypatch.setattr(os, "open", lambda *arguments, **options: opened.append(arguments))
        for path, kind in (
            ("pipe", "a pipe (FIFO)"),
            ("link", "a pipe (FIFO)"),
            ("sock", "a socket"),
            ("/dev/zero", "a device"),
        ):
            error = await refused(here, path)
            assert error.code == "refused"
            assert f" is {kind}. Only regular files are read; it was not opened." in error.message
    assert opened == []


async def test_a_file_that_became_a_pipe_is_refused_and_not_waited_for(
    here: HostContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here.cwd / "f").write_text("text")
    before = os.stat(here.cwd / "f")
    (here.cwd / "f").unlink()
    os.mkfifo(here.cwd / "f")
    monkeypatch.setattr(os, "stat", lambda path, **options: before)
    assert " is a pipe (FIFO). " in (await refused(here, "f")).message


async def test_a_file_without_a_stated_size_is_read(here: HostContext) -> None:
    assert "Name:" in (await read(here, "/proc/self/status")).text


async def test_file_path_is_another_name_for_path(here: HostContext) -> None:
    (here.cwd / "f").write_text("text")
    assert (await use(READ, {"file_path": "f"}, here)).text == "text"
    with pytest.raises(HarnessError, match="path is 'f' and file_path is 'g', which differ") as raised:
        await use(READ, {"path": "f", "file_path": "g"}, here)
    assert raised.value.code == "bad_input"


@pytest.mark.parametrize("path", ["\ud800", "a\0b", "x" * 300])
async def test_a_path_that_no_file_can_have_is_refused(here: HostContext, path: str) -> None:
    assert (await refused(here, path)).code == "bad_input"


async def test_an_aborted_call_reads_nothing(here: HostContext) -> None:
    (here.cwd / "f").write_text("text")
    signal = Signal()
    signal.abort()
    with pytest.raises(HarnessError, match=r"^Operation aborted$") as raised:
        await use(READ, {"path": "f"}, here, signal=signal)
    assert raised.value.code == "cancelled"


async def test_an_abort_stops_between_two_chunks(here: HostContext, monkeypatch: pytest.MonkeyPatch) -> None:
    (here.cwd / "f").write_bytes(b"x\n" * 2_000_000)
    signal = Signal()
    chunks: list[int] = []
    readv = os.readv

    def aborting(descriptor: int, buffers: Any) -> int:
        chunks.append(1)
        signal.abort()
        return readv(descriptor, buffers)

    monkeypatch.setattr(os, "readv", aborting)
    with pytest.raises(HarnessError, match=r"^Operation aborted$"):
        await use(READ, {"path": "f"}, here, signal=signal)
    assert len(chunks) == 1


async def test_the_saved_output_of_a_command_that_is_gone_is_said_to_be(here: HostContext) -> None:
    kept = SavedOutput()
    kept.add(b"all of it\n")
    kept.close()
    assert kept.path is not None
    assert (await read(here, kept.path)).text == "all of it\n"
    os.unlink(kept.path)
    error = await refused(here, kept.path)
    assert (error.code, error.message) == ("not_found", gone(kept.path))


@pytest.mark.parametrize("place", ["self", "thread-self", "1", "1/task/1", "self/root/proc/1", "{pid}"])
@pytest.mark.parametrize("file", ["environ", "mem"])
async def test_the_inside_of_a_process_is_not_read(here: HostContext, place: str, file: str) -> None:
    assert "nor the variables and the memory of a process in /proc" in READ.description
    path = f"/proc/{place.format(pid=os.getpid())}/{file}"
    (here.cwd / "harmless").symlink_to(path)
    for given in (path, "harmless", f"file://{path}"):
        error = await refused(here, given)
        assert (error.code, "secrets" in error.message) == ("refused", True)


async def test_what_the_system_tells_of_itself_is_read(here: HostContext) -> None:
    assert (await read(here, "/proc/version")).text.startswith("Linux version ")
