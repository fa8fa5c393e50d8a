"""Events to the messages of a provider request, provider-neutral. Pure.

A message is `{role, text?, calls?, results?, from}`: `user` speaks, `assistant` speaks and calls, `tool` carries the
results of the calls right before it. `from` names the events it was made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from workbench.harness.log.events import Event, Message, ToolCall, ToolResult, dumps
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


def replay(events: Iterable[Event], state_of: Callable[[ToolCall], CallState]) -> list[dict[str, Any]]:
    """The messages that a provider is sent for these events, in order.

    Results stand right behind their calls, in the order of the calls, whenever they came. Every call gets one, so
    that no provider meets an orphan; where these events have none, `state_of` tells what became of the call.
    """
    events = list(events)
    results = {event.id: event for event in events if isinstance(event, ToolResult)}
    by_id = {event.id: event for event in events if isinstance(event, ToolCall)}
    spoken = _groups(events, by_id)
    messages: list[dict[str, Any]] = []
    for event in events:
        match event:
            case Message(role="assistant") if event.number in spoken:
                messages += _spoken(event, spoken[event.number], results, state_of)
            case Message():
                messages.append({"role": event.role, "text": event.text, "from": [event.seq]})
            case ToolCall(actor="agent"):
                if event.number in spoken:
                    messages += _spoken(None, spoken[event.number], results, state_of)
            case ToolCall():
                messages.append(_action(event, None if event.id in results else state_of(event)))
            case ToolResult():
                call = by_id.get(event.id)
                if call is not None and call.actor != "agent":
                    messages.append({"role": "user", "text": _action_result(event), "from": [event.seq]})
            case _:
                continue
    return messages


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
    spoken: dict[str, Any] = {"role": "assistant"}
    if said is not None:
        spoken["text"] = said.text
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
