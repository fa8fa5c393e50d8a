"""Where a path leads: link by link as the system has it, and nowhere where the system does not go."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.people import ordinary_user
from workbench.harness.tools.toolbox.limits import MAX_LINKS, MAX_PATH_BYTES
from workbench.harness.tools.toolbox.links import real_or_none, way_of


def chain(folder: Path, target: str, count: int) -> str:
    """Links that lead to one another and at last to the target: the name of the first one to go through."""
    for number in range(count):
        (folder / f"c{number}").symlink_to(f"c{number - 1}" if number else target)
    return f"c{count - 1}"


@pytest.mark.parametrize("count", [1, MAX_LINKS, MAX_LINKS + 1, 90])
def test_as_many_links_are_followed_as_the_system_follows(tmp_path: Path, count: int) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / chain(tmp_path, "file", count)
    if count <= MAX_LINKS:
        assert os.path.samefile(path, way_of(path).real)
        return
    for follow in (os.stat, way_of):
        with pytest.raises(OSError, match="symbolic links") as raised:
            follow(path)
        assert raised.value.errno == errno.ELOOP
    assert real_or_none(path) is None


def test_a_circle_is_no_way(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OSError, match="symbolic links"):
        way_of(tmp_path / "loop" / "x")


def test_every_station_is_told(tmp_path: Path) -> None:
    real = Path(os.path.realpath(tmp_path))
    (real / "folder").mkdir()
    (real / "a").symlink_to("b/../b")
    (real / "b").symlink_to(real / "folder")
    way = way_of(real / "a" / "new" / "file")
    assert way.real == real / "folder" / "new" / "file"
    assert {str(real / name) for name in ("a", "b", "folder", "folder/new/file")} <= set(way.stations)


def test_a_way_that_grows_too_long_is_none(tmp_path: Path) -> None:
    deep = "/".join(["d" * 200] * 19)
    (tmp_path / "link").symlink_to(deep)
    with pytest.raises(OSError, match="too long") as raised:
        way_of(tmp_path / "link" / ("e" * 200) / ("f" * 200))
    assert raised.value.errno == errno.ENAMETOOLONG
    assert len(deep) < MAX_PATH_BYTES


@pytest.fixture
def locked() -> Iterator[Path]:
    """A folder that an ordinary user may not look into."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "link").symlink_to("elsewhere")
        folder.chmod(0o700 if os.geteuid() == 0 else 0)
        yield folder
        folder.chmod(0o700)


def test_what_may_not_be_looked_at_is_said_and_not_guessed(locked: Path) -> None:
    with ordinary_user():
        assert real_or_none(locked / "link" / "x") is None
        with pytest.raises(PermissionError):
            way_of(locked / "link")


def test_what_is_no_name_has_no_way() -> None:
    assert real_or_none("/a\0b") is None
    assert real_or_none("/a\ud800b") is None


_NAMES = st.sampled_from(["a", "b", "folder", "..", ".", "missing"])


@given(
    st.lists(_NAMES, min_size=1, max_size=5),
    st.lists(_NAMES, min_size=1, max_size=4),
    st.lists(_NAMES, min_size=1, max_size=4),
)
def test_it_leads_where_the_system_opens(path: list[str], a: list[str], b: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / "folder" / "folder").mkdir(parents=True)
        for link, target in (("a", a), ("b", b)):
            (root / link).symlink_to("/".join(target))
            (root / "folder" / link).symlink_to("/".join(target))
        given = f"{root}/{'/'.join(path)}"
        with contextlib.suppress(OSError):
            found = os.stat(given)
            assert os.path.samestat(found, os.stat(way_of(given).real, follow_symlinks=False))
