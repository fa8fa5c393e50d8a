"""The CID pane in the real app: what a version is, whether it is intact, and which others there were."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.app.desk import Desk, at_desk, elsewhere, save
from tests.canaries import CANARIES, NEVER_SHOWN
from workbench.app.reach import do
from workbench.app.tools.cid.actions import CID
from workbench.app.tools.cid.bytes_view import BytesView
from workbench.app.tools.cid.pane import CidPane
from workbench.app.tools.cid.sheet import SheetView
from workbench.app.tools.cid.version_list import VersionList
from workbench.app.widgets.outline.view import Outline
from workbench.app.widgets.question import Question
from workbench.harness.cid import cid_parts
from workbench.harness.errors import HarnessError
from workbench.harness.log.events import ToolCall
from workbench.harness.space.dump import dump, dump_text
from workbench.harness.strict_json import pretty

OPEN = {"type": "object", "properties": {"text": {"type": "string"}}}
CLOSED = {**OPEN, "required": ["text"], "additionalProperties": False}


async def with_versions(folder: Path, *inputs: dict[str, Any], name: str = "word_count") -> list[str]:
    """A Space with a lambda that was saved once for each input schema; the CIDs."""
    async with elsewhere(folder) as harness:
        return [await save(harness, name, input=schema) for schema in inputs]


async def at_pane(desk: Desk, name: str = "word_count", view: str = "F") -> None:
    """Go to a view of a tool's CID pane, and work there."""
    await desk.select(name)
    await desk.press("i", "enter", view)


def pane(desk: Desk) -> CidPane:
    """The pane."""
    return desk.app.query_one(CidPane)


def listed(desk: Desk) -> VersionList:
    """The list of versions."""
    return desk.app.query_one(VersionList)


async def to_version(desk: Desk, number: int) -> None:
    """Put the cursor on a version."""
    newest = len(desk.harness.versions(desk.tools.selected or ""))
    await desk.until(lambda: listed(desk).items == newest, "all versions are listed")
    listed(desk).move_to(newest - number)
    await desk.until(lambda: (at := listed(desk).version) and at.version == number, "the cursor is there")


async def test_the_first_view_says_it_all_at_80_by_24(tmp_path: Path) -> None:
    cids = await with_versions(tmp_path, OPEN, CLOSED)
    async with at_desk(tmp_path, size=(80, 24)) as desk:
        await desk.select("word_count")
        await desk.press("i")
        split = cid_parts(cids[1])
        await desk.sees("✓ intact: the stored", "base32 · CIDv1 · dag-cbor · sha2-256", "version 2 ·", "UTC · by")
        await desk.sees("versions  2", "→ 2  ", "  1  ", split.digest[:20])
        assert desk.app.query_one("#cid-facts").max_scroll_y == 0
        await desk.press("enter")
        await desk.sees(cids[1], split.digest, f"…{cids[0][-8:]}")


async def test_verifying_is_said_in_every_view(tmp_path: Path) -> None:
    await with_versions(tmp_path, OPEN)
    async with at_desk(tmp_path) as desk:
        await at_pane(desk)
        for count, view in enumerate("FBJV", 1):
            await desk.press(view, "v")
            await desk.sees(f"✓ verified {count}×:" if count > 1 else "✓ verified:", "hash to this CID")


async def test_the_views_are_reached_by_their_letters_by_brackets_and_by_clicks(tmp_path: Path) -> None:
    await with_versions(tmp_path, OPEN)
    async with at_desk(tmp_path) as desk:
        await at_pane(desk)
        for key, seen in (("B", "map of 7 pairs"), ("J", 'kind: "lambda"'), ("V", "space marks"), ("F", "digest")):
            await desk.press(key)
            await desk.sees(seen)
        for seen in ("map of 7 pairs", 'kind: "lambda"', "space marks", "digest"):
            await desk.press("right_square_bracket")
            await desk.sees(seen)
        await desk.press("left_square_bracket")
        await desk.sees("space marks")
        label = next(each for each in desk.app.query("#cid-views .place") if "Bytes" in str(each.visual))
        await desk.pilot.click(label)
        await desk.sees("map of 7 pairs")
        assert isinstance(desk.app.focused, BytesView)


async def test_every_byte_is_shown_and_copied(tmp_path: Path) -> None:
    (cid,) = await with_versions(tmp_path, OPEN)
    async with at_desk(tmp_path, size=(80, 24)) as desk:
        await at_pane(desk, view="B")
        await desk.sees("map of 7 pairs", 'key "kind"', '"lambda"')
        block = desk.harness.block(cid)
        assert pane(desk).copied() == (dump_text(dump(block)), "the bytes of word_count")
        view = desk.app.query_one(BytesView)
        assert all(
            len("".join(text for text, _ in line)) <= 77
            for index in range(view.items)
            for line in view.lines_of(index, 77)
        )
        assert view.items == len(dump(block))


