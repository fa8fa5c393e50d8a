"""The code that keeps a declaration's word: the module of ours that a tool is bound to, as it is installed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

MAX_BYTES = 1024 * 1024
"""How much of a module is read."""

PACKAGES = {
    "": "workbench.harness.tools.builtins",
    "verb": "workbench.harness.verbs",
    "toolbox": "workbench.harness.tools.toolbox",
}
"""Where the executors of a kind of binding lie; builtins are bound by their bare name."""


@dataclass(frozen=True, slots=True)
class Executor:
    """A module and its file. `mark` is another one when the file changed."""

    module: str
    path: Path
    mark: tuple[int, ...]
    text: str


def executor_module(binding: str) -> str | None:
    """The name of the module that a binding stands for, whether there is one or not; None for what is not ours."""
    kind, _, name = binding.rpartition(":")
    package = PACKAGES.get(kind)
    return f"{package}.{name}" if package is not None and name.isidentifier() else None


def executor_file(binding: str) -> tuple[str, Path] | None:
    """The module of a binding and its file, where it is installed as one. Nothing of it is run."""
    module = executor_module(binding)
    if module is None:
        return None
    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        return None
    if spec is None or spec.origin is None or not spec.has_location:
        return None
    return module, Path(spec.origin)


def mark_of(path: Path) -> tuple[int, ...]:
    """Something that changes when a file does; cheap."""
    try:
        about = os.stat(path)
    except OSError:
        return ()
    return (about.st_mtime_ns, about.st_size, about.st_ino)


def read_executor(module: str, path: Path) -> Executor:
    """The text of a module as its file has it now; words where that cannot be read."""
    mark = mark_of(path)
    try:
        with path.open("rb") as file:
            text = file.read(MAX_BYTES).decode("utf-8", "replace")
    except OSError as error:
        text = f"# The file of {module} cannot be read now: {error.strerror}.\n"
    return Executor(module, path, mark, text)
