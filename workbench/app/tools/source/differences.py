"""What differs between the stored version and a draft, as a sheet: for callers, then text by text. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.app.tools.cid.comparison import GLYPHS
from workbench.app.tools.cid.sheet import SheetLine, said
from workbench.app.tools.source.drafts import PART_NAMES, PARTS, Draft, texts_of
from workbench.app.widgets.text_view import PIECE_CHARS
from workbench.harness.errors import HarnessError
from workbench.harness.space.compare import compare_documents
from workbench.harness.space.compare_text import DiffRow, compare_texts
from workbench.harness.space.document import ToolDocument, lambda_document
from workbench.harness.text import printable

_LOOKS = {"+": "good", "-": "bad", "@": "later"}


def differences(stored: ToolDocument | None, draft: Draft) -> tuple[SheetLine, ...]:
    """What stands in the draft and not in what is stored (`+`), and the other way round (`-`)."""
    if stored is None:
        return (said("There is no stored version: it was deleted.", "quiet"),)
    lines = [*_for_callers(stored, draft), *_texts(stored, draft)]
    return tuple(lines) or (said("Both have the same texts.", "quiet"),)


def _for_callers(stored: ToolDocument, draft: Draft) -> Iterator[SheetLine]:
    """Which changes of the contract concern those who call it; nothing while the draft is no document."""
    try:
        mine = lambda_document(draft.name, draft.content()).document
    except HarnessError:
        return
    found = [change for change in compare_documents(stored, mine).changes if change.kind != "neutral"]
    if found:
        yield said("with yours in place of the stored one, callers find", "heading")
    for change in found:
        where = f"{change.part} {change.path}".strip()
        words = f"{change.kind}: {printable(where)}, {printable(change.what)}"
        yield SheetLine(((f"{GLYPHS[change.kind]} ", "strong"), (words, "")), 2)


def _texts(stored: ToolDocument, draft: Draft) -> Iterator[SheetLine]:
    before = texts_of(stored)
    for part in PARTS:
        diff = compare_texts(before[part], draft.texts[part])
        if diff.same:
            continue
        yield SheetLine(
            ((PART_NAMES[part], "heading"), (f"  +{diff.added:,} −{diff.removed:,} lines", "quiet")),
        )
        for note in diff.notes:
            yield said(note, "quiet")
        for row in diff.rows:
            yield _row(row)


def _row(row: DiffRow) -> SheetLine:
    if row.sign == "@":
        return said("⋯", "later")
    look = _LOOKS.get(row.sign, "")
    return SheetLine(((f"{row.sign} ", look), (printable(row.text)[:PIECE_CHARS], look)), 2)
