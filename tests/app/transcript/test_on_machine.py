"""A thread of the toolbox surface in the real app: what is done on the machine, and what is asked before."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import OptionList

from tests.agent.answers import calls, model
from tests.app.transcript.desk import Desk, at_desk
from tests.harness.on_machine import allow
from workbench import Harness
from workbench.app.transcript.ask_strip import AskKey, AskStrip
from workbench.app.transcript.asking import FIRST_MOMENT_SECS
from workbench.app.transcript.file_screen import FileScreen
from workbench.app.transcript.provider_panel import ProviderPanel
from workbench.app.transcript.threads_panel import ThreadsPanel
from workbench.app.transcript.wire.screen import WireScreen
from workbench.app.widgets.drawn_view import DrawnView
from workbench.app.widgets.literal import Literal
from workbench.harness.errors import HarnessError
from workbench.harness.log.log import Outcome
from workbench.harness.tools.toolbox.drawn import Place

THREAD = "hands"
CODE = "".join(f"def f{n}():\n    return {n}\n" for n in range(60))


class Hands(Desk):
    """A desk whose agent acts on the machine."""

    acts: list[asyncio.Task[Any]]

    def act(self, name: str, input: Any, thread: str = THREAD) -> asyncio.Task[Any]:
        """Have the agent act."""

        async def act() -> Any:
            try:
                return await self.harness.perform(name, input, "agent", thread)
            except HarnessError as error:
                return error

        task = asyncio.create_task(act())
        self.acts.append(task)
        return task

    async def done(self, name: str, input: Any) -> Any:
        """Have the owner act, and the log show it."""
        with contextlib.suppress(HarnessError):
            await self.harness.perform(name, input, "user", THREAD)
        total = len(self.harness.events(THREAD))
        await self.until(lambda: self.transcript.reading.rows.last >= total, "the log")

    async def asked(self, count: int = 1) -> None:
        """Wait until so many calls ask, and the strip has been on the screen for a while."""
        asking = self.transcript.asking
        await self.until(lambda: len(self.harness.asked()) == count, f"{count} questions")
        await self.until(lambda: len(asking._asked) == count, "the strip")
        self.later()

    def later(self) -> None:
        """Some time passes, for whoever looks at the strip."""
        asking, now = self.transcript.asking, self.transcript.asking.clock() + FIRST_MOMENT_SECS
        asking.clock = lambda: now

    @property
    def strip(self) -> str:
        """What the strip says."""
        strip = self.transcript.query_one(AskStrip)
        words = str(strip.query_one("#ask-words", Literal).content)
        return f"{strip.border_title}\n{words}" if strip.display else ""


@contextlib.asynccontextmanager
async def hands(tmp_path: Path, size: tuple[int, int] = (160, 50), **approvals: Any) -> AsyncIterator[Hands]:
    """The app on a thread that acts on the machine, in a folder with a little code."""
    work = tmp_path / "work"
    (work / "src").mkdir(parents=True)
    (work / "src" / "a.py").write_text(CODE)
    async with Harness.open(tmp_path / "space") as harness:
        await allow(harness, work, **approvals)
    async with at_desk(tmp_path / "space", size=size, thread=THREAD) as desk:
        here = Hands(desk.app, desk.pilot)
        here.acts = []
        try:
            yield here
        finally:
            for task in here.acts:
                task.cancel()
            await asyncio.gather(*here.acts, return_exceptions=True)


def options(box: OptionList) -> list[str]:
    """The lines of a list, as text."""
    return [str(getattr(option.prompt, "plain", option.prompt)) for option in box.options]


async def test_an_empty_thread_says_what_it_acts_on(tmp_path: Path) -> None:
    async with hands(tmp_path, size=(80, 24)) as desk:
        await desk.sees("It acts on the real machine", "bash git status")
        await desk.sees("provider: 7 toolbox tools · ask you: write edit bash · in ")


async def test_acts_of_the_owner_stand_in_the_log_as_their_tools_draw_them(tmp_path: Path) -> None:
    async with hands(tmp_path) as desk:
        await desk.press("i")
        while desk.transcript.composer.voice != "user":
            await desk.press("ctrl+t")
        await desk.sees("on the real machine, without asking")
        await desk.write("read src/a.py")
        await desk.until(lambda: "└ ok · 120 lines" in desk.log(), "the file")
        await desk.write("bash echo hi; exit 3")
        await desk.until(lambda: "└ failed · Command exited with code 3 · hi" in desk.log(), "the command")
        await desk.write("grep return 7")
        await desk.until(lambda: "└ ok · 1 match in 1 file" in desk.log(), "the match")
        assert "promoted" not in desk.log()
        assert not desk.harness.promoted(THREAD).promoted
        await desk.write("call search {}")
        await desk.sees("call is none of the tools here")


async def test_why_a_line_was_not_done_is_told_in_few_rows_and_not_for_longer_than_it_is_so(tmp_path: Path) -> None:
    async with hands(tmp_path, size=(80, 24)) as desk:
        composer = desk.transcript.composer
        composer.next_voice()
        composer.next_voice()

        def about() -> str:
            return str(composer.query_one("#about", Literal).content)

        await desk.write("bash seq 40; exit 3")
        await desk.until(lambda: about() == "✗ Command exited with code 3 · 40 lines, the last: 40", "the fault")
        composer.failed("bash x", "word " * 200)
        await desk.until(lambda: about().endswith("…") and about().count("\n") == 3, "the mark of what was cut")
        await desk.harness.approve("surface", False)
        off = "nothing acts: the real machine is not allowed now (2, then p)"
        await desk.until(lambda: " ".join(about().split()).startswith(off), "what is so now")
        await desk.sees("provider: nothing now · the real machine is not allowed now (2, then p)", "not allowed now")
        await desk.write("bash ls")
        await desk.until(lambda: about().startswith("✗ ") and "Nothing was done." in " ".join(about().split()), "why")
        await desk.harness.approve("surface", True)
        await desk.until(lambda: about().startswith("enter: $ ls"), "it may be done now")
        await desk.pilot.resize_terminal(40, 20)
        await desk.until(lambda: all(len(line) <= 38 for line in about().split("\n")), "narrower rows")


async def test_the_provider_panel_shows_the_seven_and_which_of_them_ask(tmp_path: Path) -> None:
    async with hands(tmp_path, find="deny", bash={"allow": ["git *"]}) as desk:
        panel = desk.transcript.query_one(ProviderPanel)
        said = options(panel.query_one(OptionList))
        assert said[1:6] == [
            "look",
            "  read  runs without asking",
            "  grep  runs without asking",
            "  find  denied: not offered",
            "  ls    runs without asking",
        ]
        assert said[6:11] == [
            "change",
            "  write asks you first",
            "  edit  asks you first",
            "run",
            "  bash  asks you first\n    but allowed: git *",
        ]
        assert "verbs here, and nothing is promoted" in " ".join(said)
        panel.query_one(OptionList).focus()
        await desk.press("down", "down", "o")
        await desk.until(lambda: desk.app.place == "tools", "the Tools tab")


async def test_threads_of_that_surface_are_marked_in_words(tmp_path: Path) -> None:
    async with hands(tmp_path) as desk:
        task = desk.act("bash", {"command": "ls"}, "second")
        await desk.until(lambda: desk.harness.asked(), "the question")
        ends = desk.transcript.query_one(ThreadsPanel).query_one(OptionList)

        def marks() -> dict[str, str]:
            return {option.id or "": option.prompt.right.plain for option in ends.options}

        await desk.until(lambda: marks().get("second", "").startswith("asks"), "the mark")
        assert marks()["hands"] == "toolbox new"
        assert marks()["workshop"].isdigit()
        task.cancel()
        await desk.until(lambda: marks()["second"].startswith("toolbox"), "the mark to change")


async def test_what_asks_is_said_in_words_and_a_yes_lets_it_act(tmp_path: Path) -> None:
    async with hands(tmp_path) as desk:
        task = desk.act("bash", {"command": "echo one\necho two"})
        await desk.asked()
        assert desk.strip.startswith("bash asks for your yes\n$ echo one\n  echo two\nin ")
        assert "bash asks before each call (approvals.bash)" in desk.strip
        assert "waits for your yes" in desk.log()
        await desk.press("i")
        await desk.type("he")
        await desk.press("f6")
        await task
        await desk.until(lambda: "it asked, and you said yes" in desk.log(), "the answer")
        await desk.until(lambda: "└ ok · 2 lines, the last: two" in desk.log(), "the result")
        assert desk.strip == ""
        assert desk.transcript.composer.line.value == "he", "what is written stays"


async def test_until_the_yes_nothing_of_an_answer_is_said_to_run(tmp_path: Path) -> None:
    async with hands(tmp_path) as desk:
        several: list[tuple[str, Any]] = [
            ("bash", {"command": "sleep 600"}),
            ("write", {"path": "x.txt", "content": "one"}),
            ("bash", {"command": "true"}),
        ]
        run = await desk.harness.start_run(THREAD)
        sent = await desk.harness.send(THREAD, run, "scripted:x", desk.harness.request(THREAD))
        desk.acts.append(asyncio.create_task(desk.harness.answered(sent, Outcome("calls"), None, several)))
        await desk.asked()
        await desk.until(lambda: desk.log().count("waits its turn") == 2, "the rows")
        assert desk.strip.startswith("bash asks for your yes · 2 more of this message will ask\n")
        assert "running" not in desk.log()
        await desk.until(lambda: "1 asks" in desk.status, "the status")
        assert "▶" not in desk.status
        await desk.press("f6")
        await desk.until(lambda: "▶ bash" in desk.status, "it acts")
        await desk.until(lambda: "└ running" in desk.log(), "the row")
        assert desk.log().count("waits its turn") == 2


async def test_a_running_row_says_the_key_that_stops_it_and_only_what_it_stops(tmp_path: Path) -> None:
    async with hands(tmp_path, size=(80, 24), bash="allow") as desk:
        running = "└ running "

        def stops() -> list[bool]:
            return ["ctrl+x stops it" in line for line in desk.log().splitlines() if running in line]

        desk.act("bash", {"command": "sleep 600"})
        await desk.until(lambda: stops() == [False], "what no key of this app stops")
        for count in (1, 2):
            desk.app.act("bash", {"command": "sleep 600"}, thread=THREAD)
            await desk.until(lambda count=count: desk.log().count(running) == 1 + count, "it runs")
        await desk.until(lambda: stops() == [False, False, True], "the newest")
        await desk.press("ctrl+x")
        await desk.until(lambda: stops() == [False, True], "then the one before it")
        await desk.press("ctrl+x")
        await desk.until(lambda: stops() == [False], "none of them")


async def test_a_running_row_of_this_apps_turn_says_how_to_abort_it(tmp_path: Path) -> None:
    async with hands(tmp_path, size=(80, 24), bash="allow") as desk:
        desk.app.turns.choose = lambda id, settings: model(calls(("bash", {"command": "sleep 600"})))
        desk.app.turns.use("scripted:test")
        await desk.app.turns.say("Wait.", THREAD)
        await desk.until(lambda: re.search("└ running .* esc aborts its turn", desk.log()), "the row")
        await desk.press("escape")
        await desk.until(lambda: "└ cancelled" in desk.log(), "it was stopped")


async def test_a_no_is_told_to_the_agent(tmp_path: Path) -> None:
    async with hands(tmp_path) as desk:
        task = desk.act("write", {"path": "x.txt", "content": "one\n"})
        await desk.asked()
        assert "write x.txt 1 line, 4 bytes\nthe whole file: 1 line, 4 B" in desk.strip
        await desk.press("f7")
        assert (await task).code == "refused"
        await desk.until(lambda: "it asked, and you said no" in desk.log(), "the answer")
        assert not (tmp_path / "work" / "x.txt").exists()


async def test_a_key_that_comes_with_the_question_does_not_answer_it(tmp_path: Path) -> None:
    async with hands(tmp_path) as desk:
        desk.transcript.asking.clock = lambda: 0.0
        desk.act("bash", {"command": "ls"})
        desk.act("bash", {"command": "pwd"})
        await desk.until(lambda: len(desk.transcript.asking._asked) == 2, "both questions")
        await desk.press("f6")
        await desk.sees("too soon: press it again")
        assert len(desk.harness.asked()) == 2
        desk.later()
        await desk.press("f6", "f6")
        await desk.until(lambda: len(desk.harness.asked()) == 1, "one answer")
        await desk.sees("too soon: press it again")
        assert len(desk.harness.asked()) == 1, "a second press does not answer the next question"


async def test_a_question_that_came_behind_a_dialog_is_read_first(tmp_path: Path) -> None:
    async with hands(tmp_path) as desk:
        await desk.press("f1")
        desk.act("bash", {"command": "ls"})
        await desk.sees("thread hands: bash asks for your yes.")
        await desk.asked()
        await desk.press("escape", "f6")
        await desk.sees("too soon: press it again")
        desk.later()
        await desk.press("f6")
        await desk.until(lambda: not desk.harness.asked(), "the answer")


async def test_f9_gives_what_asks_half_of_a_low_screen_and_the_keys(tmp_path: Path) -> None:
    async with hands(tmp_path, size=(80, 24)) as desk:
        desk.act("write", {"path": "new.txt", "content": "".join(f"line {n}\n" for n in range(1, 51))})
        await desk.asked()
        await desk.sees("1 line 1", "more lines, f9 shows it whole")
        await desk.press("f9")
        await desk.sees("9 line 9", "f6 yes, do it")
        assert desk.transcript.pane.size.height >= 12
        view = desk.transcript.pane.view
        await desk.until(lambda: desk.app.focused is view, "it has the keys")
        await desk.press("pagedown")
        await desk.sees("line 20")
        await desk.press("escape")
        assert not desk.transcript.pane.is_open
        await desk.until(lambda: desk.app.focused is desk.transcript.log_view, "the log has the keys")
        assert len(desk.harness.asked()) == 1


async def test_an_event_that_is_opened_while_the_log_follows_stays_in_view(tmp_path: Path) -> None:
    async with hands(tmp_path, size=(80, 24)) as desk:
        for number in range(8):
            await desk.done("grep", {"pattern": f"f{number}"})
        log = desk.transcript.log_view
        await desk.press("end", *["up"] * 4)
        seq = (log.cursor or 0) + 1
        assert log.following
        await desk.press("enter")
        await desk.until(lambda: desk.transcript.pane.detail is not None, "the detail")
        await desk.until(lambda: re.search(rf"(?m)^› *{seq} ", desk.screen()), "the row that is opened")
        desk.act("bash", {"command": "ls"})
        await desk.asked()
        await desk.until(lambda: re.search(rf"(?m)^› *{seq} ", desk.screen()), "the row that is opened")


async def test_several_are_answered_one_after_another_and_a_click_does_it_too(tmp_path: Path) -> None:
    async with hands(tmp_path) as desk:
        first = desk.act("bash", {"command": "echo first"})
        await desk.asked()
        desk.act("bash", {"command": "echo second"})
        await desk.asked(2)
        assert "bash asks for your yes · 1 of 2\n$ echo first" in desk.strip
        await desk.pilot.click("#ask-yes")
        assert (await first).result["content"][0]["text"] == "first\n"
        await desk.until(lambda: desk.strip.startswith("bash asks for your yes\n$ echo second"), "the second")
        desk.later()
        await desk.pilot.click("#ask-no")
        await desk.until(lambda: not desk.harness.asked() and not desk.strip, "the strip to go")


async def test_what_another_thread_asks_is_told_and_reached(tmp_path: Path) -> None:
    async with hands(tmp_path) as desk:
        desk.act("bash", {"command": "ls"}, "second")
        await desk.asked()
        await desk.sees("thread second: bash asks for your yes. f9 goes there.")
        assert desk.strip == "another thread asks for your yes\nthread second: bash asks · $ ls"
        await desk.press("f6")
        assert desk.harness.asked(), "only what is seen whole can be answered"
        assert not desk.transcript.query_one("#ask-yes", AskKey).display
        await desk.press("f9")
        await desk.until(lambda: desk.app.thread == "second", "the thread")
        await desk.sees("bash asks for your yes", "its input, as it was sent")
        desk.later()
        await desk.press("f6")
        await desk.until(lambda: not desk.harness.asked(), "the answer")


async def test_a_question_is_told_on_another_tab(tmp_path: Path) -> None:
    async with hands(tmp_path) as desk:
        await desk.press("1")
        desk.act("bash", {"command": "ls"})
        await desk.sees("thread hands: bash asks for your yes.", "answers it.")
        await desk.sees("Transcript 3 ! 1 asks", "1 call asks")
        await desk.press("3")
        await desk.asked()
        await desk.press("f6")
        await desk.until(lambda: "! 1 asks" not in desk.screen(), "the mark to go")


async def test_an_answer_from_elsewhere_takes_the_question_away(tmp_path: Path) -> None:
    async with hands(tmp_path) as desk:
        desk.act("bash", {"command": "ls"})
        await desk.asked()
        async with Harness.open(tmp_path / "space") as other:
            (call,) = other.asked()
            await other.approve(call.id, False)
        await desk.until(lambda: "it asked, and you said no" in desk.log() and not desk.strip, "the answer")


async def test_an_aborted_question_says_that_nothing_was_done(tmp_path: Path) -> None:
    async with hands(tmp_path) as desk:
        task = desk.act("bash", {"command": "ls"})
        await desk.asked()
        task.cancel()
        await desk.until(lambda: "it asked for your yes, and had no answer" in desk.log(), "the row")
        assert desk.strip == ""


async def test_a_long_command_is_looked_at_whole_before_it_is_answered(tmp_path: Path) -> None:
    async with hands(tmp_path, size=(80, 24)) as desk:
        desk.act("bash", {"command": "echo start\n" + "echo more\n" * 20 + "echo end"})
        await desk.asked()
        left = re.search(r"… (\d+) more lines, f9 shows it whole", desk.strip)
        assert left is not None
        assert 10 < int(left[1]) < 21, "how many, depends on how long the name of the folder is"
        before = desk.strip.count("\n")
        await desk.press("f9")
        await desk.until(lambda: any(line.text == "22 echo end" for line in desk.transcript.pane.view.shown), "all")
        assert desk.strip.count("\n") == 3 < before, "it makes room for what is to be read"
        assert "… 21 more lines, f9 shows it whole" in desk.strip
        await desk.sees("f6 yes, do it", "f7 no")


async def test_what_has_no_room_in_the_strip_is_said_to_be_left_out(tmp_path: Path) -> None:
    async with hands(tmp_path, size=(120, 40)) as desk:
        desk.act("bash", {"command": f"echo {'x' * 560}; rm x"})
        await desk.asked()
        assert "; rm x\n" in desk.strip
        for size in ((40, 20), (80, 10)):
            await desk.pilot.resize_terminal(*size)
            await desk.until(lambda: "… and more" in desk.strip, "the words")
            await desk.sees("f6 yes")
        await desk.pilot.resize_terminal(120, 40)
        await desk.until(lambda: "; rm x\n" in desk.strip, "all of it")


async def test_places_open_in_the_app_at_their_line(tmp_path: Path) -> None:
    async with hands(tmp_path, size=(120, 40)) as desk:
        await desk.done("grep", {"pattern": "return 5[0-9]", "path": "src"})
        await desk.press("enter")
        await desk.sees("a.py:102:")
        await desk.press("enter", "j", "j", "enter")
        await desk.until(lambda: isinstance(desk.app.screen, FileScreen), "the file")
        view = desk.app.screen.query_one(DrawnView)
        await desk.until(lambda: view.cursor is not None, "the line")
        assert view.shown[view.cursor or 0].text == "104     return 51"
        await desk.sees("›104 ", "src/a.py:104 · as it is now · 1,480 B")
        await desk.press("escape")
        await desk.until(lambda: not isinstance(desk.app.screen, FileScreen), "the log")


async def test_a_click_on_a_place_opens_it_and_folders_are_listed(tmp_path: Path) -> None:
    async with hands(tmp_path, size=(120, 40)) as desk:
        await desk.done("ls", {})
        await desk.press("enter")
        view = desk.transcript.pane.view
        await desk.until(lambda: any(line.text == "src/" for line in view.shown), "the names")
        place = next(index for index, line in enumerate(view.shown) if line.text == "src/")
        await desk.pilot.click(view, offset=(3, view._heights.top(place)))
        await desk.until(lambda: isinstance(desk.app.screen, FileScreen), "the folder")
        await desk.sees("a folder: 1 names", "a.py")
        await desk.press("j", "enter")
        await desk.sees("src/a.py · as it is now · 1,480 B", "f0")


async def test_the_file_itself_is_opened_in_the_persons_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    async with hands(tmp_path) as desk:
        await desk.done("find", {"pattern": "a.py"})
        await desk.press("enter")
        await desk.until(lambda: desk.transcript.pane.detail is not None, "the detail")
        await desk.press("enter", "enter")
        await desk.until(lambda: isinstance(desk.app.screen, FileScreen), "the file")
        await desk.press("f4")
        await desk.sees("Neither $VISUAL nor $EDITOR is set.")


async def test_a_place_that_is_gone_says_so(tmp_path: Path) -> None:
    async with hands(tmp_path) as desk:
        await desk.done("find", {"pattern": "a.py"})
        (tmp_path / "work" / "src" / "a.py").unlink()
        await desk.press("enter")
        await desk.until(lambda: desk.transcript.pane.detail is not None, "the detail")
        await desk.press("enter", "enter")
        await desk.sees("it cannot be shown", "ENOENT: no such file or directory")


async def test_a_running_command_shows_its_end_in_the_log_and_opened(tmp_path: Path) -> None:
    async with hands(tmp_path, bash="allow") as desk:
        work = tmp_path / "work"
        task = desk.act("bash", {"command": "seq 1 40; until test -e go; do sleep 0.05; done; echo over"})
        await desk.until(lambda: "│ 40" in desk.log(), "the tail in the log")
        await desk.press("enter")
        await desk.until(lambda: desk.transcript.pane.view.shown[-1:] != (), "the detail")
        await desk.until(lambda: desk.transcript.pane.view.shown[-1].text == "40", "the tail in the detail")
        (work / "go").touch()
        await task
        await desk.until(lambda: "└ ok · 41 lines, the last: over" in desk.log(), "the result")
        await desk.until(lambda: any(line.text == "over" for line in desk.transcript.pane.view.shown), "all of it")


async def test_time_travel_the_wire_and_the_plan_stand_a_toolbox_thread(tmp_path: Path) -> None:
    async with hands(tmp_path) as desk:
        await desk.done("read", {"path": "src/a.py"})
        await desk.done("ls", {})
        await desk.press("left_square_bracket")
        await desk.sees("as of event 1 of 4", "what is offered, and what asks, is of")
        await desk.press("w")
        await desk.until(lambda: isinstance(desk.app.screen, WireScreen), "the wire")
        await desk.sees("wire · hands · event 1", "bash")
        await desk.press("escape", "escape")
        await desk.until(lambda: desk.transcript.at is None, "now")
        await desk.harness.fork(THREAD, 2, "fork")
        desk.app.set_thread("fork")
        await desk.sees("went on from", "asks you first")


async def test_without_the_owners_yes_the_thread_says_why_nothing_can_be_done(tmp_path: Path) -> None:
    async with hands(tmp_path) as desk:
        await desk.done("ls", {})
        await desk.harness.approve("workdir", False)
        await desk.sees("✗ Threads of the toolbox surface act", "  ls    not offered now")
        await desk.press("w")
        await desk.until(lambda: isinstance(desk.app.screen, WireScreen), "the wire")
        await desk.sees("✗ Threads of the toolbox surface act on the real machine, and that is not allowed here now")


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_hostile_text_is_shown_as_text(tmp_path: Path, size: tuple[int, int]) -> None:
    async with hands(tmp_path, size=size) as desk:
        bad = "a\x1b[31m[/red]\u202eb"
        (tmp_path / "work" / "a[b].txt").write_text(f"{bad}\n")
        await desk.done("grep", {"pattern": "red"})
        await desk.press("enter")
        await desk.sees("␛[31m[/red]")
        desk.act("bash", {"command": f"echo {bad}"})
        await desk.asked()
        assert "$ echo a␛[31m[/red]⟨U+202E⟩b" in desk.strip
        await desk.sees("␛[31m[/red]")


async def test_the_end_of_what_was_printed_stays_in_view_when_a_watched_call_ends(tmp_path: Path) -> None:
    """Its input, which is told below it then, is long; before that what was watched scrolled away."""
    async with hands(tmp_path, size=(80, 24), bash="allow") as desk:
        waits = "until test -e go; do sleep 0.05; done"
        task = desk.act("bash", {"command": f"seq 1 40; {waits}; echo over" + "\n: nothing" * 30})
        await desk.sees("39", "40")
        await desk.press("escape", "end", "up", "enter")
        await desk.until(
            lambda: desk.transcript.pane.view.shown[-1:] and desk.transcript.pane.view.shown[-1].text == "40", "it"
        )
        (tmp_path / "work" / "go").touch()
        await task
        await desk.until(
            lambda: any("as it was sent" in line.text for line in desk.transcript.pane.view.shown), "the end"
        )
        await desk.sees("39", "40", "over")
        assert "as it was sent" not in desk.screen()


async def test_a_question_beside_another_opened_event_says_what_would_be_done(tmp_path: Path) -> None:
    async with hands(tmp_path, size=(80, 24)) as desk:
        await desk.done("read", {"path": "src/a.py"})
        await desk.press("escape", "end", "up", "enter")
        await desk.sees("its result", "esc closes")
        desk.act("write", {"path": "new.txt", "content": "first\nsecond\n"})
        await desk.asked()
        assert "first" in desk.strip
        assert "second" in desk.strip
        await desk.press("f9")
        await desk.until(
            lambda: desk.transcript.pane.detail is not None and "write" in desk.transcript.pane.detail.title, "it"
        )
        assert "second" not in desk.strip, "what asks is opened: it is read there"


async def test_a_part_of_a_large_file_says_so_in_its_title_and_at_its_end(tmp_path: Path) -> None:
    async with hands(tmp_path, size=(80, 24)) as desk:
        (tmp_path / "work" / "large.txt").write_text("".join(f"line {n}\n" for n in range(1, 400_001)))
        await desk.app.push_screen(FileScreen(Place(str(tmp_path / "work" / "large.txt"), "large.txt", 7)))
        await desk.sees("large.txt:7 · as it is now", "· only lines 1 to ")
        await desk.press("end")
        await desk.sees("only this part of the file is shown")
