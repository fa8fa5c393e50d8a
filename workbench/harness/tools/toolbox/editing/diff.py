"""What an edit changed, line by line: as rows for people, and as a patch for programs. Both say the same."""

from __future__ import annotations

import json
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from workbench.harness.tools.toolbox.drawn import DiffRow
from workbench.harness.tools.toolbox.editing.line_endings import Change, replaced
from workbench.harness.tools.toolbox.limits import DIFF_BYTES, DIFF_LINE_CHARS, DIFF_ROWS, PATCH_BYTES

_CONTEXT = 4
# Beyond these, the lines of a changed part are not compared with each other: all old ones go, all new ones come.
_COMPARED_LINES = 1500
_COMPARED_PAIRS = 50_000

_ROW = re.compile(r"([ +-])( *[0-9]{1,18}|  *) (.*)", re.DOTALL)
_NO_NEWLINE = "\\ No newline at end of file\n"


class Block(Struct, frozen=True):
    """Lines `[start, end)` of the old text that became lines `[new_start, new_end)` of the new one; from 0."""

    start: int
    end: int
    new_start: int
    new_end: int


class Difference(Struct, frozen=True):
    """`rows` are the rows for people as one text, `cut` says in words what they leave out. `first` is the first changed
    line of the new text. `patch` is None where it would be too long."""

    rows: str
    patch: str | None
    first: int
    cut: str | None = None


