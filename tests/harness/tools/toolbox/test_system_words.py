"""What the system says about a path: one code and the same words, whichever tool meets it."""

from __future__ import annotations

import asyncio
import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.harness.tools.toolbox.using import use
from tests.people import ordinary_user
from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.host_tool import HostContext
from workbench.harness.tools.toolbox.opening import fail
from workbench.harness.tools.toolbox.registry import TOOLS
from workbench.harness.tools.toolbox.system_words import kind_of, system_failure


@pytest.mark.parametrize(
    ("number", "code", "words"),
    [
        (errno.ENOENT, "not_found", "ENOENT: no such file or directory, open '/x'"),
        (errno.ENOTDIR, "not_found", "ENOTDIR: not a directory, open '/x'"),
        (errno.EACCES, "refused", "EACCES: permission denied, open '/x'"),
        (errno.EPERM, "refused", "EPERM: operation not permitted, open '/x'"),
        (errno.EROFS, "refused", "EROFS: read-only file system, open '/x'"),
        (errno.EISDIR, "refused", "EISDIR: illegal operation on a directory, open '/x'"),
        (errno.EEXIST, "failed", "EEXIST: file already exists, open '/x'"),
        (errno.ELOOP, "failed", "ELOOP: too many symbolic links encountered, open '/x'"),
        (errno.ENAMETOOLONG, "bad_input", "ENAMETOOLONG: name too long, open '/x'"),
        (errno.EIO, "failed", "EIO: input/output error, open '/x'"),
        (0, "failed", "EIO: input/output error, open '/x'"),
    ],
)
def test_reading_and_writing_say_the_same(number: int, code: str, words: str) -> None:
    error = OSError(number, "") if number else OSError()
    failure = system_failure(error, "open", "/x")
    assert (failure.code, failure.message) == (code, words)
    with pytest.raises(HarnessError) as raised:
        fail(error, "open", Path("/x"))
    assert raised.value.code == code
    assert raised.value.message.startswith(words)


EVERY_TOOL: list[tuple[str, dict[str, Any]]] = [
    ("read", {}),
    ("write", {"content": "x"}),
    ("edit", {"edits": [{"oldText": "text", "newText": "x"}]}),
    ("ls", {}),
    ("find", {"pattern": "*"}),
    ("grep", {"pattern": "text"}),
]


@pytest.fixture
def locked() -> Iterator[Path]:
    """A folder that everybody reaches and that an ordinary user may not look into."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        folder = Path(name) / "locked"
        folder.mkdir()
        (folder / "f").write_text("text")
        folder.chmod(0o700 if os.geteuid() == 0 else 0)
        yield folder
        folder.chmod(0o700)


@pytest.mark.parametrize(("name", "input"), EVERY_TOOL)
async def test_what_the_owner_may_not_look_at_every_tool_refuses(
    locked: Path, name: str, input: dict[str, Any]
) -> None:
    # Threads are imported with their first use, from where an ordinary user may not look either.
    await asyncio.to_thread(os.getpid)
    with ordinary_user(), pytest.raises(HarnessError) as raised:
        await use(TOOLS[name], {"path": "locked/f", **input}, HostContext(cwd=locked.parent))
    assert raised.value.code == "refused"
    with ordinary_user():
        # The system shows these links to everybody, and lets nobody else's be read.
        try:
            os.readlink("/proc/1/root")
            return
        except OSError as error:
            if error.errno != errno.EACCES:
                return
        for path in ("/proc/1/root", "/proc/1/root/f", "/proc/1/cwd/f"):
            with pytest.raises(HarnessError, match=r"EACCES|Permission denied") as raised:
                await use(TOOLS[name], {"path": path, **input}, HostContext(cwd=locked.parent))
            assert raised.value.code == "refused"


@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        (stat.S_IFREG, None),
        (stat.S_IFDIR, None),
        (stat.S_IFIFO, "a pipe (FIFO)"),
        (stat.S_IFSOCK, "a socket"),
        (stat.S_IFCHR, "a device"),
        (stat.S_IFBLK, "a device"),
        (0, "no file"),
    ],
)
def test_every_kind_of_thing_has_its_name(mode: int, kind: str | None) -> None:
    assert kind_of(mode) == kind
