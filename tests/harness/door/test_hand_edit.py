"""A change of `agent.toml` by hand is an act of the owner's like any other."""

from __future__ import annotations

from tests.harness.play import Play
from workbench.harness.watch import Appended


async def test_a_hand_edit_reaches_subscribers_and_the_log(play: Play) -> None:
    notes = play.harness.subscribe()
    (play.harness.root / "agent.toml").write_text('tools = ["search"]\n')
    note = await anext(notes)
    while not (isinstance(note, Appended) and note.event.type == "tool_result"):
        note = await anext(notes)
    assert note.event.thread == "workshop"
    assert note.event.output["noticed"]
