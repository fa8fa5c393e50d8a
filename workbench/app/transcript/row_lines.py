"""A row of the log, broken into lines with a look. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from workbench.app.clock import elapsed
from workbench.app.transcript.rows import Row
from workbench.app.transcript.tail import tail_lines
from workbench.app.widgets.drawn import broken
from workbench.app.widgets.lines.line import Line
from workbench.app.widgets.wrapping import fit, wrap
from workbench.harness.text import printable
from workbench.harness.views import Does
from workbench.harness.watch import Progressed

TAIL_LINES = 3
"""Lines of a running call's output that are shown while it runs."""

HOST_TAIL_LINES = 8
"""The same of one that acts on the real machine."""


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call without a result: is its process there, what did it last say, what does it do and since when.

    `stops` says which key stops it, where one does.
    """

    interrupted: bool
    progress: Progressed | None = None
    does: Does = "acts"
    since: str = ""
    stops: str = ""


def body_lines(row: Row, room: int) -> list[Line]:
    """What was said or done; of a message, also that there were thoughts, and why it has no end."""
    if row.kind == "run":
        return _plain(_body(row), room)
    if row.pieces:
        return list(broken((*row.pieces, ("  ↵", "quiet")) if row.more else row.pieces, room))
    lines: list[Line] = []
    if row.thinking:
        lines.append([(fit(f"thought {row.thinking:,} chars, enter shows it", room), "quiet")])
    if row.text or row.what or not row.thinking:
        for place, text in enumerate(wrap(_body(row), room)):
            lines.append(_emphasised(text, row.what if place == 0 else ""))
    if row.broke_off:
        lines += [[(line, "bad")] for line in wrap(f"✂ {row.broke_off}", room)]
    return lines


def request_lines(row: Row, number: int | None, room: int, *, lives: bool) -> list[Line]:
    """A request and how it was answered. `number` says which of the thread's it is, `lives` that it may be answered."""
    told = row.outcome
    said = [str(number) if number is not None else "", row.text]
    if told is None:
        said.append("waits for its answer" if lives else "no answer: its process is gone")
        return _plain(_joined(*said), room)
    if told.tone == "failed":
        words = f"{told.word} · {told.says}"
        return [*_plain(_joined(*said, told.took), room), *_hooked([(line, "bad") for line in wrap(words, room - 2)])]
    lines = _plain(_joined(*said, told.says), room)
    return [*lines, *_hooked([(fit(told.word, room - 2), "bad")])] if told.word else lines


def outcome_lines(row: Row, state: OpenCall | None, room: int) -> list[Line]:
    """How a call ended, or what it does; `state` is known of one without a result."""
    said = _said_lines(row, state, room)
    if row.outcome is None:
        waits = row.asked == "waits" and not (state is not None and state.interrupted)
        return said if waits else said + _open_lines(row, state, room)
    look = {"ok": "good", "failed": "bad"}.get(row.outcome.tone, "strong")
    word = row.outcome.word
    says = f" · {row.outcome.says}" if row.outcome.says else ""
    lines: list[Line] = said
    # What went well is told on one line; what did not is told whole, because it says what to do.
    broken = [fit(word + says, room - 2)] if row.outcome.tone == "ok" else wrap(word + says, room - 2)
    for place, text in enumerate(broken):
        hook = "└ " if place == 0 else "  "
        if place == 0 and text.startswith(word):
            lines.append([(hook, "quiet"), (word, look), (text[len(word) :], "quiet")])
        else:
            lines.append([(hook, "quiet"), (text, "quiet")])
    return lines


def _said_lines(row: Row, state: OpenCall | None, room: int) -> list[Line]:
    """What was asked of the owner before a call acts, and what the owner said."""
    match row.asked:
        case "waits" if row.outcome is None and not (state is not None and state.interrupted):
            return _hooked([(fit(f"waits for your yes · {_seconds(row, state)} s", room - 2), "mark")])
        case "waits":
            return _hooked([(fit("it asked for your yes, and had no answer", room - 2), "quiet")])
        case "yes" | "no":
            return _hooked([(fit(f"it asked, and you said {row.asked}", room - 2), "quiet")])
        case _:
            return []


def _open_lines(row: Row, state: OpenCall | None, room: int) -> list[Line]:
    if state is not None and state.interrupted:
        text = "interrupted · its process is gone; it may or may not have taken effect"
        return _hooked([(line, "bad") for line in wrap(text, room - 2)])
    if state is not None and state.does == "waits":
        return _hooked([(fit("waits its turn · nothing done yet", room - 2), "mark")])
    stage = printable(state.progress.stage) if state is not None and state.progress is not None else ""
    stops = state.stops if state is not None else ""
    said = _joined(f"running {_seconds(row, state)} s", stage if stage != "running" else "", stops)
    lines = _hooked([(fit(said.replace("\n", " "), room - 2), "strong")])
    if state is not None and state.progress is not None:
        most = HOST_TAIL_LINES if row.host else TAIL_LINES
        lines += [[("  │ ", "quiet"), (line, "quiet")] for line in tail_lines(state.progress.tail, most, room - 4)]
    return lines


def _seconds(row: Row, state: OpenCall | None) -> int:
    """How long a call does what it does; what it waited for before does not count."""
    return elapsed((state.since if state is not None else "") or row.time, datetime.now(UTC))


def _body(row: Row) -> str:
    body = f"{row.what} {row.text}".strip() if row.what else row.text
    return f"{body}  ↵" if row.more else body


def _plain(text: str, room: int) -> list[Line]:
    return [[(line, "quiet")] for line in wrap(text, room)]


def _hooked(pieces: list[tuple[str, str]]) -> list[Line]:
    return [[("└ " if place == 0 else "  ", "quiet"), piece] for place, piece in enumerate(pieces)]


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)


def _emphasised(text: str, verb: str) -> Line:
    if verb and text.startswith(verb):
        return [(verb, "strong"), (text[len(verb) :], "")]
    return [(text, "")]
