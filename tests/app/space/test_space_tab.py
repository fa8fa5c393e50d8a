"""The Space tab in the real app: its parts at every size, the block, what others change, hostile content."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.space.hand import LAMBDA, block, choose, memory, rows, text, told, words
from tests.app.transcript.desk import at_desk
from tests.canaries import CANARIES
from workbench import Harness
from workbench.app.space.actions import TAB_ACTIONS
from workbench.app.space.frame import Part
from workbench.app.space.tab import SpaceTab
from workbench.harness.errors import HarnessError
from workbench.harness.text import printable

SIZES = [(80, 24), (120, 40), (200, 60)]


def test_every_action_of_the_tab_can_be_done_on_it() -> None:
    for action in TAB_ACTIONS:
        assert hasattr(SpaceTab, f"action_{action.run.partition('(')[0]}"), action.id


@pytest.mark.parametrize("size", SIZES)
async def test_the_block_is_shown_exactly_as_the_model_reads_it(tmp_path: Path, size: tuple[int, int]) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=size) as desk:
        index = desk.harness.index()
        assert block(desk) == printable(index.text)
        await desk.sees(f"{index.bytes:,} / 2,048 B", "Stage full: every callable tool")
        assert "more tools of this size fit" in words(desk, "accounts")
        await desk.sees(*(f"{line.bytes:,} B │" for line in index.lines))


@pytest.mark.parametrize(
    ("size", "seen", "unseen"),
    [
        ((80, 24), {"index"}, {"grants", "settings", "memory"}),
        ((120, 40), {"index", "grants"}, {"settings", "memory"}),
        ((200, 60), {"index", "grants", "settings", "memory"}, set()),
    ],
)
async def test_as_many_parts_as_there_is_room_for(
    tmp_path: Path, size: tuple[int, int], seen: set[str], unseen: set[str]
) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=size) as desk:
        shown = {part.place: part.display for part in desk.space.query(Part)}
        assert {place for place, is_shown in shown.items() if is_shown} == seen
        assert {place for place, is_shown in shown.items() if not is_shown} == unseen


@pytest.mark.parametrize("size", SIZES)
async def test_a_key_goes_to_each_part(tmp_path: Path, size: tuple[int, int]) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=size) as desk:
        for key, place in (("p", "grants"), ("s", "settings"), ("m", "memory"), ("i", "index")):
            await desk.press(key)
            assert desk.space.here.place == place
            assert desk.app.focused is not None
            assert desk.space.here in desk.app.focused.ancestors
        for place in ("grants", "settings", "memory", "index"):
            await desk.press("right_square_bracket")
            assert desk.space.here.place == place
        await desk.press("left_square_bracket")
        assert desk.space.here.place == "memory"


async def test_the_strip_can_be_clicked(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        await desk.pilot.click("#parts", offset=(12, 0))
        await desk.sees("≡ no list")


async def test_a_tools_line_leads_to_the_tool(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space") as desk:
        await choose(desk, "index", "2 search")
        await desk.press("enter")
        assert desk.app.place == "tools"
        assert desk.tools.selected == "search"


async def test_the_block_is_copied(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space") as desk:
        await desk.press("i", "y")
        await desk.sees("Copied the <space> block")


async def test_a_broken_file_is_said_with_its_line_and_what_acts_and_mends_by_itself(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(200, 60)) as desk:
        file = tmp_path / "space" / "agent.toml"
        good = file.read_text("utf-8")
        file.write_text(f"{good}tools = [/]\n", "utf-8")
        await desk.sees("The last good settings stay", f"line {good.count(chr(10)) + 1}: tools = [/]")
        await desk.press("p", "l")
        await desk.until(lambda: "Mend the file by hand first" in told(desk), "why not")
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
        await desk.until(lambda: "has an empty list: nothing is granted" in text(rows(desk, "grants")), "the grants")


async def test_what_changed_while_the_tab_was_hidden_is_there_when_it_is_shown(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="transcript", size=(200, 60)) as desk:
        await desk.harness.perform("write", {"address": "~/memory/later.txt", "content": "x"})
        await desk.until(lambda: "later.txt" in desk.harness.index().text, "the file")
        await desk.press("2")
        await desk.sees("- search", "later.txt")


async def test_hostile_names_and_summaries_are_shown_as_text(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        for number, hostile in enumerate(CANARIES):
            content = {
                "description": f"{hostile} x.",
                "summary": hostile.strip()[:100] or "s",
                "source": "export default () => 1",
            }
            await harness.perform("write", {"address": f"~/tools/tool_{number}", "content": content})
        await harness.perform(
            "write", {"address": "~/self", "content": {"name": "[/] \x1b]0;x\x07 \u202e", "model": "[/"}}
        )
    folder = tmp_path / "space" / "memory"
    for hostile in CANARIES:
        if "\x00" not in hostile:
            (folder / hostile.replace("/", "_")[:80]).write_text(hostile, "utf-8")
    for size in ((200, 60), (80, 24)):
        async with at_desk(tmp_path / "space", tab="space", size=size) as desk:
            assert block(desk) == printable(desk.harness.index().text)
            listed = len(list(folder.iterdir()))
            await desk.until(lambda n=listed, d=desk: len(memory(d).outline.keys) == n + 4, "the files")
            for key in ("j", "p", "j", "k", "s", "j", "m", "j", "j", "j", "enter", "end", "e"):
                await desk.press(key)
                seen = desk.screen()
                assert not any(ord(char) < 32 or 127 <= ord(char) < 160 for line in seen.split("\n") for char in line)


async def test_hundreds_of_tools_cost_no_more_widgets(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        for number in range(120):
            content = LAMBDA | {"source": f"def main(input):\n    return {number}\n"}
            await harness.perform("write", {"address": f"~/tools/tool_{number}", "content": content})
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        assert len(desk.space.query("*")) < 60
        assert "names: every tool" in words(desk, "accounts")
        await desk.press("p")
        await desk.until(lambda: "120 lambdas" in text(rows(desk, "grants")), "the switches")
        await desk.press("slash")
        await desk.type("tool_77")
        await desk.press("enter", "space")
        await desk.until(lambda: desk.harness.settings().settings.switched_off == ("tool_77",), "tool_77 is off")
        await desk.press("escape")
        await desk.sees("□ off tool_77")


@pytest.mark.parametrize("query", ["settings", "index", "promoted", "tools"])
async def test_a_query_that_fails_is_said_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, query: str) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(120, 40)) as desk:

        def fails(*_: object, **__: object) -> None:
            raise HarnessError("failed", "The disk [/] is gone.")

        monkeypatch.setattr(desk.harness, query, fails)
        for key in ("p", "space", "l", "s", "enter", "d", "f", "escape", "m", "e", "n", "escape", "i", "enter", "y"):
            await desk.press(key)
        assert desk.app._exception is None
