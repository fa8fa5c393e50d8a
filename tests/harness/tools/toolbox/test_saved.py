"""Outputs that are kept in files: for whom, for how long, how much of them."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.people import ordinary_user
from workbench.harness.tools.toolbox import saved
from workbench.harness.tools.toolbox.saved import SavedOutput, gone, sweep

ROOT = str(Path(find_spec("workbench").origin).parents[1])

KEEPER = """
import sys
from workbench.harness.tools.toolbox.saved import SavedOutput
output = SavedOutput()
output.add(b"kept")
print(output.path, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary folder of the test's own, that anybody may write to."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        monkeypatch.setattr(tempfile, "tempdir", folder)
        monkeypatch.setattr(saved._Own, "folder", None)
        yield Path(folder)


def start_keeper(temporary: Path) -> tuple[subprocess.Popen[str], Path]:
    """Another workbench, that keeps an output and then waits until its stdin ends."""
    environment = {**os.environ, "PYTHONPATH": ROOT, "TMPDIR": str(temporary)}
    keeper = subprocess.Popen(
        [sys.executable, "-c", KEEPER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
    )
    assert keeper.stdout is not None
    return keeper, Path(keeper.stdout.readline().strip())


def test_only_its_owner_can_read_it(temporary: Path) -> None:
    before = os.umask(0)
    try:
        with ordinary_user():
            output = SavedOutput()
            output.add(b"a secret")
            output.close()
    finally:
        os.umask(before)
    path = Path(output.path or "")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert path.parent.parent == temporary
    assert output.where == f"Full output: {path}"


def test_it_is_kept_until_the_workbench_ends_and_then_said_to_be_gone(temporary: Path) -> None:
    keeper, path = start_keeper(temporary)
    with keeper:
        assert path.read_bytes() == b"kept"
        assert gone(path) is None
        sweep()
        assert path.exists(), "its owner lives"
        keeper.communicate("")
    assert not path.parent.exists()
    words = gone(path)
    assert words is not None
    assert "the full output of a bash command" in words
    assert "until the workbench that ran the command ends" in words
    assert "Run the command again" in words


def test_what_a_killed_workbench_left_is_swept_by_the_next(temporary: Path) -> None:
    keeper, path = start_keeper(temporary)
    with keeper:
        keeper.kill()
        keeper.communicate()
    assert path.exists()
    other, kept = start_keeper(temporary)
    with other:
        sweep()
        assert not path.parent.exists()
        assert kept.exists()
        other.communicate("")
    assert list(temporary.iterdir()) == []


def test_a_sweep_leaves_what_is_not_ours(temporary: Path) -> None:
    (temporary / "workbench-output-begun_01").mkdir()  # its lock is not there yet
    (temporary / "workbench-output-no").mkdir()
    target = temporary / "elsewhere"
    target.mkdir()
    (target / "owner").write_text("")
    (temporary / "workbench-output-link_012").symlink_to(target)
    sweep()
    assert len(list(temporary.iterdir())) == 4
    assert (target / "owner").exists()


@pytest.mark.parametrize(
    "path",
    [
        "/tmp/notes.txt",
        "/tmp/workbench-output-abcdefgh/notes.txt",
        "/tmp/elsewhere/bash-0123456789abcdef.log",
        "/tmp/workbench-output-abcdefgh/bash-0123456789ABCDEF.log",
    ],
)
def test_of_other_paths_nothing_is_said(path: str) -> None:
    assert gone(path) is None
    assert gone(Path(path)) is None


def test_no_more_than_so_much_is_kept_and_that_is_said(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved, "MAX_SAVED_BYTES", 2_048)
    output = SavedOutput()
    for _ in range(3):
        output.add(b"x" * 1_000)
    output.add(b"more")
    output.close()
    assert Path(output.path or "").stat().st_size == 2_048
    assert output.where == f"Full output: {output.path} (only its first 2.0KB: no more is kept)"


def test_exactly_so_much_is_all_of_it(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved, "MAX_SAVED_BYTES", 2_000)
    output = SavedOutput()
    output.add(b"x" * 1_000)
    output.add(b"x" * 1_000)
    output.close()
    assert output.where == f"Full output: {output.path}"


def test_what_cannot_be_kept_is_said(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(temporary / "missing"))
    output = SavedOutput()
    output.add(b"x")
    output.add(b"y")
    output.close()
    assert output.path is None
    assert output.where == "Full output could not be kept: No such file or directory"


def test_a_folder_that_a_cleaner_took_away_is_made_again(temporary: Path) -> None:
    first = SavedOutput()
    first.add(b"x")
    first.close()
    Path(first.path or "").unlink()
    (Path(first.path or "").parent / "owner").unlink()
    Path(first.path or "").parent.rmdir()
    second = SavedOutput()
    second.add(b"y")
    second.close()
    assert Path(second.path or "").read_bytes() == b"y"


@pytest.mark.parametrize("name", ["a\nb", "a\rb", "a\x1b[31mb", "a\x85b", "a\u2028b", "a\udcffb"])
def test_a_folder_whose_name_is_not_of_one_line_is_not_used(
    temporary: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    odd, other = temporary / name, temporary / "other"
    odd.mkdir()
    other.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(odd))
    monkeypatch.setattr(saved, "_USUAL_FOLDERS", (str(temporary / "missing"), str(other)))
    output = SavedOutput()
    output.add(b"x")
    output.close()
    assert list(odd.iterdir()) == []
    assert Path(output.path or "").parent.parent == other
    assert output.where == f"Full output: {output.path}"
    left = other / "workbench-output-killed01"
    left.mkdir()
    (left / "owner").touch()
    sweep()
    assert not left.exists(), "the sweep looks there too"


def test_where_no_folder_has_a_name_of_one_line_that_is_said(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(temporary / "a\nb"))
    monkeypatch.setattr(saved, "_USUAL_FOLDERS", ())
    output = SavedOutput()
    output.add(b"x")
    output.close()
    sweep()
    assert output.where == "Full output could not be kept: no temporary folder has a name of one line"
