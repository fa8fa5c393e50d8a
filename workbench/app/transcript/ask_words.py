"""A question to the owner, in words: what is to be done, where, why it asks, and how many more there are. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from workbench.app.transcript.ask_body import body_of
from workbench.app.transcript.host_calls import call_pieces, intent_words
from workbench.app.widgets.drawn import Piece
from workbench.harness.log.events import ToolCall
from workbench.harness.log.payloads import dumps
from workbench.harness.machine import AskedCall
from workbench.harness.names import TOOLBOX
from workbench.harness.space.approvals import rules_of
from workbench.harness.strict_json import as_object
from workbench.harness.text import fold, printable
from workbench.harness.tools.toolbox.drawn import text_of

COMMAND_CHARS = 2_000
"""A longer command is shown by its beginning; whole, it is in the opened event."""

COMMAND_LINES = 16
"""Lines of a command that are shown, where there is room."""

SENT_CHARS = 300
"""Characters of what was sent that are shown, where something else is to be done."""


class Question(Struct, frozen=True):
    """What is asked. `here` says that it is of the shown thread; only then it can be answered from here.

    `lines` say what is to be done, each in pieces with looks, `body` is the beginning of what it puts into a file, and
    `total` is how many lines both have in all; `cut` says that something within those lines is left out. `sent` is what
    was sent where that is something else; `own` counts the questions of the thread, `others` names the other threads
    with some; `behind` says how many calls of its message wait for it, and whether they will ask.
    """

    id: str
    thread: str
    seq: int
    tool: str
    here: bool
    lines: tuple[tuple[Piece, ...], ...]
    body: tuple[tuple[Piece, ...], ...]
    total: int
    cut: bool
    more: str
    cwd: str
    why: str
    sent: str
    own: int
    others: tuple[str, ...]
    behind: str = ""


def question_of(
    asked: AskedCall, call: ToolCall | None, *, here: bool, own: int, others: tuple[str, ...], behind: str = ""
) -> Question:
    """The question of a call; `call` is what was sent."""
    lines, total, cut = _lines(asked.tool, asked.input)
    body = body_of(asked.tool, asked.input)
    differs = call is not None and call.input != asked.input
    return Question(
        asked.id,
        asked.thread,
        asked.seq,
        asked.tool,
        here,
        lines,
        body.lines,
        total + body.total,
        cut or body.cut,
        intent_words(asked.tool, asked.input),
        printable(fold(asked.cwd or "no directory")),
        printable(fold(asked.why)),
        _short(dumps(call.input)) if call is not None and differs else "",
        own,
        others,
        behind,
    )


def behind_words(tools: Sequence[str], approvals: Mapping[str, Any]) -> str:
    """What is said of the calls of a message that wait behind one that asks; of those with patterns it is not known."""
    if not tools:
        return ""
    # A name that is none of the seven is answered so, without asking.
    rules = [rules_of(tool, approvals.get(tool)) for tool in tools if tool in TOOLBOX]
    asking = sum(rule.default == "ask" and not rule.allow and not rule.deny for rule in rules)
    if asking == len(tools):
        return f"{asking} more of this message will ask"
    waiting = f"{len(tools)} more of this message {'waits' if len(tools) == 1 else 'wait'}"
    return f"{waiting}, {asking} of them will ask" if asking else waiting


def _lines(tool: str, input: Any) -> tuple[tuple[tuple[Piece, ...], ...], int, bool]:
    """What is to be done, how many lines that has in all, and whether one of those that are shown is cut."""
    command = text_of(as_object(input) or {}, "command") if tool == "bash" else ""
    if not command:
        pieces, cut = call_pieces(tool, input, COMMAND_CHARS)
        return (pieces,), 1, cut
    # As it will be run: a line break in it is one here, and nothing is folded.
    rows = printable(command[:COMMAND_CHARS]).split("\n")
    cut = len(command) > COMMAND_CHARS
    total = command.count("\n") + 1
    lines = [
        (("$ " if place == 0 else "  ", "quiet"), (row, "command")) for place, row in enumerate(rows[:COMMAND_LINES])
    ]
    timeout = (as_object(input) or {}).get("timeout")
    if timeout is not None:
        total += 1
    if timeout is not None and not cut and len(rows) <= COMMAND_LINES:
        lines.append((("  at most ", "quiet"), (f"{_short(dumps(timeout))} s", "quiet")))
    return tuple(lines), total, cut


def _short(text: str) -> str:
    shown = printable(fold(text[: SENT_CHARS * 2]))
    return shown if len(shown) <= SENT_CHARS and len(text) <= SENT_CHARS * 2 else f"{shown[: SENT_CHARS - 1]}…"
