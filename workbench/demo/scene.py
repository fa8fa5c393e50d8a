"""A scene: what an agent and an owner do, step by step, as data in a TOML file.

A scene holds acts and captions, never an answer. Whatever the steps come to is worked out by the harness each time the
scene is played, so a scene cannot claim what the harness does not do.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Literal, NoReturn, cast

from workbench.harness import strict_json
from workbench.harness.address import path_parts
from workbench.harness.errors import HarnessError
from workbench.harness.identity import thread_id

Player = Literal["agent", "user"]

MAX_FILE_BYTES = 1024 * 1024
"""How long a scene file, and each file that it names, may be."""

_RUNTIMES = {".py": "python", ".ts": "typescript"}
_SCENE_KEYS = {"title", "intro", "thread", "lambdas", "files", "steps"}
_LAMBDA_KEYS = {"name", "source", "contract"}
_FILE_KEYS = {"path", "content"}
_ACT_KEYS = {"caption", "actor", "name", "input", "message"}
_SAY_KEYS = {"caption", "actor", "say", "message"}


@dataclass(frozen=True, slots=True)
class Act:
    """Something that somebody does: a verb, or a tool by its own name. Acts of one `message` were meant at once."""

    actor: Player
    name: str
    input: Any
    message: str | None = None


@dataclass(frozen=True, slots=True)
class Say:
    """Something that somebody says."""

    actor: Player
    text: str
    message: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what happens, and what to look at."""

    caption: str
    act: Act | Say


@dataclass(frozen=True, slots=True)
class Lambda:
    """A lambda that is there when the scene begins: its name and what `write` is given."""

    name: str
    content: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """A file of memory that is there when the scene begins."""

    path: str
    content: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole scene. `thread` is where its steps happen."""

    title: str
    intro: str
    thread: str
    lambdas: tuple[Lambda, ...]
    files: tuple[MemoryFile, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """A scene that comes with the workbench."""

    name: str
    title: str


def scenes() -> list[Listed]:
    """The scenes that come with the workbench, by name."""
    return [Listed(path.stem, load(path).title) for path in sorted(_folder().glob("*.toml"))]


def find(name: str) -> Scene:
    """The scene of that name, or of that file.

    Raises:
        HarnessError: `not_found`, with the names there are; or as `load` does.
    """
    if name.endswith(".toml") or "/" in name:
        return load(Path(name).expanduser())
    there = {path.stem: path for path in sorted(_folder().glob("*.toml"))}
    if name not in there:
        raise HarnessError(
            "not_found", f"There is no scene {name}. There are: {', '.join(there)}. Or name a file that ends in .toml."
        )
    return load(there[name])


def load(path: Path) -> Scene:
    """Read a scene and the files that it names, and check all of it.

    Raises:
        HarnessError: whatever is wrong, naming the file, the step and the fault.
    """
    where = _Place(path.name or str(path))
    text = _text_of(path, where)
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        where.refuse(f"it is not TOML: {error}")
    where.only(table, _SCENE_KEYS)
    lambdas = [
        _lambda(path.parent, one, where.at(f"lambda {number}"))
        for number, one in enumerate(where.tables(table, "lambdas"), 1)
    ]
    files = [_file(one, where.at(f"file {number}")) for number, one in enumerate(where.tables(table, "files"), 1)]
    steps = [_step(one, where.at(f"step {number}")) for number, one in enumerate(where.tables(table, "steps"), 1)]
    if not steps:
        where.refuse("it has no steps; begin each with [[steps]]")
    names = [one.name for one in lambdas]
    if len(set(names)) < len(names):
        where.refuse("two lambdas have the same name")
    return Scene(
        title=where.text(table, "title"),
        intro=where.text(table, "intro", absent=""),
        thread=_thread(where.text(table, "thread", absent="demo"), where),
        lambdas=tuple(lambdas),
        files=tuple(files),
        steps=tuple(steps),
    )


def _folder() -> Path:
    return Path(str(resources.files("workbench.demo"))) / "scenes"


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in which file we are, for messages."""

    file: str
    part: str = ""

    def at(self, part: str) -> _Place:
        return _Place(self.file, part)

    def refuse(self, fault: str) -> NoReturn:
        where = f"Scene {self.file}, {self.part}" if self.part else f"Scene {self.file}"
        raise HarnessError("bad_input", f"{where}: {fault}.")

    def only(self, table: Mapping[str, Any], allowed: set[str]) -> None:
        unknown = sorted(set(table) - allowed)
        if unknown:
            self.refuse(f"unknown keys {', '.join(unknown)}; there can be {', '.join(sorted(allowed))}")

    def text(self, table: Mapping[str, Any], key: str, absent: str | None = None) -> str:
        value = table.get(key, absent)
        if not isinstance(value, str) or (absent is None and not value.strip()):
            self.refuse(f"{key} must be a text" + ("" if key in table else ", and it is missing"))
        return value

    def tables(self, table: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in cast("list[Any]", value)):
            self.refuse(f"{key} must be a list of tables; begin each with [[{key}]]")
        return cast("list[Mapping[str, Any]]", value)