async def test_a_block_of_a_megabyte_is_dumped_beside_the_keys(tmp_path: Path) -> None:
    schema = {**OPEN, "properties": {f"p{number}": {"type": "string"} for number in range(20_000)}}
    await with_versions(tmp_path, schema, name="large")
    async with at_desk(tmp_path) as desk:
        await at_pane(desk, "large", "B")
        view = desk.app.query_one(BytesView)
        await desk.until(lambda: view.items > 60_000, "the dump")
        await desk.press("G")
        await desk.sees('"python"')
        await desk.until(lambda: pane(desk).copied(), "the dump as text")


async def test_the_document_stands_there_as_json_and_its_source_opens_whole(tmp_path: Path) -> None:
    long = "# x\n" * 20_000 + "def main(input):\n    return 1\n"
    async with elsewhere(tmp_path) as harness:
        await save(harness, "long", source=long)
    async with at_desk(tmp_path) as desk:
        await at_pane(desk, "long", "J")
        await desk.sees('kind: "lambda"', "source: 20,002 lines")
        tool = desk.harness.tool("long")
        assert tool is not None
        assert pane(desk).copied() == (pretty(tool.document.to_map()), "the document of long")
        outline = desk.app.query_one("#document", Outline)
        outline.set_open("$.source", True)
        outline.go("$.source\n0")
        await desk.press("enter")
        await desk.until(lambda: pane(desk).copied() == (long, "$.source of long"), "the source whole")
        await desk.press("escape")
        assert desk.app.focused is outline


async def test_two_versions_are_compared_with_what_breaks_and_why(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "word_count", input=OPEN)
        await save(harness, "word_count", input=CLOSED, source="def main(input):\n    return 1\n")
    async with at_desk(tmp_path, size=(80, 24)) as desk:
        await at_pane(desk, view="V")
        await desk.press("enter")
        await desk.sees(
            "version 1 → 2 · 2 breaking · 0 widening · 1 neutral",
            "✗ breaking  who used the tool rightly before may fail now",
            "✗ input $.text  required now",
            "objects without “text” were accepted before and are refused now",
        )
        await desk.press("G")
        await desk.sees("source  +1 −2 lines", '-     print("counting")', "+     return 1", "1 1", "def main(input):")
        copied = pane(desk).copied()
        assert copied is not None
        assert "✗ input $.text  required now\n" in copied[0]
        assert "  2 +     return 1\n" in copied[0]
        await desk.press("escape")
        assert isinstance(desk.app.focused, VersionList)


async def test_any_two_versions_are_compared_by_marking_one(tmp_path: Path) -> None:
    await with_versions(tmp_path, OPEN, CLOSED, {"type": "object"})
    async with at_desk(tmp_path, size=(80, 24)) as desk:
        await at_pane(desk, view="V")
        await to_version(desk, 1)
        await desk.press("space")
        await desk.sees("›*  1")
        await to_version(desk, 3)
        await desk.press("d")
        await desk.sees("version 1 → 3 · 0 breaking · 1 widening · 0 neutral")
        await desk.press("escape")
        await to_version(desk, 1)
        await desk.press("d")
        await desk.sees("Version 1 is the marked one itself.")
        await desk.press("escape", "space", "d")
        await desk.sees("Version 1 is the first: there is none before it.")


async def test_on_a_wide_screen_the_comparison_follows_the_cursor(tmp_path: Path) -> None:
    await with_versions(tmp_path, OPEN, CLOSED, OPEN)
    async with at_desk(tmp_path, size=(200, 60)) as desk:
        await at_pane(desk, view="V")
        await desk.sees("→ 3  ", "= 1", "version 2 → 3 · 0 breaking · 2 widening · 0 neutral")
        await desk.press("down")
        await desk.sees("version 1 → 2 · 2 breaking")
        await desk.press("space", "up")
        await desk.sees("version 2 → 3 · 0 breaking")
        await desk.press("d")
        assert isinstance(desk.app.focused, SheetView)
        await desk.press("escape")
        assert isinstance(desk.app.focused, VersionList)


async def test_a_version_is_seen_whole(tmp_path: Path) -> None:
    cids = await with_versions(tmp_path, OPEN, CLOSED)
    async with at_desk(tmp_path) as desk:
        await at_pane(desk, view="V")
        await to_version(desk, 1)
        await desk.press("w")
        await desk.sees("version 1 whole", f"cid: {cids[0]}", "the source, python", 'print("counting")')


