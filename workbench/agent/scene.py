"""A scene: what an agent and an owner do, step by step, as data in a TOML file.

A scene holds acts and captions, never what the harness answers: that is worked out each time the scene is played, so a
scene cannot claim what the harness does not do. Played by the demo it is a show; played as a model, its agent answers.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, cast, get_args

from msgspec import Struct

from workbench.agent.scene_place import Place
from workbench.harness import strict_json
from workbench.harness.address import path_parts
from workbench.harness.errors import HarnessError
from workbench.harness.identity import thread_id
from workbench.harness.log.events import Surface

Player = Literal["agent", "user"]

EarlyEnd = Literal["length", "refusal"]
"""How an answer can end before all was said: its length limit cut it, or its provider refused to go on."""

MAX_SCENE_BYTES = 16 * 1024 * 1024
"""How long a scene file may be: a recorded thread holds whatever was written in it."""

MAX_FILE_BYTES = 1024 * 1024
"""How long each file that a scene names may be."""

MAX_PACE_SECS = 5.0
"""The slowest that a scene's agent may speak, in seconds a piece."""

_RUNTIMES = {".py": "python", ".ts": "typescript"}
MAX_LINES = 1_000_000
"""How many lines a work file may be made of."""

_SCENE_KEYS = {"title", "intro", "thread", "pace", "surface", "lambdas", "files", "work_files", "steps"}
_LAMBDA_KEYS = {"name", "source", "contract"}
_FILE_KEYS = {"path", "content"}
_WORK_FILE_KEYS = {"path", "content", "lines"}
_LINES_KEYS = {"count", "each", "instead"}
_STEP_KEYS = {"caption", "actor", "message", "thinking", "finish"}
_ACT_KEYS = _STEP_KEYS | {"name", "input", "input_json"}
_SAY_KEYS = _STEP_KEYS | {"say"}


class Act(Struct, frozen=True):
    """Something that somebody does: a verb, or a tool by its own name. Acts of one `message` were meant at once."""

    actor: Player
    name: str
    input: Any
    message: str | None = None


class Say(Struct, frozen=True):
    """Something that somebody says."""

    actor: Player
    text: str
    message: str | None = None


class Step(Struct, frozen=True):
    """One step: what happens, and what to look at.

    `thinking` is what the agent thought before it, `finish` that its answer ended there before all was said.
    """

    caption: str
    act: Act | Say
    thinking: tuple[str, ...] = ()
    finish: EarlyEnd | None = None


class Lambda(Struct, frozen=True):
    """A lambda that is there when the scene begins: its name and what `write` is given."""

    name: str
    content: Mapping[str, Any]


class MemoryFile(Struct, frozen=True):
    """A file of memory that is there when the scene begins."""

    path: str
    content: str


class WorkFile(Struct, frozen=True):
    """A file of the working directory that is there when a scene of the toolbox surface begins."""

    path: str
    content: str


class Scene(Struct, frozen=True):
    """A whole scene. `thread` is where its steps happen; `pace` the seconds a piece of what the agent says takes.

    On the surface `toolbox` its agent acts on the real machine, in a directory that has `work_files`.
    """

    title: str
    intro: str
    thread: str
    lambdas: tuple[Lambda, ...]
    files: tuple[MemoryFile, ...]
    steps: tuple[Step, ...]
    pace: float = 0
    surface: Surface = "verbs"
    work_files: tuple[WorkFile, ...] = ()


def load(path: Path) -> Scene:
    """Read a scene and the files that it names, and check all of it.

    Raises:
        HarnessError: whatever is wrong, naming the file, the step and the fault.
    """
    where = Place(path.name or str(path))
    text = where.content(path, MAX_SCENE_BYTES)
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        where.refuse(f"it is not TOML: {error}")
    where.only(table, _SCENE_KEYS)
    lambdas = [
        _lambda(path.parent, one, where.at(f"lambda {number}"))
        for number, one in enumerate(where.tables(table, "lambdas"), 1)
    ]
    files = [_file(one, where.at(f"file {number}")) for number, one in enumerate(where.tables(table, "files"), 1)]
    surface = where.text(table, "surface", absent="verbs")
    if surface not in ("verbs", "toolbox"):
        where.refuse(f'surface is "verbs" or "toolbox", not "{surface}"')
    work_files = [
        _work_file(one, where.at(f"work file {number}"))
        for number, one in enumerate(where.tables(table, "work_files"), 1)
    ]
    if work_files and surface != "toolbox":
        where.refuse('work_files are for a scene whose surface is "toolbox"')
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
        pace=where.number(table, "pace", MAX_PACE_SECS),
        surface=surface,
        work_files=tuple(work_files),
    )


