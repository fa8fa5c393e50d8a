"""Snapshots as text files, one a picture."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode


class PaintedScreen(SingleFileSnapshotExtension):
    """A screen, as `painted` tells it."""

    _write_mode = WriteMode.TEXT
    _file_extension = file_extension = "txt"


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """What a screen must be equal to; `pytest --snapshot-update` takes the present one."""
    return snapshot.use_extension(PaintedScreen)
