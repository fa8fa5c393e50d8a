"""Memory in the real app: a tree that stays where it is, files read to their end, edited, begun and deleted."""

from __future__ import annotations

import asyncio
import contextlib
import os
from pathlib import Path
from typing import Any

import pytest

from tests.app.space.hand import at, choose, line_of, made, memory, sheet
from tests.app.test_keys_in_turn import at_once
from tests.app.transcript.desk import Desk, at_desk
from workbench.app.space import pages
from workbench.app.space import sheet as sheets
from workbench.app.space.pages import Pages
from workbench.app.widgets.code import CodeArea
from workbench.app.widgets.field import Field

SIZES = [(80, 24), (120, 40), (200, 60)]


async def opened(desk: Desk, key: str) -> CodeArea:
    """The editor on a file."""
    await at(desk, key)
    await desk.press("e")
    await desk.until(lambda: sheet(desk).editing, "the editor")
    return sheet(desk).query_one(CodeArea)


def written(folder: Path, path: str) -> str:
    return (folder / "space" / "memory" / path).read_text("utf-8")


@pytest.mark.parametrize("size", SIZES)
async def test_a_file_is_read_to_its_end(tmp_path: Path, size: tuple[int, int]) -> None:
    await made(tmp_path / "space", notes__long_txt="".join(f"line {number} [/]\n" for number in range(5000)))
    async with at_desk(tmp_path / "space", tab="space", size=size) as desk:
        await desk.press("m")
        await at(desk, "memory/notes/")
        await desk.press("enter")
        await at(desk, "memory/notes/long.txt")
        await desk.press("enter")
        await desk.sees("line 0 [/]", "5,000 lines", "2,000 lines read, more follows: m reads on")
        await desk.press("m")
        await desk.sees("4,000 lines read")
        await desk.press("end")
        await desk.sees("5,000 lines read, the end is here")
        await desk.press("end")
        await desk.sees("line 4999 [/]")
        await desk.press("escape")
        await desk.until(lambda: desk.app.focused is memory(desk).outline, "back in the tree")
        assert memory(desk).outline.twig.key == "memory/notes/long.txt"


async def test_a_file_that_grows_grows_on_the_screen(tmp_path: Path) -> None:
    await made(tmp_path / "space", log_txt="one\n")
    async with at_desk(tmp_path / "space", tab="space") as desk:
        await at(desk, "memory/log.txt")
        await desk.press("enter")
        await desk.sees("one")
        with (tmp_path / "space" / "memory" / "log.txt").open("a") as file:
            file.write("two [/]\n")
        await desk.sees("one", "two [/]")
        (tmp_path / "space" / "memory" / "log.txt").unlink()
        await desk.sees("there is no such file or folder")


async def test_an_edit_goes_through_the_door(tmp_path: Path) -> None:
    await made(tmp_path / "space", a_txt="one\n")
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        await desk.press("m")
        await opened(desk, "memory/a.txt")
        await desk.type("new ")
        await desk.sees("● not saved")
        assert desk.space.unsaved == ["~/memory/a.txt"]
        await desk.press("ctrl+s")
        await desk.sees("✓ saved")
        assert written(tmp_path, "a.txt") == "new one\n"
        assert [event.actor for event in desk.harness.events("workshop")[-2:]] == ["user", "user"]
        assert desk.space.unsaved == []
        await desk.press("escape")
        await desk.until(lambda: not sheet(desk).is_open, "closed")


