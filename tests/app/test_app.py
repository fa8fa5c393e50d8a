"""The shell of the app: opening, keys, palette, copying, leaving."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest
from textual.events import Key, Resize
from textual.geometry import Size
from textual.widgets import OptionList

from tests.app.desk import Desk, at_desk, elsewhere, save
from workbench import Harness
from workbench.app.app import WorkbenchApp
from workbench.app.help import Help
from workbench.app.status.line import StatusLine
from workbench.app.telling import gathered
from workbench.app.tools.tool_list import ToolList
from workbench.app.transcript.tab import TranscriptTab
from workbench.app.welcome import Welcome
from workbench.demo.player import Player
from workbench.demo.shipped import find
from workbench.harness.errors import HarnessError
from workbench.harness.watch import MAX_WAITING, Changed, Progressed, Unreadable


async def test_opens_a_space_that_is_not_there_yet(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "new") as desk:
        await desk.sees("Tools", "Space", "Transcript", "agent", "no model", "thread main", "/ 2,048 B")
        assert (tmp_path / "new" / "agent.toml").is_file()
    assert (desk.app.return_code or 0) == 0


async def test_a_space_that_is_refused_says_why_and_leaves_with_1(tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("no folder")
    app = WorkbenchApp(tmp_path)
    async with app.run_test() as pilot:
        while "is not a folder" not in (words := str(app.query_one("#opening-words").render())):
            await pilot.pause()
        assert "was not opened" in words
        await pilot.press("q")
    assert app.return_code == 1


async def test_the_space_is_closed_when_the_app_has_ended(tmp_path: Path) -> None:
    closed = False

    @contextlib.asynccontextmanager
    async def watched(path: Path):
        nonlocal closed
        async with Harness.open(path) as harness:
            try:
                yield harness
            finally:
                closed = True

    async with at_desk(tmp_path, open_space=watched):
        assert not closed
    assert closed


@pytest.mark.sandbox
async def test_leaving_stops_what_runs_and_logs_its_end(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "slow", input={}, source="import time\ndef main(input):\n    time.sleep(50)\n")
    async with at_desk(tmp_path) as desk:
        desk.app.act("call", {"tool": "slow"})
        await desk.until(lambda: "▶ slow" in desk.status, "it runs")
        await desk.press("ctrl+q")
        await desk.sees("Still running")
        await desk.press("q")
    async with elsewhere(tmp_path) as harness:
        *_, last = harness.events("workshop")
        assert last.type == "tool_result"
        assert last.error is not None
        assert last.error["code"] == "cancelled"


async def test_an_act_answers_on_the_screens_own_thread_and_a_failure_is_never_lost(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        answers: list[tuple[object, HarnessError | None]] = []
        desk.app.act("read", {"address": "~/tools/"}, then=lambda done, error: answers.append((done, error)))
        desk.app.act("read", {"address": "~/memory/none"}, then=lambda done, error: answers.append((done, error)))
        desk.app.act("read", {"address": "nonsense"})
        await desk.until(lambda: len(answers) == 2, "both answered")
        codes = {error.code if error else "ok" for _, error in answers}
        assert codes == {"ok", "not_found"}
        await desk.until(
            lambda: any("this is no address" in note.message for note in desk.app._notifications), "a toast"
        )


async def test_keys_go_to_the_tabs_and_are_text_while_one_types(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.press("2")
        assert desk.app.place == "space"
        await desk.press("3")
        assert desk.app.place == "transcript"
        await desk.press("1")
        assert desk.app.place == "tools"
        await desk.press("slash")
        await desk.type("23q")
        assert desk.app.place == "tools"
        assert desk.app.query_one("#filter").value == "23q"  # pyright: ignore[reportAttributeAccessIssue]
        await desk.press("ctrl+pagedown")
        assert desk.app.place == "space"


async def test_the_mouse_goes_to_the_tabs_too(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.pilot.click("#places", offset=(12, 0))
        assert desk.app.place == "space"


async def test_a_click_in_the_list_selects_a_tool(tmp_path: Path) -> None:
    async with at_desk(tmp_path, size=(80, 24)) as desk:
        await desk.pilot.click(ToolList, offset=(8, 3))
        await desk.until(lambda: desk.tools.selected == "call", "the third verb is selected")


async def test_below_100_columns_one_panel_of_the_transcript_gives_way_to_the_other(tmp_path: Path) -> None:
    async with at_desk(tmp_path, size=(99, 30)) as desk:
        await desk.press("3")
        tab = desk.app.query_one(TranscriptTab)
        for key, shown, hidden in (("t", "-threads", "-provider"), ("p", "-provider", "-threads")) * 2:
            await desk.press(key)
            assert tab.has_class(shown)
            assert not tab.has_class(hidden)
        await desk.pilot.resize_terminal(130, 30)
        await desk.press("t")
        assert tab.has_class("-threads")
        assert tab.has_class("-provider")


async def test_another_thread_shows_its_own_promotions(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.harness.perform("read", {"address": "~/tools/search"}, actor="agent", thread="other")
        desk.app.set_thread("other")
        await desk.until(lambda: "thread other" in desk.status and "+ 1 promoted" in desk.status, "the other thread")
        assert desk.states()["search"].startswith("▲")


async def test_help_lists_the_keys_of_the_tab(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.press("question_mark")
        assert isinstance(desk.app.screen, Help)
        await desk.sees("Keys: Tools list ", "Filter", "Everywhere")
        await desk.press("escape")
        assert not isinstance(desk.app.screen, Help)


async def test_two_keys_at_once_close_the_help_once(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.press("question_mark")
        screen = desk.app.screen
        for key in ("question_mark", "q"):
            screen.post_message(Key(key, None))
        await desk.until(lambda: not isinstance(desk.app.screen, Help), "it is closed")
        assert desk.app.is_running


async def test_the_palette_reaches_tools_threads_themes_and_actions(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.harness.say("hello", thread="chat-7")
        for words, found in (
            ("tool navigate", "tool: navigate"),
            ("thread chat", "thread: chat-7"),
            ("theme light", "theme: workbench-light"),
            ("verify", "Tools: Verify"),
        ):
            await desk.press("ctrl+p")
            await desk.type(words)
            await desk.until(lambda: _first_hit(desk.app).startswith(found), f"{found} is found")  # noqa: B023
            if words == "tool navigate":
                await desk.press("enter")
                await desk.until(lambda: desk.tools.selected == "navigate", "it is selected")
            else:
                await desk.press("escape")


def _first_hit(app: WorkbenchApp) -> str:
    hits = app.screen.query(OptionList)
    options = hits.first().options if hits else []
    return str(options[0].prompt) if options else ""


async def test_leaving_with_unsaved_edits_asks(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "word_count")
    async with at_desk(tmp_path) as desk:
        await desk.select("word_count")
        await desk.press("e")
        await desk.type("#")
        await desk.press("ctrl+q")
        await desk.sees("Not saved: word_count.")
        await desk.press("escape")
        assert desk.app.is_running


async def test_ctrl_c_twice_leaves_from_help_palette_and_fields_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However busy the machine is: what is quick is not what is tested here.
    monkeypatch.setattr("workbench.app.leaving.TWICE_SECS", 60.0)
    for keys in (("question_mark",), ("ctrl+p",), ("slash",), ("3", "i")):
        async with at_desk(tmp_path) as desk:
            await desk.press(*keys, "ctrl+c", "ctrl+c")
            await desk.until(lambda: not desk.app.is_running or desk.app._exit, "it leaves")


async def test_ctrl_c_twice_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.app.leaving.TWICE_SECS", 60.0)
    async with at_desk(tmp_path) as desk:
        await desk.press("ctrl+c", "ctrl+c")
        await desk.until(lambda: not desk.app.is_running or desk.app._exit, "it leaves")


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (120, 40), (200, 60)])
async def test_fits_every_size_and_follows_resizing(tmp_path: Path, size: tuple[int, int]) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "word_count")
    async with at_desk(tmp_path, size=size) as desk:
        for place in ("2", "3", "1"):
            await desk.press(place)
            await desk.sees("index", "/ 2,048 B") if size[0] >= 80 else await desk.sees("2,048 B")
        await desk.pilot.resize_terminal(80, 24)
        await desk.sees("word_count", "2,048 B")


@pytest.mark.parametrize("size", [(40, 12), (59, 40)])
async def test_a_small_window_is_told_which_is_better(tmp_path: Path, size: tuple[int, int]) -> None:
    async with at_desk(tmp_path, size=size) as desk:
        await desk.sees(f"{size[0]}×")
        await desk.pilot.resize_terminal(80, 24)
        await desk.until(lambda: "is small" not in desk.screen(), "it is taken back")


async def test_no_window_is_too_small_and_no_storm_of_sizes_too_much(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        for place in ("1", "2", "3"):
            await desk.press(place)
            for size in ((1, 1), (200, 3), (3, 200), (10, 10), (300, 90), (0, 0), (80, 24)):
                desk.app.post_message(Resize(Size(*size), Size(*size)))
            await desk.pilot.pause()
            desk.picture()
            await desk.pilot.resize_terminal(2, 2)
            desk.picture()
            await desk.pilot.resize_terminal(120, 40)
        await desk.sees("2,048 B")


async def test_a_space_in_which_nothing_has_happened_says_what_to_do_first(tmp_path: Path) -> None:
    async with at_desk(tmp_path, size=(80, 24)) as desk:
        await desk.sees("Nothing has happened in this Space yet.", "n writes a lambda · r calls a tool · 3 i plays the")
        await desk.press("2", "3", "1")
        assert desk.app.query(Welcome)
        await desk.harness.say("hello", thread="main")
        await desk.until(lambda: not desk.app.query(Welcome), "it goes with the first event")
    async with at_desk(tmp_path) as desk:
        assert not desk.app.query(Welcome)


async def test_without_colour_nothing_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with at_desk(tmp_path) as desk:
        await desk.harness.perform("read", {"address": "~/tools/search"}, actor="agent", thread="main")
        await desk.sees("▲", "promoted #1", "▐Tools 1▌", ["●", "callable"][0])


async def test_a_demo_is_played_step_by_step(tmp_path: Path) -> None:
    from workbench.agent.scene import Act, Scene, Step
    from workbench.demo.player import Player

    touch = Step("The first touch.", Act("agent", "read", {"address": "~/tools/search"}))
    scene = Scene("A touch", "", "demo", (), (), (touch,))
    async with at_desk(tmp_path, thread="demo", player_factory=lambda harness: Player(harness, scene)) as desk:
        await desk.sees("f8 plays step 1")
        await desk.press("f8")
        await desk.sees("demo 1 of 1", "The first touch.", "▲ promoted: search", "That was the last step")
        await desk.until(lambda: "f8" not in desk.screen(), "what plays nothing any more is not offered")


def test_notes_of_one_tick_become_one_change() -> None:
    change = gathered([Progressed("t", "c", "run", "a"), Changed("memory"), Progressed("t", "c", "run", "ab")])
    assert [note.tail for note in change.progress] == ["ab"]
    assert (change.memory, change.settings, change.tools, change.events) == (True, False, False, ())


def test_what_could_not_be_read_is_part_of_a_change() -> None:
    change = gathered([Unreadable("event main/3", "It was changed."), Changed("tools")])
    assert change.faults == ("event main/3: It was changed.",)
    assert not change.lost


def test_lost_notes_mean_that_everything_may_be_different() -> None:
    change = gathered([], lost=True)
    assert (change.lost, change.settings, change.memory, change.tools) == (True, True, True, True)


async def test_what_cannot_be_read_is_said_once_and_counted(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        for _ in range(2):
            desk.harness._watch._tell(Unreadable("event main/1", "[/] It was changed."))
            await desk.until(lambda: "1 unreadable" in desk.status, "it is counted")
        desk.harness._watch._tell(Unreadable("event main/2", "So was this."))
        await desk.until(lambda: "2 unreadable" in desk.status, "both are counted")
        said = [note.message for note in desk.app._notifications]
        assert sum("[/] It was changed." in message for message in said) == 1


async def test_who_falls_behind_looks_anew_and_goes_on(tmp_path: Path) -> None:
    async with at_desk(tmp_path, thread="main") as desk:
        # All in one go, so that the subscription has no turn in between and ends itself.
        with desk.harness._space.store.writing():
            desk.harness._log.message("main", "user", "user", "m1", "unseen")
        for _ in range(2 * MAX_WAITING + 1):
            desk.harness._watch._tell(Changed("memory"))
        rows = desk.app.query_one(TranscriptTab).log_view.rows
        await desk.until(lambda: rows.last == 1, "the transcript has the row")
        await desk.harness.say("seen", thread="main")
        await desk.until(lambda: rows.last == 2, "what happens next is seen too")


async def test_toasts_leave_the_status_line_to_be_read(tmp_path: Path) -> None:
    async with at_desk(tmp_path, size=(80, 24)) as desk:
        desk.app.say_error("word " * 60)
        await desk.until(lambda: desk.app.screen.query("Toast"), "a toast")
        line = desk.app.query_one(StatusLine).region
        assert all(not toast.region.overlaps(line) for toast in desk.app.screen.query("Toast"))


async def test_a_scene_that_fails_says_so_on_its_bar(tmp_path: Path) -> None:
    from workbench.agent.scene import Act, Scene, Step
    from workbench.demo.player import Player

    class Broken(Player):
        async def step(self):
            raise HarnessError("failed", "[/] the disk is full")

    class Unprepared(Player):
        async def prepare(self) -> None:
            raise RuntimeError("no room")

    scene = Scene("A touch", "", "demo", (), (), (Step("One.", Act("agent", "read", {"address": "~/tools/"})),))
    async with at_desk(tmp_path / "a", thread="demo", player_factory=lambda harness: Broken(harness, scene)) as desk:
        await desk.sees("f8 plays step 1", "Nothing has happened in this thread yet. f8 plays")
        assert "Press i" not in desk.screen()
        await desk.press("f8")
        await desk.sees("demo ✗ it failed: [/] the disk is full")
    async with at_desk(tmp_path / "b", player_factory=lambda harness: Unprepared(harness, scene)) as desk:
        await desk.sees("demo ✗ it failed: RuntimeError: no room")


async def test_a_failure_of_a_worker_is_said_in_words(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:

        async def broken() -> None:
            await asyncio.sleep(0)
            raise RuntimeError("[/x broken")

        desk.app.run_worker(broken(), name="broken one", exit_on_error=False)
        await desk.until(lambda: any("[/x broken" in n.message for n in desk.app._notifications), "it is said")


@pytest.mark.parametrize("keys", [(), ("1", "3"), ("2", "3")])
async def test_the_keys_of_a_scene_go_to_the_log_that_is_shown(tmp_path: Path, keys: tuple[str, ...]) -> None:
    scene = find("touch_expand")
    options = {"thread": scene.thread, "player_factory": lambda harness: Player(harness, scene)}
    async with at_desk(tmp_path / "space", **options) as desk:
        await desk.press(*keys)
        assert desk.app.place == "transcript"
        focused = desk.app.focused
        assert focused is not None
        assert desk.app.query_one("#transcript") in focused.ancestors


async def test_keys_typed_while_it_opens_wait_for_what_they_are_for(tmp_path: Path) -> None:
    app = WorkbenchApp(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        for key in "2s":
            app.simulate_key(key)
        desk = Desk(app, pilot)
        await desk.until(lambda: app.complete and app.place == "space", "the tab that was asked for is shown")
        await desk.sees("touch_expand.first_call")


async def test_a_given_model_that_is_none_is_told_before_anybody_speaks(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", model="scripted:no-such-file") as desk:
        await desk.sees("The model scripted:no-such-file cannot answer.")
        await desk.until(lambda: "✗ scripted:no-such-file" in desk.status, "the mark in the status line")
        desk.app.turns.use("openai:gpt-5")
        await desk.until(lambda: "✗" not in desk.status, "another one is not marked")


async def test_a_given_model_of_an_unknown_provider_is_told_too(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", model="nobody:x") as desk:
        await desk.sees("'nobody:x' names no model")
