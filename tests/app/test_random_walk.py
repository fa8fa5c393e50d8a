"""A walk of keys and clicks through the app on a hostile Space. `tests/app/random_walk.py` takes longer ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.random_walk import Walk

STEPS = 300
SEED = 20261130


@pytest.mark.sandbox
@pytest.mark.timeout(900)
async def test_a_walk_crashes_nothing_hangs_nowhere_and_loses_no_event(tmp_path: Path) -> None:
    walk = Walk(tmp_path, SEED, STEPS)
    await walk.run()
    assert sum(walk.done.values()) >= STEPS
