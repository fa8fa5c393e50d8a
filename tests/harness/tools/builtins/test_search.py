"""`search`: what is there is found where it is, and no query hurts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.play import Play


async def search(play: Play, query: str, **more: Any) -> dict[str, Any]:
    answer = await play.owner("call", {"tool": "search", "input": {"query": query, **more}})
    return answer["output"]


async def addresses(play: Play, query: str) -> list[str]:
    return [result["address"] for result in (await search(play, query))["results"]]


async def test_it_finds_tools_files_and_threads_by_all_their_words(play: Play) -> None:
    await play.save("word_count", description="Counts words in a text.")
    await play.owner("write", {"address": "~/memory/notes/pears.txt", "content": "Green pears\nare counted here."})
    await play.harness.say("who counts the pears?", thread="talk")
    assert await addresses(play, "COUNTS words") == ["~/tools/word_count", "thread:workshop"]
    assert (await addresses(play, "pears green"))[0] == "~/memory/notes/pears.txt"
    assert "thread:talk" in await addresses(play, "who pears")
    assert await addresses(play, "nowhere to be found") == []


async def test_every_address_that_it_gives_can_be_read(play: Play) -> None:
    await play.owner("write", {"address": "~/memory/a b/ü.txt", "content": "needle"})
    for address in await addresses(play, "needle"):
        assert (await play.owner("read", {"address": address}))["status"] == "ok"


async def test_a_file_that_an_editor_changed_is_found(play: Play) -> None:
    file = play.harness.root / "memory" / "edited.txt"
    file.write_text("before")
    assert await addresses(play, "afterwards") == []
    file.write_text("afterwards")
    assert await addresses(play, "afterwards") == ["~/memory/edited.txt"]


async def test_what_cannot_be_called_is_not_offered(play: Play) -> None:
    await play.owner("write", {"address": "~/self", "content": {"switched_off": ["el"]}})
    assert "~/tools/el" not in await addresses(play, "el")


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "'; DROP TABLE events; --",
        "a* OR b",
        "%",
        "_",
        "(",
        "[",
        "\\",
        "NEAR(a b)",
        "\x00",
        "\u202e",
        "é" * 500,
        "a " * 400,
    ],
)
async def test_any_query_is_safe(play: Play, query: str) -> None:
    assert "results" in await search(play, query)


async def test_a_query_without_words_is_refused(play: Play) -> None:
    assert (await play.fails("call", {"tool": "search", "input": {"query": " \n "}})).code == "bad_input"


async def test_results_are_bounded_and_say_that_there_are_more(play: Play) -> None:
    for number in range(8):
        (play.harness.root / "memory" / f"{number}.txt").write_text("needle " * 1000)
    output = await search(play, "needle", limit=3)
    assert len(output["results"]) == 3
    assert output["more_exists"]
    assert all(len(result["snippet"]) < 200 for result in output["results"])


async def test_a_search_does_not_find_itself(play: Play) -> None:
    await play.agent("read", {"address": "~/tools/search"})
    for _ in range(2):
        answer = await play.agent("search", {"query": "unheard-of"})
        assert answer["output"]["results"] == []
