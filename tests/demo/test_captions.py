"""What a caption says is what the log shows of its step, unfolded or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.transcript.desk import at_desk, view_text
from workbench.demo.player import Player
from workbench.demo.shipped import find
from workbench.harness.log.events import ToolCall
from workbench.harness.strict_json import as_object

pytestmark = pytest.mark.sandbox


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_invented_key_and_those_that_there_are_stand_in_the_log(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with at_desk(tmp_path / "space", size=size) as desk:
        player = Player(desk.harness, find("touch_expand"))
        await player.prepare()
        while "invented key" not in (played := await player.step()).step.caption:
            pass
        assert "the answer names the key and those that there are" in played.step.caption
        call = [event for event in desk.harness.events(player.thread) if isinstance(event, ToolCall)][-1]
        tool = desk.harness.tool(call.name)
        assert tool is not None
        desk.app.set_thread(player.thread)
        await desk.press("3")
        told = f"{', '.join(f'$.{key}' for key in call.input)}: is not allowed: the properties are "
        told += ", ".join(as_object(tool.document.input["properties"]) or {})
        await desk.until(lambda: told in view_text(desk.transcript.log_view), "the log tells both")