class Lines:
    """The lines of a text with their newlines, cut from it when they are asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = array("Q", [0])
        self._starts.extend(at.end() for at in re.finditer("\n", text))
        if self._starts[-1] != len(text):
            self._starts.append(len(text))

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, line: int) -> str:
        return self._text[self._starts[line] : self._starts[line + 1]]

    def between(self, start: int, end: int) -> list[str]:
        """Some of the lines."""
        return [self[line] for line in range(start, end)]

    @property
    def pieces(self) -> int:
        """How many pieces the newlines part the text in: one more than its lines where the last one is ended."""
        return self._text.count("\n") + 1


def difference(base: str, changes: Sequence[Change], path: str, original: str | None = None) -> Difference:
    """What changes make of a text, whose lines end in `\\n`; the changes are in order and not overlapping.

    `original` is what was there before, where that is not `base`: a text of as many lines, each of which may differ
    from that of `base` only where a change touches it.
    """
    old, new = Lines(base if original is None else original), Lines(replaced(base, changes))
    blocks = list(_refined(old, new, _touched(base, changes, old, new)))
    groups = _grouped(blocks)
    rows, cut = _rows(old, new, groups)
    first = blocks[0].new_start + 1 if blocks else 1
    patch = _patch(old, new, groups, path)
    if patch is None:
        size = f"The patch would be longer than {PATCH_BYTES} bytes and is left out."
        cut = f"{cut} {size}" if cut else size
    return Difference(rows, patch, first, cut)


def parsed(rows: str) -> tuple[DiffRow, ...]:
    """The rows for people, each as what it says."""
    found: list[DiffRow] = []
    for row in rows.split("\n") if rows else ():
        match = _ROW.fullmatch(row)
        if match is None or not match[2].strip():
            found.append(DiffRow("skipped", None, match[3] if match else row))
            continue
        kind = "added" if match[1] == "+" else "removed" if match[1] == "-" else "context"
        found.append(DiffRow(kind, int(match[2]), match[3]))
    return tuple(found)


def _touched(base: str, changes: Sequence[Change], old: Lines, new: Lines) -> list[Block]:
    """The lines that changes touch, and what became of them."""
    blocks: list[Block] = []
    line = done = shift = 0
    for change in changes:
        line += base.count("\n", done, change.start)
        inside = base.count("\n", change.start, change.end)
        done = change.end
        start, end = line, line + inside + 1
        new_start = line + shift
        shift += change.new.count("\n") - inside
        line += inside
        if blocks and start <= blocks[-1].end:
            last = blocks.pop()
            start, new_start = last.start, last.new_start
        blocks.append(Block(start, end, new_start, end + shift))
    # The piece after the last newline is a line only where something is in it.
    return [
        Block(
            *(min(line, len(old)) for line in (block.start, block.end)),
            *(min(line, len(new)) for line in (block.new_start, block.new_end)),
        )
        for block in blocks
    ]


def _refined(old: Lines, new: Lines, blocks: Sequence[Block]) -> Iterator[Block]:
    """The blocks without the lines in them that stayed the same."""
    for block in blocks:
        start, end, new_start, new_end = block.start, block.end, block.new_start, block.new_end
        while start < end and new_start < new_end and old[start] == new[new_start]:
            start, new_start = start + 1, new_start + 1
        while start < end and new_start < new_end and old[end - 1] == new[new_end - 1]:
            end, new_end = end - 1, new_end - 1
        if start == end and new_start == new_end:
            continue
        inner = Block(start, end, new_start, new_end)
        if start == end or new_start == new_end or max(end - start, new_end - new_start) > _COMPARED_LINES:
            yield inner
        else:
            yield from _compared(old.between(start, end), new.between(new_start, new_end), inner)


def _compared(mine: list[str], other: list[str], at: Block) -> Iterator[Block]:
    counts, others = Counter(mine), Counter(other)
    if sum(count * others[line] for line, count in counts.items()) > _COMPARED_PAIRS:
        yield at
        return
    from difflib import SequenceMatcher

    for kind, start, end, new_start, new_end in SequenceMatcher(None, mine, other, autojunk=False).get_opcodes():
        if kind != "equal":
            yield Block(at.start + start, at.start + end, at.new_start + new_start, at.new_start + new_end)


def _grouped(blocks: Sequence[Block]) -> list[list[Block]]:
    """Blocks whose surroundings touch each other belong together."""
    groups: list[list[Block]] = []
    for block in blocks:
        if groups and block.start - groups[-1][-1].end <= 2 * _CONTEXT:
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


def _rows(old: Lines, new: Lines, groups: list[list[Block]]) -> tuple[str, str | None]:
    width = len(str(max(old.pieces, new.pieces)))
    kept: list[str] = []
    used = total = 0
    full = False
    for row in _all_rows(old, new, groups, width):
        total += 1
        # Counting what is left out goes on; taking it up does not.
        size = 0 if full else len(row.encode()) + 1
        full = full or len(kept) >= DIFF_ROWS or used + size > DIFF_BYTES
        if not full:
            kept.append(row)
            used += size
    if not full:
        return "\n".join(kept), None
    words = f"The diff has {total} rows; the first {len(kept)} are kept."
    return "\n".join([*kept, f" {'':{width}} ... {words}"]), words


def _all_rows(old: Lines, new: Lines, groups: list[list[Block]], width: int) -> Iterator[str]:
    skipped = f" {'':{width}} ..."
    done = 0
    for group in groups:
        begin = max(done, group[0].start - _CONTEXT)
        if begin > done:
            yield skipped
        done = begin
        for block in group:
            for line in range(done, block.start):
                yield f" {line + 1:>{width}} {_text(old[line])}"
            for line in range(block.start, block.end):
                yield f"-{line + 1:>{width}} {_text(old[line])}"
            for line in range(block.new_start, block.new_end):
                yield f"+{line + 1:>{width}} {_text(new[line])}"
            done = block.end
        end = min(len(old), done + _CONTEXT)
        for line in range(done, end):
            yield f" {line + 1:>{width}} {_text(old[line])}"
        done = end
    if done < len(old):
        yield skipped


def _text(line: str) -> str:
    line = line.removesuffix("\n")
    return line if len(line) <= DIFF_LINE_CHARS else line[:DIFF_LINE_CHARS] + "... [truncated]"


def _patch(old: Lines, new: Lines, groups: list[list[Block]], path: str) -> str | None:
    name = path if path.isprintable() and '"' not in path else json.dumps(path)
    pieces = [f"--- {name}\n+++ {name}\n"]
    size = len(pieces[0].encode())
    for piece in _hunks(old, new, groups):
        size += len(piece.encode())
        if size > PATCH_BYTES:
            return None
        pieces.append(piece)
    return "".join(pieces)


def _hunks(old: Lines, new: Lines, groups: list[list[Block]]) -> Iterator[str]:
    for group in groups:
        start = max(0, group[0].start - _CONTEXT)
        end = min(len(old), group[-1].end + _CONTEXT)
        new_start = group[0].new_start - (group[0].start - start)
        new_end = group[-1].new_end + (end - group[-1].end)
        yield f"@@ -{_range(start, end)} +{_range(new_start, new_end)} @@\n"
        done = start
        for block in group:
            yield from (_ended(" ", old[line]) for line in range(done, block.start))
            yield from (_ended("-", old[line]) for line in range(block.start, block.end))
            yield from (_ended("+", new[line]) for line in range(block.new_start, block.new_end))
            done = block.end
        yield from (_ended(" ", old[line]) for line in range(done, end))


def _range(start: int, end: int) -> str:
    # Where there are no lines, the number is that of the line before.
    return f"{start + 1 if end > start else start},{end - start}"


def _ended(mark: str, line: str) -> str:
    return f"{mark}{line}" if line.endswith("\n") else f"{mark}{line}\n{_NO_NEWLINE}"
