"""The Space tab in the real app: the block, the switches, what waits, memory."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import OptionList

from tests.app.transcript.desk import Desk, at_desk
from tests.canaries import CANARIES
from workbench import Harness
from workbench.app.space.actions import ACTIONS
from workbench.app.space.lists import GrantList, KeepingList, LineList, WaitingList
from workbench.app.space.tab import SpaceTab
from workbench.app.widgets.literal import Literal
from workbench.harness.text import printable


def block(desk: Desk) -> str:
    """The block as it is shown."""
    return desk.space.query_one("#block", Literal).content.plain


def words(desk: Desk, id: str) -> str:
    """What a line of words says."""
    return desk.space.query_one(f"#{id}", Literal).content.plain


async def choose(desk: Desk, box: OptionList, key: str) -> None:
    """Put the cursor of a list on a line."""
    box.focus()
    await desk.until(lambda: any(option.id == key for option in box.options), key)
    box.highlighted = next(at for at, option in enumerate(box.options) if option.id == key)
    await desk.pilot.pause()


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_the_block_is_shown_exactly_as_the_model_reads_it(tmp_path: Path, size: tuple[int, int]) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=size) as desk:
        index = desk.harness.index()
        assert block(desk) == printable(index.text)
        await desk.sees(f"{index.bytes:,} / 2,048 B", "full: every callable tool")
        assert "more tools of this size fit" in words(desk, "accounts")


async def test_every_line_tells_its_bytes_and_a_tools_line_leads_to_the_tool(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(200, 60)) as desk:
        box = desk.space.query_one(LineList)
        shown = [option.prompt.right.plain for option in box.options]
        assert shown == [f"{line.bytes:,} B" for line in desk.harness.index().lines]
        await choose(desk, box, "2 search")
        await desk.press("enter")
        assert desk.app.place == "tools"


async def test_flipping_a_grant_is_one_act_of_the_owners_and_its_effect_is_seen(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        await harness.perform("read", {"address": "~/tools/search"}, "agent", "demo")
    async with at_desk(tmp_path / "space", tab="space", size=(200, 60)) as desk:
        assert "No list in agent.toml: everything is granted" in words(desk, "grants-words")
        assert "▲ search" in words(desk, "grants-words")
        before = len(desk.harness.events("workshop"))
        await choose(desk, desk.space.query_one(GrantList), "builtin search")
        await desk.press("space")
        await desk.until(lambda: "- search" not in block(desk), "search to leave the block")
        await desk.sees("□ off search  not granted · cannot be called", "not_granted: Grant it by")
        assert "△ search" in words(desk, "grants-words")
        events = desk.harness.events("workshop")[before:]
        assert [(event.type, event.actor) for event in events] == [("tool_call", "user"), ("tool_result", "user")]
        assert desk.harness.settings().settings.tools == ("web_search", "navigate", "execute", "publish")
        await desk.press("space")
        await desk.until(lambda: "- search" in block(desk), "search to come back")
        assert desk.harness.settings().settings.tools is None
        assert desk.space.query_one(GrantList).chosen == "builtin search", "the cursor stays where it was"


async def test_a_lambda_is_switched_off_and_on(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        content = {"description": "Does it.", "runtime": "python", "source": "def main(input):\n    return 1\n"}
        await harness.perform("write", {"address": "~/tools/el", "content": content})
    async with at_desk(tmp_path / "space", tab="space", size=(200, 60)) as desk:
        await choose(desk, desk.space.query_one(GrantList), "lambda el")
        await desk.press("space")
        await desk.sees("□ off el  switched off")
        assert desk.harness.settings().settings.switched_off == ("el",)
        await desk.press("space")
        await desk.sees("■ on  el  switched on")
        assert desk.harness.settings().settings.switched_off == ()


async def test_a_lambda_may_have_the_name_of_what_is_granted_beside_it(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(200, 60)) as desk:
        content = {"description": "Does it.", "runtime": "python", "source": "def main(input):\n    return 1\n"}
        await desk.harness.perform("write", {"address": "~/tools/publish", "content": content})
        box = desk.space.query_one(GrantList)
        await choose(desk, box, "lambda publish")
        await desk.press("space")
        await desk.until(lambda: desk.harness.settings().settings.switched_off == ("publish",), "the lambda is off")
        assert desk.harness.settings().settings.tools is None
        await choose(desk, box, "publish publish")
        await desk.press("space")
        await desk.until(lambda: desk.harness.settings().settings.tools is not None, "publishing is off")
        await choose(desk, box, "lambda publish")
        await desk.press("o")
        assert desk.app.place == "tools"
        assert desk.tools.selected == "publish"


async def test_what_waits_is_answered_here(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(200, 60)) as desk:
        assert "Nothing." in words(desk, "waiting-words")
        await desk.harness.perform(
            "write", {"address": "~/self", "content": {"model": "x:y", "sandbox": {"network": True}}}
        )
        await desk.sees('model = "x:y"', "sandbox.network = true", "this version cannot do it")
        box = desk.space.query_one(WaitingList)
        await choose(desk, box, "sandbox.network")
        await desk.press("a")
        await desk.sees("is not part of this version")
        await choose(desk, box, "model")
        await desk.press("x")
        await desk.sees("you said no")
        assert desk.harness.settings().settings.model is None
        await desk.press("a")
        await desk.until(lambda: desk.harness.settings().settings.model == "x:y", "the yes")
        await desk.until(lambda: all(option.id != "model" for option in box.options), "the line to go")


async def test_a_broken_file_is_said_in_words_and_mended_by_itself(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(200, 60)) as desk:
        file = tmp_path / "space" / "agent.toml"
        good = file.read_text("utf-8")
        file.write_text("tools = [/]", "utf-8")
        await desk.until(lambda: "The last good settings stay" in words(desk, "faults"), "the fault")
        await desk.sees("✗ agent.toml cannot be used")
        file.write_text(good, "utf-8")
        await desk.until(lambda: not desk.space.query_one("#faults").display, "the fault to go")


async def test_what_another_process_saves_appears(tmp_path: Path) -> None:
    async with (
        at_desk(tmp_path / "space", tab="space", size=(200, 60)) as desk,
        Harness.open(tmp_path / "space") as other,
    ):
        await other.perform("write", {"address": "~/memory/[$x] new.txt", "content": "x"})
        await desk.sees("[$x] new.txt", "memory/ — 1 file")
        await other.perform("write", {"address": "~/self", "content": {"tools": []}})
        await desk.until(lambda: "no tool can be called now" in block(desk), "the block")


async def test_what_changed_while_the_tab_was_hidden_is_there_when_it_is_shown(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="transcript", size=(200, 60)) as desk:
        await desk.harness.perform("write", {"address": "~/memory/later.txt", "content": "x"})
        await desk.until(lambda: "later.txt" in desk.harness.index().text, "the file")
        await desk.press("2")
        await desk.sees("later.txt")


async def test_hostile_names_and_summaries_are_shown_as_text(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        for number, text in enumerate(CANARIES):
            content = {
                "description": f"{text} x.",
                "summary": text.strip()[:100] or "s",
                "source": "export default () => 1",
            }
            await harness.perform("write", {"address": f"~/tools/tool_{number}", "content": content})
    memory = tmp_path / "space" / "memory"
    for text in CANARIES:
        if "\x00" not in text:
            (memory / text.replace("/", "_")[:80]).write_text("x", "utf-8")
    async with at_desk(tmp_path / "space", tab="space", size=(200, 60)) as desk:
        assert block(desk) == printable(desk.harness.index().text)
        assert len(desk.space.query_one("#memory", KeepingList).options) == len(list(memory.iterdir()))
        desk.picture()
        await desk.press("tab", "j", "k", "tab", "end")
        desk.picture()
        assert not any(ord(char) < 32 or 127 <= ord(char) < 160 for line in desk.screen().split("\n") for char in line)


async def test_hundreds_of_tools_cost_no_more_widgets(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        for number in range(120):
            content = {
                "description": "Does it.",
                "runtime": "python",
                "source": f"def main(input):\n    return {number}\n",
            }
            await harness.perform("write", {"address": f"~/tools/tool_{number}", "content": content})
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        assert len(desk.space.query("*")) < 60
        assert "names: every tool" in words(desk, "accounts") or "partial" in words(desk, "accounts")


def test_every_action_of_the_registry_can_be_done_on_the_tab() -> None:
    for action in ACTIONS:
        assert hasattr(SpaceTab, f"action_{action.run.partition('(')[0]}"), action.id


async def test_memory_is_looked_through_folder_by_folder_and_read(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        long = "".join(f"line {number} [/]\n" for number in range(3000))
        await harness.perform("write", {"address": "~/memory/notes/long.txt", "content": long})
        await harness.perform("write", {"address": "~/memory/notes/[x].txt", "content": "\x1b[31m[/] 你好"})
    async with at_desk(tmp_path / "space", tab="space", size=(200, 60)) as desk:
        box = desk.space.query_one("#memory", KeepingList)
        await choose(desk, box, "notes")
        await desk.press("enter")
        await desk.sees("memory · ~/memory/notes/", "long.txt", "[x].txt")
        await choose(desk, box, "notes/[x].txt")
        await desk.press("enter")
        await desk.sees("␛[31m[/] 你好")
        await desk.press("escape")
        await choose(desk, box, "notes/long.txt")
        await desk.press("enter")
        await desk.sees("line 0 [/]", "m reads on")
        await desk.press("m")
        await desk.until(lambda: "3,000 lines ·" in desk.screen(), "the rest")
        await desk.press("end")
        await desk.sees("line 2999 [/]")
        await desk.press("escape")
        await choose(desk, box, "../")
        await desk.press("enter")
        await desk.until(lambda: box.options[0].id == "notes", "the top")


async def test_a_folder_that_goes_away_while_it_is_looked_at(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        await harness.perform("write", {"address": "~/memory/notes/deep/a.txt", "content": "x"})
    async with at_desk(tmp_path / "space", tab="space", size=(200, 60)) as desk:
        box = desk.space.query_one("#memory", KeepingList)
        for folder in ("notes", "notes/deep"):
            await choose(desk, box, folder)
            await desk.press("enter")
        await desk.sees("~/memory/notes/deep/")
        await desk.harness.perform("write", {"address": "~/memory/notes", "options": {"delete": True}})
        await desk.sees("Empty. Files that the agent or you write")


async def test_every_setting_is_told_with_what_decides_it(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(120, 40)) as desk:
        await desk.harness.perform("write", {"address": "~/self", "content": {"model": "x:y", "switched_off": ["z"]}})
        await desk.sees('model = "x:y"')
        await desk.press("s")
        await desk.sees("~/self · settings", 'none  (default; "x:y" waits for your yes)', '["z"]  (set in agent.toml)')
