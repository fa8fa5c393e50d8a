"""One event, whole, as lines to look at: what it was given, what came back, texts with their real line breaks. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from workbench.app.transcript.rows import BROKE_OFF, WHO, one_line
from workbench.app.widgets.text_view import TextLine, lines_of_text
from workbench.harness.log.events import Event, Message, ToolCall, ToolResult, as_json
from workbench.harness.log.transcript import title
from workbench.harness.strict_json import pretty


@dataclass(frozen=True, slots=True)
class Detail:
    """An event to look at, and `copy`, the same as text without anything made visible."""

    title: str
    lines: tuple[TextLine, ...]
    copy: str


def detail_of(events: Iterable[Event]) -> Detail:
    """The detail of an event, or of a call and its result."""
    lines: list[TextLine] = []
    events = tuple(events)
    for event in events:
        for heading, text in _sections(event):
            if lines:
                lines.append(TextLine(""))
            lines.append(TextLine(one_line(heading)[0], "heading"))
            lines += lines_of_text(text)
    first = events[0]
    copied = (event.text if isinstance(event, Message) else pretty(as_json(event)) for event in events)
    return Detail(f"{first.seq} · {WHO[first.actor]} · {title(first)}", tuple(lines), "\n".join(copied))


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
