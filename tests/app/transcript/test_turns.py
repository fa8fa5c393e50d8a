"""The agent's turns in the real app: said, streamed, queued, aborted, gone on with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.agent.answers import calls, model, says
from tests.app.transcript.desk import Desk, at_desk
from tests.canaries import CANARIES
from workbench import Harness
from workbench.agent.models.known import KnownAnswers
from workbench.agent.models.model import Answer, Ask, Calling, ModelFault, Piece, Price, Text, Thinking, Thought
from workbench.app.widgets.literal import Literal
from workbench.app.widgets.question import Question
from workbench.harness.log.events import Message, RequestEnded, Run, ToolResult, Usage

SEARCH = ("call", {"tool": "search", "input": {"query": "notes"}})


class Held(KnownAnswers):
    """Says some pieces, then waits until the test lets it go on with the rest."""

    def __init__(self, *pieces: Piece, answers: tuple[Answer, ...], faults: tuple[ModelFault, ...] = ()) -> None:
        super().__init__("scripted:held", "scripted", answers, lambda: says("That is all."))
        self.first = pieces
        self.go = asyncio.Event()
        self.faults = list(faults)

    async def stream(self, ask: Ask) -> AsyncIterator[Piece]:
        """Whatever was held back once comes at once afterwards."""
        if self.faults:
            raise self.faults.pop(0)
        if not self.go.is_set():
            for piece in self.first:
                yield piece
        await self.go.wait()
        async for piece in super().stream(ask):
            yield piece


def note(desk: Desk) -> str:
    """What is said beneath the log."""
    return str(desk.transcript.query_one("#note", Literal).content)


def about(desk: Desk) -> str:
    """What is said beneath the composer's line."""
    return str(desk.transcript.query_one("#about", Literal).content)


def kinds(desk: Desk) -> list[str]:
    """The types of the thread's events."""
    return [event.type for event in desk.harness.events("demo")]


async def test_a_message_is_answered_by_the_model_and_the_answer_stands_in_the_log(tmp_path: Path) -> None:
    answer = says("Good [/] day.", usage=Usage(1204, 88, 1000))
    async with at_desk(tmp_path / "space", model=model(answer)) as desk:
        assert desk.transcript.composer.voice == "message", "with a model it is the first voice"
        await desk.sees("Press i and say something", "scripted:test answers")
        await desk.ask("hello")
        await desk.answered()
        await desk.until(lambda: "agent Good [/] day." in desk.log(), "the answer")
        assert "request 1 · " in desk.log()
        assert "1,204 tokens in (1,000 from cache), 88 out" in desk.log()
        assert "run ended done" in desk.log()
        await desk.until(lambda: "1,292 tokens" in desk.status, "the tokens in the status line")


async def test_the_first_words_are_shown_before_the_last_are_said(tmp_path: Path) -> None:
    held = Held(
        Thinking("Hm, hm."), Text("The first "), Text("words"), answers=(says("The first words and the last."),)
    )
    async with at_desk(tmp_path / "space", model=held) as desk:
        await desk.ask("hello")
        await desk.sees("The first words", "answering", "thought 7 chars, enter shows it")
        assert "answering" in desk.status
        assert "the last" not in desk.screen()
        await desk.press("x")
        assert desk.transcript.composer.line.value == "x"
        held.go.set()
        await desk.answered()
        await desk.until(lambda: "agent The first words and the last." in desk.log(), "the answer")
        assert "answering" not in desk.screen()


async def test_what_is_thought_is_folded_and_opens(tmp_path: Path) -> None:
    thought = "I think\nof [/] something."
    answer = Answer("Here.", (), "stop", thinking=(Thought(thought),))
    held = Held(Thinking(thought), Text("He"), answers=(answer,))
    async with at_desk(tmp_path / "space", model=held) as desk:
        await desk.ask("hello")
        await desk.sees("thought 25 chars", "He")
        assert "of [/] something." not in desk.screen()
        await desk.press("tab", "shift+tab")
        desk.transcript.log_view.focus()
        await desk.press("k", "enter")
        await desk.sees("of [/] something.", "enter folds it")
        held.go.set()
        await desk.answered()
        await desk.until(lambda: "thought 25 chars, enter shows it" in desk.log(), "the folded thought")
        desk.transcript.log_view.move_to(3)
        await desk.press("enter")
        await desk.sees("what it thought", "of [/] something.")


