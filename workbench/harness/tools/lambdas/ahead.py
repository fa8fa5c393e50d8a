"""Finding out what works here in a process of its own, while the one that will ask loads what else it needs.

Loading takes one processor all the time; looking takes the other one.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.harness.tools.lambdas.availability import Availability

ANSWER_SECS = 30.0
"""How long the other process is waited for; then whoever asks looks itself."""

NICE = 10
"""By how much the other process gives way."""

_ROOT = Path(__file__).parents[4]
_begun: list[subprocess.Popen[bytes]] = []
_found: list[Availability] = []


def begin() -> None:
    """Begin to find out. Where no process can be started nothing happens: whoever asks then looks itself."""
    if _begun or _found:
        return
    path = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))
    code = f"from {__name__} import tell; tell()"
    with contextlib.suppress(OSError):
        _begun.append(
            subprocess.Popen(
                [sys.executable, "-P", "-c", code],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": path},
            )
        )


async def found() -> Availability | None:
    """What the other process found; None where none was begun, or it gave no answer."""
    if _begun:
        answer = await asyncio.to_thread(_answer_of, _begun.pop())
        if answer is not None:
            _found[:] = [answer]
    return _found[0] if _found else None


def tell() -> None:
    """Be the other process: look, and write what was found to standard output."""
    import msgspec

    from workbench.harness.tools.lambdas.probe import look

    # Whoever began it shall not wait for a processor.
    os.nice(NICE)
    sys.stdout.buffer.write(msgspec.json.encode(asyncio.run(look())))


def _answer_of(process: subprocess.Popen[bytes]) -> Availability | None:
    import msgspec

    from workbench.harness.tools.lambdas.availability import Availability

    with process:
        try:
            answer, _ = process.communicate(timeout=ANSWER_SECS)
            return msgspec.json.decode(answer, type=Availability)
        except (subprocess.TimeoutExpired, msgspec.MsgspecError):
            process.kill()
            return None
