"""The view: everything that faces show of a moment is what the single queries say, whoever changed it last."""

from __future__ import annotations

import pytest

from tests.harness.play import Play
from workbench import Harness, HarnessError
from workbench.harness.views import View


def agrees(harness: Harness, thread: str = "demo") -> View:
    """The view of a thread, once it was held against each query that it stands for."""
    view = harness.view(thread)
    assert list(view.tools.values()) == harness.tools()
    assert list(view.verbs) == harness.verbs()
    assert view.index == harness.index()
    assert view.promotion == harness.promoted(thread)
    assert view.saved_since == harness.saved_since(thread)
    assert view.settings == harness.settings()
    return view


async def test_a_view_follows_every_act(harness: Harness) -> None:
    play = Play(harness)
    assert "shout" not in agrees(harness).tools
    await play.save("shout")
    assert agrees(harness).tools["shout"].callable
    await play.agent("read", {"address": "~/tools/shout"})
    assert [tool.name for tool in agrees(harness).promotion.promoted] == ["shout"]
    await play.owner("write", {"address": "~/self", "content": {"switched_off": ["shout"]}})
    view = agrees(harness)
    assert not view.tools["shout"].callable
    assert [tool.name for tool in view.promotion.withheld] == ["shout"]
    await play.owner("write", {"address": "~/tools/shout", "options": {"delete": True}})
    assert "shout" not in agrees(harness).tools


async def test_a_tool_saved_after_its_touch_is_told(harness: Harness) -> None:
    play = Play(harness)
    await play.save("shout")
    await play.agent("read", {"address": "~/tools/shout"})
    assert agrees(harness).saved_since == frozenset()
    answered = harness.events("demo")[-1].time
    while harness.saved_since("demo") == frozenset():
        await play.save("shout", description=f"Shouts, since {answered}.")
        await play.save("shout", description="Shouts.")
    assert agrees(harness).saved_since == {"shout"}
    await play.save("shout")
    assert agrees(harness).saved_since == frozenset(), "the version that was touched is back"


async def test_what_another_process_saves_is_seen(harness: Harness) -> None:
    assert "theirs" not in agrees(harness).tools
    async with Harness.open(harness.root) as other:
        await Play(other, "elsewhere").save("theirs")
        assert "theirs" in agrees(harness).tools
        await Play(other, "elsewhere").owner("write", {"address": "~/tools/theirs", "options": {"delete": True}})
    assert "theirs" not in agrees(harness).tools


async def test_a_write_that_came_to_nothing_leaves_nothing(harness: Harness) -> None:
    store = harness._space.store
    seen: list[bool] = []

    def half_a_write() -> None:
        with store.writing():
            cid = harness.tools()[0].cid
            store.set_name("~/tools/never", cid, "user")
            seen.append(any(state.name == "never" for state in harness.tools()))
            raise HarnessError("failed", "the disk is full")

    with pytest.raises(HarnessError, match="full"):
        half_a_write()
    assert "never" not in agrees(harness).tools
    assert seen == [True]
