"""The Transcript tab in the real app: touch-expand played by hand, and what a person sees of it."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest
from textual.widgets import OptionList

from tests.app.transcript.desk import Desk, at_desk, view_text
from tests.canaries import CANARIES
from workbench import Harness
from workbench.app.seams import Change
from workbench.app.transcript.actions import ACTIONS
from workbench.app.transcript.provider_panel import ProviderPanel
from workbench.app.transcript.tab import TranscriptTab
from workbench.app.transcript.threads_panel import ThreadsPanel
from workbench.app.widgets.drawn_view import DrawnView
from workbench.app.widgets.literal import Literal
from workbench.harness.errors import HarnessError
from workbench.harness.log.events import Message

SEARCH = 'call search {"query": "notes"}'
PROMOTED = "▲ search promoted: the provider gets it from the next request on"


def given(desk: Desk) -> str:
    """What the provider's panel says."""
    return options(desk.app.query_one(ProviderPanel).query_one(OptionList))


def options(box: OptionList) -> str:
    """The lines of a list, as text."""
    return "\n".join(str(getattr(option.prompt, "plain", None) or option.prompt.left.plain) for option in box.options)


def composer_says(desk: Desk) -> str:
    """What stands beneath the composer's line."""
    return str(desk.transcript.query_one("#about", Literal).content)


async def play(folder: Path, thread: str = "demo") -> None:
    """Contract, run, and a tool that is none, before the app opens."""
    async with Harness.open(folder) as harness:
        for name, input in (
            ("call", {"tool": "search", "input": {"query": "a"}}),
            ("call", {"tool": "search", "input": {"query": "a"}}),
            ("bash", {"command": "ls"}),
            ("read", {"address": "~/memory/"}),
        ):
            await harness.perform(name, input, "agent", thread)


