"""What came of a call of the toolbox, as something to look at: as its tool draws it, and as a model reads it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.app.tools.call.outcome import Outcome, Styled, Where, failure, refusals
from workbench.app.tools.directory import at_home
from workbench.app.transcript.host_calls import drawn_by
from workbench.app.widgets.drawn import DrawnLine, ShownLine, code_texts, drawn_lines
from workbench.app.widgets.json_outline import json_twig, text_twig
from workbench.app.widgets.outline.twig import Twig
from workbench.harness.log.calls import PastCall
from workbench.harness.log.events import ToolResult
from workbench.harness.space.schema import Problem
from workbench.harness.strict_json import as_object

if TYPE_CHECKING:
    from workbench.harness.tools.toolbox.host_tool import Result


def machine_succeeded(tool: str, answer: Any, input: Any, cwd: str, where: Where) -> Outcome:
    """The outcome of a call that answered."""
    from workbench.harness.tools.toolbox.host_tool import Result

    body = as_object(answer) or {}
    content = body.get("content")
    blocks = map(as_object, content if isinstance(content, list) else ())
    told = Result(tuple(block for block in blocks if block is not None), as_object(body.get("details")))
    return _outcome(("✓ ok", "bold $text-success"), where, tool, told, input, cwd)


def machine_failed(
    tool: str,
    error: tuple[str, str],
    input: Any,
    cwd: str,
    where: Where,
    *,
    tail: str = "",
    problems: Sequence[Problem] = (),
) -> Outcome:
    """The outcome of a call that failed or was stopped: its code, and the words that a model reads."""
    from workbench.harness.tools.toolbox.host_tool import Result

    code, message = error
    before: list[Twig] = [refusals(problems)] if problems else []
    if tail.strip() and tail.strip() not in message:
        before.append(text_twig(tail, "tail", (("its last output", "heading"), ("  ", "")), preview=False))
    return _outcome(failure(code), where, tool, Result(error=message), input, cwd, before, tuple(problems))


def machine_outcome_of_past(tool: str, past: PastCall, given: Any, result: ToolResult) -> Outcome:
    """The outcome of a call out of the log."""
    cwd = past.cwd or "/"
    when = f"on {past.time.replace('T', ' ')[:19]} · in {at_home(cwd)}"
    where = Where(result.thread, result.seq, past.duration_ms, when)
    if result.error is not None:
        error = result.error.get("code", ""), result.error.get("message", "")
        return machine_failed(tool, error, given, cwd, where)
    return machine_succeeded(tool, result.output, given, cwd, where)


def _outcome(
    head: Styled,
    where: Where,
    tool: str,
    told: Result,
    input: Any,
    cwd: str,
    before: Sequence[Twig] = (),
    problems: tuple[Problem, ...] = (),
) -> Outcome:
    lines = _drawn(tool, told, input, cwd)
    twigs = [*before, *(_line(number, line) for number, line in enumerate(lines))]
    twigs.append(text_twig(told.text, "text", (("as a model reads it", "heading"), ("  ", "")), preview=False))
    if told.details is not None:
        twigs.append(json_twig(dict(told.details), "details", (("details", "heading"), ("  ", ""))))
    twigs.append(json_twig(input, "given", (("input", "heading"), ("  ", ""))))
    unfolded = frozenset(twig.key for twig in before)
    return Outcome((head, (where.words(), "$text-muted")), tuple(twigs), unfolded, told.text, problems)


def _drawn(tool: str, told: Result, input: Any, cwd: str) -> list[ShownLine]:
    """As the tool draws it, in the colours of what it is."""
    lines = drawn_lines(drawn_by(tool, input, told, Path(cwd)))
    for code in code_texts(lines):
        code.colour()
    return lines


def _line(number: int, line: ShownLine) -> Twig:
    key = f"line {number}"
    if not isinstance(line, DrawnLine):
        return Twig(key, ((line.text, "" if line.look == "text" else line.look),))
    pieces = [line.gutter, *line.coloured()]
    return Twig(key, tuple(piece for piece in pieces if piece[0]))
