"""What the calls without a result do, as the log tells it: they act, ask the owner, or wait their turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from workbench.harness.door import AT_ONCE
from workbench.harness.log.events import Approval, RequestEnded, ToolCall, ToolResult
from workbench.harness.log.log import Log
from workbench.harness.tools.definition import ExecutionMode
from workbench.harness.views import Does, Running

Mode = Callable[[str, Any, str], ExecutionMode]
"""Whether a call, by its name, input and thread, may run beside the others of its message."""


def running(log: Log, mode: Mode) -> list[Running]:
    """The calls without a result, in any process, oldest first."""
    calls = [(call, log.state_of(call) == "interrupted") for call in log.open_calls()]
    known: dict[str, tuple[Does, str]] = {}
    # The owner asks nobody, and makes one call at a time: only what agents do has to be looked for.
    alive = [call for call, gone in calls if not gone and call.actor != "user"]
    for thread in dict.fromkeys(call.thread for call in alive):
        known |= _of_thread(log, thread, min(call.seq for call in alive if call.thread == thread), mode)
    return [Running(call, gone, *known.get(call.id, ("acts", call.time))) for call, gone in calls]


def _of_thread(log: Log, thread: str, first: int, mode: Mode) -> dict[str, tuple[Does, str]]:
    """What the calls of a thread do that have no result, from the message of its event `first` on."""
    ended: dict[str, str] = {}
    asked: dict[str, Approval] = {}
    message: list[ToolCall] = []
    found: dict[str, tuple[Does, str]] = {}
    for event in log.newest_of(thread):
        if message and not (isinstance(event, ToolCall) and event.message == message[0].message):
            # The calls of an answer stand right behind the end of its request; others were made one by one.
            together = isinstance(event, RequestEnded)
            found |= _of_message(message, ended, asked, _at_once(message, mode) if together else len(message))
            message = []
        match event:
            case ToolCall():
                message.insert(0, event)
            case ToolResult():
                ended[event.id] = event.time
            case Approval():
                asked.setdefault(event.key, event)
            case _:
                pass
        if event.seq < first and not message:
            break
    return found | _of_message(message, ended, asked, len(message))


def _at_once(calls: Sequence[ToolCall], mode: Mode) -> int:
    """How many calls of an answer run at once."""
    return 1 if any(mode(call.name, call.input, call.thread) == "sequential" for call in calls) else AT_ONCE


def _of_message(
    calls: Sequence[ToolCall], ended: dict[str, str], asked: dict[str, Approval], room: int
) -> dict[str, tuple[Does, str]]:
    """The same of one message, of whose calls so many run at once."""
    ends = sorted(ended[call.id] for call in calls if call.id in ended)
    found: dict[str, tuple[Does, str]] = {}
    for place, call in enumerate(calls):
        said = asked.get(call.id)
        if call.id in ended:
            continue
        if said is not None:
            found[call.id] = ("asks" if said.approved is None else "acts", said.time)
        elif place < room:
            found[call.id] = ("acts", call.time)
        elif place - room < len(ends):
            # Its place came free when one before it had ended.
            found[call.id] = ("acts", ends[place - room])
        else:
            found[call.id] = ("waits", call.time)
    return found
