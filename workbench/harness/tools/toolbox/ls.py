"""`ls`: what a directory holds."""

from __future__ import annotations

import heapq
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.collation import collation_key
from workbench.harness.tools.toolbox.drawn import Drawn, Line, Place, Places, Span, Words
from workbench.harness.tools.toolbox.host_tool import HostContext, HostTool, OnUpdate, Result, Signal, ToolAnswer
from workbench.harness.tools.toolbox.in_thread import Check, in_thread
from workbench.harness.tools.toolbox.limits import LS_ENTRIES, MAX_BYTES
from workbench.harness.tools.toolbox.paths import resolve, shown
from workbench.harness.tools.toolbox.prepare import number_in, path_in, take_file_path, whole_number
from workbench.harness.tools.toolbox.system_words import NO_NAME, code_of
from workbench.harness.tools.toolbox.truncate import head, size_words

EMPTY = "(empty directory)"
"""What is said of a directory that holds nothing that can be listed."""

DESCRIPTION = f"""\
List what a directory of this machine holds, one name in a line: a / after directories and after links to directories, \
names that begin with a dot included, links that lead nowhere left out. path is relative to the working directory, or \
absolute; without it the working directory is listed. It looks into no directory below: use find for that.

Names are sorted: signs, then digits, then letters, whatever their case. One answer holds at most {LS_ENTRIES} names, \
or as many as limit says, and at most {MAX_BYTES // 1024}KB. When names are left out, the last line of the answer says \
so in brackets: ask again with the larger limit that it names, or look for the names you need with find. Control \
characters in a name are shown as signs (a newline as ␊), so that a name stays one line; bytes that are not UTF-8 as \
U+FFFD."""

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_CHECK_EVERY = 256


class Parameters(Struct, frozen=True, kw_only=True):
    """What `ls` is asked for."""

    path: (
        Annotated[
            str, Meta(description="The directory, relative to the working directory or absolute; that one if absent")
        ]
        | UnsetType
    ) = UNSET
    limit: (
        Annotated[float, Meta(description=f"The most names to list, at least 1; {LS_ENTRIES} if absent")] | UnsetType
    ) = UNSET


async def execute(
    call_id: str, params: Parameters, signal: Signal, on_update: OnUpdate, ctx: HostContext
) -> ToolAnswer:
    """List a directory.

    Raises:
        HarnessError: `not_found`, `bad_input`, `refused` or `failed` for what cannot be listed; `cancelled`.
    """
    signal.check()
    asked = whole_number(params.limit, "limit")
    limit = LS_ENTRIES if asked is None else max(1, asked)
    given = "" if isinstance(params.path, UnsetType) else params.path
    return await in_thread(signal, lambda check: _listing(resolve(given, ctx.cwd), limit, check))


def _listing(path: Path, limit: int, check: Check) -> ToolAnswer:
    _check_directory(path)
    counted = _Counted(_names(path, check))
    # More names than this cannot be shown, and no more of them are kept: a name takes a byte, and its newline another.
    most = min(limit, MAX_BYTES // 2 + 1)
    kept = heapq.nsmallest(most, counted, key=lambda entry: collation_key(entry[0]))
    if not counted.number:
        return ToolAnswer.of(EMPTY)
    lines = [one_line(name) + ("/" if is_directory else "") for name, is_directory in kept]
    cut = head("\n".join(lines), max_lines=None)
    notices: list[str] = []
    details: dict[str, Any] = {}
    if counted.number > limit:
        notices.append(f"{limit} entries limit reached. Use limit={limit * 2} for more")
        details["entryLimitReached"] = limit
    if cut.truncated:
        notices.append(f"{size_words(MAX_BYTES)} limit reached")
        details["truncation"] = cut.details()
    notice = f"\n\n[{'. '.join(notices)}]" if notices else ""
    return ToolAnswer.of(cut.content + notice, details or None)


class _Counted:
    """Hands entries on and counts them."""

    def __init__(self, entries: Iterator[tuple[str, bool]]) -> None:
        self._entries = entries
        self.number = 0

    def __iter__(self) -> Iterator[tuple[str, bool]]:
        for entry in self._entries:
            self.number += 1
            yield entry


def _check_directory(path: Path) -> None:
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise HarnessError("not_found", f"Path not found: {shown(path)}") from error
    except OSError as error:
        raise _unreadable(error) from error
    except ValueError as error:
        raise HarnessError("bad_input", NO_NAME) from error
    if not stat.S_ISDIR(status.st_mode):
        raise HarnessError("bad_input", f"Not a directory: {shown(path)}")


def _names(path: Path, check: Check) -> Iterator[tuple[str, bool]]:
    """Each name in a directory, and whether it is a directory or a link to one; no links that lead nowhere."""
    try:
        with os.scandir(path) as entries:
            for number, entry in enumerate(entries):
                if number % _CHECK_EVERY == 0:
                    check()
                if _is_there(entry):
                    yield entry.name, entry.is_dir()
    except OSError as error:
        raise _unreadable(error) from error


def _is_there(entry: os.DirEntry[str]) -> bool:
    if not entry.is_symlink():
        return True
    try:
        entry.stat()
    except OSError:
        return False
    return True


def _unreadable(error: OSError) -> HarnessError:
    return HarnessError(code_of(error), f"Cannot read directory: {error.strerror or error}")


def one_line(name: str) -> str:
    """A name as one line that the log and a model can hold: controls become their pictures, foreign bytes U+FFFD."""
    return _CONTROLS.sub(lambda found: _picture(found[0]), shown(name))


def _picture(char: str) -> str:
    if char < " ":
        return chr(0x2400 + ord(char))
    return "\u2421" if char == "\x7f" else "\ufffd"


def render_call(input: Any) -> Line:
    """The directory, and how many names at most where that was asked for."""
    spans = [Span("ls", "name"), Span(" "), Span(path_in(input) or ".", "path")]
    limit = number_in(input, "limit")
    if limit is not None:
        spans += [Span(" limit ", "dim"), Span(str(limit), "number")]
    return tuple(spans)


def render_result(input: Any, result: Result, cwd: Path) -> tuple[Drawn, ...]:
    """The names, to be opened, and what was said about them."""
    if result.error is not None:
        return (Words(result.error, "error"),)
    if result.text == EMPTY:
        return (Words(EMPTY),)
    # A name holds no newline here, so an empty line comes before the notice and nowhere else.
    listed, _, notice = result.text.partition("\n\n")
    try:
        folder = resolve(path_in(input), cwd)
    except HarnessError:
        folder = cwd
    rows = tuple(Place(str(folder / name.removesuffix("/")), name) for name in listed.split("\n") if name)
    drawn: tuple[Drawn, ...] = (Places(rows),) if rows else ()
    return (*drawn, Words(notice)) if notice else drawn


LS = HostTool(
    name="ls",
    label="List",
    summary="List what a directory of this machine holds, sorted, one name in a line.",
    description=DESCRIPTION,
    parameters=Parameters,
    binding="toolbox:ls",
    execution_mode="parallel",
    execute=execute,
    prepare_arguments=take_file_path,
    render_call=render_call,
    render_result=render_result,
)
"""The tool."""