async def test_restoring_is_one_write_of_the_owners_after_a_question(tmp_path: Path) -> None:
    cids = await with_versions(tmp_path, OPEN, CLOSED)
    async with at_desk(tmp_path) as desk:
        await at_pane(desk, view="V")
        await to_version(desk, 1)
        before = len(desk.harness.events("workshop"))
        await desk.press("R")
        await desk.until(lambda: isinstance(desk.app.screen, Question), "it asks")
        await desk.sees("Restore version 1 of word_count?", "0 breaking · 2 widening · 0 neutral")
        await desk.press("escape")
        assert len(desk.harness.events("workshop")) == before
        await desk.press("R")
        await desk.until(lambda: isinstance(desk.app.screen, Question), "it asks again")
        await desk.press("r")
        await desk.sees("✓ Restored version 1 of word_count.", "→ 3  ", "= 1")
        call, _ = desk.harness.events("workshop")[before:]
        assert isinstance(call, ToolCall)
        assert (call.name, call.actor, call.input["content"]["cid"]) == ("write", "user", cids[1])
        tool = desk.harness.tool("word_count")
        assert tool is not None
        assert (tool.cid, tool.version) == (cids[0], 3)


async def test_a_version_that_somebody_saved_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    await with_versions(tmp_path, OPEN, CLOSED)
    async with at_desk(tmp_path) as desk, elsewhere(tmp_path) as other:
        await at_pane(desk, view="V")
        await to_version(desk, 1)
        await desk.press("R")
        await desk.until(lambda: isinstance(desk.app.screen, Question), "it asks")
        theirs = await save(other, "word_count", description="Theirs.")
        await desk.press("r")
        await desk.sees("✗ Version 1 was not restored (conflict:")
        tool = desk.harness.tool("word_count")
        assert tool is not None
        assert tool.cid == theirs


async def test_what_cannot_be_restored_says_why(tmp_path: Path) -> None:
    await with_versions(tmp_path, OPEN)
    async with at_desk(tmp_path) as desk:
        await at_pane(desk, view="V")
        await desk.press("R")
        await desk.sees("Version 1 is the present document already; there is nothing to restore.")
        await at_pane(desk, "search", "V")
        await desk.press("R")
        await desk.sees("search comes with the workbench", "are not restored")


async def test_a_deletion_is_a_version_and_the_tool_comes_back_with_its_versions(tmp_path: Path) -> None:
    await with_versions(tmp_path, OPEN)
    async with elsewhere(tmp_path) as harness:
        await harness.perform("write", {"address": "~/tools/word_count", "options": {"delete": True}})
        await save(harness, "word_count", input=CLOSED)
    async with at_desk(tmp_path, size=(80, 24)) as desk:
        await at_pane(desk, view="V")
        await desk.sees("→ 3  ", "deleted")
        await desk.press("d")
        await desk.sees("version 1 → 3")
        await desk.press("escape")
        await to_version(desk, 2)
        await desk.press("d")
        await desk.sees("The tool was deleted then, by user")
        await desk.press("escape", "R")
        await desk.sees("is a deletion and has no document")