async def test_a_call_is_shown_while_it_is_written_and_the_promotion_right_under_it(tmp_path: Path) -> None:
    held = Held(Calling(0, "call", '{"tool": "sea'), answers=(calls(SEARCH), says("Done.")))
    async with at_desk(tmp_path / "space", model=held) as desk:
        await desk.ask("hello")
        await desk.sees('writing call call {"tool": "sea', "writing a call")
        held.go.set()
        await desk.answered()
        await desk.until(lambda: "▲ search promoted" in desk.log(), "the promotion")
        await desk.until(lambda: "1 promoted" in desk.status, "the status line")


async def test_what_is_said_meanwhile_waits_for_the_next_request(tmp_path: Path) -> None:
    held = Held(Text("One mo"), answers=(says("One moment."), says("Two things.")))
    async with at_desk(tmp_path / "space", model=held) as desk:
        await desk.ask("first")
        await desk.sees("One mo")
        assert "waits for the next request" not in desk.log()
        await desk.ask("second")
        await desk.until(lambda: "you second\n└ waits for the next request" in desk.log(), "the queued message")
        assert "waits for the agent's next request" in about(desk)
        held.go.set()
        await desk.answered()
        await desk.until(lambda: "agent Two things." in desk.log(), "the answer to both")
        assert "waits for the next request" not in desk.log()
        assert sum(isinstance(event, Run) and event.state == "start" for event in desk.harness.events("demo")) == 1


async def test_esc_aborts_the_turn_and_the_log_is_whole(tmp_path: Path) -> None:
    held = Held(Text("Half a sen"), answers=(says("Half a sentence."),))
    async with at_desk(tmp_path / "space", model=held) as desk:
        await desk.ask("hello")
        await desk.sees("Half a sen", "esc Abort")
        await desk.press("escape")
        await desk.answered()
        await desk.until(lambda: "broke off here: the turn was aborted" in desk.log(), "what was said so far")
        events = desk.harness.events("demo")
        said = [event for event in events if isinstance(event, Message)]
        assert (said[-1].text, said[-1].cut) == ("Half a sen", "aborted")
        assert [event.finish for event in events if isinstance(event, RequestEnded)] == ["aborted"]
        assert desk.harness.live_run("demo") is None
        assert "The turn was aborted. r goes on" in note(desk)
        held.go.set()
        desk.transcript.log_view.focus()
        await desk.press("r")
        await desk.answered()
        await desk.until(lambda: note(desk) == "", "nothing waits any more")
        assert not desk.transcript.turn.can_go_on


async def test_esc_leaves_what_is_opened_before_it_aborts(tmp_path: Path) -> None:
    held = Held(Text("Wait"), answers=(says("Wait."),))
    async with at_desk(tmp_path / "space", model=held) as desk:
        await desk.ask("hello")
        await desk.sees("Wait")
        desk.transcript.log_view.focus()
        await desk.press("home", "enter")
        await desk.until(lambda: desk.transcript.pane.is_open, "the event")
        await desk.press("escape")
        assert not desk.transcript.pane.is_open
        await desk.press("escape")
        await desk.sees("esc again stops the turn")
        await desk.press("[", "escape")
        assert desk.transcript.at is None
        assert len(desk.app.turns) == 1
        await desk.press("escape")
        await desk.answered()


