"""What goes on: a thread has one live run, in whatever process."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.play import Play
from workbench import Harness, HarnessError


async def test_a_thread_has_one_live_run(play: Play, folders: Any) -> None:
    run = await play.harness.start_run("demo")
    async with Harness.open(play.harness.root, folders=folders) as other:
        with pytest.raises(HarnessError) as busy:
            await other.start_run("demo")
        assert busy.value.code == "conflict"
        await play.harness.end_run("demo", run, reason="done")
        theirs = await other.start_run("demo")
    # Its process is gone: the run is no longer live, though nothing ended it.
    assert await play.harness.start_run("demo") != theirs
    with pytest.raises(HarnessError):
        await play.harness.end_run("demo", run)
