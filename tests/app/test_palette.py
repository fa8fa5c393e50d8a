"""The palette: it reaches everything by name, says what cannot be done now, and stays quick with thousands of names."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.content import Content
from textual.widgets import OptionList

from tests.app.desk import Desk, at_desk, elsewhere, save
from tests.canaries import CANARIES
from workbench.app.app import WorkbenchApp
from workbench.app.matching import match
from workbench.app.palette import MOST_HITS, OFFERED, Entry, WorkbenchCommands
from workbench.app.reach import do
from workbench.app.registry import ACTIONS, SECTION_OF
from workbench.app.tools.tool_list import ToolList
from workbench.app.transcript.composer import Composer


async def commands(desk: Desk) -> WorkbenchCommands:
    provider = WorkbenchCommands(desk.app.screen)
    await provider.startup()
    return provider


@pytest.mark.parametrize("place", ["tools", "space", "transcript"])
async def test_it_offers_every_action_from_every_tab(tmp_path: Path, place: str) -> None:
    async with at_desk(tmp_path) as desk:
        desk.app.action_show_tab(place)
        await desk.pilot.pause()
        provider = await commands(desk)
        offered = [hit.text async for hit in provider.discover()]
        for action in ACTIONS:
            assert f"{SECTION_OF[action.id].title}: {action.name}" in offered
            assert f"{SECTION_OF[action.id].title}: {action.name}" in await _texts(provider, action.name)


async def test_it_marks_what_cannot_be_done_now_and_says_so_when_it_is_chosen(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        provider = await commands(desk)
        hits = {hit.text: hit async for hit in provider.search("next")}
        hit = hits["Everywhere: Next step"]
        assert "not now" in str(hit.prompt)
        assert "not now" not in str(hits["Everywhere: Next tab"].prompt)
        await hit.command()
        await desk.until(lambda: any("cannot be done now" in n.message for n in desk.app._notifications), "it is said")


async def test_it_does_an_action_of_a_part_on_another_tab_there(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.press("ctrl+p")
        await desk.type("composer: voice")
        await desk.until(lambda: _first(desk).startswith("Composer: Voice"), "it is found")
        voice = desk.app.query_one(Composer).voice
        await desk.press("enter")
        await desk.until(lambda: desk.app.place == "transcript", "the tab is shown")
        await desk.until(lambda: desk.app.query_one(Composer).voice != voice, "and it is done")


async def test_it_shows_the_pane_of_what_it_does(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.select("search")
        assert desk.tools.panes.current == "contract"
        await do(desk.app, next(action for action in ACTIONS if action.id == "cid.bytes"))
        await desk.sees("map of", "description")
        assert desk.tools.panes.current == "cid"


async def test_what_is_done_in_a_list_moves_its_cursor(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        before = desk.tools.selected
        await desk.press("2", "ctrl+p")
        await desk.type("tools list: down")
        await desk.until(lambda: _first(desk).startswith("Tools list: Down"), "it is found")
        await desk.press("enter")
        await desk.until(lambda: desk.tools.selected != before, "the next tool is selected")
        assert desk.app.focused is desk.app.query_one(ToolList)


async def test_thousands_of_tools_and_threads_are_all_found_and_few_of_them_offered(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "one")
        store = harness._space.store
        with store.writing():
            for number in range(1000):
                harness._log.message(f"talk-{number:04}", "user", "user", f"m{number}", "hello")
    async with at_desk(tmp_path, thread="main") as desk:
        provider = await commands(desk)
        tools, threads = (kind for kind in provider._kinds[1:3])
        tools += [type(tools[0])(f"tool: made_up_{number:04}", "", lambda: None) for number in range(2000)]
        offered = [hit.text async for hit in provider.discover()]
        assert sum(text.startswith("tool: ") for text in offered) == OFFERED
        assert sum(text.startswith("thread: ") for text in offered) == OFFERED
        for query, found in (("talk-0007", "thread: talk-0007"), ("up_1999", "tool: made_up_1999")):
            assert (await _texts(provider, query))[0] == found
        assert len(await _texts(provider, "a")) <= MOST_HITS
        assert len(threads) >= 1000


async def test_where_one_is_is_looked_for_once_however_many_actions_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    place = WorkbenchApp.place

    def counted(app: WorkbenchApp) -> str:
        looked.append(here := place.__get__(app))
        return here

    async with at_desk(tmp_path) as desk:
        provider = WorkbenchCommands(desk.app.screen)
        monkeypatch.setattr(WorkbenchApp, "place", property(counted))
        found = list(provider._actions())
        assert len(found) == len(ACTIONS)
        assert len(looked) < 10


async def test_what_every_key_asks_of_an_entry_is_worked_out_once(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        provider = await commands(desk)
        entry = provider._kinds[1][0]
        assert entry.shown is entry.shown
        assert entry.searched is entry.searched


async def test_the_letters_that_fit_are_marked_and_no_others(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        provider = await commands(desk)
        provider._kinds = [[], [Entry("tool: word_count", "Counts wc.", lambda: None)], [], []]
        for query, marked in (
            ("wc", [6, 11]),
            ("word", [6, 7, 8, 9]),
            ("tool count", [0, 1, 2, 3, 11, 12, 13, 14, 15]),
        ):
            (hit,) = [hit async for hit in provider.search(query)]
            assert isinstance(hit.prompt, Content)
            spans = [span for span in hit.prompt.spans if span.style == "bold underline"]
            assert [place for span in spans for place in range(span.start, span.end)] == marked
            assert str(hit.prompt) == "tool: word_count\nCounts wc."


async def test_names_are_shown_as_they_are(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        hostile = [text[:60] for text in CANARIES]
        desk.app.theme_names = lambda: hostile  # type: ignore[method-assign]
        await desk.press("ctrl+p")
        await desk.type("theme")
        await desk.until(lambda: _first(desk).startswith("theme"), "they are listed")
        desk.picture()


def _first(desk: Desk) -> str:
    lists = desk.app.screen.query(OptionList)
    options = lists.first().options if lists else []
    return str(options[0].prompt) if options else ""


async def _texts(provider: WorkbenchCommands, query: str) -> list[str]:
    return [hit.text or "" async for hit in provider.search(query)]


@pytest.mark.parametrize(
    ("query", "better", "worse"),
    [
        ("call", "tool: call", "tool: recall"),
        ("call", "Tools: Call", "Tools: Cancel latest"),
        ("wc", "tool: wc", "tool: word_count"),
        ("word", "tool: word_count", "tool: password"),
        ("tools filter", "Tools: Filter", "Space: Filter a tool"),
    ],
)
def test_what_fits_better_comes_first(query: str, better: str, worse: str) -> None:
    one, other = match(query, better), match(query, worse)
    assert one is not None
    assert other is None or one.score > other.score


@pytest.mark.parametrize(("query", "text"), [("xyz", "tool: call"), ("llac", "call"), ("call tool x", "tool: call")])
def test_what_does_not_fit_is_left_out(query: str, text: str) -> None:
    assert match(query, text) is None


def test_many_letters_alike_take_no_longer() -> None:
    assert match("a" * 40 + "b" * 5, "a" * 60 + "c" * 60 + "b" * 4) is None
    assert match("ab" * 20, "aab" * 200) is not None


@given(st.text(max_size=20), st.text(max_size=80))
def test_the_places_of_a_match_are_places_of_the_text(query: str, text: str) -> None:
    found = match(query, text)
    if found is not None:
        assert list(found.places) == sorted(set(found.places))
        assert all(0 <= place < len(text) for place in found.places)