async def test_a_verb_has_no_versions_and_its_block_is_made_from_the_code(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await at_pane(desk, "read")
        await desk.sees("✓ intact: made again from the code and hashed", "It has no versions", "verb:read")
        await desk.press("V", "d", "w", "R", "space")
        await desk.sees("This comes with the workbench and is not stored in the Space")
        await desk.press("B")
        await desk.sees("map of", 'key "kind"', '"builtin"')


async def test_a_draft_that_was_never_saved_says_so_in_every_view(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.press("n")
        await desk.type("hello_you")
        await desk.press("enter")
        await desk.until(lambda: "hello_you" in desk.states(), "it is listed")
        await desk.press("escape")
        await desk.until(lambda: not isinstance(desk.app.focused, type(None)), "something is focused")
        desk.tools.action_pane("cid")
        for view in ("facts", "bytes", "json"):
            pane(desk).action_look(view)
            await desk.sees("This tool is not saved yet.")
        pane(desk).action_look("versions")
        await desk.sees("No version is saved yet.")
        assert pane(desk).copied() is None


async def corrupted(folder: Path, cid: str, block: bytes = b"\xa1\x61x\x01") -> None:
    """A Space in which somebody changed the bytes of a block."""
    with sqlite3.connect(folder / "space.db") as store:
        for (trigger,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            store.execute(f"DROP TRIGGER {trigger}")
        store.execute("UPDATE blocks SET bytes = ? WHERE cid = ?", (block, cid))
    store.close()


async def test_a_corrupt_version_is_said_and_another_one_restored_over_it(tmp_path: Path) -> None:
    cids = await with_versions(tmp_path, OPEN, CLOSED)
    await corrupted(tmp_path, cids[1])
    async with at_desk(tmp_path) as desk:
        desk.tools.selected = "word_count"
        desk.app.show_tool("word_count")
        await desk.press("i")
        await desk.sees("✗ corrupt: this block is not used", "corrupt: Block", "not match its CID and is not used.")
        await desk.press("v", "v")
        await desk.sees("✗ corrupt, looked at 2×")
        desk.tools.action_pane("cid")
        for view in ("bytes", "json"):
            pane(desk).action_look(view)
            await desk.sees("match its CID and is not used")
        pane(desk).action_look("versions")
        pane(desk).focus_content()
        await desk.sees("corrupt")
        await desk.press("d")
        await desk.sees("✗ Version 2 cannot be used")
        await desk.press("escape")
        await to_version(desk, 1)
        await desk.press("R")
        await desk.until(lambda: isinstance(desk.app.screen, Question), "it asks")
        await desk.press("r")
        await desk.until(lambda: len(desk.harness.versions("word_count")) == 3, "it is restored")
        tool = desk.harness.tool("word_count")
        assert tool is not None
        assert tool.cid == cids[0]


async def test_a_block_that_verifying_finds_corrupt_is_said_in_the_list_and_the_head_at_once(tmp_path: Path) -> None:
    (cid,) = await with_versions(tmp_path, OPEN)
    async with at_desk(tmp_path) as desk:
        await at_pane(desk)
        await desk.sees("✓ intact")
        sound = desk.harness.block(cid)
        await corrupted(tmp_path, cid)
        await desk.press("v")
        await desk.sees("✗ corrupt: this block is not used")
        await desk.until(lambda: desk.states()["word_count"] == "○ unavailable", "the list says it")
        await desk.sees("○ unavailable  Block")
        assert "word_count" not in desk.harness.index().text
        with pytest.raises(HarnessError) as refused:
            await desk.harness.perform("call", {"tool": "word_count", "input": {"text": "a"}})
        assert refused.value.code == "unavailable"
        await desk.press("v")
        await desk.sees("✗ corrupt, looked at 2×")
        await corrupted(tmp_path, cid, sound)
        await desk.press("v")
        await desk.sees("✓ verified 3×")
        await desk.until(lambda: desk.states()["word_count"] == "● callable", "it is what its CID names again")


async def test_versions_that_cannot_be_read_are_said_and_the_rest_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await with_versions(tmp_path, OPEN)
    async with at_desk(tmp_path) as desk:
        await desk.select("word_count")

        def fails(name: str) -> Any:
            raise HarnessError("failed", "The disk is gone.")

        monkeypatch.setattr(desk.harness, "versions", fails)
        await desk.press("i")
        await desk.sees("✗ The versions cannot be read now: The disk is gone.", "✓ intact")
        await desk.press("enter", "J")
        await desk.sees('name: "word_count"')
        await desk.press("V")
        await desk.sees("✗ The versions cannot be read now: The disk is gone.")


async def test_a_version_from_elsewhere_appears_and_the_cursor_stays(tmp_path: Path) -> None:
    await with_versions(tmp_path, OPEN, CLOSED)
    async with at_desk(tmp_path) as desk, elsewhere(tmp_path) as other:
        await at_pane(desk, view="V")
        await to_version(desk, 1)
        await desk.press("space")
        await save(other, "word_count", description="Another.")
        await desk.until(lambda: listed(desk).items == 3, "the new version is listed")
        assert listed(desk).version is not None
        assert listed(desk).version.version == 1  # pyright: ignore[reportOptionalMemberAccess]
        assert listed(desk).marked is not None
        await desk.press("F")
        await desk.sees("version 3 ·")


async def test_hostile_text_is_shown_in_every_view_and_steers_nothing(tmp_path: Path) -> None:
    together = " ".join(CANARIES)
    async with elsewhere(tmp_path) as harness:
        for number in range(2):
            await save(
                harness,
                "hostile",
                description=f"Hostile {number}. {together}",
                source=f"# {together} {number}\ndef main(input):\n    return {number}\n",
                input={"type": "object", "properties": {f"p{number}{together}": {"const": together}}},
            )
    async with at_desk(tmp_path, size=(80, 24)) as desk:
        await at_pane(desk, "hostile")
        for key in ("F", "B", "G", "J", "asterisk", "V", "d", "G", "escape", "w", "G", "escape"):
            await desk.press(key)
            desk.picture()
            assert not NEVER_SHOWN & set(desk.app.export_screenshot())


async def test_the_palette_reaches_the_versions_from_anywhere(tmp_path: Path) -> None:
    await with_versions(tmp_path, OPEN)
    async with at_desk(tmp_path) as desk:
        await at_pane(desk)
        (compare,) = (action for action in CID if action.id == "cid.compare")
        await do(desk.app, compare)
        await desk.sees("▐Versions V▌", "Version 1 is the first: there is none before it.")
