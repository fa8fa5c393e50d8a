"""Which interpreters run the calls, and which folders of the host each of them needs to see."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from workbench.harness.errors import HarnessError


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A program that runs calls: its real path, folders it needs besides /usr, folders in them that it must not see."""

    path: str
    folders: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


@cache
def python() -> Interpreter:
    """The interpreter that the workbench's own stands on: of a virtual environment, the one it was made from.

    Its standard library comes along; the packages installed beside it do not. Raises HarnessError `unavailable` where
    the program cannot be found.
    """
    base = getattr(sys, "_base_executable", None) or sys.executable
    path = os.path.realpath(base) if base else ""
    if not os.access(path, os.X_OK):
        raise HarnessError(
            "unavailable",
            f"The Python interpreter that runs lambdas was looked for at {path or 'no path'} and is not there. "
            "Start the workbench with an installed Python.",
        )
    own = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix}
    places = (sys.base_prefix, sys.base_exec_prefix, os.path.dirname(os.__file__), os.path.dirname(path))
    folders = _roots([os.path.realpath(place) for place in places])
    packages = (sysconfig.get_path(name, vars=own) for name in ("purelib", "platlib"))
    candidates = [*packages, "/usr/lib/python3/dist-packages"]
    hidden = dict.fromkeys(os.path.realpath(place) for place in candidates if os.path.isdir(place))
    return Interpreter(path, folders, tuple(hidden))


@cache
def deno() -> Interpreter:
    """Deno, from its Python package, else from the search path. Raises HarnessError `unavailable` if there is none."""
    path = _packaged_deno() or shutil.which("deno")
    if path is None:
        raise HarnessError(
            "unavailable", "Deno, which runs TypeScript, is not installed. Install it with `pip install deno`."
        )
    return Interpreter(os.path.realpath(path))


_SHELLS = ("/usr/bin/bash", "/bin/bash", "/bin/sh", "/usr/bin/sh")
_SHELL_ROOTS = ("/usr", "/bin")


@cache
def shell() -> Interpreter:
    """bash, where /usr or /bin has it, else their sh. Raises HarnessError `unavailable` where there is neither."""
    for path in _SHELLS:
        real = os.path.realpath(path)
        if os.access(real, os.X_OK) and any(_within(real, root) for root in _SHELL_ROOTS):
            return Interpreter(real)
    raise HarnessError(
        "unavailable",
        "There is neither bash nor sh in /usr or /bin. Install bash, or use runtime python or typescript.",
    )


def _packaged_deno() -> str | None:
    try:
        package = import_module("deno")
    except ImportError:
        return None
    try:
        return package.find_deno_bin()
    except FileNotFoundError:
        return None


def _roots(places: list[str]) -> tuple[str, ...]:
    """The folders among `places` that lie neither under /usr nor under another of them."""
    roots: list[str] = []
    for place in sorted(dict.fromkeys(places)):
        if not any(_within(place, root) for root in ("/usr", *roots)):
            roots.append(place)
    return tuple(roots)


def _within(place: str, root: str) -> bool:
    return place == root or place.startswith(root + "/")
