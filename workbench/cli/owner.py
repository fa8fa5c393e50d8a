"""`init` and `approve`: what an owner does to a Space as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.cli import output
from workbench.cli.face import Json, Misused, SpaceDir, face_of

if TYPE_CHECKING:
    from workbench.harness.harness import Harness
    from workbench.harness.machine import AskedCall
    from workbench.harness.space.settings import Waiting


def init(
    ctx: typer.Context,
    folder: Annotated[
        str | None, typer.Argument(metavar="[DIR]", help="Where. Without it: --space, else your data folder.")
    ] = None,
    json: Json = False,
    space: SpaceDir = None,
) -> None:
    """Make a Space.

    It is a folder with settings, memory and a database.
    """
    face = face_of(ctx, json, space)
    if folder is not None:
        face = face_of(ctx, json, folder)

    from workbench.cli.running import look

    root = face.root()
    there = (root / "space.db").exists()
    look(root, lambda harness: harness.index())
    root = root.absolute()
    if face.value({"space": str(root), "made": not there}):
        return
    where = "" if folder is None and face.space is None else f" --space {_quoted(str(root))}"
    if there:
        output.out_line(f"There is a Space in {root} already; nothing was changed.")
    else:
        output.out_line(
            f"Made a Space in {root}: agent.toml (its settings), memory/ (its files), space.db (tools and log)."
        )
    output.out_line("")
    output.out_line(f"  workbench{where} tools      what an agent could call here")
    output.out_line(f"  workbench{where}            the app; `workbench demo` shows it at work first")


def approve(
    ctx: typer.Context,
    id: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="What to answer; without it: list what waits.")
    ] = None,
    deny: Annotated[bool, typer.Option("--deny", help="Say no instead of yes.")] = False,
    json: Json = False,
    space: SpaceDir = None,
) -> None:
    """See what waits for your yes; say it.

    Settings that widen what an agent can do wait until the owner has answered on this machine, and so do calls on the
    real machine that ask before they act.
    """
    face = face_of(ctx, json, space)
    if id is None and deny:
        raise Misused("--deny needs the ID of what is denied; `workbench approve` lists what waits.")

    from workbench.cli.running import look, with_harness

    if id is None:
        state, calls = look(face.root(), lambda harness: (harness.settings(), harness.asked()))
        answer = {
            "waiting": [_fields(one) for one in state.waiting],
            "calls": [output.fields_of(call) for call in calls],
            "faults": list(state.faults),
        }
        if not face.value(answer):
            _list(state.waiting, calls, state.faults)
        return

    async def said(harness: Harness) -> tuple[Waiting | AskedCall, str, int]:
        answered = await harness.approve(id, not deny)
        thread, seq = _recorded(harness, id, getattr(answered, "thread", WORKSHOP))
        return answered, thread, seq

    from workbench.harness.identity import WORKSHOP
    from workbench.harness.log.payloads import dumps
    from workbench.harness.machine import AskedCall

    setting, thread, seq = with_harness(face.root(), said)
    result: dict[str, Any] = {"status": "denied" if deny else "approved", "id": setting.id}
    if isinstance(setting, AskedCall):
        if not face.value({"result": result | {"tool": setting.tool}, "thread": thread, "seq": seq}):
            output.out_line(f"{'No: it is not done' if deny else 'Yes: it runs'}. {setting.tool} in {setting.cwd}")
        return
    result["value"] = setting.value
    if not face.value({"result": result, "thread": thread, "seq": seq}):
        words = "No: its default stays" if deny else "Yes: it acts now, on this machine"
        output.out_line(f"{words}. {setting.id} = {dumps(setting.value)}")


def _fields(waiting: Waiting) -> dict[str, Any]:
    """A setting that waits, as `--json` prints it; where a model is sent only where that is part of the question."""
    return {name: value for name, value in output.fields_of(waiting).items() if name != "question" or value is not None}


def _list(waiting: tuple[Waiting, ...], calls: list[AskedCall], faults: tuple[str, ...]) -> None:
    from workbench.cli.asking import question
    from workbench.harness.log.payloads import dumps

    for call in calls:
        output.out_line(f"{call.id} (thread {call.thread})")
        for line in question(call):
            output.out_line(f"  {line}")
    for one in waiting:
        state = "denied" if one.denied else "waits" if one.built else "waits; not part of this version"
        output.out_line(f"{one.id} = {dumps(one.value)}  ({state}; until then {dumps(one.default)})")
    for fault in faults:
        output.err_line(f"fault: {fault}")
    if not waiting and not calls:
        output.err_line("Nothing waits for your yes.")


def _recorded(harness: Harness, id: str, thread: str) -> tuple[str, int]:
    """The event that recorded the answer."""
    from workbench.harness.log.events import Approval

    events = [event for event in harness.events(thread) if isinstance(event, Approval) and event.key == id]
    return thread, events[-1].seq


def _quoted(text: str) -> str:
    import shlex

    return shlex.quote(text)