@pytest.mark.parametrize("way", [["e"], ["enter", "e"]])
async def test_what_is_typed_right_behind_the_key_that_edits_stands_in_the_editor(
    tmp_path: Path, way: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    await made(tmp_path / "space", a_txt="one\n")
    async with at_desk(tmp_path / "space", tab="space") as desk:
        await at(desk, "memory/a.txt")
        slowly(monkeypatch)
        at_once(desk, *way, *"dn2 ", "enter", *"qe")
        await desk.until(lambda: sheet(desk).query_one(CodeArea).text == "dn2 \nqeone\n", "all of it, in its order")


async def test_what_is_typed_behind_the_name_of_a_new_file_stands_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await made(tmp_path / "space", a_txt="one\n")
    async with at_desk(tmp_path / "space", tab="space") as desk:
        await at(desk, "memory/a.txt")
        slowly(monkeypatch)
        at_once(desk, "n", *"a.txt", "enter", "2", "enter", *"new")
        await desk.until(lambda: sheet(desk).query_one(CodeArea).text == "new", "all of it, in its order")
        assert sheet(desk).unsaved == ["~/memory/a.txt2"]


async def test_what_is_typed_behind_the_key_that_composes_a_setting_stands_in_the_editor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await made(tmp_path / "space")
    async with at_desk(tmp_path / "space", tab="space") as desk:
        await desk.press("s")
        await choose(desk, "settings", "prompt")
        slowly(monkeypatch)
        at_once(desk, "e", *"sd2")
        await desk.until(lambda: sheet(desk).query_one(CodeArea).text.startswith("sd2"), "all of it, in its order")


async def test_keys_do_not_wait_for_ever_for_a_text_that_does_not_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await made(tmp_path / "space", a_txt="one\n")
    async with at_desk(tmp_path / "space", tab="space") as desk:
        await at(desk, "memory/a.txt")
        come = slowly(monkeypatch, asyncio.Event())
        at_once(desk, "enter", "escape")
        await desk.until(lambda: not sheet(desk).is_open and desk.app.focused is memory(desk).outline, "it is left")
        come.set()


def slowly(monkeypatch: pytest.MonkeyPatch, come: asyncio.Event | None = None) -> asyncio.Event:
    """Texts come a moment after they are asked for, as from a slow disk; with an event, when that is set."""
    asked = pages.asked

    async def late(source: Any, ask: Any) -> Any:
        for _ in range(20):
            await asyncio.sleep(0)
        if come is not None:
            await come.wait()
        return await asked(source, ask)

    monkeypatch.setattr(pages, "asked", late)
    monkeypatch.setattr(sheets, "asked", late)
    if come is None:
        # However busy the machine is, it is the text that keys wait for here, and not the end of their patience.
        monkeypatch.setattr("workbench.app.keys_in_turn.WAIT_SECS", 60.0)
        monkeypatch.setattr("workbench.app.keys_in_turn.PATIENCE_CHECKS", 1_200)
    return come or asyncio.Event()


async def test_what_somebody_else_wrote_meanwhile_is_never_overwritten_unasked(tmp_path: Path) -> None:
    await made(tmp_path / "space", a_txt="one\n")
    file = tmp_path / "space" / "memory" / "a.txt"
    async with at_desk(tmp_path / "space", tab="space") as desk:
        area = await opened(desk, "memory/a.txt")
        await desk.type("mine ")
        file.write_text("theirs\n", "utf-8")
        await desk.sees("it was changed meanwhile; ctrl+s asks what to do")
        await desk.press("ctrl+s")
        await desk.sees("Changed meanwhile", "has 7 B")
        await desk.press("escape")
        assert written(tmp_path, "a.txt") == "theirs\n"
        await desk.press("ctrl+s")
        await desk.sees("Changed meanwhile")
        await desk.press("t")
        await desk.until(lambda: area.text == "theirs\n", "their text")
        await desk.type("mine ")
        file.unlink()
        await desk.press("ctrl+s")
        await desk.sees("Changed meanwhile", "gone")
        await desk.press("o")
        await desk.sees("✓ saved")
        assert written(tmp_path, "a.txt") == "mine theirs\n"


async def test_unsaved_edits_are_asked_about_on_leaving_and_on_quitting(tmp_path: Path) -> None:
    await made(tmp_path / "space", a_txt="one\n")
    async with at_desk(tmp_path / "space", tab="space") as desk:
        await opened(desk, "memory/a.txt")
        await desk.type("x")
        await desk.press("ctrl+q")
        await desk.sees("Quit?", "Not saved: ~/memory/a.txt")
        await desk.press("escape", "escape")
        await desk.sees("~/memory/a.txt has edits")
        await desk.press("s")
        await desk.until(lambda: not sheet(desk).is_open, "saved and closed")
        assert written(tmp_path, "a.txt") == "xone\n"
        await opened(desk, "memory/a.txt")
        await desk.type("y")
        await desk.press("escape", "l")
        await desk.until(lambda: not sheet(desk).is_open, "closed")
        assert written(tmp_path, "a.txt") == "xone\n"


async def test_a_text_is_handed_to_the_persons_own_editor_or_it_is_said_why_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await made(tmp_path / "space", a_txt="one\n")
    program = tmp_path / "editor"
    program.write_text('#!/bin/sh\necho "two" >> "$1"\n')
    program.chmod(0o755)
    for name in ("VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    async with at_desk(tmp_path / "space", tab="space", size=(120, 40)) as desk:
        await at(desk, "memory/a.txt")
        await desk.press("enter")
        await desk.sees("one")
        await desk.press("f4")
        await desk.sees("Neither $VISUAL nor $EDITOR is set")
        monkeypatch.setenv("EDITOR", str(program))
        monkeypatch.setattr(desk.app, "suspend", contextlib.nullcontext)
        await desk.press("f4")
        await desk.until(lambda: sheet(desk).query_one(CodeArea).text == "one\ntwo\n", "what the editor made")
        assert desk.space.unsaved == ["~/memory/a.txt"]
        await desk.press("ctrl+s")
        await desk.sees("✓ saved")
        assert written(tmp_path, "a.txt") == "one\ntwo\n"


async def test_a_new_file_is_begun_and_deleted_for_good(tmp_path: Path) -> None:
    await made(tmp_path / "space", notes__a_txt="one\n")
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        await desk.press("m")
        await at(desk, "memory/notes/")
        await desk.press("n")
        assert memory(desk).query_one("#memory-name", Field).value == "notes/"
        await desk.press("enter")
        await desk.sees("Give the file a name")
        await desk.type("a.txt")
        await desk.press("enter")
        await desk.sees("~/memory/notes/a.txt is there already")
        memory(desk).query_one("#memory-name", Field).value = "notes/deep/b.md"
        await desk.press("enter")
        await desk.until(lambda: sheet(desk).editing, "the editor")
        await desk.sees("● not saved")
        await desk.type("hi")
        await desk.press("ctrl+s")
        await desk.sees("✓ saved")
        assert written(tmp_path, "notes/deep/b.md") == "hi"
        await desk.press("escape")
        await at(desk, "memory/notes/")
        await desk.press("right")
        await at(desk, "memory/notes/deep/")
        await desk.press("d")
        await desk.sees("Delete for good?", "everything in it", "memory keeps no versions")
        await desk.press("escape")
        assert (tmp_path / "space" / "memory" / "notes" / "deep").exists()
        await desk.press("d", "d")
        await desk.until(lambda: "memory/notes/deep/" not in memory(desk).outline.keys, "it goes")
        assert not (tmp_path / "space" / "memory" / "notes" / "deep").exists()


@pytest.mark.parametrize("name", ["../x", "a/../../x", "a/" * 20 + "x"])
async def test_a_name_that_cannot_be_is_refused_in_words(tmp_path: Path, name: str) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        await desk.press("m", "n")
        memory(desk).query_one("#memory-name", Field).value = name
        await desk.press("enter")
        await desk.sees("✗ ")
        assert not sheet(desk).is_open


async def test_links_and_special_files_are_told_and_can_be_deleted(tmp_path: Path) -> None:
    await made(tmp_path / "space")
    folder = tmp_path / "space" / "memory"
    (tmp_path / "target").write_text("kept")
    os.symlink(tmp_path / "target", folder / "link")
    os.mkfifo(folder / "pipe")
    async with at_desk(tmp_path / "space", tab="space", size=(120, 40)) as desk:
        await desk.press("m")
        await desk.sees("link, never followed", "no file: a FIFO, socket or device")
        for name, says in (("link", "a link, and memory follows none"), ("pipe", "no regular file")):
            await at(desk, f"memory/{name}")
            await desk.press("enter")
            await desk.sees(says)
            await desk.press("escape", "e")
            await desk.sees(says)
            await desk.press("escape", "d", "d")
            await desk.until(lambda name=name: not os.path.lexists(folder / name), "it goes")
    assert (tmp_path / "target").read_text() == "kept", "what a link leads to stays"


async def test_what_is_no_text_shows_its_facts_and_first_bytes(tmp_path: Path) -> None:
    await made(tmp_path / "space")
    (tmp_path / "space" / "memory" / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(2000))
    async with at_desk(tmp_path / "space", tab="space", size=(120, 40)) as desk:
        await at(desk, "memory/a.png")
        await desk.press("enter")
        await desk.sees("This is no text. The first 512 of 2,008 bytes, image/png", "89 50 4e 47", "|.PNG")
        await desk.press("e")
        assert not sheet(desk).editing


async def test_a_file_whose_line_ends_the_editor_would_change_is_not_edited(tmp_path: Path) -> None:
    await made(tmp_path / "space", a_txt="one\r\ntwo\nthree\x0bfour\n")
    async with at_desk(tmp_path / "space", tab="space", size=(120, 40)) as desk:
        await at(desk, "memory/a.txt")
        await desk.press("enter")
        await desk.sees("one")
        await desk.press("e")
        await desk.sees("its line ends are mixed or unusual")
        assert not sheet(desk).editing


async def test_self_is_read_as_read_gives_it_without_an_event(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(120, 40)) as desk:
        before = len(desk.harness.events("workshop"))
        await at(desk, "self")
        await desk.press("enter")
        await desk.sees('"address": "~/self"', '"everything": true')
        await desk.press("escape")
        assert len(desk.harness.events("workshop")) == before
        await at(desk, "triggers/")
        await desk.press("enter")
        await desk.sees("Triggers are not in this version.")
        await at(desk, "tools/")
        await desk.press("enter")
        await desk.until(lambda: desk.app.place == "tools", "the Tools tab")


async def test_what_others_change_keeps_cursor_and_folds(tmp_path: Path) -> None:
    await made(tmp_path / "space", notes__b_txt="x", other__c_txt="x")
    folder = tmp_path / "space" / "memory"
    async with at_desk(tmp_path / "space", tab="space", size=(120, 40)) as desk:
        await desk.press("m")
        await at(desk, "memory/notes/")
        await desk.press("right")
        await at(desk, "memory/notes/b.txt")
        for number in range(5):
            (folder / "notes" / f"a{number}.txt").write_text("x")
        (folder / "a.txt").write_text("x")
        await desk.until(lambda: "memory/notes/a4.txt" in memory(desk).outline.keys, "the new files")
        assert memory(desk).outline.twig.key == "memory/notes/b.txt"
        assert memory(desk).outline.opened == {"memory/", "memory/notes/"}
        (folder / "notes" / "a0.txt").unlink()
        await desk.until(lambda: "memory/notes/a0.txt" not in memory(desk).outline.keys, "it goes")
        assert memory(desk).outline.twig.key == "memory/notes/b.txt"


async def test_a_folder_that_goes_away_while_it_is_looked_at(tmp_path: Path) -> None:
    await made(tmp_path / "space", notes__deep__a_txt="x")
    async with at_desk(tmp_path / "space", tab="space", size=(120, 40)) as desk:
        await desk.press("m")
        for key in ("memory/notes/", "memory/notes/deep/"):
            await at(desk, key)
            await desk.press("right")
        await at(desk, "memory/notes/deep/a.txt")
        await desk.harness.perform("write", {"address": "~/memory/notes", "options": {"delete": True}})
        await desk.sees("Empty. What the agent or you write to ~/memory/")


async def test_ten_thousand_files_are_looked_through_by_the_thousand(tmp_path: Path) -> None:
    await made(tmp_path / "space")
    folder = tmp_path / "space" / "memory" / "many"
    folder.mkdir()
    for number in range(10_000):
        (folder / f"{number:05}.txt").touch()
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        await desk.press("m")
        await at(desk, "memory/many/")
        await desk.press("right")
        await at(desk, "memory/many\0more")
        await desk.sees("9,000 more; enter lists the next")
        await desk.press("enter")
        await desk.until(lambda: "memory/many/01999.txt" in memory(desk).outline.keys, "the next thousand")
        assert len(desk.space.query("*")) < 60


async def test_a_click_opens_and_folds(tmp_path: Path) -> None:
    await made(tmp_path / "space", notes__a_txt="hello")
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        await desk.press("m")
        await desk.sees("▸ notes/")
        outline = memory(desk).outline
        y = line_of(outline, outline.keys.index("memory/notes/"))
        await desk.pilot.click(outline, offset=(3, y))
        await desk.sees("▾ notes/", "a.txt")
        await at(desk, "memory/notes/a.txt")
        await desk.pilot.click(outline, offset=(9, y + 1))
        await desk.until(lambda: sheet(desk).query_one(Pages).text == "hello", "the file")
