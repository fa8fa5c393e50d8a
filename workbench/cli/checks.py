"""`fsck` and `doctor`: is the Space whole, and what works on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from workbench.cli import output
from workbench.cli.face import Json, SpaceDir, face_of

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.harness.space.agent_file import SettingsState

PACKAGES = {"openai:NAME": ("pydantic_ai", "openai"), "anthropic:NAME": ("pydantic_ai", "anthropic")}
"""What the models of a provider need of the extra, by the form of their names."""

KEYS = {"openai:NAME": "OPENAI_API_KEY", "anthropic:NAME": "ANTHROPIC_API_KEY"}
"""Where their keys are looked for unless the settings say otherwise."""


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

    And what is missing, with the remedy. Exits with 1 if lambdas of no language can run; the lines on models only
    inform.
    """
    face = face_of(ctx, json, space)

    from workbench.cli.machine_checks import program_checks
    from workbench.cli.running import run
    from workbench.harness.tools.engine import Bubblewrap

    availability = run(Bubblewrap().probe)
    checks: list[dict[str, Any]] = [
        {"name": check.name, "ok": check.ok, "detail": check.detail}
        | ({"remedy": check.remedy} if check.remedy else {})
        for check in availability.checks
    ]
    checks += program_checks()
    found, state = _space_checks(face.root())
    checks += found + _model_checks(state)
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


def _model_checks(state: SettingsState | None) -> list[dict[str, Any]]:
    """Whether a model could act: the packages, without loading them; whether a key is there, never the key itself."""
    import os
    from importlib.util import find_spec

    from workbench.agent.models.extra import INSTALL

    checks: list[dict[str, Any]] = []
    for form, packages in PACKAGES.items():
        lacking = [package for package in packages if find_spec(package) is None]
        detail = f"not installed: {', '.join(lacking)}" if lacking else "what they need is installed"
        checks.append(
            {"name": f"models {form}", "ok": not lacking, "detail": detail} | ({"remedy": INSTALL} if lacking else {})
        )
    for form, variable in KEYS.items():
        there = bool(os.environ.get(variable, "").strip())
        remedy = f"Set it for {form}, or name another key in the settings; servers of your own may need none."
        checks.append(
            {"name": variable, "ok": there, "detail": "it is set" if there else "it is not set"}
            | ({} if there else {"remedy": remedy})
        )
    return checks + (_settings_model(state) if state is not None else [])


def _settings_model(state: SettingsState) -> list[dict[str, Any]]:
    """The model that the settings name, and whether it waits for the owner's yes."""
    checks: list[dict[str, Any]] = []
    waiting = {setting.id: setting for setting in state.waiting}
    acts = state.settings.model
    if "model" not in waiting:
        detail = acts if acts is not None else "the settings name none; --model does for one run"
        checks.append({"name": "model", "ok": True, "detail": detail})
    for id in ("model", "models"):
        if id in waiting:
            what = str(waiting[id].value) if id == "model" else "the tables of the models"
            denied = waiting[id].denied
            detail = f"{what}: {'you said no to it' if denied else 'it waits for your yes'}, so it does not act"
            checks.append({"name": id, "ok": False, "detail": detail, "remedy": f"workbench approve {id}"})
    return checks


def _space_checks(root: Path) -> tuple[list[dict[str, Any]], SettingsState | None]:
    """Whether the Space opens, and how its settings widen the sandbox; and the settings, where it does.

    A Space that is not there yet is made by its first use, not by being asked about.
    """
    from workbench.cli.machine_checks import surface_check
    from workbench.cli.running import look
    from workbench.harness.errors import HarnessError

    if not (root / "space.db").exists():
        return [{"name": "space", "ok": True, "detail": f"{root} is not there yet; its first use makes it"}], None
    try:
        state, readonly, notes, toolbox = look(
            root,
            lambda harness: (harness.settings(), harness.readonly, harness.sandbox_notes(), harness.toolbox()),
        )
    except HarnessError as error:
        remedy = "Run `workbench fsck`, or name another folder with --space."
        return [{"name": "space", "ok": False, "detail": f"{root}: {error.message}", "remedy": remedy}], None
    whole: dict[str, Any] = {"name": "space", "ok": True, "detail": f"{root}{' (read-only)' if readonly else ''}"}
    if state.faults:
        faults = f"{root}: {' '.join(state.faults)}"
        whole = {"name": "space", "ok": False, "detail": faults, "remedy": "Mend agent.toml."}
    widened = [
        {"name": note.id, "ok": note.acts, "detail": note.text}
        | ({} if note.acts else {"remedy": f"Mend what is missing, or say no: workbench approve {note.id} --deny"})
        for note in notes
    ]
    return [whole, *widened, surface_check(toolbox)], state
