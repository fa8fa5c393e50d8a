"""Calls of the toolbox as the transcript shows them: the line of a call, what its result says, both whole. Pure."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from workbench.app.widgets.drawn import Piece, ShownLine, diff_rows, drawn_lines, one_line
from workbench.app.widgets.drawn_words import size_words, summary
from workbench.harness.errors import HarnessError
from workbench.harness.log.events import ToolCall, ToolResult
from workbench.harness.log.payloads import dumps
from workbench.harness.names import TOOLBOX, TOOLBOX_BINDING
from workbench.harness.strict_json import as_object
from workbench.harness.tools.toolbox.drawn import Code, Diff, DiffRow, Drawn, Span, Words, text_of

if TYPE_CHECKING:
    from workbench.harness.tools.toolbox.host_tool import HostTool, Result

QUICK_CHARS = 8_000
"""The rows of a longer list are only counted for its line in the log."""

NEW_LINE = "\n"
_COUNTED = ("grep", "find", "ls")
_MATCH = re.compile(r"^(.*?):\d{1,12}: ", re.MULTILINE)

LONG_COMMAND = 200
"""A command with more characters is shown by itself."""


def host_name(binding: str | None) -> str:
    """Which of the seven a call is bound to; nothing for any other call."""
    name = (binding or "").removeprefix(TOOLBOX_BINDING)
    return name if binding is not None and binding.startswith(TOOLBOX_BINDING) and name in TOOLBOX else ""


def call_pieces(name: str, input: Any, most: int) -> tuple[tuple[Piece, ...], bool]:
    """A call in one line, as its tool draws it, and whether something of it was cut."""
    tool = _tools().get(name)
    if tool is None or tool.render_call is None:
        # A newer workbench, which has more of them, may act in the same Space.
        return one_line((Span(name, "name"), Span(f" {dumps(input)}")), most)
    return one_line(tool.render_call(input), most)


def refusal(name: str, input: Any) -> str:
    """What its tool would refuse of an input, the first of it in a few words; empty where it would take it."""
    from workbench.harness.tools.toolbox.refusal import faults, prepared

    tool = _tools().get(name)
    if tool is None:
        return ""
    try:
        return next(iter(faults(tool, prepared(tool, input))), "")
    except HarnessError as error:
        return error.message.partition("\n")[0]


def result_blocks(name: str, input: Any, result: ToolResult, cwd: str | None) -> tuple[Drawn, ...]:
    """A result as its tool draws it."""
    return drawn_by(name, input, _told(result), Path(cwd or "/"))


def drawn_by(name: str, input: Any, told: Result, cwd: Path) -> tuple[Drawn, ...]:
    """What a tool answered, as it draws it; as it stands where it cannot be drawn."""
    render = _tools()[name].render_result
    if render is not None:
        # A log may come from elsewhere, and a number in it be longer than Python reads.
        with contextlib.suppress(ValueError, OverflowError):
            return render(input, told, cwd)
    return (Words(told.text, "plain" if told.error is None else "error"),)


def result_words(name: str, result: ToolResult) -> str:
    """The essential of a result: how many lines, matches or changes, or the exit code."""
    if result.error is None and name in _COUNTED:
        text = _told(result).text
        if len(text) > QUICK_CHARS:
            return _counted(name, text)
    if result.error is not None:
        return fault_words(name, str(result.error.get("message", "")))
    return summary(result_blocks(name, {}, result, None))


def fault_words(name: str, message: str) -> str:
    """What went wrong, by the message of a call that failed; then what was said with it, and what was printed."""
    from workbench.harness.tools.toolbox.host_tool import Result

    if name not in _tools():
        return message
    return summary(sorted(drawn_by(name, {}, Result(error=message), Path("/")), key=_what_matters))


def _what_matters(block: Drawn) -> int:
    if isinstance(block, Words):
        return 0 if block.style == "error" else 1
    return 2


def _counted(name: str, text: str) -> str:
    """The same of a long list, without making something to open of each row."""
    rows, between, notice = text.rpartition("\n\n[")
    rows, said = (rows, f" · [{notice}") if between else (text, "")
    if name != "grep":
        return f"{size_words(rows.count(NEW_LINE) + 1, 'path')}{said}"
    files = _MATCH.findall(rows)
    return f"{size_words(len(files), 'match', 'matches')} in {size_words(len(set(files)), 'file')}{said}"


def result_lines(call: ToolCall, result: ToolResult) -> list[ShownLine]:
    """A result, whole."""
    return drawn_lines(result_blocks(host_name(call.binding), call.input, result, call.cwd))


def intent(name: str, input: Any, *, done: bool = False) -> tuple[Drawn, ...]:
    """What a call is about to put on the machine, where its line does not say all of it.

    Of one that is `done`, its result says what it wrote.
    """
    body = as_object(input) or {}
    match name:
        case "bash":
            command = text_of(body, "command")
            return (Code(command, "command.sh"),) if "\n" in command or len(command) > LONG_COMMAND else ()
        case "write" | "edit" if done:
            return ()
        case "write":
            content = text_of(body, "content")
            return (Code(content, _path(body)),) if content else (Words("Nothing: the file is to be empty."),)
        case "edit":
            rows = _edit_rows(body)
            return (Diff(_path(body), tuple(rows)),) if rows else ()
        case _:
            return ()


def intent_words(name: str, input: Any) -> str:
    """How much that is, in a few words; nothing where the line of the call says it all."""
    body = as_object(input) or {}
    if name == "write":
        content = text_of(body, "content")
        lines, size = count_lines(content), len(content.encode("utf-8", "replace"))
        return f"the whole file: {size_words(lines, 'line')}, {size:,} B"
    if name == "edit":
        pairs = edit_pairs(body)
        removed, added = (sum(map(count_lines, texts)) for texts in zip(*pairs, strict=True)) if pairs else (0, 0)
        return f"{size_words(len(pairs), 'place')}: +{added} -{removed} lines" if removed or added else ""
    return ""


def count_lines(text: str) -> int:
    """How many lines a text has."""
    return text.removesuffix("\n").count("\n") + 1 if text else 0


def edit_pairs(body: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What an edit replaces, each text with what is to stand in its place."""
    edits = body.get("edits")
    pairs: list[tuple[str, str]] = []
    for edit in cast("list[Any]", edits) if isinstance(edits, list) else ():
        pairs.append((text_of(edit, "oldText"), text_of(edit, "newText")))
    if "oldText" in body or "newText" in body:
        pairs.append((text_of(body, "oldText"), text_of(body, "newText")))
    return pairs


def _edit_rows(body: Mapping[str, Any]) -> list[DiffRow]:
    rows: list[DiffRow] = []
    for place, (old, new) in enumerate(edit_pairs(body)):
        if place:
            rows.append(DiffRow("skipped", None, "..."))
        rows += diff_rows(old, new)
    return rows


def _path(body: Mapping[str, Any]) -> str:
    return text_of(body, "path") or text_of(body, "file_path")


def _tools() -> Mapping[str, HostTool]:
    # Loaded when the first such call is shown: a thread of the verbs never needs it.
    from workbench.harness.tools.toolbox.registry import TOOLS

    return TOOLS


def _told(result: ToolResult) -> Result:
    from workbench.harness.tools.toolbox.host_tool import Result

    if result.error is not None:
        return Result(error=str(result.error.get("message", "")))
    body = as_object(result.output) or {}
    content: Any = body.get("content")
    blocks: Iterable[Any] = cast("list[Any]", content) if isinstance(content, list) else ()
    details = as_object(body.get("details"))
    return Result(tuple(block for block in map(as_object, blocks) if block is not None), details)
