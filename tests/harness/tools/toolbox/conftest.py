"""A folder of its own for every test, as the working directory of a call."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.harness.tools.toolbox.host_tool import HostContext


@pytest.fixture
def here(tmp_path: Path) -> HostContext:
    """The surroundings of a call in a fresh folder."""
    folder = tmp_path / "work"
    folder.mkdir()
    return HostContext(cwd=folder)
