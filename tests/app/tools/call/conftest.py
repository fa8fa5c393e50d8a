"""A folder of this machine, for the tools that act on it."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the app is started in, with a file."""
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "a.py").write_text("def a():\n    return 1\n")
    monkeypatch.chdir(folder)
    return folder
