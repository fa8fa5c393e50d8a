"""Putting bytes into a file: in one step, dressed as the file before, in place only where it must be."""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import signal as signals
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.people import NOBODY, ordinary_user
from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.editing.source import bytes_of, not_edited
from workbench.harness.tools.toolbox.host_tool import Signal
from workbench.harness.tools.toolbox.links import way_of
from workbench.harness.tools.toolbox.system_words import system_failure
from workbench.harness.tools.toolbox.target import target_of
from workbench.harness.tools.toolbox.writing import sound, write_whole

ROOT = os.geteuid() == 0


def written(file: Path, data: bytes, signal: Signal) -> None:
    """Write a file that is looked at now."""
    with target_of(way_of(file), ()) as target:
        write_whole(target, data, signal)


@contextlib.contextmanager
def small_files(size: int) -> Iterator[None]:
    """No file of this process can grow larger inside."""
    ours = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signals.signal(signals.SIGXFSZ, signals.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, ours[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, ours)
        signals.signal(signals.SIGXFSZ, handler)


def folders_made(file: Path) -> None:
    """Make the folders above a file."""
    with target_of(way_of(file), ()) as target:
        target.make_folders()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user reaches."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


def test_a_new_file_has_the_mode_that_new_files_have(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    written(tmp_path / "new", b"x", Signal())
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert sorted(os.listdir(tmp_path)) == ["new", "plain"]


@pytest.mark.parametrize("mode", [0o755, 0o600, 0o4750, 0o666])
def test_another_file_takes_its_place_with_its_mode(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"old and longer")
    file.chmod(mode)
    reader = file.open("rb")
    before = file.stat().st_ino
    written(file, b"new", Signal())
    assert stat.S_IMODE(file.stat().st_mode) == mode
    assert file.stat().st_ino != before
    assert file.read_bytes() == b"new"
    with reader:
        # Whoever had it open goes on to read the old content, whole.
        assert reader.read() == b"old and longer"
    assert os.listdir(tmp_path) == ["file"]


def test_it_keeps_its_owner(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"old")
    owner = (1234, 4321) if ROOT else (os.geteuid(), os.getegid())
    os.chown(file, *owner)
    written(file, b"new", Signal())
    assert (file.stat().st_uid, file.stat().st_gid) == owner


def test_it_keeps_the_attributes_of_its_user(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"old")
    with contextlib.suppress(OSError):
        os.setxattr(file, "user.origin", b"here")
    before = {name: os.getxattr(file, name) for name in os.listxattr(file)}
    written(file, b"new", Signal())
    assert {name: os.getxattr(file, name) for name in os.listxattr(file)} == before


@pytest.mark.parametrize("data", [b"", b"new", b"new and much longer than before"])
def test_a_file_with_other_hard_links_is_written_in_place(tmp_path: Path, data: bytes) -> None:
    file, other = tmp_path / "file", tmp_path / "other"
    file.write_bytes(b"old content")
    os.link(file, other)
    written(file, data, Signal())
    assert other.read_bytes() == data
    assert file.stat().st_nlink == 2


def test_a_file_in_a_folder_that_cannot_be_written_is_written_in_place(open_folder: Path) -> None:
    file = open_folder / "file"
    file.write_bytes(b"old")
    file.chmod(0o666)
    open_folder.chmod(0o555)
    before = file.stat()
    with ordinary_user():
        written(file, b"new", Signal())
    assert file.read_bytes() == b"new"
    assert file.stat().st_ino == before.st_ino
    open_folder.chmod(0o755)


@pytest.mark.parametrize("mode", [0o4755, 0o2755, 0o6755, 0o6711, 0o1644, 0o600])
@pytest.mark.parametrize("data", [b"", b"new", b"new and longer than what was there"])
@pytest.mark.parametrize("why", ["hard links", "folder"])
def test_a_file_of_ones_own_keeps_every_bit_of_its_mode_in_place(
    open_folder: Path, why: str, data: bytes, mode: int
) -> None:
    file = open_folder / "file"
    file.write_bytes(b"what was there")
    if ROOT:
        os.chown(file, NOBODY, NOBODY)
    file.chmod(mode)
    if why == "hard links":
        os.link(file, open_folder / "other")
    else:
        open_folder.chmod(0o555)
    before = file.stat()
    with ordinary_user():
        written(file, data, Signal())
    assert file.read_bytes() == data
    assert (file.stat().st_ino, oct(file.stat().st_mode)) == (before.st_ino, oct(before.st_mode))
    open_folder.chmod(0o755)


def test_what_the_system_takes_from_a_file_of_somebody_else_stays_off(open_folder: Path) -> None:
    file = open_folder / "file"
    file.write_bytes(b"old")
    file.chmod(0o4777)
    os.link(file, open_folder / "other")
    with ordinary_user():
        written(file, b"new", Signal())
    assert file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == (0o777 if ROOT else 0o4777)


def test_a_write_in_place_that_finds_no_room_leaves_the_mode_too(open_folder: Path) -> None:
    file = open_folder / "file"
    file.write_bytes(b"old")
    if ROOT:
        os.chown(file, NOBODY, NOBODY)
    file.chmod(0o6755)
    os.link(file, open_folder / "other")
    with ordinary_user(), small_files(4096), pytest.raises(HarnessError, match="Nothing was changed"):
        written(file, b"x" * 10_000, Signal())
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (b"old", 0o6755)


def test_a_file_whose_owner_cannot_be_kept_is_written_in_place(open_folder: Path) -> None:
    # Where the tests do not run as root, it is one's own, and is kept in any case.
    file = open_folder / "file"
    file.write_bytes(b"old")
    file.chmod(0o666)
    open_folder.chmod(0o777)
    with ordinary_user():
        written(file, b"new", Signal())
    assert file.read_bytes() == b"new"
    assert file.stat().st_uid == os.geteuid()
    assert os.listdir(open_folder) == ["file"]


def test_a_new_file_where_none_may_be_made_is_refused_with_the_systems_words(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    with ordinary_user(), pytest.raises(HarnessError) as raised:
        written(open_folder / "new", b"x", Signal())
    assert raised.value.code == "refused"
    assert raised.value.message.startswith(f"EACCES: permission denied, write '{open_folder / 'new'}'")
    open_folder.chmod(0o755)


@pytest.mark.parametrize("folder_mode", [0o777, 0o555])
def test_a_file_that_is_read_only_is_not_replaced_behind_its_back(open_folder: Path, folder_mode: int) -> None:
    file = open_folder / "file"
    file.write_bytes(b"old")
    file.chmod(0o444)
    open_folder.chmod(folder_mode)
    with ordinary_user():
        with pytest.raises(HarnessError) as raised:
            written(file, b"new", Signal())
        with target_of(way_of(file), ()) as target, pytest.raises(PermissionError) as refused:
            bytes_of(target, "F")
    assert raised.value.message == f"EACCES: permission denied, open '{file}'"
    assert not_edited(refused.value, "F").message == "Could not edit file: F. Error code: EACCES."
    assert file.read_bytes() == b"old"
    open_folder.chmod(0o755)


@pytest.mark.parametrize("linked", [False, True], ids=["replaced", "in place"])
def test_where_there_is_no_room_the_file_holds_what_it_held(tmp_path: Path, linked: bool) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"old")
    if linked:
        os.link(file, tmp_path / "other")
    names = sorted(os.listdir(tmp_path))
    with small_files(4096), pytest.raises(HarnessError) as raised:
        written(file, b"x" * 10_000, Signal())
    assert raised.value.message.startswith(f"EFBIG: file too large, write '{file}'. Nothing was changed.")
    assert file.read_bytes() == b"old"
    assert sorted(os.listdir(tmp_path)) == names


def test_a_call_aborted_before_the_change_changes_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    aborted = Signal()
    aborted.abort()
    file = tmp_path / "file"
    file.write_bytes(b"old")
    for name in ("file", "new"):
        with pytest.raises(HarnessError, match="Operation aborted"):
            written(tmp_path / name, b"new", aborted)
    os.link(file, tmp_path / "hard")
    with pytest.raises(HarnessError, match="Operation aborted"):
        written(file, b"new", aborted)
    assert file.read_bytes() == b"old"
    assert sorted(os.listdir(tmp_path)) == ["file", "hard"]


def test_parents_are_made_and_a_file_among_them_is_named(tmp_path: Path) -> None:
    folders_made(tmp_path / "a" / "b" / "c")
    assert (tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").touch()
    for below in ("file/x", "file/x/y"):
        target = tmp_path / below
        with pytest.raises(HarnessError) as raised:
            folders_made(target)
        assert raised.value.message.startswith(f"EEXIST: file already exists, mkdir '{target.parent}'")


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("plain é 😀", "plain é 😀"),
        ("a\ud800b", "a\ufffdb"),
        ("\udc00", "\ufffd"),
        ("end\ud83d", "end\ufffd"),
        ("\ud83d\ude00", "😀"),
        ("\ud800\ud83d\ude00", "\ufffd😀"),
    ],
)
def test_half_characters_become_the_replacement_and_pairs_become_whole(text: str, result: str) -> None:
    assert sound(text) == result


def test_what_the_system_says_begins_with_its_code() -> None:
    failure = system_failure(OSError(errno.ENOSPC, ""), "write", "/x")
    assert (failure.code, failure.message) == ("failed", "ENOSPC: no space left on device, write '/x'")
