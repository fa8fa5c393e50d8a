"""What is typed ahead of the screen goes where it would have gone, had one waited."""

from __future__ import annotations

from pathlib import Path

from textual.events import Key, Paste
from textual.widgets import Input

from tests.app.desk import Desk, at_desk
from workbench.app.help import Help
from workbench.app.transcript.composer import Composer


def at_once(desk: Desk, *keys: str) -> None:
    """Press keys without a moment between them."""
    for key in keys:
        desk.app.post_message(Key(key, key if len(key) == 1 else None))


async def test_a_key_right_behind_a_change_of_tab_is_for_the_new_tab(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        at_once(desk, "3", "i", *"message:", "q")
        line = desk.app.query_one(Composer).line
        await desk.until(lambda: line.value == "message:q", "all of it stands in the composer")
        assert desk.app.focused is line


async def test_what_is_typed_behind_the_key_of_the_filter_filters(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        at_once(desk, "slash", *"q12", "ctrl+pagedown")
        await desk.until(lambda: desk.app.place == "space", "the next tab is shown")
        assert desk.app.query_one("#filter", Input).value == "q12"


async def test_what_is_typed_behind_the_palettes_key_is_searched(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        at_once(desk, "ctrl+p", *"navig")
        await desk.until(
            lambda: any(field.value == "navig" for field in desk.app.screen.query(Input)), "it is searched"
        )


async def test_a_dialog_that_is_left_does_not_hold_back_the_keys_behind_it(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        for _ in range(3):
            at_once(desk, "question_mark", "escape", "2", "question_mark", "q", "1")
            await desk.until(lambda: desk.app.place == "space", "it goes on behind the first one")
            await desk.until(lambda: desk.app.place == "tools", "and behind the second one")
            assert not isinstance(desk.app.screen, Help)


async def test_keys_behind_the_one_that_leaves_are_nobodys(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        at_once(desk, "q", *"abc", "question_mark", "3", "escape")
        await desk.until(lambda: not desk.app.is_running or desk.app._exit, "it leaves")
    assert (desk.app.return_code or 0) == 0


async def test_what_is_pasted_into_the_palette_steers_no_terminal(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.press("ctrl+p")
        desk.app.post_message(Paste("\x1b]52;c;aGk=\x07x"))
        await desk.until(lambda: any("␛]52" in field.value for field in desk.app.screen.query(Input)), "it is shown")
        desk.picture()


async def test_pasted_text_waits_for_its_turn_too(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        at_once(desk, "slash")
        desk.app.post_message(Paste("1q2"))
        await desk.until(lambda: desk.app.query_one("#filter", Input).value == "1q2", "it is pasted")
