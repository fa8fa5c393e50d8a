"""A Space of its own for every test, reached through processes only."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Workbench


@pytest.fixture
def cli(tmp_path: Path) -> Workbench:
    """The command line on a fresh Space, with its own user folders."""
    folders = {f"XDG_{name}_HOME": str(tmp_path / name.lower()) for name in ("CONFIG", "STATE", "DATA", "CACHE")}
    return Workbench(tmp_path / "space", folders)
