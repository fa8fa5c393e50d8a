"""Handing a text over to the person's own editor, and taking it back."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import shutil
import signal
import stat
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported

from workbench.harness.errors import HarnessError

MAX_BYTES = 4 * 1024 * 1024
"""How long a text that comes back may be; the Space takes no more."""

PATIENCE_SECS = 2.0
"""How long an editor has to end when the workbench is made to leave."""


def editor_command(environment: Mapping[str, str]) -> list[str]:
    """The person's editor: `$VISUAL`, else `$EDITOR`, with the arguments that stand there.

    Raises:
        HarnessError: `unavailable` when neither names a program that is there.
    """
    for name in ("VISUAL", "EDITOR"):
        given = environment.get(name, "").strip()
        if not given:
            continue
        try:
            command = shlex.split(given)
        except ValueError as error:
            raise HarnessError("unavailable", f"${name} cannot be read as a command: {error}.") from error
        if shutil.which(command[0], path=environment.get("PATH")) is None:
            raise HarnessError(
                "unavailable", f"${name} names {command[0]}, which is not installed. Set it to an editor that is."
            )
        return command
    raise HarnessError(
        "unavailable", "Neither $VISUAL nor $EDITOR is set. Set one before you start the workbench: export EDITOR=nano"
    )


async def hand_over(app: App[Any], text: str, name: str, environment: Mapping[str, str] | None = None) -> str:
    """Give the terminal to the person's editor with a text in a file of that name; what the file has when it ends.

    Everything else of the workbench goes on meanwhile: running calls, and what others do in the Space.

    Raises:
        HarnessError: it could not be handed over, or what came back cannot be taken; it says where the file is then,
            when somebody worked in it.
    """
    command = editor_command(os.environ if environment is None else environment)
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise HarnessError("bad_input", "The text holds half a character, which no file can have.") from error
    folder = Path(tempfile.mkdtemp(prefix="workbench-"))
    file = folder / name
    taken = False
    try:
        _put(file, data)
        with _terminal_of_its_own(app):
            code = await _run([*command, str(file)])
        if code != 0:
            raise HarnessError("failed", f"{command[0]} ended with exit code {code}; nothing was taken over.")
        given = _taken(file, text)
        taken = True
        return given
    except HarnessError as error:
        where = f" The file is still there: {file}" if _changed(file, data) else ""
        raise HarnessError(error.code, error.message + where) from error
    finally:
        if taken or not _changed(file, data):
            shutil.rmtree(folder, ignore_errors=True)


def _put(file: Path, data: bytes) -> None:
    try:
        fd = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(fd, "wb") as opened:
            opened.write(data)
    except OSError as error:
        raise HarnessError("unavailable", f"The text cannot be put in a file: {error.strerror}.") from error


def _taken(file: Path, text: str) -> str:
    try:
        fd = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        about = os.fstat(fd)
        with os.fdopen(fd, "rb") as opened:
            if not stat.S_ISREG(about.st_mode):
                raise HarnessError("failed", "What the editor left is no file; nothing was taken over.")
            data = opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise HarnessError(
            "failed", f"The editor left no file that can be read ({error.strerror}); nothing was taken over."
        ) from error
    if len(data) > MAX_BYTES:
        raise HarnessError("limit", f"What the editor left is over {MAX_BYTES:,} bytes; nothing was taken over.")
    try:
        given = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise HarnessError(
            "bad_input", f"What the editor left is not UTF-8 (byte {error.start}); nothing was taken over."
        ) from error
    # Most editors end a file with a line break; that alone is no edit.
    return text if given == text + "\n" else given


def _changed(file: Path, before: bytes) -> bool:
    try:
        about = os.stat(file, follow_symlinks=False)
        return stat.S_ISREG(about.st_mode) and (about.st_size != len(before) or file.read_bytes() != before)
    except OSError:
        return False


@contextlib.contextmanager
def _terminal_of_its_own(app: App[Any]) -> Iterator[None]:
    """Leave the terminal to another program; nothing is painted meanwhile, though everything goes on."""
    try:
        with app.batch_update(), app.suspend():
            yield
    except SuspendNotSupported:
        raise HarnessError(
            "unavailable", "There is no terminal here to give to an editor, as in a browser. Edit with e instead."
        ) from None


async def _run(command: list[str]) -> int:
    """Run a program in the terminal until it ends; its exit code."""
    try:
        process = await asyncio.create_subprocess_exec(*command)
    except OSError as error:
        raise HarnessError("unavailable", f"{command[0]} cannot be started: {error.strerror}.") from error
    with _interrupts_for_it():
        try:
            return await process.wait()
        finally:
            await _end(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    for end in (process.terminate, process.kill):
        with contextlib.suppress(ProcessLookupError):
            end()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_SECS):
                await process.wait()
                return


@contextlib.contextmanager
def _interrupts_for_it() -> Iterator[None]:
    """A ctrl+c in the terminal reaches every program in it: it is the editor's, and must not end the workbench."""
    # Only after the editor was started, which would otherwise ignore them as well.
    before = {each: signal.signal(each, signal.SIG_IGN) for each in (signal.SIGINT, signal.SIGQUIT)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


_PLUS = frozenset({"ed", "emacs", "emacsclient", "joe", "kak", "micro", "nano", "nvim", "vi", "vim"})
"""Editors that go to a line where `+12` stands before the file."""

_COLON = frozenset({"hx", "subl", "zed"})
"""Editors that go to a line where it stands behind the file's name, as in `a.py:12`."""


async def visit(app: App[Any], path: str, line: int | None, environment: Mapping[str, str] | None = None) -> None:
    """Give the terminal to the person's editor with a file of this machine, at a line where it knows how to.

    Raises:
        HarnessError: there is no editor, no terminal for it, no such file, or it ended with a failure.
    """
    command = editor_command(os.environ if environment is None else environment)
    if not await asyncio.to_thread(os.path.isfile, path):
        raise HarnessError("not_found", "There is no such file any more.")
    with _terminal_of_its_own(app):
        code = await _run([*command, *at_line(command[0], path, line)])
    if code != 0:
        raise HarnessError("failed", f"{command[0]} ended with exit code {code}.")


def at_line(editor: str, path: str, line: int | None) -> list[str]:
    """What an editor is given behind its own name, so that it shows a file at a line. A path never begins with a dash.

    `path` is absolute.
    """
    name = Path(editor).name
    if line is None:
        return [path]
    if name in _PLUS:
        return [f"+{line}", path]
    if name in ("code", "codium"):
        return ["--goto", f"{path}:{line}"]
    return [f"{path}:{line}"] if name in _COLON else [path]
