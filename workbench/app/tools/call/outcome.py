"""What came of a call, as something to look at: how it ended in a line, and all that came back as a tree. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.app.widgets.json_outline import JsonTwig, json_twig, text_twig
from workbench.app.widgets.lines.line import Line
from workbench.app.widgets.outline.twig import Twig
from workbench.harness.errors import NOT_BEGUN
from workbench.harness.log.calls import PastCall
from workbench.harness.log.events import ToolResult
from workbench.harness.space.schema import Problem
from workbench.harness.strict_json import as_object, pretty
from workbench.harness.text import printable

SMALL = 60
"""A value with no more members, lines of text included, begins unfolded."""

Styled = tuple[str, str]
"""A text of ours or of others, and its style as `literal` takes it."""

_TOLD_ABOVE = frozenset({"status", "tool", "cid", "duration_ms"})
"""Fields of an answer that its status line or the head of the tab tells."""

_FRAME = frozenset({"contract", "no_such_tool"})
"""The states of an answer to a call that was not run."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended (`status`), what there is to see of it, and its `text` as it is copied, whole.

    `unfolded` are the keys of `twigs`, and of what is below them, that begin unfolded. `problems` are what the schema
    refuses of the input, at their places.
    """

    status: tuple[Styled, ...]
    twigs: tuple[Twig, ...] = ()
    unfolded: frozenset[str] = frozenset()
    text: str = ""
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Where:
    """Where a result is in the log, and what is said beside it."""

    thread: str | None
    seq: int | None
    took_ms: int | None = None
    beside: str = ""

    def words(self, took_ms: int | None = None) -> str:
        """All of it on the status line."""
        took = took_ms if took_ms is not None else self.took_ms
        parts = [f"{took:,} ms"] if took is not None else []
        parts.append(f"event {self.seq} of {self.thread}" if self.seq else "nothing was logged")
        return "".join(f" · {part}" for part in (*parts, *((self.beside,) if self.beside else ())))


def succeeded(answer: Any, input: Any, where: Where) -> Outcome:
    """The outcome of a call that answered."""
    body = as_object(answer) or {}
    status = body.get("status")
    took = body.get("duration_ms")
    words = where.words(took if isinstance(took, int) else None)
    head: Styled = ("✓ ok", "bold $text-success")
    if status in _FRAME:
        head = (f"○ not run: {status}", "bold $text-warning")
    elif isinstance(status, str) and status != "ok":
        head = (f"✓ {status}", "bold $text-success")
    sections = _sections(answer, body)
    shown = [*sections, json_twig(input, "given", (("input", "heading"), ("  ", "")))]
    unfolded = _unfolded([twig for twig in sections if twig.key != "contract"])
    return Outcome((head, (words, "$text-muted")), tuple(shown), unfolded, pretty(answer))


LAST_OUTPUT = ("Its last output:\n", "Last output:\n")
"""How the words of a call that was cut off lead to what it printed last."""


def failed(
    code: str, message: str, input: Any, where: Where, *, tail: str = "", problems: Sequence[Problem] = ()
) -> Outcome:
    """The outcome of a call that failed, was refused, or was stopped. `tail` is the last output that was seen of it."""
    first, _, rest = message.partition("\n")
    for heading in LAST_OUTPUT:
        if rest.startswith(heading):
            tail, rest = rest.removeprefix(heading), ""
    twigs: list[Twig] = []
    if problems:
        twigs.append(refusals(problems))
        twigs.append(text_twig(message, "message", (("message", "heading"), ("  ", "")), preview=False))
    else:
        twigs.append(Twig("words", ((printable(first), "strong"),)))
        if rest.strip():
            twigs.append(text_twig(rest.lstrip("\n"), "message", (("more", "heading"), ("  ", "")), preview=False))
    if tail and (tail not in message or not rest):
        twigs.append(text_twig(tail, "tail", (("its last output", "heading"), ("  ", "")), preview=False))
    unfolded = frozenset({"refused", "tail"} | (set() if problems else {"message"}))
    twigs.append(json_twig(input, "given", (("input", "heading"), ("  ", ""))))
    copied = f"{message}\n\nIts last output:\n{tail}" if tail and tail not in message else message
    return Outcome((failure(code), (where.words(), "$text-muted")), tuple(twigs), unfolded, copied, tuple(problems))


def outcome_of_past(past: PastCall, given: Any, result: ToolResult) -> Outcome:
    """The outcome of a call out of the log."""
    where = Where(result.thread, result.seq, past.duration_ms, f"on {past.time.replace('T', ' ')[:19]}")
    if result.error is not None:
        return failed(result.error.get("code", ""), result.error.get("message", ""), given, where)
    return succeeded(result.output, given, where)


def refused_here(what: str, problems: Sequence[Problem] = (), text: str = "") -> Outcome:
    """The outcome of an input that cannot be sent at all."""
    twigs: list[Twig] = [Twig("words", ((printable(what), "strong"),))]
    if problems:
        twigs.append(refusals(problems))
    status = (("✗ not run", "bold $text-error"), (" · nothing was logged", "$text-muted"))
    said = "\n".join((what, *(f"{problem.path}: {problem.message}" for problem in problems)))
    return Outcome(status, tuple(twigs), frozenset({"refused"}), text or said, tuple(problems))


def not_begun() -> Outcome:
    """The outcome of a call that was stopped while its input was read."""
    status = (failure("cancelled"), (" · nothing was logged", "$text-muted"))
    return Outcome(status, (Twig("words", ((NOT_BEGUN, "strong"),)),), text=NOT_BEGUN)


def failure(code: str) -> Styled:
    """How a failure is called: what was stopped is no error, and what was cut off may have taken effect."""
    match code:
        case "cancelled":
            return ("■ cancelled", "bold $text-warning")
        case "interrupted":
            return ("? interrupted", "bold $text-warning")
        case _:
            return (f"✗ {printable(code)}", "bold $text-error")


def refusals(problems: Sequence[Problem]) -> Twig:
    """What a schema refuses, each at its place."""

    def below() -> Sequence[Twig]:
        return [
            Twig(f"refused {number}", ((f"{printable(problem.path)}  ", "key"), (printable(problem.message), "")))
            for number, problem in enumerate(problems)
        ]

    count = len(problems)
    return Twig("refused", (("what the schema refuses", "heading"), (f"  {count:,}", "quiet")), below)


def _sections(answer: Any, body: Mapping[str, Any]) -> list[Twig]:
    if not body or ("output" not in body and "status" not in body):
        return [json_twig(answer, "result", (("result", "heading"), ("  ", "")))]
    twigs: list[Twig] = []
    for key, value in body.items():
        if key in _TOLD_ABOVE and not (key == "tool" and body.get("status") in _FRAME):
            continue
        if value == [] and key in ("errors", "unknown_keys"):
            continue
        twigs.append(_SECTIONS.get(key, _any_section)(key, value))
    return twigs


def _any_section(key: str, value: Any) -> Twig:
    return json_twig(value, key, ((printable(key), "heading"), ("  ", "")))


def _message(key: str, value: Any) -> Twig:
    return Twig(key, ((printable(value), "strong"),)) if isinstance(value, str) else _any_section(key, value)


def _logs(key: str, value: Any) -> Twig:
    if not isinstance(value, str):
        return _any_section(key, value)
    return text_twig(value, key, (("logs", "heading"), ("  ", "")), preview=False)


def _changed_files(key: str, value: Any) -> Twig:
    def line(item: Mapping[str, Any]) -> Line:
        shared = "  another call was at work meanwhile: it may have been that one" if item.get("shared") else ""
        return (
            (f"{printable(str(item.get('change')))}  ", "quiet"),
            (printable(str(item.get("path"))), ""),
            (shared, "quiet"),
        )

    return _listed("changed files", key, value, line)


def _unknown_keys(key: str, value: Any) -> Twig:
    def line(item: Mapping[str, Any]) -> Line:
        near = f"  did you mean {printable(str(item['nearest']))}?" if item.get("nearest") else ""
        return ((printable(str(item.get("path"))), "key"), ("  the schema does not name it", ""), (near, "quiet"))

    return _listed("unknown keys", key, value, line)


def _errors(key: str, value: Any) -> Twig:
    def line(item: Mapping[str, Any]) -> Line:
        return ((f"{printable(str(item.get('path')))}  ", "key"), (printable(str(item.get("message"))), ""))

    return _listed("what the schema refuses", key, value, line)


def _listed(name: str, key: str, value: Any, line: Callable[[Mapping[str, Any]], Line]) -> Twig:
    if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
        return _any_section(key, value)

    def below() -> Sequence[Twig]:
        return [JsonTwig(f"{key}[{number}]", line(item), value=item) for number, item in enumerate(value)]

    return Twig(key, ((name, "heading"), (f"  {len(value):,}", "quiet")), below)


_SECTIONS: Mapping[str, Callable[[str, Any], Twig]] = {
    "message": _message,
    "logs": _logs,
    "changed_files": _changed_files,
    "unknown_keys": _unknown_keys,
    "errors": _errors,
}


def _unfolded(twigs: Sequence[Twig]) -> frozenset[str]:
    """The sections, each with everything in it as long as that is little."""
    keys: set[str] = set()
    for section in twigs:
        keys.add(section.key)
        if isinstance(section, JsonTwig) and _members(section.value) <= SMALL:
            stack: list[Twig] = [section]
            while stack:
                twig = stack.pop()
                if twig.children is not None:
                    keys.add(twig.key)
                    stack += twig.children()
    return frozenset(keys)


def _members(value: Any) -> int:
    """How many members and lines a value has all in all; not counted far beyond `SMALL`."""
    count, stack = 0, [value]
    while stack and count <= SMALL:
        one = stack.pop()
        if isinstance(one, str):
            count += one.count("\n")
        elif isinstance(one, Mapping):
            count += len(one)
            stack += one.values() if len(one) <= SMALL else ()
        elif isinstance(one, list):
            count += len(one)
            stack += one if len(one) <= SMALL else ()
    return count
