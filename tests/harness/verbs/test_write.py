"""`write`: lambdas, files, settings, and what cannot be written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.harness.play import Play

VECTORS = Path(__file__).parents[2] / "data" / "vectors"


def saved() -> list[dict[str, Any]]:
    return json.loads((VECTORS / "saved.json").read_text("utf-8"))


@pytest.mark.parametrize("vector", saved(), ids=lambda vector: vector["id"])
async def test_what_is_written_is_stored_under_the_cid_that_javascript_gives_it(play: Play, vector: Any) -> None:
    answer = await play.owner("write", {"address": vector["address"], "content": vector["content"]})
    assert answer["cid"] == vector["cid"]
    again = await play.agent("write", {"address": vector["address"], "content": vector["content"]})
    assert again["changed"] is False


async def test_an_author_is_told_when_a_number_is_stored_otherwise(play: Play) -> None:
    content = json.dumps({"description": "D.", "source": "x", "input": {"maximum": 9223372036854775807}})
    answer = await play.owner("write", {"address": "~/tools/big", "content": content})
    assert answer["notes"] == ["9223372036854775807 is stored as 9223372036854775808.0"]


@pytest.mark.parametrize(
    ("act", "code"),
    [
        ({"address": "~/tools/search", "content": {"description": "x", "source": "x"}}, "refused"),
        ({"address": "~/tools/search", "options": {"delete": True}}, "refused"),
        ({"address": "~/tools/read", "content": {"description": "x", "source": "x"}}, "refused"),
        ({"address": "~/tools/mcp__a", "content": {"description": "x", "source": "x"}}, "refused"),
        ({"address": "~/tools/Bad Name", "content": {"description": "x", "source": "x"}}, "bad_input"),
        ({"address": "~/tools/x"}, "bad_input"),
        ({"address": "~/tools/x", "content": "not json"}, "bad_input"),
        ({"address": "~/tools/", "content": "x"}, "bad_input"),
        ({"address": "thread:demo", "content": "x"}, "bad_input"),
        ({"address": "~/memory/x"}, "bad_input"),
        ({"address": "~/memory/x", "content": {"a": 1}}, "bad_input"),
        ({"address": "~/memory/x", "content": "x", "options": {"delete": True}}, "bad_input"),
        ({"address": "~/memory/x", "options": {"delete": "yes"}}, "bad_input"),
        ({"address": "~/memory/x", "content": "x", "options": {"mode": 1}}, "bad_input"),
        ({"address": "~/self", "content": "not json"}, "bad_input"),
        ({"address": "~/self", "content": {"colour": 1}}, "bad_input"),
        ({"address": "~/self"}, "bad_input"),
    ],
)
async def test_what_cannot_be_written(play: Play, act: dict[str, Any], code: str) -> None:
    assert (await play.fails("write", act)).code == code


async def test_deleting_tells_whether_there_was_anything(play: Play) -> None:
    for existed in (True, False):
        answer = await play.owner("write", {"address": "~/tools/el", "options": {"delete": True}})
        assert answer == {"status": "deleted", "address": "~/tools/el", "existed": existed}
    await play.owner("write", {"address": "~/memory/a/b.txt", "content": "x"})
    for existed in (True, False):
        answer = await play.owner("write", {"address": "~/memory/a", "options": {"delete": True}})
        assert answer == {"status": "deleted", "address": "~/memory/a", "existed": existed}


async def test_every_version_is_kept(play: Play) -> None:
    for description in ("One.", "Two.", "One."):
        await play.save("el3", description=description)
    first, second, third = play.harness.versions("el3")
    assert first.cid == third.cid != second.cid
    assert second.cid is not None
    assert play.harness.version(second.cid).document.description == "Two."


async def test_a_narrowing_patch_acts_and_a_widening_one_waits(play: Play) -> None:
    answer = await play.owner(
        "write", {"address": "~/self", "content": {"tools": ["search", "bash"], "sandbox": {"network": True}}}
    )
    assert answer["waiting"] == ["sandbox.network"]
    assert "bash" in answer["faults"][0]
    assert [tool.name for tool in play.harness.tools() if tool.callable] == ["search"]
