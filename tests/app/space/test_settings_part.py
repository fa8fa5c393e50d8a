"""Settings in the real app: each is changed at its field, through the door, with the file's comments kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.space.hand import choose, rows, settings, sheet, text, told, words
from tests.app.transcript.desk import at_desk
from workbench.app.widgets.code import CodeArea
from workbench.app.widgets.field import Field

COMMENTED = '# mine\nname = "ada"  # the countess\n\n[turn]\n# enough\nmax_steps = 9\n'


async def test_every_setting_is_told_with_what_decides_it(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(120, 40)) as desk:
        await desk.harness.perform("write", {"address": "~/self", "content": {"model": "x:y", "switched_off": ["z"]}})
        await desk.press("s")
        await desk.sees("waits for your yes", '"x:y" stands in agent.toml', '["z"]', "no list: everything")
        await choose(desk, "settings", "sandbox.network")
        await desk.sees("Whether execute and lambdas have the network.", "True or false. Default: false.")


async def test_a_number_is_changed_at_its_field_and_bounds_are_said_there(tmp_path: Path) -> None:
    file = tmp_path / "space" / "agent.toml"
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        file.write_text(COMMENTED, "utf-8")
        await desk.press("s")
        await desk.until(lambda: desk.harness.settings().settings.max_steps == 9, "the hand edit")
        await desk.until(lambda: "9 agent.toml" in text(rows(desk, "settings")), "it appears by itself")
        before = len(desk.harness.events("workshop"))
        await choose(desk, "settings", "turn.max_steps")
        await desk.press("enter", "end", "9", "9", "9")
        await desk.sees("✗ 9999 is out of bounds; turn.max_steps is from 1 to 1,000.")
        await desk.press("enter")
        assert len(desk.harness.events("workshop")) == before, "what cannot be never reaches the door"
        assert desk.space.unsaved == ["turn.max_steps"]
        desk.space.query_one("#setting-field", Field).value = "12"
        await desk.press("enter")
        await desk.until(lambda: desk.harness.settings().settings.max_steps == 12, "the change")
        assert file.read_text("utf-8") == COMMENTED.replace("9", "12", 1)
        assert len(desk.harness.events("workshop")) == before + 2
        assert desk.app.focused is rows(desk, "settings")
        await desk.press("d")
        await desk.until(lambda: desk.harness.settings().settings.max_steps == 50, "the default")
        assert file.read_text("utf-8") == COMMENTED.replace("max_steps = 9\n", "")
        await desk.press("d")
        await desk.until(lambda: "is not in agent.toml: its default acts already" in told(desk), "the words")


async def test_a_key_right_behind_one_that_writes_is_for_what_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was dropped while the write was under way, without a word."""
    monkeypatch.setattr("workbench.app.keys_in_turn.WAIT_SECS", 60.0)
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        await desk.harness.perform("write", {"address": "~/self", "content": {"turn.max_steps": 9}})
        await desk.press("s")
        await desk.until(lambda: "9 agent.toml" in text(rows(desk, "settings")), "the nine")
        await choose(desk, "settings", "turn.max_steps")
        await desk.type("dd")
        await desk.until(lambda: "is not in agent.toml: its default acts already" in told(desk), "the words")
        assert desk.harness.settings().settings.max_steps == 50


async def test_a_value_that_changed_while_another_was_typed_is_not_replaced_unasked(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(120, 40)) as desk:
        await desk.press("s")
        await choose(desk, "settings", "turn.max_steps")
        await desk.press("enter", "end", "backspace")
        await desk.harness.perform("write", {"address": "~/self", "content": {"turn.max_steps": 7}})
        await desk.until(lambda: "7 agent.toml" in text(rows(desk, "settings")), "the other change is seen")
        await desk.press("enter")
        await desk.sees("Meanwhile it became 7, elsewhere.")
        assert desk.harness.settings().settings.max_steps == 7
        await desk.press("enter")
        await desk.until(lambda: desk.harness.settings().settings.max_steps == 5, "asked for twice it is written")


