"""The owner's yes to a setting that waits."""

from __future__ import annotations

import pytest

from tests.harness.play import Play
from workbench import HarnessError
from workbench.harness.log.payloads import as_json


async def test_the_owners_yes_is_logged_and_acts(play: Play) -> None:
    await play.owner(
        "write", {"address": "~/self", "content": {"model": "openai:x", "web": {"searxng": "https://s.example"}}}
    )
    assert [waiting.id for waiting in play.harness.waiting()] == ["model", "web.searxng"]
    await play.harness.approve("model")
    assert play.harness.settings().settings.model == "openai:x"
    assert as_json(play.harness.events("workshop")[-1]) | {"time": ""} == {
        "thread": "workshop",
        "seq": play.harness.events("workshop")[-1].seq,
        "time": "",
        "actor": "user",
        "type": "approval",
        "key": "model",
        "value": "openai:x",
        "approved": True,
    }
    with pytest.raises(HarnessError) as later:
        await play.harness.approve("web.searxng")
    assert later.value.code == "unavailable"
    with pytest.raises(HarnessError) as none:
        await play.harness.approve("nothing")
    assert none.value.code == "not_found"
