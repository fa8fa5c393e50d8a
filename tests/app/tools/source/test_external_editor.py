"""Handing a text to the person's own editor: what comes back, and what does not."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.app import App, SuspendNotSupported

from workbench.app.tools.source.external_editor import editor_command, hand_over
from workbench.harness.errors import HarnessError


class InTerminal(App[None]):
    """An app that has a terminal to give away."""

    given = 0

    @contextlib.contextmanager
    def suspend(self) -> Iterator[None]:
        """Give it away for a while."""
        self.given += 1
        yield


class InBrowser(App[None]):
    """An app that has none."""

    @contextlib.contextmanager
    def suspend(self) -> Iterator[None]:
        """Say so."""
        raise SuspendNotSupported
        yield


def editor(folder: Path, script: str) -> dict[str, str]:
    """An environment in which the editor is a shell script; `$1` is the file."""
    program = folder / "my editor"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return {"VISUAL": f"'{program}'", "PATH": "/usr/bin:/bin"}


@pytest.fixture(autouse=True)
def _folder_for_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "handed").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "handed"))


def left(folder: Path) -> list[str]:
    """The files that are still there."""
    return [path.name for path in (folder / "handed").rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ('printf "two" > "$1"', "two"),
        ('echo more >> "$1"', "onemore\n"),
        ("true", "one"),
        ('printf "\\n" >> "$1"', "one"),
        ('printf "é漢\\r\\n" > "$1"', "é漢\r\n"),
        (': > "$1"', ""),
        ('printf x > "$1.new"; mv "$1.new" "$1"', "x"),
        ('basename "$1" > "$1"', "a_tool.py\n"),
    ],
)
async def test_what_the_file_has_when_the_editor_ends_is_taken(tmp_path: Path, script: str, text: str) -> None:
    app = InTerminal()
    assert await hand_over(app, "one", "a_tool.py", editor(tmp_path, script)) == text
    assert app.given == 1
    assert left(tmp_path) == []


@pytest.mark.parametrize(
    ("script", "code", "words", "still_there"),
    [
        ("exit 3", "failed", "exit code 3", False),
        ('echo mine > "$1"; exit 1', "failed", "exit code 1", True),
        ('rm "$1"', "failed", "No such file", False),
        ('printf "\\377\\376" > "$1"', "bad_input", "not UTF-8 (byte 0)", True),
        ('rm "$1"; mkfifo "$1"', "failed", "no file", False),
        ('ln -sf /etc/passwd "$1"', "failed", "no file", False),
        ('rm "$1"; mkdir "$1"', "failed", "directory", False),
        ('head -c 5000000 /dev/zero > "$1"', "limit", "4,194,304 bytes", True),
        ("kill -9 $$", "failed", "exit code -9", False),
    ],
)
async def test_what_cannot_be_taken_is_said_and_kept(
    tmp_path: Path, script: str, code: str, words: str, still_there: bool
) -> None:
    with pytest.raises(HarnessError) as caught:
        await hand_over(InTerminal(), "one", "a_tool.py", editor(tmp_path, script))
    assert caught.value.code == code
    assert words in caught.value.message
    assert ("The file is still there" in caught.value.message) == still_there
    assert left(tmp_path) == (["a_tool.py"] if still_there else [])


async def test_without_a_terminal_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="no terminal here"):
        await hand_over(InBrowser(), "one", "a_tool.py", editor(tmp_path, "true"))
    assert left(tmp_path) == []


async def test_half_a_character_cannot_be_handed_over(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="half a character"):
        await hand_over(InTerminal(), "\ud800", "a_tool.py", editor(tmp_path, "true"))


@pytest.mark.parametrize(
    ("environment", "command"),
    [
        ({"VISUAL": "cat -n", "EDITOR": "ls"}, ["cat", "-n"]),
        ({"EDITOR": "ls"}, ["ls"]),
        ({"VISUAL": "  ", "EDITOR": "ls"}, ["ls"]),
        ({"EDITOR": "cat 'a b'"}, ["cat", "a b"]),
    ],
)
def test_the_editor_is_visual_or_else_editor(environment: dict[str, str], command: list[str]) -> None:
    assert editor_command({"PATH": "/usr/bin:/bin", **environment}) == command


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({}, "Neither $VISUAL nor $EDITOR"),
        ({"EDITOR": "no-such-editor-anywhere"}, "not installed"),
        ({"VISUAL": "vi 'open"}, "cannot be read as a command"),
    ],
)
def test_without_an_editor_it_is_said_what_to_set(environment: dict[str, str], words: str) -> None:
    with pytest.raises(HarnessError) as caught:
        editor_command({"PATH": "/usr/bin:/bin", **environment})
    assert caught.value.code == "unavailable"
    assert words in caught.value.message