async def test_an_interrupted_turn_says_so_and_goes_on(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        await harness.say("hello", thread="demo")
        run = await harness.start_run("demo")
        await harness.send("demo", run, "scripted:test", harness.request("demo"))
    async with at_desk(tmp_path / "space", model=model(says("Here I am."))) as desk:
        await desk.sees("This turn was interrupted: its process is gone. r goes on", "no answer: its process is gone")
        await desk.press("r")
        await desk.answered()
        await desk.until(lambda: "agent Here I am." in desk.log(), "the answer")
        assert note(desk) == ""


async def test_without_a_model_it_says_how_to_set_one_or_to_play(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", size=(80, 24)) as desk:
        await desk.ask("hello")
        await desk.sees("No model is set, so nobody answers.", "2, then s", "--model", "play the agent")
        assert not desk.transcript.turn.can_go_on
        assert kinds(desk) == ["message"]


async def test_a_model_that_waits_for_a_yes_is_said_with_the_way_to_it(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        await desk.harness.perform("write", {"address": "~/self", "content": {"model": "openai:some"}})
        await desk.ask("hello")
        await desk.sees("openai:some waits for your yes", "2, then p")
        assert kinds(desk) == ["message"]
        await desk.harness.approve("model")
        await desk.until(lambda: "r goes on: openai:some answers" in note(desk), "what waits can be answered now")


async def test_a_name_that_is_no_model_is_said_in_place_and_nothing_is_lost(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        desk.app.turns.use("[/]nonsense")
        await desk.ask("hello")
        await desk.sees("✗ '[/]nonsense' names no model.", "you     hello")
        assert kinds(desk) == ["message"]
        assert len(desk.app.turns) == 0
        desk.app.turns.choose = lambda id, settings: model(says("Now."))
        desk.transcript.log_view.focus()
        await desk.press("r")
        await desk.answered()
        await desk.until(lambda: "agent Now." in desk.log(), "the answer")
        assert "names no model" not in desk.log()


async def test_a_provider_that_fails_is_said_in_the_log_and_while_it_is_waited_for(tmp_path: Path) -> None:
    again = ModelFault("unavailable", "[/] too many requests", again=True, after_secs=30)
    never = ModelFault("refused", "the key is not valid")
    waits = Held(answers=(), faults=(again,))
    async with at_desk(tmp_path / "space", model=waits) as desk:
        await desk.ask("hello")
        await desk.sees("to ask again · [/] too many requests")
        assert "to ask again" in desk.status
        await desk.press("escape")
        await desk.answered()
        desk.app.turns.choose = lambda id, settings: Held(answers=(), faults=(never,))
        desk.transcript.log_view.focus()
        await desk.press("r")
        await desk.answered()
        await desk.until(lambda: "failed: refused · the key is not valid" in desk.log(), "the reason")
        assert "The turn failed. r goes on" in note(desk)


async def test_what_the_workbench_itself_fails_at_is_said_in_place(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", model=model(says("x"))) as desk:

        def broken(id: str, settings: object) -> KnownAnswers:
            raise RuntimeError("[/x broken")

        desk.app.turns.choose = broken
        await desk.ask("hello")
        await desk.sees("The workbench itself failed (a turn in demo)")
        desk.app.clear_notifications()
        await desk.sees("The workbench itself failed at this: RuntimeError: [/x broken")
        assert len(desk.app.turns) == 0


async def test_leaving_asks_while_a_turn_runs_and_ends_it_in_order(tmp_path: Path) -> None:
    held = Held(Text("Half"), answers=(says("Half."),))
    async with at_desk(tmp_path / "space", model=held) as desk:
        await desk.ask("hello")
        await desk.sees("Half")
        await desk.press("ctrl+q")
        assert isinstance(desk.app.screen, Question)
        await desk.sees("A turn of the agent runs, and would be aborted.")
        await desk.press("escape")
        assert len(desk.app.turns) == 1
    async with Harness.open(tmp_path / "space") as harness:
        events = harness.events("demo")
        assert [event.finish for event in events if isinstance(event, RequestEnded)] == ["aborted"]
        assert isinstance(events[-1], Run)
        assert events[-1].state == "end"


async def test_a_turn_of_another_process_is_shown_and_what_is_said_waits_for_it(tmp_path: Path) -> None:
    async with (
        at_desk(tmp_path / "space", model=model(says("Not me."))) as desk,
        Harness.open(tmp_path / "space") as other,
    ):
        run = await other.start_run("demo")
        await desk.until(lambda: "another process" in desk.status, "the status line")
        await desk.ask("hello")
        await desk.until(lambda: "└ waits for the next request" in desk.log(), "the queued message")
        assert len(desk.app.turns) == 0
        await other.send("demo", run, "scripted:other", other.request("demo"))
        await desk.until(lambda: "└ waits" not in desk.log(), "it was sent")
        await other.end_run("demo", run, reason="aborted")
        await desk.until(lambda: "r goes on" in note(desk), "it can be answered here")


async def test_the_past_is_looked_at_while_an_answer_streams(tmp_path: Path) -> None:
    held = Held(Text("Going on"), answers=(calls(SEARCH), says("Going on.")))
    held.go.set()
    async with at_desk(tmp_path / "space", model=held) as desk:
        await desk.ask("hello")
        await desk.answered()
        held.go.clear()
        await desk.ask("more")
        await desk.sees("Going on")
        desk.transcript.log_view.focus()
        await desk.press("[")
        assert desk.transcript.at is not None
        await desk.press("[", "[", "]")
        await desk.sees("as of event")
        held.go.set()
        await desk.answered()
        assert desk.transcript.at is not None
        await desk.press("escape")
        assert desk.transcript.at is None


async def test_a_reader_who_scrolled_up_stays_where_he_is(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        for number in range(60):
            await harness.say(f"message {number}", thread="demo")
    held = Held(*(Text(f"line {number}\n") for number in range(200)), answers=(says("Short."),))
    async with at_desk(tmp_path / "space", size=(100, 30), model=held) as desk:
        await desk.ask("hello")
        await desk.sees("line 199")
        log = desk.transcript.log_view
        log.focus()
        await desk.press("home")
        await desk.sees("message 0")
        top = log.scroll_offset.y
        held.go.set()
        await desk.answered()
        assert log.scroll_offset.y == top
        await desk.press("G")
        await desk.sees("agent   Short.")


async def test_a_plan_is_a_checklist_that_follows_the_moment(tmp_path: Path) -> None:
    def plan(first: str, second: str) -> tuple[str, dict[str, object]]:
        steps = [{"id": "1", "label": "look [/]", "status": first}, {"id": "2", "label": "tell", "status": second}]
        return ("plan", {"title": "Find", "steps": steps})

    task = model(calls(plan("running", "pending")), calls(plan("done", "running")), says("Done."))
    async with at_desk(tmp_path / "space", size=(120, 40), model=task) as desk:
        await desk.ask("hello")
        await desk.answered()
        await desk.sees("plan · 1 of 2", "✓ done look [/]", "■ stopped here tell")
        desk.transcript.log_view.focus()
        first = next(event.seq for event in desk.harness.events("demo") if isinstance(event, ToolResult))
        while desk.transcript.at is None or desk.transcript.at > first:
            await desk.press("[")
        await desk.sees("▶ now look [/]" if desk.transcript.at == first else "plan")
        while desk.transcript.at is not None and desk.transcript.at > 1:
            await desk.press("[")
        await desk.until(lambda: "plan ·" not in desk.screen(), "there was no plan at the beginning")
        await desk.press("escape")
        await desk.pilot.resize_terminal(80, 24)
        await desk.sees("plan 1 of 2 · Find · ■ stopped here tell")


async def test_a_step_that_runs_is_now_while_the_turn_lives_and_stopped_when_it_was_aborted(tmp_path: Path) -> None:
    act = ("plan", {"steps": [{"id": "1", "label": "look", "status": "running"}]})
    held = Held(answers=(says("Done."),))
    async with at_desk(tmp_path / "space", size=(120, 40), model=held) as desk:
        desk.app.act(*act, actor="agent", thread="demo")
        await desk.sees("▶ now look")
        await desk.ask("hello")
        await desk.until(lambda: "request" in kinds(desk), "the turn")
        await desk.sees("▶ now look")
        await desk.press("escape")
        await desk.answered()
        await desk.sees("■ stopped here look")
        desk.app.act(*act, actor="agent", thread="demo")
        await desk.sees("▶ now look")


async def test_tokens_and_cost_are_those_of_the_whole_thread_also_after_a_restart(tmp_path: Path) -> None:
    class Dear(KnownAnswers):
        price = Price(input=1.0, output=10.0)

    answers = (says("One.", usage=Usage(1000, 100)), says("Two.", usage=Usage(2000, 200)))
    dear = Dear("scripted:dear", "scripted", answers, lambda: says("over"))
    async with at_desk(tmp_path / "space", size=(200, 50), model=dear) as desk:
        for text in ("first", "second"):
            await desk.ask(text)
            await desk.answered()
        await desk.until(lambda: "3,300 tokens · cost 0.0060" in desk.status, "the sum")
    async with at_desk(tmp_path / "space", size=(200, 50)) as desk:
        assert "3,300 tokens · cost 0.0060" in desk.status


async def test_the_palette_chooses_the_model_of_this_session(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", model=model(says("x"))) as desk:
        desk.app.turns.use("scripted:other")
        await desk.until(lambda: "scripted:other answers" in about(desk), "the composer says it")
        await desk.press("ctrl+p")
        await desk.type("as the settings say")
        await desk.sees("for this session")
        await desk.press("enter")
        await desk.until(lambda: desk.app.turns.given is None, "the settings' model")
        await desk.until(lambda: "no model" in desk.status, "the status line")


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_hostile_text_that_streams_is_shown_as_text(tmp_path: Path, size: tuple[int, int]) -> None:
    pieces: list[Piece] = [Thinking(text) for text in CANARIES] + [Text(f"{text}\n") for text in CANARIES]
    pieces += [Calling(place, text[:80] or "x", text) for place, text in enumerate(CANARIES)]
    held = Held(*pieces, answers=(says("Done."),))
    async with at_desk(tmp_path / "space", size=size, model=held) as desk:
        await desk.ask("hello")
        await desk.sees("writing call")
        desk.transcript.log_view.toggle_thinking()
        for _ in range(12):
            desk.transcript.action_page(-1)
            await desk.pilot.pause()
            desk.picture()
            assert not any(
                ord(char) < 32 or 127 <= ord(char) < 160 for line in desk.screen().split("\n") for char in line
            )
        held.go.set()
        await desk.answered()


async def test_a_turn_goes_on_unseen_and_its_failure_is_told_wherever_one_is(tmp_path: Path) -> None:
    held = Held(Text("Unseen "), answers=(says("Unseen words."),))
    async with at_desk(tmp_path / "space", model=held) as desk:
        await desk.ask("hello")
        await desk.sees("Unseen")
        await desk.press("tab")
        desk.app.action_show_tab("tools")
        held.go.set()
        await desk.until(lambda: not len(desk.app.turns), "the turn's end")
        desk.app.action_show_tab("transcript")
        await desk.until(lambda: "agent Unseen words." in desk.log(), "the answer")
        assert "answering" not in desk.screen()
        never = ModelFault("refused", "[/] the key is not valid")
        desk.app.turns.choose = lambda id, settings: Held(answers=(), faults=(never,))
        desk.app.action_show_tab("space")
        await desk.app.turns.say("again", "demo")
        await desk.until(
            lambda: any("The turn in demo failed: [/] the key" in note.message for note in desk.app._notifications),
            "it is told",
        )


async def test_a_turn_that_is_aborted_before_it_begins_leaves_no_trace(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", model=model(says("x"))) as desk:
        desk.app.turns.go_on("demo")
        assert desk.app.turns.abort("demo")
        assert not desk.app.turns.abort("demo")
        assert len(desk.app.turns) == 0
        await desk.pilot.pause()
        assert kinds(desk) == []


async def test_two_turns_of_one_thread_are_one(tmp_path: Path) -> None:
    held = Held(Text("One"), answers=(says("One."),))
    async with at_desk(tmp_path / "space", model=held) as desk:
        await desk.ask("hello")
        await desk.sees("One")
        desk.app.turns.go_on("demo")
        assert len(desk.app.turns) == 1
        held.go.set()
        await desk.answered()
        assert sum(isinstance(event, Run) and event.state == "start" for event in desk.harness.events("demo")) == 1


async def test_each_thread_has_a_turn_of_its_own_and_shows_its_own_stream(tmp_path: Path) -> None:
    held = Held(Text("For whom?"), answers=(says("For whom?"),))
    async with at_desk(tmp_path / "space", model=held) as desk:
        await desk.ask("hello")
        await desk.sees("For whom?")
        desk.app.set_thread("other")
        await desk.until(lambda: "For whom?" not in desk.screen(), "another thread")
        assert not desk.transcript.turn.can_abort
        await desk.ask("hello there")
        await desk.until(lambda: len(desk.app.turns) == 2, "a second turn")
        desk.app.set_thread("demo")
        await desk.sees("For whom?", "esc Abort")
        held.go.set()
        await desk.answered()
        assert [thread.id for thread in desk.harness.threads() if desk.harness.live_run(thread.id)] == []
