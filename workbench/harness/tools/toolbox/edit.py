"""`edit`: replace parts of one file, each found by the text that it is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, cast

from msgspec import Meta, Struct

from workbench.harness.errors import HarnessError
from workbench.harness.strict_json import parse
from workbench.harness.tools.toolbox.drawn import Diff, DiffRow, Drawn, Line, Span, Words, text_of
from workbench.harness.tools.toolbox.editing.source import bytes_of, not_edited, text_in
from workbench.harness.tools.toolbox.host_tool import (
    ABORTED,
    HostContext,
    HostTool,
    OnUpdate,
    Result,
    Signal,
    ToolAnswer,
)
from workbench.harness.tools.toolbox.limits import EDIT_FILE_BYTES, MEBIBYTE
from workbench.harness.tools.toolbox.links import Way
from workbench.harness.tools.toolbox.locks import carried_out, in_turn
from workbench.harness.tools.toolbox.paths import resolve
from workbench.harness.tools.toolbox.prepare import path_in, take_file_path
from workbench.harness.tools.toolbox.target import Target, target_of
from workbench.harness.tools.toolbox.writing import sound, write_whole

_BOM = "\ufeff"

DESCRIPTION = f"""\
Edit one file by replacing exact text. Read the file first. Every oldText must match exactly one place of the original \
file: all of them are looked up in the file as it was before the call, not one after the other, so none may overlap \
another. Merge changes of the same or neighbouring lines into one edit, and make separate edits of one call for places \
far apart; do not bridge them with long unchanged stretches. All edits of a call are made or none: if one fails, the \
file is as before, and the message says why and, where something comes close, shows the closest place. A text that is \
not found as it stands is compared once more with typographic quotes, dashes and spaces taken as plain ones and blanks \
at line ends left out; indentation always counts. Then the lines that it touches are written in that plain form. \
Everything outside the edits keeps its bytes: line endings, also mixed ones, a byte order mark, the file's mode. Write \
line endings as \\n; new lines get the ending that is usual where they come. newText is taken literally. The file must \
exist, be a regular file in valid UTF-8 and have at most {EDIT_FILE_BYTES // MEBIBYTE} MiB; use write to make a file. \
It is replaced in one step; a symbolic link stays a link. The Space and the folder of the owner's answers are \
refused."""


class TextEdit(Struct, frozen=True, kw_only=True, rename="camel"):
    """One replacement."""

    old_text: Annotated[
        str,
        Meta(
            description=(
                "The text to replace, exactly as it is in the file, white space included. It must be there exactly "
                "once in the original file and not overlap the oldText of another edit. Keep it small: only as much "
                "as makes it unique"
            )
        ),
    ]
    new_text: Annotated[str, Meta(description="What takes its place, literally; empty to delete it")]


class Parameters(Struct, frozen=True, kw_only=True):
    """A file and what is to be replaced in it."""

    path: Annotated[str, Meta(description="The file to change, relative to the working directory or absolute")]
    edits: Annotated[
        list[TextEdit],
        Meta(description="One or more replacements, in any order, all found in the file as it is before"),
    ]


async def execute(
    call_id: str, params: Parameters, signal: Signal, on_update: OnUpdate, ctx: HostContext
) -> ToolAnswer:
    """Edit a file.

    Raises:
        HarnessError: `bad_input` for edits that cannot be made; `not_found`, `refused`, `limit` or `failed` for a file
            that cannot be changed; `cancelled`, which says whether it had been edited.
    """
    signal.check()
    if not params.edits:
        raise HarnessError("bad_input", "Edit tool input is invalid. edits must contain at least one replacement.")
    given = sound(params.path)
    path = resolve(given, ctx.cwd)
    try:
        async with in_turn(path, signal) as way:
            signal.check()
            answer = await carried_out(lambda own: _edit(way, given, params.edits, ctx, own), signal)
    except OSError as error:
        raise not_edited(error, given) from error
    if signal.aborted:
        raise HarnessError("cancelled", f"{ABORTED}. {given} had been edited by then.")
    return answer


def _edit(way: Way, given: str, edits: list[TextEdit], ctx: HostContext, signal: Signal) -> ToolAnswer:
    with target_of(way, ctx.guarded) as target:
        return _edited(target, given, edits, signal)


def _edited(target: Target, given: str, edits: list[TextEdit], signal: Signal) -> ToolAnswer:
    from workbench.harness.tools.toolbox.editing.diff import difference
    from workbench.harness.tools.toolbox.editing.line_endings import Endings
    from workbench.harness.tools.toolbox.editing.matching import Replacement, locate

    raw = text_in(bytes_of(target, given), given)
    mark = _BOM if raw.startswith(_BOM) else ""
    signal.check()
    original = Endings(raw.removeprefix(_BOM))
    replacements = [Replacement(sound(edit.old_text), sound(edit.new_text)) for edit in edits]
    located = locate(original, replacements, given, signal.check)
    edited = located.base.changed(located.changes)
    if edited == original.raw:
        raise HarnessError("bad_input", _unchanged(given, len(edits) > 1))
    signal.check()
    change = difference(located.base.text, located.changes, given, original.text)
    signal.check()
    write_whole(target, (mark + edited).encode(), signal)
    details: dict[str, Any] = {
        "diff": change.rows,
        "patch": change.patch,
        "firstChangedLine": change.first,
    }
    if change.cut:
        details["diffCut"] = change.cut
    if located.normalised:
        details["normalised"] = list(located.normalised)
    return ToolAnswer.of(f"Successfully replaced {len(edits)} block(s) in {given}.", details)


def _unchanged(given: str, several: bool) -> str:
    if several:
        return f"No changes made to {given}. The replacements produced identical content."
    return (
        f"No changes made to {given}. The replacement produced identical content. This might indicate an issue with "
        "special characters or the text not existing as expected."
    )


def _prepare(args: Any) -> Any:
    """Repair an input: `edits` written as JSON in a text, one edit that stands alone, `oldText` and `newText` at the
    top, `file_path` for `path`. It is a new object; the one that was sent stays as it is."""
    taken = take_file_path(args)
    if not isinstance(taken, Mapping):
        return taken
    repaired = dict(cast("Mapping[str, Any]", taken))
    edits: object = repaired.get("edits")
    if isinstance(edits, str):
        try:
            edits = cast("object", parse(edits, what="edits"))
        except HarnessError:
            return repaired
    if isinstance(edits, Mapping):
        edits = [cast("object", edits)]
    old, new = repaired.get("oldText"), repaired.get("newText")
    if isinstance(old, str) and isinstance(new, str) and (edits is None or isinstance(edits, list)):
        edits = [*cast("list[Any]", edits or []), {"oldText": old, "newText": new}]
        del repaired["oldText"], repaired["newText"]
    if isinstance(edits, list):
        repaired["edits"] = edits
    return repaired


def _replacements(input: Any) -> list[tuple[str, str]]:
    """The old and new texts of an input as it was sent, as far as it has any."""
    try:
        prepared = _prepare(input)
    except HarnessError:
        prepared = input
    edits = cast("Mapping[str, Any]", prepared).get("edits") if isinstance(prepared, Mapping) else None
    items = cast("list[Any]", edits) if isinstance(edits, list) else []
    return [(text_of(item, "oldText"), text_of(item, "newText")) for item in items if isinstance(item, Mapping)]


def render_call(input: Any) -> Line:
    """The file, and the number of edits."""
    count = len(_replacements(input))
    return (
        Span("edit", "name"),
        Span(" "),
        Span(path_in(input), "path"),
        Span(f" {count} {'edit' if count == 1 else 'edits'}", "number"),
    )


def render_result(input: Any, result: Result, cwd: Path) -> tuple[Drawn, ...]:
    """What was changed, and what was said about it."""
    from workbench.harness.tools.toolbox.editing.diff import parsed

    if result.error is not None:
        return (Words(result.error, "error"),)
    details: Mapping[str, Any] = result.details or {}
    diff = details.get("diff")
    rows = parsed(diff) if isinstance(diff, str) else _rows_of(input)
    drawn: list[Drawn] = [Diff(path_in(input), rows), Words(result.text)]
    if details.get("normalised"):
        drawn.append(
            Words("Found only with plain quotes, hyphens and blanks: the lines it touched are in that form now.")
        )
    return tuple(drawn)


def _rows_of(input: Any) -> tuple[DiffRow, ...]:
    """What an input would change, where no diff was kept: nobody knows the lines' numbers."""
    rows: list[DiffRow] = []
    for old, new in _replacements(input):
        rows += [DiffRow("removed", None, line) for line in old.removesuffix("\n").split("\n") if old]
        rows += [DiffRow("added", None, line) for line in new.removesuffix("\n").split("\n") if new]
    return tuple(rows)


EDIT = HostTool(
    name="edit",
    label="Edit",
    summary="Replace parts of a file, found by their text.",
    description=DESCRIPTION,
    parameters=Parameters,
    binding="toolbox:edit",
    execution_mode="sequential",
    execute=execute,
    prepare_arguments=_prepare,
    render_call=render_call,
    render_result=render_result,
)
"""The tool.

The details of its answer: `diff`, rows for people; `patch`, a unified patch of the text with `\\n` endings, null where
it would be too long; `firstChangedLine`, of the new text; `diffCut`, which says in words what the two leave out; and
`normalised`, the numbers from 0 of the edits that matched only in the form for comparing. The last two are absent
where there is nothing to say.
"""
