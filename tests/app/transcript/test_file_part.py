"""The part of a file of this machine that is shown."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from workbench.app.tools.source.external_editor import at_line
from workbench.app.transcript.file_part import PART_BYTES, PART_LINES, read_part
from workbench.harness.errors import HarnessError


def numbered(path: Path, lines: int) -> Path:
    """A file whose lines are their own numbers, 20 bytes each."""
    path.write_text("".join(f"{n:>19}\n" for n in range(1, lines + 1)))
    return path


def test_a_small_file_is_shown_whole(tmp_path: Path) -> None:
    part = read_part(str(numbered(tmp_path / "a", 30)), 12)
    assert (part.first, part.whole, part.text.count("\n")) == (1, True, 30)


@pytest.mark.parametrize("line", [None, 1, 2, 70_000, 199_999, 200_000, 300_000])
def test_of_a_large_file_what_is_around_a_line_is_shown(tmp_path: Path, line: int | None) -> None:
    part = read_part(str(numbered(tmp_path / "a", 200_000)), line)
    rows = part.text.splitlines()
    assert not part.whole
    assert len(part.text) <= PART_BYTES
    assert [int(row) for row in rows] == list(range(part.first, part.first + len(rows)))
    if line is not None and line <= 200_000:
        assert part.first <= line < part.first + len(rows)
    else:
        assert part.first == 1


@pytest.mark.parametrize("line", [None, 1, PART_LINES, 500_000, 999_999, 1_000_000, 2_000_000])
@pytest.mark.parametrize("lines", [1_000_000, 2_000_000])
def test_of_very_short_lines_some_are_shown(tmp_path: Path, line: int | None, lines: int) -> None:
    (tmp_path / "a").write_bytes(b"\n" * (lines - 1) + b"end\n")
    part = read_part(str(tmp_path / "a"), line)
    shown = part.text.count("\n")
    assert not part.whole
    assert PART_LINES // 2 <= shown <= PART_LINES
    assert part.first + shown - 1 <= lines
    if line is not None and line <= lines:
        assert part.first <= line < part.first + shown
    assert ("end" in part.text) == (part.first + shown - 1 == lines)


def test_a_line_longer_than_the_part_is_shown_from_its_beginning(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * (3 * PART_BYTES) + b"\nsecond\n")
    assert read_part(str(tmp_path / "a"), 2).text == "second\n"
    assert read_part(str(tmp_path / "a"), 1).text == "x" * PART_BYTES


def test_a_folder_is_listed(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "a").touch()
    part = read_part(str(tmp_path), None)
    assert part.names is not None
    assert [name.shown for name in part.names] == ["a", "b/"]


def test_binary_is_said(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\0\xff")
    assert read_part(str(tmp_path / "a"), None).binary


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, why in ((tmp_path / "pipe", "a pipe"), (tmp_path / "none", "ENOENT"), (Path("a\0b"), "no file's name")):
        with pytest.raises(HarnessError, match=why):
            read_part(str(path), None)


@pytest.mark.parametrize(
    ("editor", "line", "given"),
    [
        ("/usr/bin/vim", 12, ["+12", "/a.py"]),
        ("code", 12, ["--goto", "/a.py:12"]),
        ("hx", 12, ["/a.py:12"]),
        ("something", 12, ["/a.py"]),
        ("vim", None, ["/a.py"]),
    ],
)
def test_an_editor_goes_to_a_line_where_it_is_known_how(editor: str, line: int | None, given: list[str]) -> None:
    assert at_line(editor, "/a.py", line) == given
