"""`write ~/tools/<name>` with `options.create`, and what was deleted."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.harness.play import Play

NEW: dict[str, Any] = {"description": "New.", "runtime": "python", "source": "def main(input):\n    return 1\n"}


def new(name: str, **content: Any) -> dict[str, Any]:
    """The act that makes a tool which must not be there yet."""
    return {"address": f"~/tools/{name}", "content": NEW | content, "options": {"create": True}}


async def test_create_writes_where_there_is_none(play: Play) -> None:
    answer = await play.owner("write", new("fresh"))
    assert answer["changed"] is True
    assert (await play.owner("read", {"address": "~/tools/fresh"}))["cid"] == answer["cid"]


@pytest.mark.parametrize("description", ["New.", "Another one."], ids=["the same content", "other content"])
async def test_create_replaces_nothing(play: Play, description: str) -> None:
    saved = await play.owner("write", new("taken"))
    error = await play.fails("write", new("taken", description=description))
    assert error.code == "conflict"
    assert saved["cid"] in error.message
    assert len(play.harness.versions("taken")) == 1


async def test_of_two_that_create_at_once_one_is_told(play: Play) -> None:
    acts = (play.owner("write", new("race", description=f"Writer {number}.")) for number in range(2))
    answers = await asyncio.gather(*acts, return_exceptions=True)
    assert sorted(type(answer).__name__ for answer in answers) == ["HarnessError", "dict"]


async def test_create_takes_the_name_of_a_deleted_tool(play: Play) -> None:
    await play.owner("write", new("again"))
    await play.owner("write", {"address": "~/tools/again", "options": {"delete": True}})
    assert (await play.owner("write", new("again")))["changed"] is True


@pytest.mark.parametrize(
    "act",
    [
        new("x") | {"options": {"create": "yes"}},
        new("x", cid="bafy"),
        {"address": "~/tools/x", "options": {"create": True, "delete": True}},
        {"address": "~/memory/x", "content": "x", "options": {"create": True}},
    ],
    ids=["no boolean", "edited and new", "delete and create", "a file"],
)
async def test_create_where_it_makes_no_sense(play: Play, act: dict[str, Any]) -> None:
    assert (await play.fails("write", act)).code == "bad_input"


async def test_what_was_deleted_is_listed_until_it_is_back(play: Play) -> None:
    first = await play.save("old")
    last = await play.save("old", description="Newer.")
    await play.save("kept")
    assert play.harness.deleted() == []
    await play.owner("write", {"address": "~/tools/old", "options": {"delete": True}})
    (gone,) = play.harness.deleted()
    assert (gone.name, gone.cid, gone.actor) == ("old", last.result["cid"], "user")
    assert gone.time.endswith("Z")
    document = play.harness.version(gone.cid).document.to_map()
    back = await play.owner("write", {"address": "~/tools/old", "content": document, "options": {"create": True}})
    assert back["cid"] == last.result["cid"] != first.result["cid"]
    assert play.harness.deleted() == []
