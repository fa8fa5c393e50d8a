"""`tools`, `index`, `threads`, `promoted`: queries, which leave no event."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import typer

from workbench.cli import output
from workbench.cli.face import AtSeq, Json, SpaceDir, ThreadName, face_of

if TYPE_CHECKING:
    from workbench.cli.render import Shown


def tools(ctx: typer.Context, json: Json = False, space: SpaceDir = None) -> None:
    """List the tools, each with its state.

    Every builtin and lambda is listed; what cannot be called says why.
    """
    face = face_of(ctx, json, space)

    from workbench.cli import render
    from workbench.cli.running import look
    from workbench.harness.names import VERBS

    states, faults, notes, toolbox = look(
        face.root(),
        lambda harness: (harness.tools(), harness.settings().faults, harness.sandbox_notes(), harness.toolbox()),
    )
    listed = [{key: field for key, field in output.fields_of(state).items() if field is not None} for state in states]
    answer = {
        "tools": listed,
        "verbs": list(VERBS),
        "sandbox": [output.fields_of(note) for note in notes],
        "toolbox": output.fields_of(toolbox),
    }
    if not face.value(answer):
        shown = render.tools(states, VERBS)
        widened = (f"{note.id}: {note.text}" for note in notes)
        if toolbox.missing is None:
            hands = f"New threads act on the REAL MACHINE, in {toolbox.workdir}, with {', '.join(toolbox.tools)}."
            widened = (*widened, hands)
        _show(replace(shown, aside=(*shown.aside, *widened, *(f"fault: {fault}" for fault in faults))))


def index(ctx: typer.Context, json: Json = False, space: SpaceDir = None) -> None:
    """Print the <space> block and its cost.

    The text is exactly what the model reads.
    """
    face = face_of(ctx, json, space)

    from workbench.cli import render
    from workbench.cli.running import look

    found = look(face.root(), lambda harness: harness.index())
    lines = [
        {"text": line.text, "bytes": line.bytes} | ({"tool": line.tool} if line.tool is not None else {})
        for line in found.lines
    ]
    answer: dict[str, Any] = {
        "text": found.text,
        "bytes": found.bytes,
        "budget": found.budget,
        "stage": found.stage,
        "lines": lines,
        "listed": found.listed,
        "total": found.total,
    }
    if not face.value(answer):
        _show(render.index(found))


def threads(ctx: typer.Context, json: Json = False, space: SpaceDir = None) -> None:
    """List the threads, newest first."""
    face = face_of(ctx, json, space)

    from workbench.cli import render
    from workbench.cli.running import look

    found = look(face.root(), lambda harness: harness.threads())
    if not face.value({"threads": [output.fields_of(thread) for thread in found]}):
        _show(render.threads(found))


def promoted(
    ctx: typer.Context, thread: ThreadName, at: AtSeq = None, json: Json = False, space: SpaceDir = None
) -> None:
    """Show which tools a provider gets.

    The verbs, those that promotion gave the thread, and those that were touched and are withheld.
    """
    face = face_of(ctx, json, space)

    from workbench.cli import render
    from workbench.cli.running import look

    found = look(face.root(), lambda harness: harness.promoted(thread, at))
    if not face.value(render.promotion_json(found)):
        _show(render.promotion(found))


def _show(shown: Shown) -> None:
    output.out_text(shown.text)
    for line in shown.aside:
        output.err_line(line)
