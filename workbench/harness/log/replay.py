"""Events to the messages of a provider request, provider-neutral. Pure.

A message is `{role, text?, calls?, results?, from}`: `user` speaks, `assistant` speaks and calls, `tool` carries the
results of the calls right before it; a result is `{id, name, text, is_error?, images?}`, an image `{mime_type, cid,
bytes}`, whose bytes are a block of the Space. `from` names the events it was made of.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import msgspec

from workbench.harness.log.events import Cut, Event, Message, RequestSent, Run, ToolCall, ToolResult
from workbench.harness.log.host_results import images_of, text_of
from workbench.harness.log.live import CallState
from workbench.harness.log.payloads import dumps
from workbench.harness.paging import MAX_BYTES, MAX_LINES, page
from workbench.harness.text import cut_bytes, neutralise

FRAME_BYTES = 8 * 1024
"""What an owner's act, or its result, may take in a request: the whole frame, after escaping."""

BESIDE_BYTES = 4 * 1024
"""What a tool of the real machine may say beside its text: where to go on, how a command ended."""

BESIDE_LINES = 100
"""How many lines that may be."""

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
    return [message for message, _ in placed(events, state_of)]


def placed(
    events: Iterable[Event], state_of: Callable[[ToolCall], CallState]
) -> list[tuple[dict[str, Any], tuple[Event, ...]]]:
    """The messages as `replay` gives them, each with the events that it was made of."""
    events = _as_seen(events)
    results = {event.id: event for event in events if isinstance(event, ToolResult)}
    by_id = {event.id: event for event in events if isinstance(event, ToolCall)}
    groups = _groups(events, by_id)
    messages: list[tuple[dict[str, Any], tuple[Event, ...]]] = []

    def add(message: dict[str, Any], *made_of: Event) -> None:
        messages.append((message | {"from": [event.seq for event in made_of]}, made_of))

    for event in events:
        match event:
            case Message(role="assistant") | ToolCall(actor="agent") if event.number in groups:
                said = event if isinstance(event, Message) else None
                calls = groups[event.number]
                add(_spoken(said, calls), *([said] if said else []), *calls)
                ended = [results[call.id] for call in calls if call.id in results]
                add({"role": "tool", "results": _answers(calls, results, state_of)}, *ended)
            case Message(role="assistant"):
                add(_words(event, WORDLESS), event)
                if event.cut is not None:
                    add({"role": "user", "text": BROKE_OFF[event.cut]}, event)
            case Message():
                add({"role": "user", "text": event.text}, event)
            case ToolCall() if event.actor != "agent":
                add({"role": "user", "text": _action(event)}, event)
                if event.id not in results and state_of(event) == "interrupted":
                    add({"role": "user", "text": _frame("user_action_result", WITHOUT_RESULT["interrupted"])}, event)
            case ToolResult() if event.id in by_id and by_id[event.id].actor != "agent":
                add({"role": "user", "text": _action_result(event)}, event)
            case _:
                continue
    return messages


def _as_seen(events: Iterable[Event]) -> list[Event]:
    """The events as the model came to know of them.

    From the moment that a request was made until the next one (or a run begins or ends) whatever others say and do
    waits behind the answer. So what was sent once stays a beginning of what is sent next.
    """
    seen: list[Event] = []
    held: list[Event] = []
    under_way = False
    agents: set[str] = set()
    for event in events:
        if isinstance(event, ToolCall) and event.actor == "agent":
            agents.add(event.id)
        if isinstance(event, Run):
            seen += held
            held, under_way = [], False
        elif isinstance(event, RequestSent):
            upto = event.number if event.upto is None else event.upto
            seen += [one for one in held if one.number <= upto]
            # What came between the making of a request and its record is not in it either.
            late = [one for one in _tail(seen, upto) if _of_others(one, agents)]
            seen = [one for one in seen if one not in late] if late else seen
            held, under_way = [*late, *(one for one in held if one.number > upto)], True
        (held if under_way and _of_others(event, agents) else seen).append(event)
    return seen + held


def _tail(events: list[Event], upto: int) -> list[Event]:
    """The last of these events, as far as they are newer than that number."""
    place = len(events)
    while place and events[place - 1].number > upto:
        place -= 1
    return events[place:]


def _of_others(event: Event, agents: Collection[str]) -> bool:
    """Whether somebody else than the agent said or did this. `agents` are the ids of the agent's calls."""
    match event:
        case Message():
            return event.role == "user"
        case ToolCall():
            return event.actor != "agent"
        case ToolResult():
            return event.id not in agents
        case _:
            return False


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
    text = said.text if said.text.strip() else instead
    if text:
        spoken["text"] = text
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


def _spoken(said: Message | None, calls: Iterable[ToolCall]) -> dict[str, Any]:
    """One message of the agent with all its calls."""
    spoken = _words(said)
    spoken["calls"] = [{"id": call.id, "name": call.name, "input": call.input} for call in calls]
    return spoken


def _answers(
    calls: Iterable[ToolCall], results: Mapping[str, ToolResult], state_of: Callable[[ToolCall], CallState]
) -> list[dict[str, Any]]:
    """The results of calls, in their order."""
    answers: list[dict[str, Any]] = []
    for call in calls:
        result = results.get(call.id)
        answer: dict[str, Any] = {"id": call.id, "name": call.name}
        if result is None:
            answer["text"] = WITHOUT_RESULT[state_of(call)]
        elif call.on_machine:
            answer |= _host_answer(result)
        else:
            answer["text"] = result_text(result)
        answers.append(answer)
    return answers


def result_text(result: ToolResult) -> str:
    """What the model reads of a result: JSON, at most 2,000 lines and 50 KB, ending with how to get the rest."""
    rest = f"\n[cut: the whole is event {result.seq} of thread:{result.thread}, which read gives page by page]"
    return _cut(_payload(result), rest, MAX_LINES, MAX_BYTES)


def _fitting(text: str) -> str:
    """The text of a tool that keeps to the same bounds itself, with room for what it says beside them."""
    rest = f"\n[cut: {len(text.encode('utf-8'))} bytes in all; narrow the call to get the part that you need]"
    return _cut(text, rest, MAX_LINES + BESIDE_LINES, MAX_BYTES + BESIDE_BYTES)


def _cut(text: str, rest: str, max_lines: int, max_bytes: int) -> str:
    if len(text.encode("utf-8")) <= max_bytes and text.count("\n") < max_lines:
        return text
    first = page(text, limit=MAX_LINES - 1).content
    kept = cut_bytes(first, MAX_BYTES - len(rest.encode("utf-8")), "")
    return kept + rest


def _host_answer(result: ToolResult) -> dict[str, Any]:
    """What the model reads of a call on the real machine: the very text of its tool, and which images belong to it.

    The tool has cut it already; only what comes from another hand may be longer.
    """
    if result.error is not None:
        return {"text": _fitting(result.error["message"]), "is_error": True}
    images = images_of(result.output)
    return {"text": _fitting(text_of(result.output))} | ({"images": images} if images else {})


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


def _action(call: ToolCall) -> str:
    """An act of the owner, or of a trigger."""
    verb = neutralise(call.name).replace('"', "'")
    return _frame(f'user_action verb="{verb}"', dumps(call.input))


def _action_result(result: ToolResult) -> str:
    return _frame("user_action_result", _payload(result))
