"""The annotated dump of a block: every byte of it, and what it means as DAG-CBOR.

The walk takes one header after the other and never recurses, so any bytes can be dumped: where they stop being CBOR it
says so, and the rest stands there as it is. A row is put into words only when somebody asks for it.
"""

from __future__ import annotations

import json
import struct
from array import array
from base64 import b32encode
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from workbench.harness.text import cut_bytes, printable

ROW_BYTES = 16
"""Bytes of a row, where nothing else is asked for."""

SHOWN_TEXT = 60
"""Bytes of a text that the words of a row repeat."""

LONGEST_HEADER = 9
"""Bytes of a header at most; it is never broken, however narrow the rows are."""

# What a part of a block is. From _TEXT on it is what follows a header, on as many rows as it takes.
_VALUE, _KEY, _CID_BYTES, _TEXT, _BYTES, _CID, _RAW = range(7)
_CIDS_TAG = 42
_WIDTHS = {24: 1, 25: 2, 26: 4, 27: 8}
_SIMPLE = {20: "false", 21: "true", 22: "null", 23: "undefined (DAG-CBOR has no such value)"}


@dataclass(frozen=True, slots=True)
class DumpRow:
    """Some bytes of a block. `depth` counts the maps, lists and tags around them; `meaning` is one printable line."""

    offset: int
    bytes: bytes
    depth: int
    meaning: str


class Dump:
    """The rows of a block, made one by one. `fault` says where the bytes stop making sense, or is None.

    A header and a short text or byte string behind it share a row; a longer one follows on rows of its own, of `width`
    bytes each.
    """

    def __init__(self, block: bytes, width: int = ROW_BYTES) -> None:
        """Walk the block. `width` is at least 1."""
        self.block = block
        self.width = max(width, 1)
        walk = _Walk(block, self.width)
        walk.run()
        self.fault = walk.fault
        self._starts, self._depths, self._roles = walk.starts, walk.depths, walk.roles
        # Only what takes several rows is counted: everything else is a row for a part.
        self._long_parts, self._long_rows, self._long_first = walk.long_parts, walk.long_rows, array("Q")
        extra = 0
        for part, rows in zip(self._long_parts, self._long_rows, strict=True):
            self._long_first.append(part + extra)
            extra += rows - 1
        self._length = len(self._starts) + extra

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[DumpRow]:
        return (self.row(index) for index in range(len(self)))

    def row(self, index: int) -> DumpRow:
        """One row, counted from 0. Raises IndexError."""
        if not 0 <= index < len(self):
            raise IndexError(index)
        part, piece = self._place(index)
        begin = self._starts[part]
        end = self._starts[part + 1] if part + 1 < len(self._starts) else len(self.block)
        depth, role = self._depths[part], self._roles[part]
        if role < _TEXT:
            return DumpRow(begin, self.block[begin:end], depth, self._words(begin, end, role))
        offset = begin + piece * self.width
        upto = min(offset + self.width, end)
        if role == _RAW:
            words = f"not read: {self.fault}" if offset == begin else ""
        elif role == _CID:
            words = f"CID {_cid_text(self.block[begin:end])}" if offset == begin else ""
        elif role == _TEXT:
            words = f"“{_quoted(_characters(self.block, offset, upto, end))}”"
        else:
            words = ""
        return DumpRow(offset, self.block[offset:upto], depth, words)

    def _place(self, index: int) -> tuple[int, int]:
        """The part that a row belongs to, and which of its rows it is."""
        at = bisect_right(self._long_first, index) - 1
        if at < 0:
            return index, 0
        behind = index - self._long_first[at]
        rows = self._long_rows[at]
        return (self._long_parts[at], behind) if behind < rows else (self._long_parts[at] + 1 + behind - rows, 0)

    def _words(self, begin: int, end: int, role: int) -> str:
        """What a header, with what is short enough to stand behind it, means."""
        first = self.block[begin]
        major, info = first >> 5, first & 31
        width = _WIDTHS.get(info, 0)
        argument = int.from_bytes(self.block[begin + 1 : begin + 1 + width], "big") if width else info
        payload = self.block[begin + 1 + width : end]
        noted = _notes(major, info, argument)
        match major:
            case 0:
                words = f"{argument}"
            case 1:
                words = f"{-1 - argument}"
            case 2 if role == _CID_BYTES and payload:
                words = f"CID {_cid_text(payload)}"
            case 2:
                words = _counted(argument, "byte")
            case 3:
                words = _text_words(payload, argument)
            case 4:
                words = f"list of {_counted(argument, 'item')}" if argument else "empty list"
            case 5:
                words = f"map of {_counted(argument, 'pair')}" if argument else "empty map"
            case 6:
                words = "tag 42: a CID follows" if argument == _CIDS_TAG else f"tag {argument}"
            case _:
                words = _simple_words(info, argument, payload if not width else self.block[begin + 1 : end])
        if role == _KEY:
            words = f"key {words}" if major == 3 else f"key {words} (a key must be a text)"
        return f"{words}{noted}"


