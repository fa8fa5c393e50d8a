"""A short-lived helper process: given a text, it answers bytes, within a time and a size."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping, Sequence

from workbench.harness.errors import HarnessError

LIMIT_SECS = 10.0
"""How long a compiler may take; a source of 256 KiB takes a tenth of a second."""

MAX_OUTPUT = 4 * 1024 * 1024
"""Bytes of an answer at most."""


async def answer_of(command: Sequence[str], environment: Mapping[str, str], given: bytes) -> tuple[int, bytes]:
    """Run a command with `given` on its stdin, away from every folder of ours; its exit code and its stdout.

    It has nothing of our environment, and is gone when this returns or raises, also when it is cancelled.

    Raises:
        HarnessError: `unavailable` when it does not start, `timeout`, `limit` for too much output.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=dict(environment),
            cwd="/",
            start_new_session=True,
        )
    except OSError as error:
        raise HarnessError("unavailable", f"{command[0]} cannot be started: {error.strerror}.") from error
    assert process.stdin is not None
    assert process.stdout is not None
    feeding = asyncio.create_task(_feed(process.stdin, given))
    try:
        async with asyncio.timeout(LIMIT_SECS):
            output = await _read(process.stdout)
            return await process.wait(), output
    except TimeoutError as error:
        raise HarnessError(
            "timeout",
            f"The syntax could not be checked: its compiler took over {LIMIT_SECS:g} seconds and was stopped.",
        ) from error
    finally:
        feeding.cancel()
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            # A process has ended for asyncio only when its pipe is read to the end.
            while await process.stdout.read(65536):
                pass
            await process.wait()
        with contextlib.suppress(asyncio.CancelledError):
            await feeding


async def _feed(stdin: asyncio.StreamWriter, given: bytes) -> None:
    # A compiler that ends early has said what it had to say.
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        stdin.write(given)
        await stdin.drain()
    stdin.close()


async def _read(stdout: asyncio.StreamReader) -> bytes:
    pieces: list[bytes] = []
    length = 0
    while piece := await stdout.read(65536):
        pieces.append(piece)
        length += len(piece)
        if length > MAX_OUTPUT:
            raise HarnessError(
                "limit", f"The syntax could not be checked: its compiler said over {MAX_OUTPUT:,} bytes about it."
            )
    return b"".join(pieces)
