"""What was judged is what is written, whatever comes to stand in its place between the two."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.editing.source import bytes_of
from workbench.harness.tools.toolbox.host_tool import Signal
from workbench.harness.tools.toolbox.links import way_of
from workbench.harness.tools.toolbox.target import target_of
from workbench.harness.tools.toolbox.writing import write_whole

CHANGED = "became another file while it was looked at. Nothing was changed"


@pytest.fixture
def space(tmp_path: Path) -> Path:
    """A Space beside a folder to work in."""
    folder = tmp_path / "space"
    (folder / "memory").mkdir(parents=True)
    (folder / "file").write_text("kept")
    (folder / "memory" / "file").write_text("kept")
    (tmp_path / "work" / "sub").mkdir(parents=True)
    (tmp_path / "work" / "sub" / "file").write_text("plain")
    return folder


def file_for_a_link(file: Path, space: Path) -> None:
    """A link in the place of the file."""
    file.unlink(missing_ok=True)
    file.symlink_to(space / "file")


def file_for_a_hard_link(file: Path, space: Path) -> None:
    """Another name of a guarded file in the place of the file."""
    file.unlink(missing_ok=True)
    os.link(space / "file", file)


def folder_for_a_link(file: Path, space: Path) -> None:
    """A link in the place of the folder."""
    file.parent.rename(file.parent.with_name("moved"))
    file.parent.symlink_to(space)


def folder_above_for_a_link(file: Path, space: Path) -> None:
    """A link in the place of the folder above that."""
    file.parent.parent.rename(file.parent.parent.with_name("moved"))
    (space / "sub").symlink_to("memory")
    file.parent.parent.symlink_to(space)


SWAPS = [file_for_a_link, file_for_a_hard_link, folder_for_a_link, folder_above_for_a_link]


def kept(space: Path) -> bool:
    """Whether the Space is as it was."""
    return {path.name: path.read_text() for path in space.rglob("*") if path.is_file()} == {"file": "kept"} and all(
        (space / name).read_text() == "kept" for name in ("file", "memory/file")
    )


@pytest.mark.parametrize("swap", SWAPS)
@pytest.mark.parametrize("there", [True, False], ids=["a file", "nothing yet"])
@pytest.mark.parametrize("linked", [False, True], ids=["replaced", "in place"])
def test_what_comes_after_the_judgement_is_not_written(
    space: Path, swap: Callable[[Path, Path], None], there: bool, linked: bool
) -> None:
    file = space.parent / "work" / "sub" / "file"
    if not there:
        file.unlink()
    elif linked:
        os.link(file, space.parent / "other name")
    with target_of(way_of(file), (space,)) as target:
        swap(file, space)
        with contextlib.suppress(HarnessError):
            write_whole(target, b"new", Signal())
    assert kept(space)


@pytest.mark.parametrize("swap", SWAPS)
def test_what_comes_between_the_way_and_the_judgement_is_refused(
    space: Path, swap: Callable[[Path, Path], None]
) -> None:
    file = space.parent / "work" / "sub" / "file"
    way = way_of(file)
    swap(file, space)
    with pytest.raises((HarnessError, OSError)), target_of(way, (space,)) as target:
        bytes_of(target, "file")
    with pytest.raises(HarnessError), target_of(way, (space,)) as target:
        target.make_folders()
    assert kept(space)


def test_a_guarded_folder_that_is_moved_onto_the_way_is_known(space: Path) -> None:
    way = way_of(space.parent / "work" / "sub" / "file")
    (space.parent / "work" / "sub").rename(space.parent / "moved")
    space.rename(space.parent / "work" / "sub")
    # Guarded is the folder that had this name, which another process still has open as its Space.
    with pytest.raises(HarnessError, match="leads into"), target_of(way, (space.parent / "work" / "sub",)):
        pass


@pytest.mark.parametrize("swap", [file_for_a_link, file_for_a_hard_link])
def test_what_is_edited_is_what_was_judged(space: Path, swap: Callable[[Path, Path], None]) -> None:
    file = space.parent / "work" / "sub" / "file"
    with target_of(way_of(file), (space,)) as target:
        swap(file, space)
        with pytest.raises(HarnessError, match=CHANGED):
            bytes_of(target, "file")


def test_folders_that_came_meanwhile_are_judged_too(space: Path) -> None:
    file = space.parent / "work" / "new" / "file"
    with target_of(way_of(file), (space,)) as target:
        (space.parent / "work" / "new").mkdir()
        target.make_folders()
        write_whole(target, b"x", Signal())
    assert file.read_text() == "x"
    below = space.parent / "work" / "later" / "memory" / "new"
    with target_of(way_of(below), (space,)) as target:
        (space.parent / "work" / "later").symlink_to(space)
        with pytest.raises(HarnessError, match="mkdir"):
            target.make_folders()
    assert not (space / "memory" / "new").exists()


def test_nothing_stays_open(space: Path) -> None:
    way = way_of(space / "file")
    before = os.listdir("/dev/fd")
    for _ in range(3):
        with pytest.raises(HarnessError), target_of(way, (space,)):
            pass
    with target_of(way, ()) as target:
        write_whole(target, b"x", Signal())
    assert len(os.listdir("/dev/fd")) == len(before)
