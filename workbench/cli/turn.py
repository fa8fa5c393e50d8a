"""`run`: one turn of the agent, as it happens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workbench.cli import output
from workbench.cli.face import Face, Json, SpaceDir, ThreadName, face_of
from workbench.cli.request import ModelName

if TYPE_CHECKING:
    from workbench.agent.turn import TurnEnd
    from workbench.harness.errors import HarnessError
    from workbench.harness.harness import Harness

ABORTED = "Aborted. What was said and done until then stays in the log; a run without a message goes on."


def run(
    ctx: typer.Context,
    thread: ThreadName,
    message: Annotated[
        str | None,
        typer.Argument(metavar="MESSAGE", help="What you say; - is standard input. Without it: go on."),
    ] = None,
    model: ModelName = None,
    record: Annotated[
        str | None,
        typer.Option("--record", metavar="FILE", help="Then write the thread as a scene: a model scripted:FILE."),
    ] = None,
    ask: Annotated[
        bool,
        typer.Option("--ask", help="Wait for `workbench approve` where a call asks and no terminal is here to ask at."),
    ] = False,
    json: Json = False,
    space: SpaceDir = None,
) -> None:
    """Let the agent's model act, and watch.

    One turn: what the agent says is on standard output as it comes, its calls and what is promoted on standard error.
    Without a message it goes on where it was interrupted. In a thread that acts on this machine, what asks is asked at
    the terminal; where there is none, it is not done. Exits with 1 where the turn did not come to its end.
    """
    face = face_of(ctx, json, space)

    from workbench.cli.inputs import argument, text_of
    from workbench.cli.recording import check_place
    from workbench.cli.running import Interrupted, with_harness
    from workbench.cli.told import summary

    file = check_place(record) if record is not None else None
    text = text_of("-") if message == "-" else argument(message) if message is not None else None
    begun: list[str] = []
    try:
        end, unrecorded = with_harness(
            face.root(), lambda harness: _turn(face, harness, thread, text, model, file, begun.append, ask=ask)
        )
    except Interrupted as aborted:
        if not begun:
            raise
        if not face.value({"type": "turn", "reason": "aborted", "words": ABORTED, "thread": thread}):
            output.err_line(f"workbench: {ABORTED}")
        raise typer.Exit(aborted.exit_code) from None
    answer = {
        "type": "turn",
        "thread": end.thread,
        "run": end.run,
        "reason": end.reason,
        "words": end.words,
        "requests": end.requests,
        "usage": output.fields_of(end.usage),
        "cost": end.cost,
    }
    if not face.value(answer):
        output.err_line(summary(end))
        if end.words:
            output.err_line(f"workbench: {end.words}")
        if file is not None and unrecorded is None:
            output.err_line(f"Recorded: --model scripted:{file} gives the same answers again.")
    if unrecorded is not None:
        raise unrecorded
    if end.reason != "done":
        raise typer.Exit(1)


def _surface_waits(harness: Harness, thread: str) -> str | None:
    """Said before a thread begins on another surface than the settings want, for there it stays."""
    state = harness.settings()
    waiting = [setting.id for setting in state.waiting if setting.id in ("surface", "workdir")]
    begun = any(one.id == thread for one in harness.threads())
    if begun or not waiting or harness.surface(thread) == "toolbox":
        return None
    if (state.values or {}).get("surface") != "toolbox":
        return None
    return (
        f"{' and '.join(waiting)} of the settings wait for your yes (workbench approve), so thread {thread} begins on "
        "the verbs surface, and stays there."
    )


async def _turn(
    face: Face,
    harness: Harness,
    thread: str,
    text: str | None,
    named: str | None,
    file: Path | None,
    begins: Callable[[str], None],
    *,
    ask: bool,
) -> tuple[TurnEnd, HarnessError | None]:
    """Do the turn and show it: how it ended, and why it could not be recorded where that was asked for.

    Raises:
        HarnessError: no such model, or another turn of the thread lives.
        OutputLost: nobody reads any more; the turn was aborted.
    """
    from workbench.agent.models.choose import choose
    from workbench.agent.turn import turn
    from workbench.cli.asking import Asker, at_terminal
    from workbench.cli.recording import record
    from workbench.cli.told import Machine, People, Teller, stopped
    from workbench.harness.errors import HarnessError

    settings = harness.settings().settings
    if not face.json and (waits := _surface_waits(harness, thread)):
        output.err_line(waits)
    model = choose(named or settings.model, settings, harness=harness)
    teller = Teller(harness, thread, Machine() if face.json else People(text), lambda: work.cancel())
    prompts = not face.json and not ask and at_terminal()
    asker = Asker(harness, thread, prompts=prompts, tell=(lambda line: None) if face.json else output.err_line)
    asking = asyncio.create_task(asker.follow(), name="what asks the owner")
    # With nobody to ask any more a question would wait for ever.
    asking.add_done_callback(lambda over: None if over.cancelled() else work.cancel())
    begins(thread)
    work = asyncio.create_task(turn(harness, thread, model, text, told=teller.told), name=f"turn of {thread}")
    follower = asyncio.create_task(teller.follow(), name="what enters the log")
    try:
        with harness.attended() if prompts or ask else nullcontext():
            end = await work
    except asyncio.CancelledError:
        if teller.lost is not None:
            raise teller.lost from None
        raise
    finally:
        await stopped(asking)
        await stopped(follower)
        teller.catch_up()
        await model.close()
    if teller.lost is not None:
        raise teller.lost
    try:
        if file is not None:
            record(harness, thread, file)
    except HarnessError as fault:
        return end, fault
    return end, None