def _lambda(folder: Path, table: Mapping[str, Any], where: _Place) -> Lambda:
    from workbench.harness.space.document import lambda_document

    where.only(table, _LAMBDA_KEYS)
    name = where.text(table, "name")
    where = where.at(f"lambda {name}")
    source = where.text(table, "source")
    runtime = _RUNTIMES.get(Path(source).suffix)
    if runtime is None:
        where.refuse(f"its source {source} must end in {' or '.join(_RUNTIMES)}")
    contract_file = where.text(table, "contract")
    data = _beside(folder, contract_file, where)
    try:
        contract = strict_json.parse(data, what=contract_file)
        if not isinstance(contract, dict):
            where.refuse(f"{contract_file} must hold a JSON object")
        content = {"runtime": runtime, **contract, "source": _beside(folder, source, where)}
        lambda_document(name, content)
    except HarnessError as error:
        if error.message.startswith("Scene "):
            raise
        raise HarnessError(error.code, f"Scene {where.file}, {where.part}: {error.message}") from error
    return Lambda(name, content)


def _file(table: Mapping[str, Any], where: _Place) -> MemoryFile:
    where.only(table, _FILE_KEYS)
    path = where.text(table, "path")
    try:
        if not path_parts(path):
            where.refuse("its path names no file")
    except HarnessError as error:
        where.refuse(error.message.removesuffix("."))
    return MemoryFile(path, where.text(table, "content", absent=""))


def _step(table: Mapping[str, Any], where: _Place) -> Step:
    caption = where.text(table, "caption")
    if ("say" in table) == ("name" in table):
        where.refuse("it needs either say (something said) or name and input (something done), and not both")
    where.only(table, _SAY_KEYS if "say" in table else _ACT_KEYS)
    actor = where.text(table, "actor")
    if actor not in ("agent", "user"):
        where.refuse(f'actor is "agent" or "user", not "{actor}"')
    message = where.text(table, "message") if "message" in table else None
    who = cast("Player", actor)
    if "say" in table:
        return Step(caption, Say(who, where.text(table, "say"), message))
    if "input" not in table:
        where.refuse("it has a name and no input; an act without input has input = {}")
    try:
        strict_json.check(table["input"], what="input")
    except HarnessError as error:
        where.refuse(error.message.removesuffix("."))
    return Step(caption, Act(who, where.text(table, "name"), table["input"], message))


def _thread(name: str, where: _Place) -> str:
    try:
        return thread_id(name)
    except HarnessError as error:
        where.refuse(f"thread: {error.message.removesuffix('.')}")


def _beside(folder: Path, name: str, where: _Place) -> str:
    """The text of a file beside the scene; never one from elsewhere, since scenes are passed around."""
    path = folder / name
    if Path(name).is_absolute() or not path.resolve().is_relative_to(folder.resolve()):
        where.refuse(f"{name} is not beside the scene; only files in its own folder are read")
    return _text_of(path, where)


def _text_of(path: Path, where: _Place) -> str:
    try:
        if not path.is_file():
            where.refuse(f"there is no file {path}")
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        where.refuse(f"{path} cannot be read: {error.strerror}")
    if len(data) > MAX_FILE_BYTES:
        where.refuse(f"{path} has over {MAX_FILE_BYTES} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        where.refuse(f"{path} is not UTF-8 (byte {error.start})")
