"""A Space of its own for every test, reached through processes only."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Workbench


@pytest.fixture
def cli(tmp_path: Path) -> Workbench:
    """The command line on a fresh Space, with its own user folders."""
    return _in(tmp_path)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    """The same for tests that leave nothing behind that another one would notice."""
    return _in(tmp_path_factory.mktemp("shared"))


@pytest.fixture
def with_the_extra() -> None:
    """Skip where the models' extra is not installed."""
    pytest.importorskip("pydantic_ai", reason="the extra 'models' is not installed")


def _in(folder: Path) -> Workbench:
    folders = {f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("CONFIG", "STATE", "DATA", "CACHE")}
    return Workbench(folder / "space", folders)
