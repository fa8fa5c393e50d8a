"""Lambdas as a whole, in the real app: duplicate, delete and bring back, switch off and on, discard."""

from __future__ import annotations

from pathlib import Path

from tests.app.desk import WORD_COUNT, Desk, at_desk, elsewhere, save
from tests.app.tools.cid.test_cid_pane import corrupted
from tests.app.tools.source.hand import edit, pane, seeded
from workbench.app.key_footer import key_words
from workbench.app.tools.source.deleted import ChooseDeleted
from workbench.app.tools.source.new_lambda import NewLambda
from workbench.app.widgets.question import Question
from workbench.harness.log.events import ToolCall


async def answer(desk: Desk, key: str) -> None:
    """Answer the question that is asked."""
    await desk.until(lambda: isinstance(desk.app.screen, Question), "it asks")
    await desk.press(key)
    await desk.until(lambda: not isinstance(desk.app.screen, Question), "it is answered")


async def test_deleting_asks_and_u_brings_it_back_with_all_its_versions(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await desk.select("word_count")
        before = desk.harness.tool("word_count")
        assert before is not None
        await desk.press("x")
        await answer(desk, "escape")
        assert desk.harness.tool("word_count") == before
        await desk.press("x")
        await answer(desk, "d")
        await desk.sees("Deleted word_count", "u brings it")
        assert desk.harness.tool("word_count") is None
        await desk.until(lambda: "word_count" not in desk.states(), "it is not listed")
        await desk.press("u")
        await desk.until(lambda: desk.tools.selected == "word_count", "it is back")
        after = desk.harness.tool("word_count")
        assert after is not None
        assert after.cid == before.cid
        assert [version.cid for version in desk.harness.versions("word_count")] == [before.cid, None, before.cid]


async def test_what_was_deleted_before_can_be_chosen(tmp_path: Path) -> None:
    await seeded(tmp_path, "word_count", "line_count")
    async with at_desk(tmp_path) as desk:
        for name in ("word_count", "line_count"):
            await desk.harness.perform("write", {"address": f"~/tools/{name}", "options": {"delete": True}})
        await desk.until(lambda: "word_count" not in desk.states(), "they are gone")
        await desk.press("u")
        await desk.until(lambda: isinstance(desk.app.screen, ChooseDeleted), "it asks which")
        await desk.sees("line_count  deleted by user", "word_count  deleted by user")
        await desk.press("down", "enter")
        await desk.until(lambda: desk.harness.tool("word_count"), "the older deletion is taken back")
        assert [tool.name for tool in desk.harness.deleted()] == ["line_count"]


async def test_discarded_edits_can_be_brought_back(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await edit(desk)
        await desk.type("# x")
        await desk.press("escape")
        await answer(desk, "d")
        assert desk.tools.unsaved == []
        await desk.until(lambda: desk.states()["word_count"] != "✎ unsaved", "there are none")
        await desk.press("u")
        await desk.until(lambda: desk.area("#edit-source") == "# x" + WORD_COUNT["source"], "they are back")
        assert desk.tools.unsaved == ["word_count"]
        await desk.press("escape")
        await answer(desk, "k")
        await desk.press("Z")
        await answer(desk, "d")
        assert desk.tools.unsaved == []


async def test_a_lambda_that_was_never_saved_is_discarded_and_brought_back(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.press("n")
        await desk.type("fresh")
        await desk.press("enter")
        await desk.until(lambda: pane(desk).editing, "the editor is open")
        await desk.press("escape")
        await answer(desk, "k")
        await desk.press("x")
        await answer(desk, "d")
        await desk.until(lambda: "fresh" not in desk.states(), "it is gone")
        await desk.press("u")
        await desk.until(lambda: desk.states().get("fresh") == "✎ new, unsaved", "it is back")


async def test_a_copy_begins_with_the_texts_of_its_original(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await edit(desk)
        await desk.type("# x\n")
        await desk.press("escape")
        await answer(desk, "k")
        await desk.press("D")
        await desk.until(lambda: isinstance(desk.app.screen, NewLambda), "it asks for a name")
        await desk.type("counted")
        await desk.press("enter")
        await desk.until(lambda: desk.states().get("counted") == "✎ new, unsaved", "it is listed")
        assert desk.area("#edit-source") == "# x\n" + WORD_COUNT["source"]
        assert desk.area("#edit-description") == WORD_COUNT["description"]
        await desk.press("ctrl+s")
        await desk.until(lambda: desk.harness.tool("counted"), "it is saved")


async def test_switching_off_and_on_is_one_act_each_and_keeps_the_files_comments(tmp_path: Path) -> None:
    await seeded(tmp_path)
    settings = tmp_path / "agent.toml"
    settings.write_text("# mine\nswitched_off = []  # none yet\n")
    async with at_desk(tmp_path) as desk:
        await desk.select("word_count")
        events = len(desk.harness.events("workshop"))
        await desk.press("o")
        await desk.until(lambda: desk.states()["word_count"] == "○ not_granted", "it is off")
        assert settings.read_text() == '# mine\nswitched_off = ["word_count"]  # none yet\n'
        call, _ = desk.harness.events("workshop")[events:]
        assert isinstance(call, ToolCall)
        assert (call.name, call.actor) == ("write", "user")
        assert call.input == {"address": "~/self", "content": {"switched_off": ["word_count"]}}
        await desk.press("o")
        await desk.until(lambda: desk.states()["word_count"] != "○ not_granted", "it is on")
        assert "# none yet" in settings.read_text()


async def test_the_keys_are_offered_only_where_they_apply(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:

        def offered() -> set[str]:
            keys = ("save", "other_part", "next_fault", "hand_over", "new", "discard", "switch", "duplicate", "delete")
            return {action for action in (*keys, "take_back") if desk.tools.check_action(action, ())}

        await desk.select("search")
        assert offered() == {"new"}
        await desk.press("s")
        assert offered() == {"new", "other_part"}
        await desk.select("word_count")
        assert offered() == {"new", "hand_over", "switch", "duplicate", "delete"}
        await edit(desk)
        assert offered() == {"save", "other_part", "hand_over"}
        await desk.type("(")
        await desk.until(lambda: "next_fault" in offered(), "a fault to go to")
        await desk.press("escape")
        await answer(desk, "d")
        assert "take_back" in offered()


async def test_builtins_are_neither_copied_nor_deleted(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.select("search")
        await desk.press("D", "x", "o")
        assert not isinstance(desk.app.screen, Question | NewLambda)
        assert desk.harness.tool("search") is not None


async def test_a_lambda_whose_block_is_corrupt_is_not_edited_and_can_be_deleted(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        cid = await save(harness, "word_count")
    await corrupted(tmp_path, cid)
    async with at_desk(tmp_path) as desk:
        await desk.select("word_count")
        await desk.until(lambda: desk.states()["word_count"] == "○ unavailable", "its block is corrupt")
        assert not {"Edit", "Your editor", "Duplicate"} & {word.name for word in key_words(desk.app.screen)}
        await desk.press("x")
        await answer(desk, "d")
        await desk.until(lambda: "word_count" not in desk.states(), "it is not listed")
