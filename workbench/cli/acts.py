"""`read`, `write`, `call`: acts, as the owner or as the agent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from workbench.cli import output
from workbench.cli.face import Face, Json, Misused, SpaceDir, face_of

if TYPE_CHECKING:
    from workbench.cli.saved_source import SavedSource
    from workbench.harness.door.doing import Done
    from workbench.harness.harness import Harness

Actor = Annotated[Literal["user", "agent"], typer.Option("--as", help="Who acts. The agent needs --thread.")]
Thread = Annotated[
    str | None, typer.Option("--thread", metavar="ID", help="The thread to act in; without it the thread workshop.")
]
MessageId = Annotated[
    str | None,
    typer.Option(
        "--message", metavar="ID", help="The message this belongs to; calls of one message know of none other."
    ),
]
Options = Annotated[
    str | None, typer.Option("--options", metavar="JSON", help='What the address allows, such as {"offset": 2001}.')
]


def read(
    ctx: typer.Context,
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="~/tools/, ~/tools/NAME, ~/memory/PATH, ~/self, thread:ID")
    ],
    options: Options = None,
    actor: Actor = "user",
    thread: Thread = None,
    message: MessageId = None,
    json: Json = False,
    space: SpaceDir = None,
) -> None:
    """Read what stands at an address.

    A tool's contract, a file of memory, the settings, a thread. Control characters are made visible; --json has
    the exact text.
    """
    face = face_of(ctx, json, space)
    _check_actor(actor, thread)

    from workbench.cli.inputs import address as typed_address
    from workbench.cli.inputs import object_of

    input: dict[str, Any] = {"address": typed_address(address)}
    if options is not None:
        input["options"] = object_of(options, "--options")
    _perform(face, "read", input, actor, thread, message)


def write(
    ctx: typer.Context,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="~/memory/PATH, ~/tools/NAME or ~/self")],
    content: Annotated[str | None, typer.Option("--content", metavar="TEXT", help="The content itself.")] = None,
    file: Annotated[
        str | None, typer.Option("--file", metavar="F", help="A file with the content; - is standard input.")
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--source", metavar="FILE", help="A lambda's source, a .py or .ts file; for ~/tools/NAME."),
    ] = None,
    contract: Annotated[
        str | None,
        typer.Option(
            "--contract",
            metavar="FILE",
            help="With --source: JSON with description, input, output, summary. Without it the stored contract "
            "stays, and a new lambda is described by the comment at the top of its source.",
        ),
    ] = None,
    options: Options = None,
    actor: Actor = "user",
    thread: Thread = None,
    message: MessageId = None,
    json: Json = False,
    space: SpaceDir = None,
) -> None:
    """Write a file, a lambda or the settings.

    A lambda whose source its compiler refuses is stored, and it is said where the fault is: on standard error, with
    --json as "problems". `--options '{"delete": true}'` takes a thing away.
    """
    face = face_of(ctx, json, space)
    _check_actor(actor, thread)
    given = [
        name for name, value in (("--content", content), ("--file", file), ("--source", source)) if value is not None
    ]
    if len(given) > 1:
        raise Misused(f"{' and '.join(given)} both give the content. Give one of them.")
    if contract is not None and source is None:
        raise Misused("--contract goes with --source.")

    from workbench.cli.inputs import address as typed_address
    from workbench.cli.inputs import argument, object_of, text_of

    input: dict[str, Any] = {"address": typed_address(address)}
    if options is not None:
        input["options"] = object_of(options, "--options")
    if content is not None:
        input["content"] = argument(content)
    elif file is not None:
        input["content"] = text_of(file)
    if source is not None:
        _check_source(input["address"])
    _perform(face, "write", input, actor, thread, message, source=(source, contract) if source is not None else None)


def call(
    ctx: typer.Context,
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="The tool's name, as `workbench tools` has it.")],
    input: Annotated[
        str, typer.Argument(metavar="[INPUT-JSON]", help="Its input, a JSON object; - reads it from standard input.")
    ] = "{}",
    timeout: Annotated[
        int | None, typer.Option("--timeout", metavar="S", help="Seconds the call may take, at most 300.")
    ] = None,
    actor: Actor = "user",
    thread: Thread = None,
    message: MessageId = None,
    json: Json = False,
    space: SpaceDir = None,
) -> None:
    """Call a tool.

    Ctrl-C cancels it; that too is logged, and nothing of it stays running.
    """
    face = face_of(ctx, json, space)
    _check_actor(actor, thread)

    from workbench.cli.inputs import argument, json_of

    body: dict[str, Any] = {"tool": argument(tool), "input": json_of(input, "INPUT-JSON")}
    if timeout is not None:
        body["options"] = {"timeout_secs": timeout}
    _perform(face, "call", body, actor, thread, message)


def _check_actor(actor: str, thread: str | None) -> None:
    if actor == "agent" and thread is None:
        raise Misused("--as agent needs --thread ID: what the agent does belongs to a conversation.")


def _check_source(address: str) -> None:
    from workbench.harness import address as addresses
    from workbench.harness.address import ToolAddress

    if not isinstance(addresses.parse(address), ToolAddress):
        raise Misused("--source is for a lambda: write ~/tools/NAME --source FILE.")


def _perform(
    face: Face,
    name: str,
    input: dict[str, Any],
    actor: str,
    thread: str | None,
    message: str | None,
    source: tuple[str, str | None] | None = None,
) -> None:
    from workbench.cli import render
    from workbench.cli.running import act, with_harness
    from workbench.harness.address import ToolAddress, parse

    async def work(harness: Harness) -> tuple[Done, SavedSource | None]:
        if source is not None:
            from workbench.cli.lambda_files import content_of

            where = parse(input["address"])
            assert isinstance(where, ToolAddress)
            input["content"] = content_of(*source, harness.tool(where.name))
        done = await act(harness, name, input, actor, thread, message)
        if name != "write":
            return done, None
        from workbench.cli.saved_source import look_at

        return done, await look_at(harness, done.result)

    done, saved = with_harness(face.root(), work)
    beside = saved.fields() if saved is not None else {}
    if face.value({"result": done.result, "thread": done.thread, "seq": done.seq, **beside}):
        return
    shown = render.result(name, done.result)
    output.out_text(shown.text)
    for line in (*shown.aside, *(saved.lines() if saved is not None else ())):
        output.err_line(line)
