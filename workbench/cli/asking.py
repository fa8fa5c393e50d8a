"""A turn's questions to the owner: put at the terminal, or told for `workbench approve` to answer."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from workbench.harness.errors import HarnessError
from workbench.harness.log.payloads import dumps

if TYPE_CHECKING:
    from workbench.harness.harness import Harness
    from workbench.harness.machine import AskedCall

YES = ("y", "yes")

SHOWN_LINES = 40
"""Lines of a text that a question shows."""

_LINE_BYTES = 4096


def at_terminal() -> bool:
    """Whether somebody sits there who can be asked, and can answer."""
    return bool(sys.stdin and sys.stdin.isatty() and sys.stderr and sys.stderr.isatty())


class Asker:
    """Puts the questions of one thread, in their order, until it is stopped."""

    def __init__(self, harness: Harness, thread: str, *, prompts: bool, tell: Callable[[str], None]) -> None:
        """With `prompts` a question is put at the terminal; without, it is told how another terminal answers it."""
        self._harness = harness
        self._thread = thread
        self._prompts = prompts
        self._tell = tell
        self._told: set[str] = set()
        self._notes = harness.subscribe()

    async def follow(self) -> None:
        """Ask whatever waits, until this is cancelled."""
        try:
            while True:
                for asked in self._waiting():
                    if asked.id not in self._told:
                        self._told.add(asked.id)
                        await self._put(asked)
                await anext(self._notes)
        finally:
            self._notes.close()

    def _waiting(self) -> list[AskedCall]:
        with contextlib.suppress(HarnessError):
            return [asked for asked in self._harness.asked() if asked.thread == self._thread]
        return []

    async def _put(self, asked: AskedCall) -> None:
        for line in question(asked):
            self._tell(line)
        if not self._prompts:
            space = shlex.quote(str(self._harness.root))
            self._tell(f"  Answer with: workbench --space {space} approve {asked.id}   (no: --deny)")
            return
        _forget_what_was_typed()
        self._tell("  Yes? [y/N] ")
        answer = asyncio.create_task(_line(), name=f"the answer to {asked.id}")
        elsewhere = asyncio.create_task(self._answered(asked.id), name=f"another's answer to {asked.id}")
        try:
            await asyncio.wait({answer, elsewhere}, return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                await self._answer(asked, answer.result().strip().lower() in YES)
            else:
                self._tell("  It was answered elsewhere.")
        finally:
            for task in (answer, elsewhere):
                task.cancel()
            await asyncio.gather(answer, elsewhere, return_exceptions=True)

    async def _answer(self, asked: AskedCall, yes: bool) -> None:
        try:
            await self._harness.approve(asked.id, yes)
        except HarnessError as error:
            # What was answered elsewhere in the same moment stands; what could not be kept is asked again.
            if error.code != "not_found":
                self._tell(f"  {error.message}")
                self._told.discard(asked.id)

    async def _answered(self, id: str) -> None:
        notes = self._harness.subscribe()
        try:
            while any(asked.id == id for asked in self._waiting()):
                await anext(notes)
        finally:
            notes.close()


def question(asked: AskedCall) -> list[str]:
    """What is asked, a line each."""
    body = asked.input if isinstance(asked.input, dict) else {}
    lines = [f"? {asked.tool} asks before it acts, in {asked.cwd}: {asked.why}"]
    match body:
        case {"command": str(command)} if asked.tool == "bash":
            return lines + [f"  $ {line}" for line in command.split("\n")]
        case {"path": str(path), "content": str(content)} if asked.tool == "write":
            return [
                *lines,
                f"  {path}, {len(content.encode('utf-8', 'replace')):,} bytes:",
                *_beginning("  | ", content),
            ]
        case {"path": str(path), "edits": list(edits)} if asked.tool == "edit":
            return [*lines, f"  {path}", *(line for edit in edits for line in _change(edit))]
        case _:
            return [*lines, f"  {dumps(asked.input)}"]


def _change(edit: object) -> list[str]:
    match edit:
        case {"oldText": str(old), "newText": str(new)}:
            return [*_beginning("  - ", old), *_beginning("  + ", new)]
        case _:
            return [f"  {dumps(edit)}"]


def _beginning(mark: str, text: str) -> list[str]:
    lines = text.removesuffix("\n").split("\n")
    more = [f"{mark}… {len(lines) - SHOWN_LINES:,} more lines"] if len(lines) > SHOWN_LINES else []
    return [mark + line for line in lines[:SHOWN_LINES]] + more


def _forget_what_was_typed() -> None:
    """Drop what was typed before a question was there: it answers another one, or nothing at all."""
    import termios

    with contextlib.suppress(termios.error, OSError, ValueError):
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


async def _line() -> str:
    """A line that is typed; empty where standard input ends. Nothing behind it is read: that answers nothing yet."""
    loop = asyncio.get_running_loop()
    typed: asyncio.Future[str] = loop.create_future()

    def readable() -> None:
        if typed.done():
            return
        try:
            # A terminal gives one line at a time; standard input as Python has it would keep the next one.
            typed.set_result(os.read(sys.stdin.fileno(), _LINE_BYTES).decode("utf-8", "replace"))
        except OSError:
            # The terminal is gone, and nobody says yes.
            typed.set_result("")

    loop.add_reader(sys.stdin.fileno(), readable)
    try:
        return await typed
    finally:
        loop.remove_reader(sys.stdin.fileno())