async def test_an_empty_thread_says_what_would_be_here_and_which_key_puts_it_there(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", size=(80, 24)) as desk:
        await desk.sees("Nothing has happened in this thread", "ctrl+t")


async def test_touch_expand_played_as_the_agent(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        await desk.press("i")
        await desk.write("read ~/tools/search")
        await desk.until(lambda: PROMOTED in desk.log(), "the promotion")
        await desk.write(SEARCH)
        await desk.until(lambda: "ok · {" in desk.log(), "the call to run")
        await desk.write("bash {}")
        await desk.until(lambda: "△ bash withheld: unknown" in desk.log(), "bash to be withheld")
        assert [call["tool"] for call in _calls(desk)] == ["search"]
        assert "▲ search\n  event 1 · bafy" in given(desk)
        assert "△ bash\n  event 5 · unknown\n  There is no tool of that name." in given(desk)
        lines = desk.log().splitlines()
        assert lines.index(PROMOTED) == 2, "the promotion stands right under the event that promoted"
        messages = [event.message for event in desk.harness.events("demo") if event.type == "tool_call"]
        assert len(set(messages)) == 3, "each line is a message of its own"


def _calls(desk: Desk) -> list[dict[str, object]]:
    return [e.input for e in desk.harness.events("demo") if e.type == "tool_call" and e.name == "call"]


async def test_a_first_call_answers_with_the_contract_and_its_detail_has_real_line_breaks(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        await desk.write(SEARCH)
        await desk.until(lambda: "contract (untouched)" in desk.log(), "the contract")
        await desk.press("escape", "enter")
        view = desk.transcript.pane.query_one(DrawnView)
        await desk.until(lambda: view.items > 5, "the detail")
        result = desk.harness.events("demo")[1]
        contract = result.output["contract"]
        shown = view_text(view)
        assert all(" ".join(line.split()) in shown for line in contract.split("\n"))
        await desk.press("y")
        await desk.press("escape")
        assert not desk.transcript.pane.is_open


@pytest.mark.sandbox
async def test_a_lambda_is_read_called_with_wrong_input_and_run(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        source = "def main(input):\n    return len(input['text'].split())\n"
        schema = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
        content = {"description": "Counts words.", "input": schema, "source": source, "runtime": "python"}
        await desk.write(f"write ~/tools/word_count {json.dumps(content)}")
        await desk.until(lambda: "▲ word_count promoted" in desk.log(), "its author to be given it")
        await desk.write("word_count {}")
        await desk.until(lambda: "contract (invalid_input)" in desk.log(), "the contract")
        await desk.write('word_count {"text": "a b c"}')
        await desk.until(lambda: "└ ok · 3" in desk.log(), "the count")
        await desk.harness.perform(
            "write", {"address": "~/tools/word_count", "content": content | {"description": "D."}}
        )
        await desk.until(lambda: "contract out of date" in given(desk), "the panel to say that it was saved since")


@pytest.mark.sandbox
async def test_a_running_call_tells_since_when_and_what_it_prints_and_can_be_cancelled(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        code = "print('still [/] here', flush=True)\nimport time\nwhile True: time.sleep(0.1)"
        content = {"description": "Waits.", "runtime": "python", "source": f"def main(input):\n    exec({code!r})\n"}
        await desk.harness.perform("write", {"address": "~/tools/wait", "content": content}, "agent", "demo")
        await desk.write("wait {}")
        await desk.sees("└ running", "│ still [/] here")
        await desk.press("escape", "ctrl+x")
        await desk.until(lambda: "└ cancelled" in desk.log(), "the end of it")


async def test_a_call_whose_process_is_gone_is_interrupted_and_looking_writes_nothing(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        harness._log.call("demo", "agent", "call", {"tool": "search"}, "m")
    async with at_desk(tmp_path / "space") as desk:
        await desk.sees("└ interrupted · its process is gone")
        assert len(desk.harness.events("demo")) == 1
        await desk.harness.say("go on", thread="demo")
        await desk.until(lambda: "└ interrupted · The process that ran this call" in desk.log(), "the settled result")


async def test_a_fork_says_so_and_keeps_what_was_promoted_before_it(tmp_path: Path) -> None:
    await play(tmp_path / "space")
    async with Harness.open(tmp_path / "space") as harness:
        await harness.fork("demo", 4, "branch")
    async with at_desk(tmp_path / "space", thread="branch") as desk:
        await desk.until(lambda: "went on from thread demo up to its event 4" in desk.log(), "the fork")
        assert "▲ search\n  from the thread it went on from" in given(desk)


async def test_stepping_back_shows_the_provider_as_of_that_event(tmp_path: Path) -> None:
    await play(tmp_path / "space")
    async with at_desk(tmp_path / "space") as desk:
        await desk.until(lambda: "△ bash" in given(desk), "the panel")
        await desk.press("[")
        await desk.sees("as of event 5 of 8")
        assert "△ bash" in given(desk)
        await desk.press("[")
        await desk.sees("as of event 3 of 8")
        assert "bash" not in given(desk)
        assert "▲ search" in given(desk)
        await desk.press("]", "]", "]")
        await desk.until(lambda: desk.transcript.at is None, "now")
        await desk.press("[", "escape")
        assert desk.transcript.at is None
        assert "as of event" not in desk.screen()


async def test_the_panel_leads_to_the_event_that_promoted(tmp_path: Path) -> None:
    await play(tmp_path / "space")
    async with at_desk(tmp_path / "space") as desk:
        box = desk.app.query_one(ProviderPanel).query_one(OptionList)
        box.focus()
        box.highlighted = next(at for at, option in enumerate(box.options) if option.id == "withheld bash")
        await desk.press("enter")
        assert desk.transcript.log_view.cursor == 4
        assert desk.app.focused is desk.transcript.log_view


async def test_a_tool_named_in_the_log_is_shown_in_the_tools_tab(tmp_path: Path) -> None:
    await play(tmp_path / "space")
    async with at_desk(tmp_path / "space") as desk:
        await desk.press("home", "j", "j", "o")
        await desk.sees("There is no tool called bash.")
        assert desk.app.place == "transcript"
        await desk.press("home", "o")
        await desk.until(lambda: desk.app.place == "tools", "the Tools tab")
        assert desk.tools.selected == "search"


async def test_what_is_no_act_is_said_in_place_and_the_draft_stays(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        await desk.write("hello there")
        assert "hello is no verb" in composer_says(desk)
        assert desk.transcript.composer.line.value == "hello there"
        assert desk.harness.events("demo") == []


async def test_an_act_that_fails_brings_the_line_back_with_the_reason(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        await desk.write("read ~/memory/nothing.txt")
        await desk.until(lambda: "✗" in composer_says(desk), "the reason")
        assert desk.transcript.composer.line.value == "read ~/memory/nothing.txt"
        assert "failed: not_found" in desk.log()


async def test_the_three_voices(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        await desk.press("i")
        await desk.sees("as the agent")
        await desk.press("ctrl+t")
        await desk.sees("message", "no model is set")
        await desk.write("hello {[/]}")
        await desk.until(lambda: "you hello {[/]}" in desk.log(), "the message")
        await desk.sees("No model is set, so nobody answers")
        await desk.press("ctrl+t")
        await desk.sees("as you")
        await desk.write("read ~/memory/")
        await desk.until(lambda: len(desk.harness.events("demo")) == 3, "the act")
        assert [event.actor for event in desk.harness.events("demo")] == ["user"] * 3
        assert "0 promoted" in given(desk)


async def test_the_history_brings_lines_back_and_keeps_the_draft(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        await desk.write("read ~/tools/")
        await desk.write("read ~/self")
        line = desk.transcript.composer.line
        line.value = "a draft"
        await desk.press("up")
        assert line.value == "read ~/self"
        await desk.press("up", "up")
        assert line.value == "read ~/tools/"
        await desk.press("down", "down")
        assert line.value == "a draft"


async def test_a_new_thread_is_named_by_the_rule(tmp_path: Path) -> None:
    await play(tmp_path / "space")
    async with at_desk(tmp_path / "space", size=(80, 24)) as desk:
        await desk.press("n")
        await desk.press(*"-no", "enter")
        panel = desk.app.query_one(ThreadsPanel)
        assert "named by 1 to 64" in str(panel.query_one("#thread-says", Literal).content)
        panel.query_one("#thread-name").value = ""
        await desk.press(*"second", "enter")
        assert desk.app.thread == "second"
        await desk.until(lambda: desk.transcript.log_view.items == 0, "the new thread")
        listed = [option.id for option in panel.query_one(OptionList).options]
        assert listed[:2] == ["second", "demo"]


async def test_choosing_a_thread_shows_it(tmp_path: Path) -> None:
    await play(tmp_path / "space", "other")
    async with at_desk(tmp_path / "space") as desk:
        box = desk.app.query_one(ThreadsPanel).query_one(OptionList)
        box.focus()
        box.highlighted = next(at for at, option in enumerate(box.options) if option.id == "other")
        await desk.press("enter")
        assert desk.app.thread == "other"
        await desk.until(lambda: PROMOTED in desk.log(), "the other thread's log")


async def test_what_another_process_does_appears(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space") as desk, Harness.open(tmp_path / "space") as other:
        await other.perform("call", {"tool": "search", "input": {"query": "x"}}, "agent", "demo")
        await desk.until(lambda: PROMOTED in desk.log(), "the other's act")
        await desk.until(lambda: "▲ search" in given(desk), "the panel")


async def test_panels_fold_by_hand_and_by_themselves(tmp_path: Path) -> None:
    await play(tmp_path / "space")
    async with at_desk(tmp_path / "space", size=(80, 24)) as desk:
        await desk.sees("provider: 5 verbs + 1 promoted · ▲ search")
        assert not desk.app.query_one(ProviderPanel).display
        await desk.press("p")
        assert desk.app.query_one(ProviderPanel).display
        await desk.press("p", "t")
        assert desk.app.query_one(ThreadsPanel).display
        await desk.pilot.resize_terminal(200, 60)
        await desk.until(lambda: desk.transcript.size.width == 200, "the size")
        assert not desk.app.query_one(ProviderPanel).display, "what a person chose stays"


async def test_the_log_follows_until_somebody_scrolls_up(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        for number in range(60):
            await harness.say(f"message {number}", thread="demo")
    async with at_desk(tmp_path / "space", size=(100, 30)) as desk:
        log = desk.transcript.log_view
        await desk.sees("message 59")
        await desk.press("pageup")
        assert not log.following
        await desk.sees("stands still, G follows")
        top = log.scroll_offset.y
        await desk.harness.say("a new one", thread="demo")
        await desk.until(lambda: log.items == 61, "the event")
        assert log.scroll_offset.y == top
        assert "a new one" not in desk.screen()
        await desk.press("end")
        await desk.sees("a new one")
        assert log.following
        await desk.press("home")
        await desk.sees("message 0")
        await desk.press("G")
        await desk.sees("a new one")


async def test_an_event_that_cannot_be_read_says_so_in_its_place(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        await harness.say("before", thread="demo")
        await harness.say("x" * 100_000, thread="demo")
        await harness.say("after", thread="demo")
    with contextlib.closing(sqlite3.connect(tmp_path / "space" / "space.db")) as database, database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {name}")
        database.execute("UPDATE blocks SET bytes = x'00' WHERE length(bytes) > 90000")
    async with at_desk(tmp_path / "space") as desk:
        await desk.sees("you     before", "?       unreadable", "you     after")


async def test_what_cannot_be_read_now_is_said_in_place_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play(tmp_path / "space")
    await play(tmp_path / "space", "other")
    async with at_desk(tmp_path / "space") as desk:

        def broken(*_: object, **__: object) -> None:
            raise HarnessError("corrupt", "[/] the database is broken")

        with monkeypatch.context() as patch:
            for query in ("threads", "running", "view", "promoted", "events"):
                patch.setattr(desk.harness, query, broken)
            desk.app.passed()
            desk.app.set_thread("other")
            await desk.sees("✗ [/] the database is broken")
            for key in ("1", "3", "o", "enter", "left_square_bracket", "escape"):
                await desk.press(key)
            desk.transcript._tick()
            desk.transcript.space_changed(Change(lost=True))
            assert desk.app.is_running
        await desk.until(lambda: desk.transcript.log_view.rows.last == 8, "the rows of the other thread")
        await desk.until(lambda: not desk.transcript.has_class("-faulty"), "the fault is gone")
        assert "search promoted" in desk.log()


async def test_a_thread_that_grew_by_thousands_unseen_is_filled_in(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        await desk.harness.say("first", thread="demo")
        rows = desk.transcript.log_view.rows
        await desk.until(lambda: rows.last == 1, "the first row")
        with desk.harness._space.store.writing():
            for number in range(1_500):
                desk.harness._log.message("demo", "user", "user", f"m{number}", f"number {number}")
        desk.transcript.space_changed(Change(lost=True))
        await desk.until(lambda: rows.last == 1_501 and None not in rows.rows, "all rows were read")


async def test_the_key_that_stops_a_call_stops_it_from_the_composer_too(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        await desk.press("i")
        await desk.type("abc")
        await desk.press("shift+home", "ctrl+x")
        assert desk.transcript.composer.line.value == "abc"
        assert any("Nothing of yours is running" in note.message for note in desk.app._notifications)


async def test_words_are_found_in_the_log(tmp_path: Path) -> None:
    await play(tmp_path / "space")
    async with at_desk(tmp_path / "space", size=(80, 24)) as desk:
        log = desk.transcript.log_view
        await desk.until(lambda: log.items == 8, "the log")
        await desk.press("slash", *"CALL query", "enter")
        assert log.cursor == 2
        await desk.press("enter", "enter")
        assert log.cursor == 0
        await desk.sees("none older")
        await desk.press("down")
        assert log.cursor == 2
        await desk.press("escape")
        assert desk.app.focused is log
        assert log.cursor == 2


async def test_a_click_chooses_and_a_second_one_opens(tmp_path: Path) -> None:
    await play(tmp_path / "space")
    async with at_desk(tmp_path / "space") as desk:
        log = desk.transcript.log_view
        await desk.until(lambda: log.items == 8, "the log")
        await desk.pilot.click(log, offset=(20, 0))
        assert log.cursor == 0
        assert not desk.transcript.pane.is_open
        await desk.pilot.click(log, offset=(20, 0))
        await desk.until(lambda: desk.transcript.pane.is_open, "the event")


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_hostile_text_is_shown_as_text(tmp_path: Path, size: tuple[int, int]) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        for number, text in enumerate(CANARIES):
            await harness.say(f"> {text}", thread="demo")
            await harness.perform("write", {"address": f"~/memory/{number}.txt", "content": text}, "agent", "demo")
            await harness.perform("read", {"address": f"~/memory/{number}.txt"}, "agent", "demo")
            await harness.perform(text.strip()[:100] or "x", {"a": text}, "agent", "demo")
    async with at_desk(tmp_path / "space", size=size) as desk:
        log = desk.transcript.log_view
        await desk.until(lambda: log.items == 7 * len(CANARIES), "the log")
        await desk.press("home")
        while log.cursor is not None and log.near(log.cursor, 1) is not None:
            desk.transcript.action_move(1)
        await desk.press("enter")
        await desk.until(lambda: desk.transcript.pane.query_one(DrawnView).items > 1, "the detail")
        for _ in range(3):
            await desk.press("pageup")
            desk.picture()
        assert not any(ord(char) < 32 or 127 <= ord(char) < 160 for line in desk.screen().split("\n") for char in line)


async def test_twenty_thousand_events_open_with_a_bounded_number_of_widgets(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        log, store = harness._log, harness._space.store
        with store.writing():
            for number in range(10_000):
                call = log.call("demo", "agent", "call", {"tool": "zzz", "input": {"n": number}}, f"m{number}")
                log.result(call, output={"status": "ok", "output": f"[/] result {number}"})
    async with at_desk(tmp_path / "space", size=(120, 40)) as desk:
        await desk.sees("result 9999")
        assert len(desk.transcript.query("*")) < 60
        await desk.until(lambda: desk.transcript.log_view.rows.rows[0] is not None, "all of it to be read")
        await desk.press("home")
        await desk.sees('"n":0}')
        await desk.pilot.resize_terminal(80, 24)
        await desk.press("end")
        await desk.sees("result 9999")


async def test_a_result_of_megabytes_opens(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        call = harness._log.call("demo", "agent", "call", {"tool": "zzz"}, "m")
        harness._log.result(
            call, output={"status": "ok", "output": [f"line {n}" for n in range(200_000)], "logs": "x" * 10**6}
        )
    async with at_desk(tmp_path / "space") as desk:
        await desk.press("enter")
        await desk.until(lambda: desk.transcript.pane.query_one(DrawnView).items > 200_000, "the detail")
        await desk.press("enter", "end")
        assert len(desk.transcript.query("*")) < 60


def test_every_action_of_the_registry_can_be_done_on_the_tab() -> None:
    for action in ACTIONS:
        assert hasattr(TranscriptTab, f"action_{action.run.partition('(')[0]}"), action.id


async def test_the_composer_is_named_without_the_key_that_leads_to_it_while_it_has_the_keys(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        desk.transcript.log_view.focus()
        await desk.sees("Press i and play the agent")
        await desk.press("i")
        await desk.sees("  Play the agent, for example")
        assert "Press i" not in desk.screen()
        await desk.press("escape")
        await desk.sees("Press i and play the agent")


async def test_the_agents_voice_can_say_something_too(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        await desk.press("i")
        await desk.sees("say TEXT speaks as it")
        await desk.write("Hello there.")
        assert "To say it as the agent: say TEXT" in composer_says(desk)
        await desk.write("say Hello [/] there.")
        await desk.until(lambda: "agent Hello [/] there." in desk.log(), "what the agent said")
        (said,) = desk.harness.events("demo")
        assert isinstance(said, Message)
        assert (said.actor, said.role) == ("agent", "assistant")