async def test_a_switch_is_turned_over_and_a_choice_is_chosen(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        await desk.press("s")
        await choose(desk, "settings", "web.read")
        await desk.press("enter")
        await desk.until(lambda: desk.harness.settings().settings.web_read is False, "off")
        await choose(desk, "settings", "touch_expand.first_call")
        await desk.press("enter")
        await desk.sees("its contract; nothing runs until the call is made again")
        await desk.press("down", "enter")
        await desk.until(lambda: desk.harness.settings().settings.first_call == "run", "run")
        await desk.until(lambda: desk.app.focused is rows(desk, "settings"), "back in the rows")


async def test_what_goes_beyond_a_default_waits_and_is_answered_in_its_row(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        await desk.press("s")
        await choose(desk, "settings", "model")
        await desk.press("enter")
        await desk.type("x:y")
        await desk.press("enter")
        await desk.sees("waits for your yes")
        await desk.press("a")
        await desk.until(lambda: desk.harness.settings().settings.model == "x:y", "the yes")
        await desk.sees("agent.toml, by your yes")
        await desk.press("x")
        await desk.until(lambda: desk.harness.settings().settings.model is None, "taken back")


async def test_a_list_of_names_and_a_secret(tmp_path: Path) -> None:
    file = tmp_path / "space" / "agent.toml"
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        await desk.press("s")
        await choose(desk, "settings", "tools")
        await desk.press("enter")
        await desk.type("search serch")
        await desk.sees("✗ serch cannot be granted")
        desk.space.query_one("#setting-field", Field).value = "search, execute"
        await desk.press("enter")
        await desk.until(lambda: desk.harness.settings().settings.tools == ("search", "execute"), "the list")
        begun = file.read_bytes()
        await choose(desk, "settings", "model")
        await desk.press("enter")
        desk.space.query_one("#setting-field", Field).value = "sk-abcdefghijklmnopqrstuvwxyz012345"
        await desk.press("enter")
        await desk.sees("looks like a secret itself")
        await desk.press("escape")
        assert desk.app.focused is rows(desk, "settings")
        assert file.read_bytes() == begun


async def test_the_prompt_has_an_editor_of_its_own(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        await desk.press("s")
        await choose(desk, "settings", "prompt")
        await desk.press("enter")
        await desk.until(lambda: sheet(desk).editing, "the editor")
        area = sheet(desk).query_one(CodeArea)
        area.text = "Be brief.\n\nBe [/] kind.\n"
        await desk.pilot.pause()
        assert desk.space.unsaved == ["~/self prompt"]
        await desk.press("ctrl+s")
        await desk.until(lambda: desk.harness.settings().settings.prompt == "Be brief.\n\nBe [/] kind.\n", "the prompt")
        await desk.sees("✓ saved")
        area.text = " "
        await desk.press("ctrl+s")
        await desk.sees("✗ prompt must be a text; it is empty")
        await desk.press("escape")
        await desk.sees("Not saved")
        await desk.press("l")
        await desk.until(lambda: desk.app.focused is rows(desk, "settings"), "back in the rows")


async def test_a_table_is_edited_as_json(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(120, 40)) as desk:
        await desk.press("s")
        await choose(desk, "settings", "models")
        await desk.press("e")
        await desk.until(lambda: sheet(desk).editing, "the editor")
        sheet(desk).query_one(CodeArea).text = '{"x": {"url": "http://a", "api_key": "hunter2"}}'
        await desk.press("ctrl+s")
        await desk.sees("looks like a secret itself")
        sheet(desk).query_one(CodeArea).text = '{"x": {"url": "http://a", "api_key": "${KEY}"}}'
        await desk.press("ctrl+s")
        await desk.until(lambda: [w.id for w in desk.harness.settings().waiting] == ["models"], "it waits")


async def test_the_file_itself_is_read_also_while_it_is_broken(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        (tmp_path / "space" / "agent.toml").write_text("# [/] mine\ntools = [\n", "utf-8")
        await desk.sees("last good settings stay")
        await desk.press("s", "f")
        await desk.sees("# [/] mine", "as it stands")
        await desk.press("escape")
        assert desk.app.focused is rows(desk, "settings")


async def test_settings_are_filtered(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        await desk.press("s", "slash")
        await desk.type("network")
        await desk.press("enter")
        assert [row.key for row in rows(desk, "settings").rows] == ["sandbox.network", "web.private_addresses"]
        await desk.press("escape")
        assert len(rows(desk, "settings").rows) > 20


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_the_words_follow_the_cursor(tmp_path: Path, size: tuple[int, int]) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=size) as desk:
        await desk.press("s")
        assert "What the agent is called." in words(desk, "setting-about")
        await desk.press("j")
        assert "before the <space> block" in words(desk, "setting-about")
        assert not settings(desk).editor.is_open
