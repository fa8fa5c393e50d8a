"""What tools cost, as tables for people. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.agent.cost import BYTES_PER_TOKEN, tokens
from workbench.harness.text import fold

if TYPE_CHECKING:
    from workbench.agent.cost import Played, Standing

TITLE_CHARACTERS = 70


def standing(found: Standing) -> str:
    """What stands in every request, before a word is said."""
    index = found.index
    rows = [
        ("in every request", "bytes", "tokens", ""),
        ("every schema", *_sizes(found.every_schema), _declared(found.tools)),
        ("the Space index", *_sizes(index.bytes), f"{index.stage}: {index.listed:,} of {index.total:,} tools by name"),
        ("the verbs", *_sizes(found.verbs), "declared in full"),
        ("index and verbs", *_sizes(found.sent), _share(found.sent, found.every_schema) if found.tools else ""),
    ]
    note = f"A token is taken for {BYTES_PER_TOKEN} bytes. The owner's prompt is in neither.\n"
    return aligned(rows, left=(0, 3)) + note


def task(played: Played, *, compared: bool = True) -> str:
    """One row a request: what was sent, against the same messages with every schema.

    Where there are no schemas, nothing is `compared`.
    """
    rows: list[tuple[str, ...]] = [
        ("request", "index", "verbs", "promoted", "messages", "sent", "every schema", "answer"),
    ]
    for number, row in enumerate(played.rows, 1):
        figures = (row.index, row.verbs, row.promoted, row.messages, row.sent, row.with_every_schema)
        mark = "*" if row.finds and compared else ""
        rows.append((f"{number}{mark}", *(f"{figure:,}" for figure in figures), fold(row.answer)))
    sent, whole = sum(row.sent for row in played.rows), sum(row.with_every_schema for row in played.rows)
    rows.append(("in all", "", "", "", "", f"{sent:,}", f"{whole:,}", _share(sent, whole) if compared else ""))
    rows.append(("tokens", "", "", "", "", f"{tokens(sent):,}", f"{tokens(whole):,}", ""))
    lines = [fold(played.title)[:TITLE_CHARACTERS], "", aligned(rows, left=(0, 7))]
    finding = [row for row in played.rows if row.finds]
    if finding and compared:
        needed = sum(row.with_every_schema for row in played.rows if not row.finds)
        what = "1 request" if len(finding) == 1 else f"{len(finding)} requests"
        lines.append(
            f"* {what} only to find tools and read contracts. Without these, every schema: {needed:,} bytes, "
            f"{_share(sent, needed)}.\n"
        )
    return "\n".join(lines)


def _declared(tools: int) -> str:
    return "1 tool declared" if tools == 1 else f"{tools:,} tools declared" if tools else "no tool to declare"


def _sizes(bytes: int) -> tuple[str, str]:
    return f"{bytes:,}", f"{tokens(bytes):,}"


def _share(sent: int, whole: int) -> str:
    """How much less one is than the other, in words."""
    if not sent or not whole:
        return ""
    return f"{whole / sent:.1f} times less" if whole >= sent else f"{sent / whole:.1f} times more"


def aligned(rows: Sequence[Sequence[str]], left: Sequence[int]) -> str:
    """Rows in columns, figures at the right, the columns `left` at the left; the last one is as long as it likes."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = (
        "  ".join(
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
    return "".join(f"{line}\n" for line in lines)
