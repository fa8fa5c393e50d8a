"""The app, and `demo`: a scene in a throwaway Space, to step through in the app or to play to its end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.cli import output
from workbench.cli.face import Face, Json, Misused, SpaceDir, face_of
from workbench.cli.launch import open_app
from workbench.demo import FIRST_SCENE

if TYPE_CHECKING:
    from workbench.agent.scene import Scene
    from workbench.demo.player import Played
    from workbench.harness.harness import Harness


def demo(
    ctx: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="[NAME or FILE]", help="A scene by name, or a file that ends in .toml.")
    ] = FIRST_SCENE,
    headless: Annotated[
        bool, typer.Option("--headless", help="Play it to its end and print the log, as --json does.")
    ] = False,
    keep: Annotated[
        str | None, typer.Option("--keep", metavar="DIR", help="Keep the Space in this folder, which must be empty.")
    ] = None,
    list_scenes: Annotated[bool, typer.Option("--list", help="Name the scenes.")] = False,
    json: Json = False,
    space: SpaceDir = None,
) -> None:
    """See touch-expand at work.

    A scene in a throwaway Space, to step through in the app, or played to its end with --headless.
    """
    face = face_of(ctx, json, space)
    if face.space is not None:
        raise Misused("A demo has a Space of its own; --keep DIR says where it stays.")
    if list_scenes:
        _list(face)
        return
    headless = headless or face.json

    from workbench.demo.places import place
    from workbench.demo.shipped import find, is_ours

    scene = find(name)
    ours = is_ours(name) or _lent(scene)
    with place(Path(keep).expanduser() if keep is not None else None) as root:
        if not headless:
            code = open_app(root, scene, ours=ours)
            gone = "The demo's Space is gone; --keep DIR keeps one. A Space of your own: workbench init"
            output.out_line(gone if keep is None else f"The Space is kept: workbench --space {root}")
        else:
            _headless(face, scene, root, kept=keep is not None, ours=ours)
            code = 0
        if keep is not None and scene.surface == "toolbox":
            _take_back(root)
    if code:
        raise typer.Exit(code)


def _lent(scene: Scene) -> bool:
    """The owner's yes to a scene of another's that acts on the real machine, where somebody is there to say it."""
    from workbench.cli.asking import at_terminal

    if scene.surface != "toolbox" or not at_terminal():
        return False
    return typer.confirm(
        "This scene is from a file, and its agent acts on the real machine, as you, beginning in a folder of its own. "
        "It looks at whatever you can read, and asks before it changes or runs anything. Play it?"
    )


def _take_back(root: Path) -> None:
    """Unsay the yeses that a scene was lent: a Space that is kept has those of its owner only."""
    from workbench.cli.running import with_harness

    async def unsay(harness: Harness) -> None:
        for setting in harness.settings().approved:
            if setting.id in ("surface", "workdir"):
                await harness.approve(setting.id, False)

    with_harness(root, unsay)


def _list(face: Face) -> None:
    from workbench.cli.render import table
    from workbench.demo.shipped import scenes

    found = scenes()
    if not face.value({"scenes": [{"name": one.name, "title": one.title} for one in found]}):
        output.out_text(table([(one.name, one.title) for one in found]))


def _headless(face: Face, scene: Scene, root: Path, *, kept: bool, ours: bool) -> None:
    from workbench.cli.running import with_harness

    answer = with_harness(root, lambda harness: _play(face, scene, harness, ours=ours))
    if face.json:
        output.out_value(answer | ({"space": str(root.absolute())} if kept else {}))
    elif kept:
        output.err_line(f"The Space is kept: workbench --space {root}")


async def _play(face: Face, scene: Scene, harness: Harness, *, ours: bool) -> dict[str, Any]:
    """Play every step. For people each is printed as it happens; for a machine all of it is the answer."""
    from workbench.cli import render
    from workbench.demo.player import Player
    from workbench.harness.log.payloads import as_json

    player = Player(harness, scene, ours=ours)
    await player.prepare()
    notice = player.notice
    if not face.json:
        output.out_line(f"{scene.title}\n\n{scene.intro.strip()}")
        if notice:
            output.out_line(f"\n! {notice}")
    steps: list[dict[str, Any]] = []
    seen = 0
    while not player.done:
        played = await player.step()
        steps.append(_step_json(played))
        if not face.json:
            output.out_line(f"\n{player.position}. {played.step.caption}\n")
            for event in harness.events(scene.thread, after=seen):
                output.out_line(f"   {render.event(event)}")
                if (detail := render.detail(event)) is not None:
                    output.out_line(f"         {detail}")
                seen = event.seq
            for line in _changes(played):
                output.out_line(f"   {line}")
            output.flush()
    promotion = harness.promoted(scene.thread)
    if not face.json:
        output.out_line(f"\nThe provider's tools at the end of thread {scene.thread}:\n")
        output.out_text(render.promotion(promotion).text)
    answer: dict[str, Any] = {
        "scene": scene.title,
        "thread": scene.thread,
        "steps": steps,
        "events": [as_json(event) for event in harness.events(scene.thread)],
        "promoted": render.promotion_json(promotion),
    }
    return answer | ({"notice": notice} if notice else {})


def _step_json(played: Played) -> dict[str, Any]:
    from workbench.agent.scene import Say
    from workbench.harness.door.doing import Done

    act = played.step.act
    did: dict[str, Any] = {"actor": act.actor}
    did |= {"say": act.text} if isinstance(act, Say) else {"name": act.name, "input": act.input}
    if act.message is not None:
        did["message"] = act.message
    step: dict[str, Any] = {"caption": played.step.caption, "act": did}
    if played.error is not None:
        return step | {"error": {"code": played.error.code, "message": played.error.message}}
    if isinstance(played.done, Done):
        return step | {"result": played.done.result}
    return step | {"result": {"status": "said"}}


def _changes(played: Played) -> list[str]:
    """What the step changed for the provider, and what went wrong in it."""
    from workbench.cli import render

    failed = [f"! {played.error.message.splitlines()[0]}"] if played.error is not None else []
    return failed + render.promotion_changes(played.before, played.after)
