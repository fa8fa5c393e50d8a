"""An event of the log as a row of the transcript: who, what, and how it ended. Pure; nothing here knows a screen.

Every text of a row is printable and bounded: whatever is longer is shown whole in the event's own pane.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from workbench.harness.log.events import Approval, Event, Fork, Message, Run, ToolCall, ToolResult, dumps
from workbench.harness.log.promotion import named_tool
from workbench.harness.log.transcript import outcome, subject
from workbench.harness.text import fold, printable

SUBJECT_CHARS = 300
"""Characters of an act's subject, and of what its result says, that a row shows."""

MESSAGE_CHARS = 2_000
"""Characters of a message that a row shows."""

MESSAGE_LINES = 24
"""Lines of a message that a row shows."""

NAMES = 8
"""Names of callable tools that the row of a refused name shows."""

WHO = {"user": "you", "agent": "agent", "system": "system", "trigger": "trigger"}
"""What the transcript calls the actors."""

Kind = Literal["message", "call", "result", "note"]
Tone = Literal["ok", "answered", "failed", "note"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended: a word or two, and what its result says, on one line each.

    `tone` is `ok`, `answered` where the call was not run but told what is needed, or `failed`. `cid` is the version
    whose contract this result gave, if it gave one.
    """

    seq: int
    word: str
    says: str
    tone: Tone
    cid: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One event. `who` and `what` head it, `text` is the rest; `more` says that the text was cut.

    Of a call, `call` is its id, `touches` the tool that it names for the agent's fold, and `outcome` its result once
    there is one. A result is a row as well, so that rows and sequence numbers stay in step; it takes no place of its
    own while its call shows it.
    """

    seq: int
    kind: Kind
    who: str
    what: str
    text: str
    time: str
    more: bool = False
    call: str | None = None
    touches: str | None = None
    by_agent: bool = False
    outcome: Outcome | None = None


def row_of(event: Event) -> Row:
    """The row of an event; of a call, without its outcome."""
    who = WHO[event.actor]
    match event:
        case Message():
            text, more = cut_lines(printable(event.text).strip("\n"), MESSAGE_CHARS, MESSAGE_LINES)
            return Row(event.seq, "message", who, "", text, event.time, more)
        case ToolCall():
            what, more = one_line(event.name, 80)
            text, cut = one_line(about(event.name, event.input))
            agent = event.actor == "agent"
            touches = named_tool(event.name, event.input) if agent else None
            return Row(event.seq, "call", who, what, text, event.time, more or cut, event.id, touches, by_agent=agent)
        case ToolResult():
            return Row(event.seq, "result", who, one_line(event.name, 80)[0], "", event.time, call=event.id)
        case Approval():
            text, more = one_line(f"{event.key} = {dumps(event.value)}")
            return Row(
                event.seq, "note", who, "said yes to" if event.approved else "said no to", text, event.time, more
            )
        case Run():
            text, more = one_line(event.reason)
            return Row(
                event.seq,
                "note",
                who,
                "began a run" if event.state == "start" else "ended a run",
                text,
                event.time,
                more,
            )
        case Fork():
            text = f"thread {event.parent} up to its event {event.parent_seq}"
            return Row(event.seq, "note", who, "went on from", text, event.time)


def about(name: str, input: Any) -> str:
    """What an act is about and what else it was given, on one line: `~/memory/a.txt "some text"`."""
    about = subject(name, input)
    if not isinstance(input, dict):
        return about
    body: dict[str, Any] = input
    head = next((key for key in ("address", "tool") if isinstance(body.get(key), str)), None)
    if head is None:
        return about
    rest = [_short(body[key]) for key in ("input", "content", "options") if key in body]
    rest += [
        f"{key}: {_short(value)}" for key, value in body.items() if key not in (head, "input", "content", "options")
    ]
    return " ".join([about, *rest])


def outcome_of(result: ToolResult) -> Outcome:
    """How a call ended, out of its result."""
    if result.error is not None:
        code, message = result.error["code"], result.error["message"]
        word = code if code in ("interrupted", "cancelled") else f"failed: {code}"
        return Outcome(result.seq, word, one_line(message)[0], "failed")
    output: Any = result.output
    word = one_line(outcome(result), 80)[0]
    tone: Tone = "answered" if isinstance(output, dict) and output.get("executed") is False else "ok"
    return Outcome(result.seq, word, one_line(says(output))[0], tone, contract_cid(output))


def says(output: Any) -> str:
    """What a result says, in a line."""
    if not isinstance(output, dict):
        return _short(output)
    body: dict[str, Any] = output
    status = body.get("status")
    if status in ("contract", "no_such_tool"):
        names = body.get("tools")
        listed = ", ".join(map(str, names[:NAMES])) if isinstance(names, list) else ""
        return " ".join(part for part in (str(body.get("message") or body.get("tool") or ""), listed) if part)
    if status == "saved":
        changed = "" if body.get("changed", True) else "unchanged: it was the same already"
        return " ".join(part for part in (changed, short_cid(body.get("cid"))) if part)
    if status == "deleted":
        return "gone" if body.get("existed") else "there was nothing"
    if "contract" in body:
        return f"the contract, {short_cid(body.get('cid'))}"
    if "entries" in body:
        return _count(body, "entries", "entry", "entries")
    if "tools" in body and "verbs" in body:
        return _count(body, "tools", "tool", "tools")
    if "output" in body:
        return _short(body["output"])
    if "content" in body:
        return _short(body["content"])
    return _short({key: value for key, value in body.items() if key not in ("status", "address")})


def contract_cid(output: Any) -> str | None:
    """The version whose contract or content a result gave to whoever asked, if it did."""
    if not isinstance(output, dict):
        return None
    body: dict[str, Any] = output
    cid = body.get("cid")
    given = "contract" in body or (body.get("status") == "saved" and "name" in body)
    return cid if given and isinstance(cid, str) else None


def short_cid(cid: object) -> str:
    """The beginning and the end of a CID: enough for an eye to tell two apart."""
    return f"{cid[:5]}…{cid[-6:]}" if isinstance(cid, str) and len(cid) > 14 else str(cid or "")


def one_line(text: str, limit: int = SUBJECT_CHARS) -> tuple[str, bool]:
    """Text of any length as one printable line of at most `limit` characters, and whether something was cut."""
    # A character is never more than nine when it is made visible, and white space may fold to nothing.
    line = printable(fold(text[: limit * 8]))
    cut = len(line) > limit or len(text) > limit * 8
    return (f"{line[: limit - 1]}…" if cut else line), cut


def cut_lines(text: str, chars: int, lines: int) -> tuple[str, bool]:
    """The beginning of a text, at most so many characters and lines, and whether something was cut."""
    kept = "\n".join(text[:chars].split("\n", lines)[:lines])
    return (kept, False) if len(kept) == len(text) else (f"{kept}…", True)


def _short(value: Any) -> str:
    """A value as a line: a text as it is, in quotes; anything else as JSON."""
    if isinstance(value, str):
        return dumps(value[: SUBJECT_CHARS * 2])
    if isinstance(value, dict | list) and len(value) > 200:
        return f"{len(value)} {'keys' if isinstance(value, dict) else 'items'}"
    return dumps(value)


def _count(body: dict[str, Any], key: str, one: str, many: str) -> str:
    items = body[key]
    number = len(items) if isinstance(items, list | dict) else 0
    more = " and more" if body.get("more") or body.get("next_offset") else ""
    return f"{number} {one if number == 1 else many}{more}"
