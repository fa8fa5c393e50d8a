"""An event of the log as a row of the transcript: who, what, and how it ended. Pure; nothing here knows a screen.

Every text of a row is printable and bounded: whatever is longer is shown whole in the event's own pane.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from workbench.app.talk import money_words
from workbench.app.transcript.host_calls import call_pieces, host_name, result_words
from workbench.app.widgets.drawn import Piece
from workbench.harness.log.events import (
    Approval,
    Cut,
    Event,
    Fork,
    Message,
    RequestEnded,
    RequestSent,
    Run,
    ToolCall,
    ToolResult,
    Usage,
)
from workbench.harness.log.payloads import dumps
from workbench.harness.log.promotion import named_tool
from workbench.harness.log.transcript import outcome, subject
from workbench.harness.text import fold, printable

SUBJECT_CHARS = 300
"""Characters of an act's subject, and of what its result says, that a row shows."""

MESSAGE_CHARS = 6_000
"""Characters of a message that a row shows."""

MESSAGE_LINES = 120
"""Lines of a message that a row shows."""

NAMES = 8
"""Names of callable tools that the row of a refused name shows; steps that the row of a plan does."""

WHO = {"user": "you", "agent": "agent", "system": "system", "trigger": "trigger"}
"""What the transcript calls the actors."""

BROKE_OFF: dict[Cut, str] = {
    "length": "cut here by its length limit",
    "aborted": "broke off here: the turn was aborted",
    "failed": "broke off here: the model failed",
}
"""Why a message has no end."""

Kind = Literal["message", "call", "result", "asked", "request", "run", "note"]
Tone = Literal["ok", "answered", "failed", "note"]
Asked = Literal["", "waits", "yes", "no"]
"""What is so of a call that asks the owner before it acts: nothing was asked, it waits, or what was said."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended: a word or two, and what its result says, on one line each.

    `tone` is `ok`, `answered` where the call was not run but told what is needed, or `failed`. `cid` is the version
    whose contract this result gave, if it gave one; `took` what a request that failed took all the same.
    """

    seq: int
    word: str
    says: str
    tone: Tone
    took: str = ""
    cid: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One event. `who` and `what` head it, `text` is the rest; `more` says that the text was cut.

    Of a call, `call` is its id, `touches` the tool that it names for the agent's fold, and `outcome` its result once
    there is one; of a request, `call` is its id too and `outcome` how it was answered. A result is a row as well, so
    that rows and sequence numbers stay in step; it takes no place of its own while what it answers shows it.

    Of a message, `thinking` counts the characters that its model thought before, and `broke_off` says why it has no
    end. Of a call of the toolbox, `host` is which of the seven it is, `pieces` its line as that one draws it, and
    `asked` what became of its question; question and answer are rows of their own kind, which it shows as well.
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
    thinking: int = 0
    broke_off: str = ""
    host: str = ""
    pieces: tuple[Piece, ...] = ()
    asked: Asked = ""


def row_of(event: Event) -> Row:
    """The row of an event; of a call, without its outcome."""
    who = WHO[event.actor]
    match event:
        case Message():
            said = event.text.strip("\n")
            text, more = cut_lines(printable(said[: MESSAGE_CHARS + 1]), MESSAGE_CHARS, MESSAGE_LINES)
            return Row(
                event.seq,
                "message",
                who,
                "",
                text,
                event.time,
                more,
                by_agent=event.actor == "agent",
                thinking=sum(len(thought.text) for thought in event.thinking),
                broke_off=BROKE_OFF[event.cut] if event.cut else "",
            )
        case ToolCall() if host := host_name(event.binding):
            pieces, more = call_pieces(host, event.input, SUBJECT_CHARS)
            text = "".join(text for text, _ in pieces)
            agent = event.actor == "agent"
            return Row(
                event.seq, "call", who, host, text, event.time, more, event.id, None, agent, host=host, pieces=pieces
            )
        case ToolCall():
            what, more = one_line(event.name, 80)
            text, cut = one_line(about(event.name, event.input))
            agent = event.actor == "agent"
            touches = named_tool(event.name, event.input) if agent else None
            return Row(event.seq, "call", who, what, text, event.time, more or cut, event.id, touches, by_agent=agent)
        case ToolResult():
            return Row(event.seq, "result", who, one_line(event.name, 80)[0], "", event.time, call=event.id)
        case Approval() if _about_a_call(event):
            asked: Asked = "waits" if event.approved is None else "yes" if event.approved else "no"
            what = "asks the owner" if asked == "waits" else f"said {asked} to"
            text, more = one_line(f"{event.value['tool']} {event.key}")
            return Row(event.seq, "asked", who, what, text, event.time, more, event.key, asked=asked)
        case Approval():
            text, more = one_line(f"{event.key} = {dumps(event.value)}")
            return Row(
                event.seq, "note", who, "said yes to" if event.approved else "said no to", text, event.time, more
            )
        case RequestSent():
            return Row(event.seq, "request", "request", "", sent_words(event), event.time, call=event.request)
        case RequestEnded():
            return Row(event.seq, "result", "request", "", "", event.time, call=event.request)
        case Run():
            what = "began" if event.state == "start" else "ended"
            text, more = one_line(event.reason)
            return Row(event.seq, "run", "run", what, text, event.time, more)
        case Fork():
            text = f"thread {event.parent} up to its event {event.parent_seq}"
            return Row(event.seq, "note", who, "went on from", text, event.time)


