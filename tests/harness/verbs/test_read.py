"""`read`: one text for a contract, pages that join to the whole, and files of every kind."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from tests.harness.play import Play
from workbench.harness.paging import MAX_BYTES
from workbench.harness.space.contract import contract_text


async def pages(play: Play, address: str, field: str, options: dict[str, Any] | None = None) -> str:
    """Everything that stands at an address, read as an agent reads it."""
    text, more = "", dict(options or {})
    for _ in range(100):
        answer = await play.agent("read", {"address": address, "options": more})
        text += answer[field]
        if "next_offset" not in answer:
            return text
        more["offset"] = answer["next_offset"]
    raise AssertionError("it never ends")


async def test_one_contract_text_everywhere(play: Play) -> None:
    tool = play.harness.tool("el")
    assert tool is not None
    text = contract_text(tool.document, tool.cid)
    assert (await play.owner("read", {"address": "~/tools/el"}))["contract"] == text
    assert (await play.agent("read", {"address": "~/tools/el"}))["contract"] == text
    assert (await play.agent("el", {}))["contract"] == text


@pytest.mark.parametrize("source", ["# é\n" * 52_000, "x = '" + "y" * 262_100 + "'\n", "#" + "\r\n" * 100_000])
async def test_a_source_of_256_kib_read_page_by_page_is_the_source(play: Play, source: str) -> None:
    await play.save("big", source=source)
    assert await pages(play, "~/tools/big", "content", {"part": "source"}) == source


async def test_a_document_as_read_is_what_write_takes(play: Play) -> None:
    text = await pages(play, "~/tools/el", "content", {"part": "document"})
    answer = await play.owner("write", {"address": "~/tools/el", "content": text})
    assert answer["changed"] is False
    assert answer["cid"] == json.loads(text)["cid"]


async def test_a_contract_over_50_kb_is_paged_and_says_how_to_go_on(play: Play) -> None:
    properties = {f"field_{n}": {"type": "string", "description": "x" * 200} for n in range(400)}
    await play.save("wide", input={"type": "object", "properties": properties})
    first = await play.agent("read", {"address": "~/tools/wide"})
    assert len(first["contract"].encode()) <= MAX_BYTES
    assert str(first["next_offset"]) in first["contract"].splitlines()[-1]
    assert "field_399" in await pages(play, "~/tools/wide", "contract")


async def test_memory_lists_what_it_never_opens(play: Play) -> None:
    memory = play.harness.root / "memory"
    (memory / "notes").mkdir()
    (memory / "notes" / "a.txt").write_text("a\nb\nc\n")
    (memory / "picture.png").write_bytes(b"\x89PNG\0\0")
    (memory / "out").symlink_to("/etc")
    os.mkfifo(memory / "pipe")
    listing = await play.agent("read", {"address": "~/memory/"})
    assert {entry["path"]: entry["type"] for entry in listing["entries"]} == {
        "notes": "directory",
        "out": "link",
        "picture.png": "file",
        "pipe": "special",
    }
    text = await play.agent("read", {"address": "~/memory/notes/a.txt", "options": {"offset": 2, "limit": 1}})
    assert (text["content"], text["size"], text["next_offset"]) == ("b\n", 6, 3)
    binary = await play.agent("read", {"address": "~/memory/picture.png"})
    assert (binary["size"], binary["mime_type"]) == (6, "image/png")
    for path in ("out/passwd", "out", "pipe"):
        assert (await play.fails("read", {"address": f"~/memory/{path}"})).code == "refused"
    assert (await play.fails("write", {"address": "~/memory/out/x", "content": ""})).code == "refused"
    gone = await play.owner("write", {"address": "~/memory/out", "options": {"delete": True}})
    assert gone["existed"]
    assert "passwd" in os.listdir("/etc")


async def test_an_agent_reads_the_verbs_and_lists_them_not(play: Play) -> None:
    assert (await play.agent("read", {"address": "~/tools/write"}))["contract"].startswith("name: write\n")
    listing = await play.agent("read", {"address": "~/tools/"})
    assert "write" not in [tool["name"] for tool in listing["tools"]]
    assert listing["verbs"] == ["read", "write", "call", "delegate", "plan"]


async def test_threads_are_listed_newest_first_and_searched(play: Play) -> None:
    await play.harness.say("about apples", thread="first")
    await play.harness.say("about pears", thread="second")
    listing = await play.owner("read", {"address": "thread:"})
    assert [thread["id"] for thread in listing["threads"]][:3] == ["demo", "second", "first"]
    found = await play.agent("read", {"address": "thread:", "options": {"query": "PEARS about"}})
    assert [thread["id"] for thread in found["threads"]] == ["second"]
    transcript = await play.agent("read", {"address": "thread:first"})
    assert "about apples" in transcript["content"]
    assert (await play.fails("read", {"address": "thread:none"})).code == "not_found"


async def test_the_owner_sees_what_waits_in_self_and_the_agent_does_not(play: Play) -> None:
    await play.owner("write", {"address": "~/self", "content": {"model": "openai:x"}})
    mine = await play.owner("read", {"address": "~/self"})
    assert [waiting["id"] for waiting in mine["waiting"]] == ["model"]
    theirs = await play.agent("read", {"address": "~/self"})
    assert "waiting" not in theirs
    assert theirs["grants"]["everything"] is True


@pytest.mark.parametrize(
    ("address", "options"),
    [
        ("~/tools/", {"offset": 0}),
        ("~/tools/", {"offset": True}),
        ("~/tools/", {"query": 5}),
        ("~/tools/el", {"part": "code"}),
        ("~/tools/el", {"limit": 5}),
        ("~/memory/", {"offset": "x"}),
        ("thread:", {"offset": 1.5}),
        ("thread:workshop", {"offset": 99_999}),
    ],
)
async def test_bad_options_are_answered_in_words(play: Play, address: str, options: dict[str, Any]) -> None:
    assert (await play.fails("read", {"address": address, "options": options})).code == "bad_input"
