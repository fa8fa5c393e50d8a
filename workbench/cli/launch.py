"""Opening the app, with as little loaded as that needs: whoever types `workbench` waits for all of it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from workbench.agent.scene import Scene


def space_folder(named: str | None) -> Path:
    """The folder of the Space that was asked for, else the user's own."""
    if named is not None:
        return Path(named).expanduser()
    import platformdirs

    return Path(platformdirs.user_data_dir("workbench")) / "space"


class AppAlone(NamedTuple):
    """The app was asked for and nothing else: on which Space, and with which model for this time."""

    space: str | None = None
    model: str | None = None


def app_alone(arguments: Sequence[str]) -> AppAlone | None:
    """What was named, where the arguments ask for the app and nothing else; else None."""
    named: dict[str, str] = {}
    rest = list(arguments)
    while rest:
        match rest:
            case ["--space" | "--model" as option, value, *more] if value and not value.startswith("-"):
                name = option.removeprefix("--")
                if name in named:
                    return None
                named[name] = value
                rest = more
            case _:
                return None
    return AppAlone(**named)


def has_terminal() -> bool:
    """Whether there is a terminal to draw on and to type at."""
    return bool(sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty())


def open_app(space: Path, scene: Scene | None = None, model: str | None = None, *, ours: bool = False) -> int:
    """Open the app on a Space, with a scene to step through if there is one; the app's exit code.

    `ours` says that the scene came with the workbench. `model` is what answers for this time, instead of the one of
    the settings.

    Raises:
        HarnessError: `unavailable` where there is no terminal to draw on.
    """
    if not has_terminal():
        from workbench.harness.errors import HarnessError

        way = (
            "`workbench demo --headless` plays without one" if scene else "`workbench --help` lists what works without"
        )
        raise HarnessError("unavailable", f"The app needs a terminal, and this is none; {way}.")

    from workbench.app.main import run

    # From here on the app ends in order at a signal: it gives the terminal back.
    signal.signal(signal.SIGINT, signal.default_int_handler)

    if scene is None:
        return run(space, model=model)

    from workbench.demo.player import Player

    return run(space, thread=scene.thread, player_factory=lambda harness: Player(harness, scene, ours=ours))
