"""`request`: what a provider is sent next, or was sent then; with --wire the very body of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.cli import output
from workbench.cli.face import AtSeq, Face, Json, SpaceDir, ThreadName, face_of
from workbench.harness.errors import HarnessError

if TYPE_CHECKING:
    from workbench.agent.models.model import Loss, Model
    from workbench.harness.harness import Harness
    from workbench.harness.request import Request

ModelName = Annotated[
    str | None, typer.Option("--model", metavar="M", help="openai:NAME, anthropic:NAME, scripted:FILE, replay:THREAD.")
]


def request(
    ctx: typer.Context,
    thread: ThreadName,
    at: AtSeq = None,
    model: ModelName = None,
    wire: Annotated[bool, typer.Option("--wire", help="The body that the model's adapter would send.")] = False,
    json: Json = False,
    space: SpaceDir = None,
) -> None:
    """Print what a provider is sent next.

    System text, tools, messages, and the bytes of each. Where a request was sent at that event, it is the recorded one.
    """
    face = face_of(ctx, json, space)

    from workbench.cli.running import with_harness

    if wire:
        with_harness(face.root(), lambda harness: _wire(face, harness, thread, at, model))
    else:
        with_harness(face.root(), lambda harness: _request(face, harness, thread, at, model))


async def _request(face: Face, harness: Harness, thread: str, at: int | None, named: str | None) -> None:
    from workbench.agent.wire import wire_of
    from workbench.cli import render, wire_words

    model = _chosen(harness, named) if named is not None else _of_the_settings(harness)
    wire = wire_of(harness, thread, at, model)
    found = wire.request
    answer: dict[str, Any] = {
        "system": found.system,
        "tools": list(found.tools),
        "messages": list(found.messages),
        "bytes": dict(found.bytes),
    }
    answer |= _said_of(found, model.id if model is not None else None) | wire_words.fields(wire)
    losses = [output.fields_of(loss) for loss in wire.losses]
    if face.value(answer | ({"losses": losses} if model is not None else {})):
        return
    shown = render.request(found, wire.parts)
    output.out_text(shown.text)
    for line in (*shown.aside, *wire_words.lines(wire), *_losses(wire.losses)):
        output.err_line(line)


async def _wire(face: Face, harness: Harness, thread: str, at: int | None, named: str | None) -> None:
    from workbench.agent.body import body_of, shown
    from workbench.agent.images import images_of
    from workbench.cli import wire_words
    from workbench.harness.strict_json import pretty

    model = _chosen(harness, named or harness.settings().settings.model)
    try:
        found = harness.request(thread, at, model.context_tokens)
        body = await body_of(harness, thread, found, model)
    finally:
        await model.close()
    from json import loads

    losses = model.project(found.tools).losses
    images = images_of(found.messages, model.id, model.takes_images)
    answer: dict[str, Any] = {"model": model.id, "method": body.method, "url": body.url, "body": loads(body.body)}
    answer |= {key: said for key, said in _said_of(found, None).items() if key != "model"}
    answer |= wire_words.image_fields(images)
    if face.value(answer | ({"losses": [output.fields_of(loss) for loss in losses]} if losses else {})):
        return
    text, cut = shown(body.body)
    output.out_line(pretty(loads(text)))
    output.err_line(f"{model.id}: {body.method} {body.url}, {len(body.body):,} bytes. Nothing was sent.")
    then = ("The request is as it was recorded; the model's address, options and rules are those of today.",)
    if cut:
        many = "an image" if cut == 1 else f"{cut:,} images"
        output.err_line(f"Of the data of {many} only the beginning is shown here; --json has all of it.")
    said = (*((found.note,) if found.note else then if found.recorded else ()), *wire_words.image_lines(images))
    for line in (*said, *_losses(losses)):
        output.err_line(line)


def _chosen(harness: Harness, named: str | None) -> Model:
    from workbench.agent.models.choose import choose

    return choose(named, harness.settings().settings, harness=harness)


def _of_the_settings(harness: Harness) -> Model | None:
    """The owner's model, whose context bounds what is sent; None without one, also where it cannot be chosen now."""
    named = harness.settings().settings.model
    if named is None:
        return None
    try:
        return _chosen(harness, named)
    except HarnessError as error:
        output.err_line(f"Shown as for any model: {error.message}")
        return None


def _said_of(found: Request, model: str | None) -> dict[str, Any]:
    """What there is to say of a request beside its parts; nothing of the plain next one."""
    said: dict[str, Any] = {
        "note": found.note,
        "left_out": found.left_out or None,
        "recorded": found.recorded,
        "model": found.model if found.recorded is not None else model,
    }
    return {key: value for key, value in said.items() if value is not None}


def _losses(losses: tuple[Loss, ...]) -> list[str]:
    """What a provider is not sent of the contracts, one a line."""
    return [f"not sent of {loss.tool}: {loss.keyword} at {loss.path or 'the root'}. {loss.why}" for loss in losses]
