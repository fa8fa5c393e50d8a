"""Two versions as a sheet: what changed in the contract and for whom, then the source line by line. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.app.tools.cid.sheet import Sheet, SheetLine, said, sheet
from workbench.app.widgets.text_view import PIECE_CHARS
from workbench.harness.space.compare import DocumentChanges, compare_documents
from workbench.harness.space.compare_text import DiffRow, TextDiff
from workbench.harness.space.contract import contract_text
from workbench.harness.space.document import ToolDocument, decode
from workbench.harness.space.library import Version
from workbench.harness.space.schema.compare import KINDS, Change, Kind
from workbench.harness.text import printable

GLYPHS: dict[Kind, str] = {"breaking": "✗", "widening": "+", "neutral": "·"}
MEANINGS: dict[Kind, str] = {
    "breaking": "who used the tool rightly before may fail now",
    "widening": "nobody fails, and more is possible",
    "neutral": "nothing in the contract changes for those who use it",
}
_LOOKS: dict[Kind, str] = {"breaking": "bad", "widening": "good", "neutral": "quiet"}


def counted(changes: DocumentChanges) -> str:
    """How many changes of each kind."""
    return " · ".join(f"{len(changes.of_kind(kind))} {kind}" for kind in KINDS)


def compared(old: Version, old_block: bytes, new: Version, new_block: bytes) -> Sheet:
    """Compare two versions by their blocks. Raises HarnessError `corrupt` for a block that is no document."""
    changes = compare_documents(decode(old_block), decode(new_block))
    title = f"version {old.version} → {new.version} · {counted(changes)}"
    lines = list(_contract(changes)) if not changes.same else [said("Both are the same document.", "strong")]
    for name, diff in (("description", changes.description), ("source", changes.source)):
        if diff is not None:
            lines += [said(""), *_diff(name, diff)]
    return sheet(title, lines, f"{old.cid} → {new.cid}")


def whole(version: Version, block: bytes) -> Sheet:
    """A version's contract and source. Raises HarnessError `corrupt` for a block that is no document."""
    document = decode(block)
    contract = contract_text(document, version.cid or "")
    lines = [said(f"version {version.version}: the contract, as a model reads it", "heading"), *_lines(contract)]
    text = contract
    if document.source is not None:
        lines += [said(f"the source, {document.runtime}", "heading"), *_lines(document.source)]
        text = f"{contract}\n{document.source}"
    return Sheet(f"version {version.version} whole", tuple(lines), text)


def restored(document: ToolDocument) -> dict[str, object]:
    """The content that writes a lambda's document again."""
    return {key: value for key, value in document.to_map().items() if key != "binding"}


def _contract(changes: DocumentChanges) -> Iterator[SheetLine]:
    kinds: list[Kind] = [kind for kind in KINDS if changes.of_kind(kind)]
    for kind in kinds:
        if kind != kinds[0]:
            yield said("")
        yield SheetLine(((f"{GLYPHS[kind]} {kind}", _LOOKS[kind]), (f"  {MEANINGS[kind]}", "quiet")))
        for change in changes.of_kind(kind):
            yield from _change(change, kind)


def _change(change: Change, kind: Kind) -> Iterator[SheetLine]:
    where = f"{change.part} {change.path}".strip()
    yield SheetLine(
        ((f"{GLYPHS[kind]} ", _LOOKS[kind]), (f"{printable(where)}  ", "agent"), (printable(change.what), "")), 2
    )
    yield SheetLine((("    ", ""), (printable(change.why), "quiet")), 4)


def _diff(name: str, diff: TextDiff) -> Iterator[SheetLine]:
    yield SheetLine(((name, "heading"), (f"  +{diff.added:,} −{diff.removed:,} lines", "quiet")))
    for note in diff.notes:
        yield said(note, "quiet")
    digits = max((len(str(number)) for row in diff.rows for number in (row.old, row.new) if number), default=1)
    for row in diff.rows:
        yield from _diff_row(row, digits)


def _diff_row(row: DiffRow, digits: int) -> Iterator[SheetLine]:
    if row.sign == "@":
        yield said(f"{'⋯':>{digits}} {'⋯':>{digits}}", "later")
        return
    old = f"{row.old}" if row.old is not None else ""
    new = f"{row.new}" if row.new is not None else ""
    numbers = (f"{old:>{digits}} {new:>{digits}} ", "later")
    look = {"+": "good", "-": "bad"}.get(row.sign, "")
    text = printable(row.text)
    for at in range(0, max(len(text), 1), PIECE_CHARS):
        head = numbers if at == 0 else (" " * (2 * digits + 2), "")
        yield SheetLine((head, (f"{row.sign} ", look), (text[at : at + PIECE_CHARS], look)), 2 * digits + 4)


def _lines(text: str) -> Iterator[SheetLine]:
    for line in printable(text).split("\n"):
        for at in range(0, max(len(line), 1), PIECE_CHARS):
            yield SheetLine(((line[at : at + PIECE_CHARS], ""),))
