"""Events to the messages of a provider request, provider-neutral. Pure.

A message is `{role, text?, calls?, results?, from}`: `user` speaks, `assistant` speaks and calls, `tool` carries the
results of the calls right before it. `from` names the events it was made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from workbench.harness.log.events import Cut, Event, Message, RequestSent, Run, ToolCall, ToolResult, dumps
from workbench.harness.log.log import CallState
from workbench.harness.paging import MAX_BYTES, MAX_LINES, page
from workbench.harness.text import cut_bytes, neutralise

FRAME_BYTES = 8 * 1024
"""What an owner's act, or its result, may take in a request: the whole frame, after escaping."""

WITHOUT_RESULT: dict[CallState, str] = {
    "running": "This call has not ended yet; its result is not here.",
    "interrupted": "This call was interrupted before it had an answer; it may or may not have taken effect.",
    "ended": "This call ended after this moment; its result is not part of it.",
}
"""What stands for a result that the events at hand do not hold."""


WORDLESS = "[no words]"
"""What stands for an answer that said nothing and called nothing; every answer that was given is a message."""

BROKE_OFF: dict[Cut, str] = {
    "length": "[Your answer broke off here: it reached its length limit.]",
    "aborted": "[Your answer broke off here: the owner stopped it.]",
    "failed": "[Your answer broke off here: the connection to the model failed.]",
}
"""What the model is told behind an answer that has no end."""


def replay(events: Iterable[Event], state_of: Callable[[ToolCall], CallState]) -> list[dict[str, Any]]:
    """The messages that a provider is sent for these events, in order.

    What others said and did while a request was under way comes behind its answer, which was given without it.
    Results stand right behind their calls, in the order of the calls, whenever they came. Every call gets one, so
    that no provider meets an orphan; where these events have none, `state_of` tells what became of the call.
    """
    events = _as_seen(events)
    results = {event.id: event for event in events if isinstance(event, ToolResult)}
    by_id = {event.id: event for event in events if isinstance(event, ToolCall)}
    groups = _groups(events, by_id)
    messages: list[dict[str, Any]] = []
    for event in events:
        match event:
            case Message(role="assistant") if event.number in groups:
                messages += _spoken(event, groups[event.number], results, state_of)
            case Message(role="assistant"):
                messages.append(_words(event, WORDLESS) | {"from": [event.seq]})
                if event.cut is not None:
                    messages.append({"role": "user", "text": BROKE_OFF[event.cut], "from": [event.seq]})
            case Message():
                messages.append({"role": "user", "text": event.text, "from": [event.seq]})
            case ToolCall(actor="agent"):
                if event.number in groups:
                    messages += _spoken(None, groups[event.number], results, state_of)
            case ToolCall():
                messages.append(_action(event, None if event.id in results else state_of(event)))
            case ToolResult():
                call = by_id.get(event.id)
                if call is not None and call.actor != "agent":
                    messages.append({"role": "user", "text": _action_result(event), "from": [event.seq]})
            case _:
                continue
    return messages


def _as_seen(events: Iterable[Event]) -> list[Event]:
    """The events as the model came to know of them.

    From the moment a request was sent until the next one (or a run begins or ends) whatever others say and do waits
    behind the answer. So what was sent once stays a beginning of what is sent next.
    """
    placed: list[Event] = []
    held: list[Event] = []
    under_way = False
    theirs: set[str] = set()
    for event in events:
        if isinstance(event, RequestSent | Run):
            placed += held
            held, under_way = [], isinstance(event, RequestSent)
            placed.append(event)
            continue
        match event:
            case Message():
                waits = under_way and event.role == "user"
            case ToolCall():
                waits = under_way and event.actor != "agent"
                if event.actor != "agent":
                    theirs.add(event.id)
            case ToolResult():
                waits = under_way and event.id in theirs
            case _:
                waits = False
        (held if waits else placed).append(event)
    return placed + held


