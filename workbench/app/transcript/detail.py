"""One event, whole, as lines to look at: what it was given, what came back, texts with their real line breaks. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.app.tools.directory import at_home
from workbench.app.transcript.host_calls import call_pieces, host_name, intent, result_lines
from workbench.app.transcript.rows import BROKE_OFF, WHO, one_line
from workbench.app.widgets.drawn import DrawnLine, ShownLine, drawn_lines
from workbench.app.widgets.text_view import TextLine, lines_of_text
from workbench.harness.log.events import Approval, Event, Message, RequestSent, ToolCall, ToolResult
from workbench.harness.log.payloads import as_json
from workbench.harness.log.transcript import title
from workbench.harness.strict_json import pretty


@dataclass(frozen=True, slots=True)
class Detail:
    """An event to look at, and `copy`, the same as text without anything made visible.

    `result_end` counts the lines up to the end of what came of it.
    """

    title: str
    lines: tuple[ShownLine, ...]
    copy: str
    result_end: int


AS_WIRE = "w shows it as the wire: what the model was sent, part by part"
"""Said of a request: the event itself has only CIDs."""

CALL_CHARS = 2_000
"""Characters of a call of the toolbox that stand in its own line; its input stands whole at the end."""


def detail_of(events: Iterable[Event], tail: str = "") -> Detail:
    """The detail of an event, or of a call and its result; `tail` ends what a call that runs printed so far."""
    lines: list[ShownLine] = []
    events = tuple(events)
    first = events[0]
    if isinstance(first, RequestSent):
        lines.append(TextLine(AS_WIRE, "quiet"))
    # What came of a call is looked for first; that it asked, and what was answered, stands below.
    told = sorted(events, key=lambda event: isinstance(event, Approval)) if _is_host(first) else events
    done = any(isinstance(event, ToolResult) and event.error is None for event in events)
    result_end = 0
    for event in told:
        _add(
            lines, _of_host(first, event, done=done) or [(head, lines_of_text(text)) for head, text in _sections(event)]
        )
        if isinstance(event, ToolResult):
            result_end = len(lines)
    if tail:
        _add(lines, [("what it printed so far, the end of it", lines_of_text(tail.removesuffix("\n")))])
    elif isinstance(first, ToolCall) and _is_host(first):
        _add(lines, [("its input, as it was sent", lines_of_text(pretty(first.input)))])
    copied = (event.text if isinstance(event, Message) else pretty(as_json(event)) for event in events)
    says = f"{first.seq} · {WHO[first.actor]} · {title(first)}"
    return Detail(says, tuple(lines), "\n".join(copied), result_end or len(lines))


def _is_host(event: Event) -> bool:
    return isinstance(event, ToolCall) and bool(host_name(event.binding))


def _add(lines: list[ShownLine], sections: Iterable[tuple[str, Sequence[ShownLine]]]) -> None:
    for heading, shown in sections:
        if lines:
            lines.append(TextLine(""))
        lines.append(TextLine(one_line(heading)[0], "heading"))
        lines += shown


def _of_host(call: Event, event: Event, *, done: bool) -> list[tuple[str, Sequence[ShownLine]]]:
    """Of a call of the toolbox, what it does, was asked and gave, as its tool draws it; of any other nothing.

    What is `done` is shown by the result.
    """
    name = host_name(call.binding) if isinstance(call, ToolCall) else ""
    if not isinstance(call, ToolCall) or not name:
        return []
    head = f"event {event.seq} · {WHO[event.actor]} · {event.time}"
    match event:
        case ToolCall():
            return [(head, _call_lines(name, event.input, event.cwd or "no directory", done=done))]
        case Approval(approved=None):
            value: dict[str, Any] = event.value
            asks: list[ShownLine] = list(lines_of_text(str(value.get("why", ""))))
            if "input" in value:
                asks += lines_of_text("It would be done with another input than was sent:")
                asks += _call_lines(name, value["input"], "", done=False)
            return [(f"{head} · it asks for your yes", asks)]
        case Approval():
            return [(f"{head} · you said {'yes' if event.approved else 'no'}", ())]
        case ToolResult():
            code = event.error.get("code", "") if event.error is not None else ""
            how = "its result" if event.error is None else "it failed" if code == "failed" else f"it failed: {code}"
            return [(f"{head} · {how}", result_lines(call, event))]
        case _:
            return []


def _call_lines(name: str, input: Any, where: str, *, done: bool) -> list[ShownLine]:
    pieces, _ = call_pieces(name, input, CALL_CHARS)
    at = (f"  (in {one_line(at_home(where))[0]})", "quiet") if where else ("", "")
    return [DrawnLine((*pieces, at)), *drawn_lines(intent(name, input, done=done))]


def _sections(event: Event) -> list[tuple[str, str]]:
    head = f"event {event.seq} · {WHO[event.actor]} · {event.time}"
    match event:
        case Message():
            thoughts = [(f"{head} · what it thought", thought.text) for thought in event.thinking]
            cut = f" · {BROKE_OFF[event.cut]}" if event.cut else ""
            spoken = [(f"{head} · message {event.message}{cut}", event.text)] if event.text or not thoughts else []
            return [*thoughts, *spoken]
        case ToolCall():
            return _texts_apart(f"{head} · {event.name}, its input", event.input)
        case ToolResult(error=None):
            return _texts_apart(f"{head} · its result", event.output)
        case ToolResult():
            error = event.error or {}
            return [(f"{head} · it failed: {error.get('code', '')}", error.get("message", ""))]
        case _:
            return [(head, pretty(as_json(event)))]


def _texts_apart(heading: str, value: Any) -> list[tuple[str, str]]:
    """JSON, and each text of several lines in it by itself, with its line breaks."""
    if not isinstance(value, dict):
        return [(heading, pretty(value))]
    body: dict[str, Any] = value
    apart = {key: text for key, text in body.items() if isinstance(text, str) and "\n" in text}
    if not apart:
        return [(heading, pretty(body))]
    shown = {key: "↓ below" if key in apart else item for key, item in body.items()}
    return [(heading, pretty(shown)), *((key, text) for key, text in apart.items())]
