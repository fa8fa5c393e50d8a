"""`fsck` and `doctor`: is the Space whole, and what works on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from workbench.cli import output
from workbench.cli.face import Json, SpaceDir, face_of

if TYPE_CHECKING:
    from pathlib import Path


def fsck(ctx: typer.Context, json: Json = False, space: SpaceDir = None) -> None:
    """Check every block and every log.

    Exits with 1 and a list if anything is wrong.
    """
    face = face_of(ctx, json, space)

    from workbench.cli.running import look

    faults = look(face.root(), lambda harness: harness.fsck())
    if not face.value({"ok": not faults, "faults": [output.fields_of(fault) for fault in faults]}):
        for fault in faults:
            output.out_line(f"{fault.where}: {fault.what}")
        output.err_line(
            f"{len(faults)} wrong. What is wrong is never used." if faults else "Every block and every event is whole."
        )
    if faults:
        raise typer.Exit(1)


def doctor(ctx: typer.Context, json: Json = False, space: SpaceDir = None) -> None:
    """Say what works on this machine.

    And what is missing, with the remedy. Exits with 1 if lambdas of no language can run.
    """
    face = face_of(ctx, json, space)

    from workbench.cli.running import run
    from workbench.harness.tools.engine import Bubblewrap

    availability = run(Bubblewrap().probe)
    checks: list[dict[str, Any]] = [
        {"name": check.name, "ok": check.ok, "detail": check.detail}
        | ({"remedy": check.remedy} if check.remedy else {})
        for check in availability.checks
    ]
    checks += _space_checks(face.root())
    runs = {"python": availability.python, "typescript": availability.typescript}
    nothing_runs = all(reason is not None for reason in runs.values())
    if not face.value(
        {"ok": not nothing_runs, "checks": checks, "missing": runs | {"shell": availability.shell}},
    ):
        for check in checks:
            output.out_line(f"{'ok     ' if check['ok'] else 'missing'}  {check['name']}: {check['detail']}")
            if check.get("remedy") and not check["ok"]:
                output.out_line(f"         {check['remedy']}")
        for runtime, reason in runs.items():
            output.out_line(f"{'missing' if reason else 'ok     '}  lambdas in {runtime}: {reason or 'they run'}")
        lacking = availability.shell
        output.out_line(f"{'missing' if lacking else 'ok     '}  execute in shell: {lacking or 'it runs'}")
    if nothing_runs:
        raise typer.Exit(1)


def _space_checks(root: Path) -> list[dict[str, Any]]:
    """Whether the Space opens, and how its settings widen the sandbox.

    A Space that is not there yet is made by its first use, not by being asked about.
    """
    from workbench.cli.running import look
    from workbench.harness.errors import HarnessError

    if not (root / "space.db").exists():
        return [{"name": "space", "ok": True, "detail": f"{root} is not there yet; its first use makes it"}]
    try:
        state, readonly, notes = look(
            root, lambda harness: (harness.settings(), harness.readonly, harness.sandbox_notes())
        )
    except HarnessError as error:
        remedy = "Run `workbench fsck`, or name another folder with --space."
        return [{"name": "space", "ok": False, "detail": f"{root}: {error.message}", "remedy": remedy}]
    whole: dict[str, Any] = {"name": "space", "ok": True, "detail": f"{root}{' (read-only)' if readonly else ''}"}
    if state.faults:
        faults = f"{root}: {' '.join(state.faults)}"
        whole = {"name": "space", "ok": False, "detail": faults, "remedy": "Mend agent.toml."}
    widened = [
        {"name": note.id, "ok": note.acts, "detail": note.text}
        | ({} if note.acts else {"remedy": f"Mend what is missing, or say no: workbench approve {note.id} --deny"})
        for note in notes
    ]
    return [whole, *widened]