def _words(said: Message | None, instead: str = "") -> dict[str, Any]:
    """What a message of the agent says, without its calls; `instead` stands for no words.

    Thoughts go back only where their provider wants them.
    """
    spoken: dict[str, Any] = {"role": "assistant"}
    if said is None:
        return spoken
    thinking = [msgspec.to_builtins(thought) for thought in said.thinking if thought.signature is not None]
    if thinking and said.cut is None:
        spoken["thinking"] = thinking
    if said.text or instead:
        spoken["text"] = said.text or instead
    return spoken


def _groups(events: Iterable[Event], by_id: Mapping[str, ToolCall]) -> dict[int, list[ToolCall]]:
    """The agent's calls by what they were said with: the number of their message, or of the first of them.

    Whatever else is placed in the log between them ends a group, so that a message never moves before what came
    earlier, and what was sent once stays.
    """
    groups: dict[int, list[ToolCall]] = {}
    current: tuple[str, list[ToolCall]] | None = None
    said: Message | None = None
    for event in events:
        match event:
            case ToolCall(actor="agent"):
                if current is None or current[0] != event.message:
                    opened = said.number if said is not None and said.message == event.message else event.number
                    current = (event.message, groups.setdefault(opened, []))
                current[1].append(event)
                said = None
            case ToolResult() if event.id not in by_id or by_id[event.id].actor == "agent":
                continue
            case Message() | ToolCall() | ToolResult():
                current = None
                said = event if isinstance(event, Message) and event.role == "assistant" else None
            case _:
                continue
    return groups


def _spoken(
    said: Message | None,
    calls: list[ToolCall],
    results: dict[str, ToolResult],
    state_of: Callable[[ToolCall], CallState],
) -> list[dict[str, Any]]:
    """One message of the agent with all its calls, and the message with their results."""
    spoken = _words(said)
    spoken["calls"] = [{"id": call.id, "name": call.name, "input": call.input} for call in calls]
    spoken["from"] = ([said.seq] if said else []) + [call.seq for call in calls]
    answers: list[dict[str, Any]] = []
    for call in calls:
        result = results.get(call.id)
        text = WITHOUT_RESULT[state_of(call)] if result is None else result_text(result)
        answers.append({"id": call.id, "name": call.name, "text": text})
    places = [results[call.id].seq for call in calls if call.id in results]
    return [spoken, {"role": "tool", "results": answers, "from": places}]


def result_text(result: ToolResult) -> str:
    """What the model reads of a result: JSON, at most 2,000 lines and 50 KB, ending with how to get the rest."""
    text = _payload(result)
    rest = f"\n[cut: the whole is event {result.seq} of thread:{result.thread}, which read gives page by page]"
    size = len(text.encode("utf-8"))
    if size <= MAX_BYTES and text.count("\n") < MAX_LINES:
        return text
    first = page(text, limit=MAX_LINES - 1).content
    kept = cut_bytes(first, MAX_BYTES - len(rest.encode("utf-8")), "")
    return kept + rest


def _payload(result: ToolResult) -> str:
    return dumps(result.output) if result.error is None else dumps({"error": result.error})


def _frame(tag: str, body: str) -> str:
    """A tag around text that somebody else wrote: no `<` of it survives, so it cannot close the tag."""
    opening, closing = f"<{tag}>", f"</{tag.split(' ', 1)[0]}>"
    room = FRAME_BYTES - len((opening + closing).encode("utf-8"))
    escaped = body.replace("<", "\\u003c")
    whole = len(escaped.encode("utf-8"))
    if whole > room:
        note = f"… [cut: {whole} bytes]"
        escaped = cut_bytes(escaped, room - len(note.encode("utf-8")), "") + note
    return f"{opening}{escaped}{closing}"


def _action(call: ToolCall, state: CallState | None) -> dict[str, Any]:
    """An act of the owner (or of a trigger); `state` is None where its result follows."""
    verb = neutralise(call.name).replace('"', "'")
    text = _frame(f'user_action verb="{verb}"', dumps(call.input))
    if state == "interrupted":
        text += "\n" + _frame("user_action_result", WITHOUT_RESULT[state])
    return {"role": "user", "text": text, "from": [call.seq]}


def _action_result(result: ToolResult) -> str:
    return _frame("user_action_result", _payload(result))
