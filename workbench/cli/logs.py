"""`log`: a thread's events, one a line, as they come, or as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from workbench.cli import output
from workbench.cli.face import Face, Json, Misused, SpaceDir, ThreadName, face_of

if TYPE_CHECKING:
    from workbench.harness.harness import Harness
    from workbench.harness.log.events import Event


def log(
    ctx: typer.Context,
    thread: ThreadName,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on with new events until Ctrl-C.")] = False,
    format: Annotated[
        Literal["md", "html"] | None, typer.Option("--format", help="The thread as one document instead.")
    ] = None,
    json: Json = False,
    space: SpaceDir = None,
) -> None:
    """Print a thread, one event a line.

    Who did what, and what came of it; or the thread as one document.
    """
    face = face_of(ctx, json, space)
    if follow and format is not None:
        raise Misused("--follow prints events as they come; --format makes a document. Choose one.")

    from workbench.cli.running import Interrupted, with_harness

    if format is not None:
        document = with_harness(face.root(), lambda harness: _document(harness, thread, format))
        if not face.value({"thread": thread, "format": format, "content": document}):
            output.out_text(document)
    elif follow:
        try:
            with_harness(face.root(), lambda harness: _follow(face, harness, thread))
        except Interrupted as ended:
            # Following ends by a signal and by nothing else: there is nothing to say about it.
            raise typer.Exit(ended.exit_code) from None
    else:
        with_harness(face.root(), lambda harness: _print(face, harness, thread))


async def _print(face: Face, harness: Harness, thread: str) -> None:
    for event in _events(harness, thread):
        _line(face, event)


async def _follow(face: Face, harness: Harness, thread: str) -> None:
    """Print what is there, then whatever comes. A note is only the word to look: the log itself says what is new."""
    notes = harness.subscribe()
    last = 0
    try:
        while True:
            for event in harness.events(thread, after=last):
                _line(face, event)
                last = event.seq
            output.flush()
            await anext(notes)
    finally:
        notes.close()


async def _document(harness: Harness, thread: str, format: Literal["md", "html"]) -> str:
    events = _events(harness, thread)
    if format == "md":
        from workbench.harness.log.transcript import as_markdown

        return as_markdown(thread, events, harness.state_of)

    from workbench.cli.thread_html import as_html

    running = {one.call.id for one in harness.running() if not one.interrupted}
    return as_html(thread, events, running)


def _events(harness: Harness, thread: str) -> list[Event]:
    events = harness.events(thread)
    if not events:
        from workbench.harness.errors import HarnessError

        raise HarnessError("not_found", f"There is no thread {thread}. `workbench threads` lists those there are.")
    return events


def _line(face: Face, event: Event) -> None:
    from workbench.cli import render
    from workbench.harness.log.payloads import as_json

    if not face.value(as_json(event)):
        detail = render.detail(event)
        output.out_line(render.event(event) + (f"  {detail}" if detail else ""))
