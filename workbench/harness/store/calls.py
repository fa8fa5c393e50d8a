"""Finding, in the log, the calls of one tool, without bringing what they carried out of the database."""

from __future__ import annotations

from msgspec import Struct

from workbench.harness.store.database import Database

PREVIEW_CHARS = 300
"""How much is read of an input, and of an error's words."""

HEAD_BYTES = 2_000
"""How much is read of a result that stands in a block of its own."""


class CallRow(Struct, frozen=True):
    """A call that names the tool. `preview` is the beginning of its input as compact JSON, None where it has none.

    `cwd` is the directory of the machine that it acted in, None where it did not act on the machine.
    """

    id: int
    thread: str
    seq: int
    time_ms: int
    actor: str
    call: str
    name: str
    process: str
    preview: str | None
    size: int
    cwd: str | None


class EndRow(Struct, frozen=True):
    """How a call ended. Of a result in a block of its own only `head`, its first bytes, is read."""

    seq: int
    time_ms: int
    status: str | None
    cid: str | None
    duration_ms: int | None
    code: str | None
    words: str | None
    head: str | None


# What is quick goes first: a name that does not stand in the text at all cannot be what the text names. What acted on
# the machine is no call of a verb or a tool of the same name, also where it was none of the toolbox and has no binding.
_CALLS = f"""
WITH acts AS (
    SELECT e.id, e.thread, e.seq, e.time_ms, e.actor, e.call, coalesce(e.payload, CAST(b.bytes AS TEXT)) AS body
    FROM events AS e LEFT JOIN blocks AS b ON b.cid = e.block
    WHERE e.type = 'tool_call' AND e.id < ?2 AND e.id >= ?3
), named AS (
    SELECT *, json_extract(body, '$.name') AS name FROM acts
    WHERE CASE WHEN instr(body, ?4) > 0 AND json_valid(body)
          THEN iif(?6 IS NULL,
            json_extract(body, '$.binding') IS NULL AND json_extract(body, '$.cwd') IS NULL
              AND (json_extract(body, '$.name') = ?1
                OR (json_extract(body, '$.name') = 'call' AND json_extract(body, '$.input.tool') = ?1)),
            json_extract(body, '$.binding') = ?6 AND json_extract(body, '$.name') = ?1) END
    ORDER BY id DESC LIMIT ?5
)
SELECT id, thread, seq, time_ms, actor, call, name, json_extract(body, '$.process'),
    substr(json_extract(body, iif(name = ?1, '$.input', '$.input.input')), 1, {PREVIEW_CHARS}), length(body),
    json_extract(body, '$.cwd')
FROM named ORDER BY id DESC
"""

_END = f"""
SELECT e.seq, e.time_ms,
    CASE WHEN json_valid(payload) THEN json_extract(payload, '$.output.status') END,
    CASE WHEN json_valid(payload) THEN json_extract(payload, '$.output.cid') END,
    CASE WHEN json_valid(payload) THEN json_extract(payload, '$.output.duration_ms') END,
    CASE WHEN json_valid(payload) THEN json_extract(payload, '$.error.code') END,
    CASE WHEN json_valid(payload) THEN substr(json_extract(payload, '$.error.message'), 1, {PREVIEW_CHARS}) END,
    CASE WHEN payload IS NULL THEN CAST(substr(b.bytes, 1, {HEAD_BYTES}) AS TEXT) END
FROM events AS e LEFT JOIN blocks AS b ON b.cid = e.block
WHERE e.type = 'tool_result' AND e.call = ?
"""


def calls_of(database: Database, tool: str, first: int, before: int, limit: int) -> list[CallRow]:
    """The calls that name a tool, by the verb or directly, newest first: of the events `first` up to below `before`.

    What acts on the real machine is named by its binding, such as `toolbox:read`, which is not the verb `read`.
    """
    kind, _, name = tool.rpartition(":")
    rows = database.rows(_CALLS, name, before, first, f'"{name}"', limit, tool if kind else None)
    return [
        CallRow(
            id_,
            thread,
            seq,
            time_ms,
            actor,
            call or "",
            called,
            str(process or ""),
            _text(preview),
            int(size),
            _text(cwd),
        )
        for id_, thread, seq, time_ms, actor, call, called, process, preview, size, cwd in rows
    ]


def end_of(database: Database, call: str) -> EndRow | None:
    """How a call ended, or None while it has not."""
    row = database.row(_END, call)
    if row is None:
        return None
    seq, time_ms, status, cid, duration, code, words, head = row
    took = duration if isinstance(duration, int) else None
    return EndRow(seq, time_ms, _text(status), _text(cid), took, _text(code), _text(words), _text(head))


def _text(value: object) -> str | None:
    return None if value is None else str(value)
