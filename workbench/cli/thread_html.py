"""A thread as one HTML page that stands alone: no script, nothing fetched, everything from the log escaped."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from html import escape
from typing import Any

from workbench.harness.log.events import Approval, Event, Fork, Message, ToolCall, ToolResult
from workbench.harness.log.host_results import described, is_host_result
from workbench.harness.log.transcript import title
from workbench.harness.strict_json import pretty
from workbench.harness.text import printable

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
article { border-left: 4px solid #8888; margin: 1rem 0; padding: 0 0 0 1rem; }
article.agent { border-color: #2a7de1; }
article.user { border-color: #d97706; }
article.system { border-color: #6b7280; }
h2 { font-size: 1rem; margin: 0; }
time { color: #888; font-weight: normal; font-size: .85rem; }
pre { background: #8881; padding: .6rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
"""


def as_html(thread: str, events: Iterable[Event], running: Collection[str]) -> str:
    """The page. `running` holds the ids of calls still at work; another call without a result is interrupted."""
    events = list(events)
    settled = {event.id for event in events if isinstance(event, ToolResult)}
    name = _text(thread)
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
        f"<title>thread {name}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>thread {name}</h1>\n",
    ]
    for event in events:
        parts.append(
            f'<article class="{_text(event.actor)}" id="e{event.seq}">\n'
            f"<h2>{event.seq} · {_text(event.actor)} · {_text(title(event))} <time>{_text(event.time)}</time></h2>\n"
        )
        body = _body(event)
        if body is not None:
            parts.append(f"<pre>{_text(body)}</pre>\n")
        if isinstance(event, ToolCall) and event.id not in settled:
            parts.append("<p>running</p>\n" if event.id in running else "<p>interrupted</p>\n")
        parts.append("</article>\n")
    parts.append("</body>\n</html>\n")
    return "".join(parts)


def _body(event: Event) -> str | None:
    match event:
        case Message():
            return event.text
        case ToolCall():
            return pretty(event.input)
        case ToolResult() if event.error is None and is_host_result(event.output):
            return described(event.output)
        case ToolResult():
            value: Any = event.output if event.error is None else event.error
            return pretty(value)
        case Approval() | Fork():
            return None


def _text(text: str) -> str:
    return escape(printable(text))
