"""The settings of the toolbox: each has its editor, and a question that says what a yes means."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.space.hand import answer, choose, line_of, rows, sheet, text, words
from tests.app.transcript.desk import at_desk
from tests.harness.on_machine import allow
from workbench.app.space.effects import Facts, given_words
from workbench.app.space.sheet import Sheet
from workbench.app.widgets.code import CodeArea


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_surface_is_chosen_and_asked_about_in_words(tmp_path: Path, size: tuple[int, int]) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=size) as desk:
        await desk.press("s")
        await choose(desk, "settings", "workdir")
        await desk.press("enter")
        await desk.type("project")
        await desk.sees("✗ workdir must be a folder")
        await desk.press(*["backspace"] * 7)
        await desk.type(str(tmp_path))
        await desk.press("enter")
        await desk.until(lambda: [each.id for each in desk.harness.waiting()] == ["workdir"], "it waits")
        await choose(desk, "settings", "surface")
        await desk.press("enter")
        await desk.sees("seven tools that act on the real machine")
        await desk.press("down", "enter")
        await desk.until(lambda: len(desk.harness.waiting()) == 2, "it waits too")
        await choose(desk, "settings", "surface")
        await desk.press("enter")
        await desk.sees("Your yes?", "acts on this machine in", "as you: it can read", "Yes, on this machine")
        assert str(tmp_path)[:12] in desk.screen(), "the question names the folder"
        await desk.press("a")
        await desk.sees("came as the question did", "a or x")
        assert len(desk.harness.waiting()) == 2, "a key that was meant for something else is no yes"
        await answer(desk, "enter")
        await desk.sees("enter is none of its answers: a or x")
        await answer(desk, "a")
        await desk.until(lambda: desk.harness.settings().settings.surface == "toolbox", "the yes")
        assert desk.harness.toolbox().missing is not None, "the folder has none yet"
        await desk.harness.approve("workdir")
        await desk.until(lambda: desk.harness.toolbox().missing is None, "both")


async def test_approvals_are_a_word_or_rules_in_an_editor(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        await desk.press("s")
        await choose(desk, "settings", "approvals.bash")
        await desk.press("enter")
        await desk.sees("you are asked before each call", "a table of patterns, in an editor")
        await desk.press("end", "k", "enter")
        await desk.until(lambda: desk.harness.settings().settings.approvals == {"bash": "deny"}, "denied at once")
        await desk.until(lambda: desk.app.focused is rows(desk, "settings"), "back in the rows")
        await desk.press("enter", "end", "enter")
        await desk.until(lambda: sheet(desk).editing, "the editor")
        area = desk.space.query_one("#sheet-editor", CodeArea)
        assert '"default": "deny"' in area.text
        area.load_text('default = "maybe"\n')
        await desk.press("ctrl+s")
        await desk.until(lambda: "approvals.bash must be" in str(desk.space.query_one(Sheet)._note), "it is refused")
        area.load_text('{"allow": ["git status"], "deny": ["rm *"]}')
        await desk.press("ctrl+s")
        await desk.until(lambda: desk.harness.waiting(), "what widens waits")
        assert desk.harness.settings().settings.approvals == {"bash": {"deny": ["rm *"]}}, "what narrows acts"
        await desk.press("escape")
        row = next(line for line in text(rows(desk, "settings")).splitlines() if "approvals.bash" in line)
        assert '{"deny": ["rm *"]}' in row
        assert "waits for your yes" in row


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("waits", [False, True])
async def test_what_is_answered_with_is_in_sight_however_long_the_words_are(
    tmp_path: Path, size: tuple[int, int], waits: bool
) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=size) as desk:
        if waits:
            said = {"surface": "toolbox", "workdir": f"{tmp_path}/{'long/' * 9}", "approvals.bash": "allow"}
            await desk.harness.perform("write", {"address": "~/self", "content": said})
            await desk.until(lambda: len(desk.harness.waiting()) == 3, "they wait")
        await desk.press("s")
        for key, answers in (
            ("approvals.bash", ("ask", "allow", "deny", "rules")),
            ("surface", ("verbs", "toolbox")),
            ("workdir", ()),
        ):
            await choose(desk, "settings", key)
            await desk.press("e")
            editor = desk.space.query_one("#setting-editor")
            means = desk.space.query_one("#setting-choices" if answers else "#setting-field")
            await desk.until(lambda means=means: means.size.height, "it opens")
            assert means.size.height == max(len(answers), 1)
            assert editor.content_region.contains_region(means.region), f"{key} is answered in sight"
            view = rows(desk, "settings")
            assert view.cursor is not None
            assert 0 <= line_of(view, view.cursor) < view.size.height, f"{key} itself stays in sight"
            await desk.press("escape")


async def test_the_title_says_what_enter_does(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(120, 40)) as desk:
        await desk.harness.perform("write", {"address": "~/self", "content": {"surface": "toolbox"}})
        await desk.press("s")
        await choose(desk, "settings", "workdir")
        await desk.sees("settings: enter changes")
        await choose(desk, "settings", "surface")
        await desk.sees("settings: enter asks for your yes, e changes")


async def test_names_of_variables_are_a_list(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        await desk.press("s")
        await choose(desk, "settings", "bash.env")
        await desk.press("enter")
        await desk.type("HTTP-PROXY")
        await desk.sees("✗ bash.env must be a list of names of variables")
        await desk.press(*["backspace"] * 6)
        await desk.type("_PROXY")
        await desk.press("enter")
        await desk.until(lambda: [each.value for each in desk.harness.waiting()] == [["HTTP_PROXY"]], "it waits")
        await desk.sees("Commands of the agent's see your HTTP_PROXY.")


async def test_in_a_thread_of_the_toolbox_grants_and_block_say_that_they_change_nothing(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(200, 60)) as desk:
        assert "the provider gets 5 verbs" in words(desk, "effect")
        await allow(desk.harness, tmp_path)
        await desk.until(
            lambda: "7 tools of the toolbox: read, write, edit, bash" in words(desk, "effect"), "the seven"
        )
        assert "its requests carry no block" in words(desk, "accounts")
        await desk.sees("acts by your yes")
        await desk.press("m")
        about = desk.harness.about_self()["toolbox"]
        assert (about["surface"], about["workdir"]) == ("toolbox", str(tmp_path))
        assert (about["approvals"]["bash"], about["bash_env"]) == ("ask", [])


def test_without_a_tool_that_is_said() -> None:
    facts = Facts("main", (), 0, 0, "full", (), (), on_machine=True)
    assert (
        given_words(facts) == "In thread main the provider gets no tool now. Grants and the block change nothing there."
    )
