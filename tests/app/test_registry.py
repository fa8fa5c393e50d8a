"""One registry of actions: ids, keys, and that help, palette and footer are made of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.binding import Binding

from tests.app.desk import at_desk, elsewhere, save
from workbench.app.help import Help, help_rows, works_here
from workbench.app.key_footer import KeyFooter, KeyWord, fitting
from workbench.app.reach import can_do, key_meanings
from workbench.app.registry import ACTIONS, SECTION_OF, SECTIONS, TITLES, Section


def test_every_action_has_an_id_of_its_own_a_name_and_help() -> None:
    ids = [action.id for action in ACTIONS]
    assert len(set(ids)) == len(ids)
    for action in ACTIONS:
        assert SECTION_OF[action.id].place in TITLES
        assert action.name
        assert action.help.endswith(".")


async def test_every_key_of_ours_is_in_the_registry(tmp_path: Path) -> None:
    known = {action.id for action in ACTIONS}
    async with at_desk(tmp_path) as desk:
        for node in (desk.app, *desk.app.query("*")):
            for cls in type(node).__mro__:
                if cls.__module__.startswith("workbench."):
                    for binding in cls.__dict__.get("BINDINGS", ()):
                        assert isinstance(binding, Binding), cls
                        assert binding.id in known, (cls, binding)


async def test_no_key_means_two_things_in_one_place(tmp_path: Path) -> None:
    known = {action.id: action for action in ACTIONS}
    async with elsewhere(tmp_path) as harness:
        await save(harness, "word_count")
    async with at_desk(tmp_path) as desk:
        for place in TITLES:
            desk.app.action_show_tab(place)
            await desk.pilot.pause()
            for node in (desk.app, *desk.app.query("*")):
                for key, ids in key_meanings(type(node)).items():
                    assert sum(can_do(node, known[id]) for id in set(ids)) <= 1, (node, key, ids)


@pytest.mark.parametrize("place", ["tools", "space", "transcript"])
async def test_the_help_lists_every_action_of_its_tab(tmp_path: Path, place: str) -> None:
    async with at_desk(tmp_path) as desk:
        desk.app.action_show_tab(place)
        await desk.pilot.pause()
        rows = help_rows(place, works_here(desk.app.screen))
        text = "\n".join(f"{lead or ''} {body}" for lead, body in rows)
        for action in ACTIONS:
            if SECTION_OF[action.id].place in (place, "app"):
                assert action.help in text, action.id


async def test_the_help_puts_first_what_works_where_the_focus_is(tmp_path: Path) -> None:
    async with at_desk(tmp_path, size=(120, 60)) as desk:
        await desk.press("3", "i", "f1")
        assert isinstance(desk.app.screen, Help)
        await desk.sees("Keys: Transcript · Composer", "What you type is text here", "Voice", "Mouse")
        assert " q " not in desk.screen().split("Besides")[0]


@pytest.mark.parametrize(
    ("keys", "heading"),
    [
        ((), "Keys: Tools list ─"),
        (("enter",), "Keys: Tools · Contract ─"),
        (("s", "enter"), "Keys: Tools ─"),
        (("i", "enter"), "Keys: Tools · CID ─"),
        (("r",), "Keys: Tools · Call · The form of a call ─"),
        (("2",), "Keys: Lists of the Space ─"),
        (("3",), "Keys: Transcript ─"),
    ],
)
async def test_the_heading_of_the_help_names_the_tab_and_what_has_the_keys_in_it(
    tmp_path: Path, keys: tuple[str, ...], heading: str
) -> None:
    async with at_desk(tmp_path, size=(80, 24)) as desk:
        await desk.select("search")
        await desk.press(*keys)
        await desk.press("f1")
        await desk.sees(heading)


async def test_a_dialog_has_help_of_its_own_above_it(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        desk.app.action_show_tab("tools")
        await desk.press("question_mark", "question_mark")
        await desk.until(lambda: not isinstance(desk.app.screen, Help), "its own key closes it")


def word(name: str) -> KeyWord:
    return KeyWord("k", "k", name)


@pytest.mark.parametrize(
    ("width", "shown", "left"),
    [(80, 4, 0), (38, 4, 0), (37, 3, 1), (36, 2, 2), (27, 2, 2), (26, 1, 3), (17, 1, 3), (16, 0, 4), (1, 0, 4)],
)
def test_as_many_keys_as_fit_whole_and_how_many_more(width: int, shown: int, left: int) -> None:
    words = [word("Helpme"), word("Quitit"), word("Filter"), word("Copies")]
    found, more = fitting(words, width)
    assert (len(found), more) == (shown, left)


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (120, 40), (200, 60)])
async def test_the_footer_begins_with_help_and_quit_and_cuts_no_word(tmp_path: Path, size: tuple[int, int]) -> None:
    async with at_desk(tmp_path, size=size) as desk:
        for place in ("tools", "space", "transcript"):
            desk.app.action_show_tab(place)
            await desk.pilot.pause()
            footer = desk.app.query_one(KeyFooter)
            assert [each.name for each in footer.words[:2]] == ["Help", "Quit"]
            line = desk.screen().splitlines()[-1]
            assert all(f"{each.shown} {each.name}" in line for each in footer.words)


async def test_a_key_at_the_bottom_is_pressed_by_a_click(tmp_path: Path) -> None:
    async with at_desk(tmp_path, size=(80, 24)) as desk:
        await desk.pilot.click(KeyFooter, offset=(2, 0))
        await desk.until(lambda: isinstance(desk.app.screen, Help), "the help is there")
        await desk.press("escape")
        line = str(desk.app.query_one(KeyFooter).content)
        if "more" in line:
            await desk.pilot.click(KeyFooter, offset=(line.index("more") + 1, 0))
            await desk.until(lambda: isinstance(desk.app.screen, Help), "the rest is in the help")


def test_sections_have_titles_of_their_own() -> None:
    titles = [section.title for section in SECTIONS]
    assert len(set(titles)) == len(titles)
    assert all(isinstance(section, Section) and section.actions for section in SECTIONS)
