"""A Space of its own for every test, opened as a face opens it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.harness.play import Play
from workbench import Harness
from workbench.harness.space.agent_file import OwnerFolders


@pytest.fixture
def folders(tmp_path: Path) -> OwnerFolders:
    """The owner's own folders, so that no test touches those of whoever runs it."""
    return OwnerFolders(tmp_path / "config", tmp_path / "state")


@pytest.fixture
async def harness(tmp_path: Path, folders: OwnerFolders) -> AsyncIterator[Harness]:
    """An open, fresh Space."""
    async with Harness.open(tmp_path / "space", folders=folders) as opened:
        yield opened


@pytest.fixture
async def play(harness: Harness) -> Play:
    """Acts in the thread `demo` of a fresh Space."""
    return Play(harness)
