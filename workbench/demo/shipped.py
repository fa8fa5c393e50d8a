"""The scenes that come with the workbench, and how a scene is found by name or by file."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from msgspec import Struct

from workbench.agent.scene import Scene, load
from workbench.demo import FIRST_SCENE
from workbench.harness.errors import HarnessError


class Listed(Struct, frozen=True):
    """A scene that comes with the workbench."""

    name: str
    title: str


def scenes() -> list[Listed]:
    """The scenes that come with the workbench: the first one, then by name."""
    return [Listed(path.stem, load(path).title) for path in _files()]


def is_ours(name: str) -> bool:
    """Whether a name is that of a scene that comes with the workbench, and no file's."""
    return name in {path.stem for path in _files()}


def find(name: str) -> Scene:
    """The scene of that name, or of that file.

    Raises:
        HarnessError: `not_found`, with the names there are; or as `load` does.
    """
    if name.endswith(".toml") or "/" in name:
        return load(Path(name).expanduser())
    there = {path.stem: path for path in _files()}
    if name not in there:
        raise HarnessError(
            "not_found", f"There is no scene {name}. There are: {', '.join(there)}. Or name a file that ends in .toml."
        )
    return load(there[name])


def _files() -> list[Path]:
    there = (Path(str(resources.files("workbench.demo"))) / "scenes").glob("*.toml")
    return sorted(there, key=lambda path: (path.stem != FIRST_SCENE, path.stem))
