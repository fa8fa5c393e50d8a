"""`cost`: what a catalogue of tools costs, told and shown on a scripted task."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.cli import output
from workbench.cli.face import Json, Misused, SpaceDir, face_of

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.agent.catalogue import Catalogue
    from workbench.agent.cost import Played, Standing
    from workbench.harness.harness import Harness

SHOWN_FAULTS = 5
"""How many refused lines are told one by one to people."""


def cost(
    ctx: typer.Context,
    files: Annotated[
        list[str], typer.Argument(metavar="FILE…", help="JSON lines {name, description, inputSchema}; - is input.")
    ],
    scene: Annotated[
        str | None,
        typer.Option("--scene", metavar="TASK", help="Play this task with them: three_tools, or a scene's .toml file."),
    ] = None,
    json: Json = False,
    space: SpaceDir = None,
) -> None:
    """Say what a catalogue of tools costs.

    What every schema has in a request, against the index and the verbs; with --scene each request of a task, played on
    a throwaway Space that holds all of the tools.
    """
    face = face_of(ctx, json, space)
    if face.space is not None:
        raise Misused("What a catalogue costs is found out on a throwaway Space; leave --space away.")

    from workbench.agent.catalogue import Catalogue
    from workbench.agent.cost import find_task, standing
    from workbench.cli.inputs import data_of

    task = find_task(scene) if scene is not None else None
    catalogue = Catalogue()
    for file in files:
        catalogue = catalogue.and_lines(data_of(file), "standard input" if file == "-" else file)
    found = standing(catalogue)
    played, note = _played(catalogue, task) if task is not None else (None, None)
    if face.value(_json(catalogue, found, played, note)):
        return

    from workbench.cli import cost_tables

    output.out_text(cost_tables.standing(found))
    if played is not None:
        output.out_text("\n" + cost_tables.task(played, compared=bool(catalogue.tools)))
        for fault in played.faults:
            output.err_line(f"! {fault}")
    if note is not None:
        output.err_line(f"! {note}")
    for line in _account(catalogue):
        output.err_line(line)


def _played(catalogue: Catalogue, task: Path) -> tuple[Played | None, str | None]:
    """The task, played; or why it cannot be."""
    from workbench.agent.cost import play, unavailable
    from workbench.cli.running import with_harness
    from workbench.demo.places import place

    async def work(harness: Harness) -> tuple[Played | None, str | None]:
        lacking = unavailable(harness)
        if lacking is not None:
            return None, f"The task cannot be played, because lambdas cannot run here. {lacking}"
        return await play(harness, catalogue, task), None

    with place(None) as root:
        return with_harness(root, work)


def _account(catalogue: Catalogue) -> list[str]:
    if not catalogue.tools:
        lines = ["There is no tool in this catalogue, so there is nothing to compare."]
    else:
        reasons = Counter(tool.renamed for tool in catalogue.tools)
        told = [_count(len(catalogue.tools), "tool")]
        if reasons["illegal"]:
            told.append(f"{reasons['illegal']:,} of them under another name, because theirs is not legal here")
        if reasons["taken"]:
            told.append(f"{reasons['taken']:,} with a number, because a tool before has the same name")
        lines = [f"{'; '.join(told)}."]
    refused = catalogue.refused
    if refused:
        lines.append(f"{_count(len(refused), 'line')} refused:")
        lines += [f"  {one.where}: {one.why}" for one in refused[:SHOWN_FAULTS]]
        lines += [f"  and {len(refused) - SHOWN_FAULTS} more; --json has all."] if len(refused) > SHOWN_FAULTS else []
    return lines


def _count(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number:,} {what}s"


def _json(catalogue: Catalogue, found: Standing, played: Played | None, note: str | None) -> dict[str, Any]:
    from workbench.agent.cost import BYTES_PER_TOKEN

    answer: dict[str, Any] = {
        "tools": found.tools,
        "renamed": [
            {"given": tool.given, "name": tool.document.name, "why": tool.renamed}
            for tool in catalogue.tools
            if tool.renamed
        ],
        "refused": [output.fields_of(one) for one in catalogue.refused],
        "bytes_per_token": BYTES_PER_TOKEN,
        "every_schema": found.every_schema,
        "index": {"bytes": found.index.bytes, "stage": found.index.stage, "listed": found.index.listed},
        "verbs": found.verbs,
        "index_and_verbs": found.sent,
    }
    if played is not None:
        rows = [
            {
                "answer": row.answer,
                "finds": row.finds,
                "index": row.index,
                "verbs": row.verbs,
                "promoted": row.promoted,
                "tools": list(row.tools),
                "messages": row.messages,
                "sent": row.sent,
                "with_every_schema": row.with_every_schema,
            }
            for row in played.rows
        ]
        answer["scene"] = {
            "title": played.title,
            "requests": rows,
            "sent": sum(row.sent for row in played.rows),
            "with_every_schema": sum(row.with_every_schema for row in played.rows),
            "with_every_schema_needed": sum(row.with_every_schema for row in played.rows if not row.finds),
            "faults": list(played.faults),
        }
    return answer | ({"note": note} if note is not None else {})