def dump(block: bytes, width: int = ROW_BYTES) -> Dump:
    """Walk a block. Never raises, whatever the bytes are; takes about a second for the worst megabyte."""
    return Dump(block, width)


def dump_text(dumped: Dump) -> str:
    """The whole dump as text, a line a row: offset, bytes in hex, meaning indented by its depth."""
    digits, cells = offset_digits(dumped), hex_cells(dumped)
    lines = (
        f"{row.offset:0{digits}x}  {row.bytes.hex(' '):<{cells}}  {'  ' * row.depth}{row.meaning}".rstrip()
        for row in dumped
    )
    return "\n".join(lines) + "\n" if len(dumped) else ""


def offset_digits(dumped: Dump) -> int:
    """How many hex digits the offsets of a dump take, at least four."""
    return max(4, len(f"{max(len(dumped.block) - 1, 0):x}"))


def hex_cells(dumped: Dump) -> int:
    """How many characters the bytes of a row take, written in hex with spaces between."""
    return max(dumped.width, LONGEST_HEADER) * 3 - 1


class _Walk:
    """One pass over the headers. What it finds is kept in arrays: a block may hold a million values."""

    def __init__(self, block: bytes, width: int) -> None:
        self._block = block
        self._width = width
        self.starts, self.depths, self.roles = array("I"), array("I"), bytearray()
        self.long_parts, self.long_rows = array("I"), array("I")
        self.fault: str | None = None
        # For every map, list and tag that is open: how many values it still wants, and what stands next in it.
        self._wanted: list[int] = [1]
        self._kinds: list[int] = [-1]

    def run(self) -> None:
        block, at = self._block, 0
        wanted, kinds = self._wanted, self._kinds
        while wanted:
            if wanted[-1] == 0:
                wanted.pop()
                kinds.pop()
                continue
            if at >= len(block):
                inside = len(wanted) - 1
                where = f", {_counted(inside, 'level')} deep" if inside else ""
                return self._stop(at, f"the block ends at offset {at} where a value must follow{where}")
            kind = kinds[-1]
            role = _KEY if kind == 5 and wanted[-1] % 2 == 0 else _VALUE
            wanted[-1] -= 1
            first = block[at]
            major, info = first >> 5, first & 31
            width = _WIDTHS.get(info, 0)
            after = at + 1 + width
            if info > 27:
                return self._stop(at, f"{_odd_header(major, info)} at offset {at}")
            if after > len(block):
                return self._stop(at, f"the block ends inside the header at offset {at}")
            argument = int.from_bytes(block[at + 1 : after], "big") if width else info
            depth = len(wanted) - 1
            if major in (2, 3):
                end = after + argument
                if end > len(block):
                    left = len(block) - after
                    return self._stop(
                        at,
                        f"the {'text' if major == 3 else 'bytes'} at offset {at} should have {argument:,} bytes, and "
                        f"{left:,} are left",
                    )
                is_cid = kind == 6 and major == 2
                if end - at <= self._width:
                    self._part(at, depth, _CID_BYTES if is_cid else role)
                else:
                    self._part(at, depth, role)
                    self._rows(after, end, depth + 1, _CID if is_cid else _TEXT if major == 3 else _BYTES)
                at = end
                continue
            self._part(at, depth, role)
            at = after
            if major == 4:
                wanted.append(argument)
                kinds.append(4)
            elif major == 5:
                wanted.append(argument * 2)
                kinds.append(5)
            elif major == 6:
                wanted.append(1)
                kinds.append(6 if argument == _CIDS_TAG else -1)
        if at < len(block):
            self._stop(at, f"{_counted(len(block) - at, 'byte')} after the end of the document at offset {at}")

    def _part(self, start: int, depth: int, role: int) -> None:
        self.starts.append(start)
        self.depths.append(depth)
        self.roles.append(role)

    def _rows(self, start: int, end: int, depth: int, role: int) -> None:
        self.long_parts.append(len(self.starts))
        self.long_rows.append(-(-(end - start) // self._width))
        self._part(start, depth, role)

    def _stop(self, at: int, fault: str) -> None:
        self.fault = fault
        if at < len(self._block):
            self._rows(at, len(self._block), 0, _RAW)


def _notes(major: int, info: int, argument: int) -> str:
    """What DAG-CBOR does not allow though CBOR does."""
    least = {25: 0x100, 26: 0x10000, 27: 0x100000000}
    if major == 7:
        return " (DAG-CBOR writes floats with 64 bits)" if info in (25, 26) else ""
    if (info == 24 and argument < 24) or argument < least.get(info, 0):
        return " (longer than it need be: not canonical)"
    if major == 6 and argument != _CIDS_TAG:
        return " (DAG-CBOR has no tag but 42)"
    return ""


def _text_words(payload: bytes, length: int) -> str:
    if length and not payload:
        return f"text of {_counted(length, 'byte')}"
    try:
        text = payload.decode("utf-8")
    except UnicodeDecodeError:
        return f"text of {_counted(length, 'byte')} that is no UTF-8"
    return f'"{_quoted(text)}"'


def _simple_words(info: int, argument: int, payload: bytes) -> str:
    if info in (25, 26, 27):
        form = {25: ">e", 26: ">f", 27: ">d"}[info]
        return f"float {struct.unpack(form, payload)[0]!r}"
    return _SIMPLE.get(info, f"simple value {argument} (DAG-CBOR has no such value)")


def _odd_header(major: int, info: int) -> str:
    if info < 31:
        return "a header that CBOR keeps for later"
    if major == 7:
        return "a break without anything to end"
    kind = {2: "byte string", 3: "text", 4: "list", 5: "map"}.get(major)
    return f"a {kind} of indefinite length, which DAG-CBOR has not," if kind else "a header that means nothing"


def _characters(block: bytes, begin: int, end: int, limit: int) -> str:
    """The characters that begin in a row; one that goes on in the next row counts to this one."""
    while begin < end and block[begin] & 0xC0 == 0x80:
        begin += 1
    upto = end
    while upto < min(end + 3, limit) and block[upto] & 0xC0 == 0x80:
        upto += 1
    return block[begin:upto].decode("utf-8", "replace")


def _quoted(text: str) -> str:
    return printable(json.dumps(cut_bytes(text, SHOWN_TEXT), ensure_ascii=False)[1:-1])


def _cid_text(payload: bytes) -> str:
    """The CID behind tag 42: a zero byte and the CID itself."""
    if payload[:1] != b"\0":
        return "that does not begin with the zero byte of a binary CID"
    return cut_bytes("b" + b32encode(payload[1:]).decode("ascii").lower().rstrip("="), 120)


def _counted(number: int, unit: str) -> str:
    return f"{number:,} {unit}{'' if number == 1 else 's'}"
