"""Cutting a long text to what a model is given: the beginning of it, or the end. Pure.

A newline ends a line and starts none: an empty text has no lines, and `a\\n` has one.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from workbench.harness.tools.toolbox.limits import MAX_BYTES, MAX_LINES


class Truncation(Struct, frozen=True):
    """A text as it is given, and what it was. Bytes are of UTF-8.

    `last_partial` says that the end of a single long line is all there is; `first_exceeds`, that already the first line
    is too long, so that nothing is given.
    """

    content: str
    by: Literal["lines", "bytes"] | None
    total_lines: int
    total_bytes: int
    lines: int
    bytes: int
    last_partial: bool = False
    first_exceeds: bool = False
    max_lines: int | None = MAX_LINES
    max_bytes: int = MAX_BYTES

    @property
    def truncated(self) -> bool:
        """Whether something is missing."""
        return self.by is not None

    def details(self) -> dict[str, Any]:
        """It as the details of an answer, without the content, which stands in the answer."""
        return {
            "truncated": self.truncated,
            "truncatedBy": self.by,
            "totalLines": self.total_lines,
            "totalBytes": self.total_bytes,
            "outputLines": self.lines,
            "outputBytes": self.bytes,
            "lastLinePartial": self.last_partial,
            "firstLineExceedsLimit": self.first_exceeds,
            "maxLines": self.max_lines,
            "maxBytes": self.max_bytes,
        }


def lines_of(text: str) -> list[str]:
    """The lines of a text without their newlines."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def head(text: str, max_lines: int | None = MAX_LINES, max_bytes: int = MAX_BYTES) -> Truncation:
    """The beginning of a text: whole lines, as many as both bounds allow. A text within both stays as it is."""
    lines = lines_of(text)
    total = len(text.encode("utf-8", "surrogatepass"))
    within = max_lines is None or len(lines) <= max_lines
    if within and total <= max_bytes:
        return Truncation(text, None, len(lines), total, len(lines), total, max_lines=max_lines, max_bytes=max_bytes)
    kept: list[str] = []
    used = 0
    by: Literal["lines", "bytes"] = "lines"
    for line in lines:
        if max_lines is not None and len(kept) >= max_lines:
            break
        size = len(line.encode("utf-8", "surrogatepass")) + (1 if kept else 0)
        if used + size > max_bytes:
            by = "bytes"
            break
        kept.append(line)
        used += size
    return Truncation(
        "\n".join(kept),
        by,
        len(lines),
        total,
        len(kept),
        used,
        first_exceeds=not kept and by == "bytes",
        max_lines=max_lines,
        max_bytes=max_bytes,
    )


def tail(text: str, max_lines: int = MAX_LINES, max_bytes: int = MAX_BYTES) -> Truncation:
    """The end of a text: whole lines, or the last bytes of a last line that is too long, from a whole character on."""
    lines = lines_of(text)
    total = len(text.encode("utf-8", "surrogatepass"))
    if len(lines) <= max_lines and total <= max_bytes:
        return Truncation(text, None, len(lines), total, len(lines), total, max_lines=max_lines, max_bytes=max_bytes)
    kept: list[str] = []
    used = 0
    by: Literal["lines", "bytes"] = "lines"
    for line in reversed(lines):
        if len(kept) >= max_lines:
            break
        size = len(line.encode("utf-8", "surrogatepass")) + (1 if kept else 0)
        if used + size > max_bytes:
            by = "bytes"
            break
        kept.append(line)
        used += size
    partial = not kept and by == "bytes"
    if partial:
        kept = [end_of(lines[-1], max_bytes)]
        used = len(kept[0].encode("utf-8", "surrogatepass"))
    return Truncation(
        "\n".join(reversed(kept)),
        by,
        len(lines),
        total,
        len(kept),
        used,
        last_partial=partial,
        max_lines=max_lines,
        max_bytes=max_bytes,
    )


def end_of(line: str, max_bytes: int) -> str:
    """The last bytes of a text, at most so many, beginning with a whole character."""
    data = line.encode("utf-8", "surrogatepass")[-max_bytes:] if max_bytes > 0 else b""
    start = 0
    while start < len(data) and data[start] & 0xC0 == 0x80:
        start += 1
    return data[start:].decode("utf-8", "surrogatepass")


def size_words(size: int) -> str:
    """A size in bytes as notices say it: `512B`, `58.6KB`, `1.5MB`."""
    if size < 1024:
        return f"{size}B"
    if size < 1024 * 1024:
        return f"{size / 1024:.1f}KB"
    return f"{size / 1024 / 1024:.1f}MB"
