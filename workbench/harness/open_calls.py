"""What the calls without a result do, as the log tells it: they act, ask the owner, or wait their turn."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.harness.at_once import at_once
from workbench.harness.log.events import Approval, RequestEnded, ToolCall, ToolResult
from workbench.harness.log.reading import Reading
from workbench.harness.machine import Machine
from workbench.harness.views import Does, Running


def running(log: Reading, machine: Machine) -> list[Running]:
    """The calls without a result, in any process, oldest first."""
    calls = [(call, log.live.state_of(call) == "interrupted") for call in log.live.open_calls()]
    known: dict[str, tuple[Does, str]] = {}
    # The owner asks nobody, and makes one call at a time: only what agents do has to be looked for.
    alive = [call for call, gone in calls if not gone and call.actor != "user"]
    for thread in dict.fromkeys(call.thread for call in alive):
        known |= _of_thread(log, machine, thread, min(call.seq for call in alive if call.thread == thread))
    return [Running(call, gone, *known.get(call.id, ("acts", call.time))) for call, gone in calls]


def _of_thread(log: Reading, machine: Machine, thread: str, first: int) -> dict[str, tuple[Does, str]]:
    """What the calls of a thread do that have no result, from the message of its event `first` on."""
    ended: dict[str, str] = {}
    asked: dict[str, Approval] = {}
    message: list[ToolCall] = []
    found: dict[str, tuple[Does, str]] = {}
    for event in log.newest_of(thread):
        if message and not (isinstance(event, ToolCall) and event.message == message[0].message):
            # The calls of an answer stand right behind the end of its request; others were made one by one.
            made = [(call.name, call.input) for call in message]
            room = at_once(log, machine, thread, made) if isinstance(event, RequestEnded) else len(message)
            found |= _of_message(message, ended, asked, room)
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