def about(name: str, input: Any) -> str:
    """What an act is about and what else it was given, on one line: `~/memory/a.txt "some text"`."""
    about = subject(name, input)
    if not isinstance(input, dict):
        return about
    body: dict[str, Any] = input
    if name == "plan":
        return _planned(body) or about
    head = next((key for key in ("address", "tool") if isinstance(body.get(key), str)), None)
    if head is None:
        return about
    rest = [_short(body[key]) for key in ("input", "content", "options") if key in body]
    rest += [
        f"{key}: {_short(value)}" for key, value in body.items() if key not in (head, "input", "content", "options")
    ]
    return " ".join([about, *rest])


def _planned(body: dict[str, Any]) -> str:
    """A plan on a line; nothing where it is none."""
    steps = body.get("steps")
    if not isinstance(steps, list) or not all(isinstance(step, dict) and "label" in step for step in steps):
        return ""
    said = ", ".join(f"{step['label']} ({step.get('status')})" for step in steps[:NAMES])
    more = f" and {len(steps) - NAMES} more" if len(steps) > NAMES else ""
    title = body.get("title")
    return f"{title}: {said}{more}" if isinstance(title, str) and title.strip() else f"{said}{more}"


def _about_a_call(event: Approval) -> bool:
    return isinstance(event.value, dict) and isinstance(event.value.get("tool"), str)


def outcome_of(result: ToolResult, host: str = "") -> Outcome:
    """How a call ended, out of its result; `host` is which of the toolbox was called."""
    if host:
        return _host_outcome(result, host)
    if result.error is not None:
        code, message = result.error["code"], result.error["message"]
        word = code if code in ("interrupted", "cancelled") else f"failed: {code}"
        return Outcome(result.seq, word, one_line(message)[0], "failed")
    output: Any = result.output
    word = one_line(outcome(result), 80)[0]
    tone: Tone = "answered" if isinstance(output, dict) and output.get("executed") is False else "ok"
    return Outcome(result.seq, word, one_line(says(output))[0], tone, cid=contract_cid(output))


def _host_outcome(result: ToolResult, host: str) -> Outcome:
    says = one_line(result_words(host, result))[0]
    if result.error is None:
        return Outcome(result.seq, "ok", says, "ok")
    code = result.error["code"]
    word = {"failed": "failed", "refused": "refused", "interrupted": code, "cancelled": code}.get(code)
    return Outcome(result.seq, word or f"failed: {code}", says, "failed")


def sent_words(event: RequestSent) -> str:
    """What a request was, on a line."""
    left = f" · {event.left_out} older messages left out" if event.left_out else ""
    return f"{sum(event.bytes.values()):,} B{left}"


def answered_outcome(event: RequestEnded) -> Outcome:
    """How a request was answered: what it took, and what went wrong where something did."""
    took = " · ".join(
        part for part in (usage_words(event.usage), secs(event.duration_ms), money_words(event.cost)) if part
    )
    if event.error is not None:
        return Outcome(event.seq, f"failed: {event.error['code']}", one_line(event.error["message"])[0], "failed", took)
    word = {"length": "cut by its length limit", "refusal": "refused", "aborted": "aborted"}.get(event.finish, "")
    return Outcome(event.seq, word, took, "answered" if word else "ok")


def usage_words(usage: Usage | None) -> str:
    """Tokens as the provider counted them: `1,204 tokens in (1,000 from cache), 88 out`."""
    if usage is None or (usage.input is None and usage.output is None):
        return ""
    cached = f" ({usage.cache_read:,} from cache)" if usage.cache_read else ""
    into = f"{usage.input:,} tokens in{cached}" if usage.input is not None else ""
    out = f"{usage.output:,} {'out' if into else 'tokens out'}" if usage.output is not None else ""
    return ", ".join(part for part in (into, out) if part)


def secs(ms: int) -> str:
    """A time as people say it."""
    return f"{ms / 1000:.1f} s" if ms < 60_000 else f"{ms // 60_000}:{ms // 1000 % 60:02d} min"


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
    if isinstance(body.get("steps"), list):
        return _count(body, "steps", "step", "steps")
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
