"""What a thread is, looked at: what it began with it keeps."""

from __future__ import annotations

from tests.harness.play import Play
from workbench.harness.log.payloads import as_json


async def test_a_thread_keeps_the_surface_that_it_began_with(play: Play) -> None:
    await play.agent("read", {"address": "~/tools/el"})
    first, second = play.harness.events("demo")
    assert (first.surface, second.surface) == ("verbs", None)
    assert as_json(first)["surface"] == "verbs"