def _lambda(folder: Path, table: Mapping[str, Any], where: Place) -> Lambda:
    from workbench.harness.space.document import lambda_document

    where.only(table, _LAMBDA_KEYS)
    name = where.text(table, "name")
    where = where.at(f"lambda {name}")
    source = where.text(table, "source")
    runtime = _RUNTIMES.get(Path(source).suffix)
    if runtime is None:
        where.refuse(f"its source {source} must end in {' or '.join(_RUNTIMES)}")
    contract_file = where.text(table, "contract")
    data = where.beside(folder, contract_file, MAX_FILE_BYTES)
    try:
        contract = strict_json.parse(data, what=contract_file)
        if not isinstance(contract, dict):
            where.refuse(f"{contract_file} must hold a JSON object")
        content = {"runtime": runtime, **contract, "source": where.beside(folder, source, MAX_FILE_BYTES)}
        lambda_document(name, content)
    except HarnessError as error:
        if error.message.startswith("Scene "):
            raise
        raise HarnessError(error.code, f"{where}: {error.message}") from error
    return Lambda(name, content)


def _file(table: Mapping[str, Any], where: Place) -> MemoryFile:
    where.only(table, _FILE_KEYS)
    path = where.text(table, "path")
    try:
        if not path_parts(path):
            where.refuse("its path names no file")
    except HarnessError as error:
        where.refuse(error.message.removesuffix("."))
    return MemoryFile(path, where.text(table, "content", absent=""))


def _work_file(table: Mapping[str, Any], where: Place) -> WorkFile:
    where.only(table, _WORK_FILE_KEYS)
    path = _file({"path": table.get("path"), "content": ""}, where).path
    if "lines" not in table:
        return WorkFile(path, where.text(table, "content", absent=""))
    if "content" in table:
        where.refuse("it has either content or lines")
    return WorkFile(path, _lines(table["lines"], where.at(f"the lines of {path}")))


def _lines(table: Any, where: Place) -> str:
    """A long text from a short word: `count` lines like `each`, with others `instead` at some numbers."""
    if not isinstance(table, dict):
        where.refuse("lines is a table with count and each, and perhaps instead")
    told = cast("dict[str, Any]", table)
    where.only(told, _LINES_KEYS)
    count = int(where.number(told, "count", MAX_LINES))
    each = where.text(told, "each")
    instead: Any = told.get("instead", {})
    if not isinstance(instead, dict) or not all(
        isinstance(line, str) for line in cast("dict[str, Any]", instead).values()
    ):
        where.refuse('instead is a table of lines by their numbers, such as { 17 = "another" }')
    others = cast("dict[str, str]", instead)
    lines: list[str] = []
    size = 0
    for number in range(1, count + 1):
        lines.append(others.get(str(number), each).replace("{n}", str(number)) + "\n")
        size += len(lines[-1].encode("utf-8", "surrogatepass"))
        if size > MAX_SCENE_BYTES:
            where.refuse(f"they have over {MAX_SCENE_BYTES} bytes")
    return "".join(lines)


def _step(table: Mapping[str, Any], where: Place) -> Step:
    caption = where.text(table, "caption")
    if ("say" in table) == ("name" in table):
        where.refuse("it needs either say (something said) or name and input (something done), and not both")
    where.only(table, _SAY_KEYS if "say" in table else _ACT_KEYS)
    actor = where.text(table, "actor")
    if actor not in ("agent", "user"):
        where.refuse(f'actor is "agent" or "user", not "{actor}"')
    who: Player = actor
    message = where.text(table, "message") if "message" in table else None
    thinking = where.texts(table, "thinking")
    finish = _finish(table, where)
    if who == "user" and (thinking or finish):
        where.refuse("thinking and finish are for what the agent says and does, and this is the user")
    if "say" in table:
        text = _any(table, "say", where) if who == "agent" else where.text(table, "say")
        return Step(caption, Say(who, text, message), thinking, finish)
    return Step(caption, Act(who, _any(table, "name", where), _input(table, where), message), thinking, finish)


def _any(table: Mapping[str, Any], key: str, where: Place) -> str:
    """A text that is not empty. Models do say white space before they call, and make up names: a recording keeps it."""
    return where.text(table, key, absent="" if table[key] else None)


def _finish(table: Mapping[str, Any], where: Place) -> EarlyEnd | None:
    if "finish" not in table:
        return None
    if table["finish"] not in get_args(EarlyEnd):
        where.refuse('finish is "length" (a limit cut the answer) or "refusal" (the provider refused to go on)')
    return cast(EarlyEnd, table["finish"])


def _input(table: Mapping[str, Any], where: Place) -> Any:
    """An act's input: as TOML, or as the text of JSON, which holds what TOML cannot."""
    if ("input" in table) == ("input_json" in table):
        where.refuse(
            "it has a name, so it has either input or input_json (the same as the text of JSON, for what TOML cannot "
            "hold); an act without input has input = {}"
        )
    given: Any = table.get("input")
    text = where.text(table, "input_json") if "input_json" in table else None
    try:
        if text is not None:
            return strict_json.parse(text, what="input_json")
        strict_json.check(given, what="input")
    except HarnessError as error:
        where.refuse(error.message.removesuffix("."))
    return given


def _thread(name: str, where: Place) -> str:
    try:
        return thread_id(name)
    except HarnessError as error:
        where.refuse(f"thread: {error.message.removesuffix('.')}")
