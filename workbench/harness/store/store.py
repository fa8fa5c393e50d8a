"""The Space's database: blocks by CID, names to versions, threads of events. Bytes and rows, no meaning."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workbench.harness.cid import Codec, cid_of, codec_of
from workbench.harness.errors import HarnessError
from workbench.harness.identity import Clock, now_ms
from workbench.harness.store import calls
from workbench.harness.store.database import Database
from workbench.harness.store.locks import ProcessLock, alive, sweep
from workbench.harness.store.rows import EventRow, ThreadRow, VersionRow

INLINE_BYTES = 64 * 1024
"""A payload longer than this stands in `blocks`, and its event carries the CID."""

_EVENT = "id, thread, seq, time_ms, actor, type, call, payload, block"


def digest_of(previous: str, row: tuple[object, ...]) -> str:
    """The digest of an event: of the digest before it and of everything the event says, in hex."""
    text = json.dumps([previous, *row], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


class Store:
    """One open database, with this process's lock. Not for use from several threads at once."""

    def __init__(self, database: Database, locks: Path, clock: Clock) -> None:
        self._db = database
        self._locks = locks
        self._clock = clock
        self._lock = None if database.readonly else ProcessLock(locks)
        self._open_from = 0
        self._named = 0

    @classmethod
    def open(cls, root: Path, clock: Clock = now_ms) -> Store:
        """Open `space.db` under `root`, making it when it is not there.

        A Space that cannot be written is opened read-only.

        Raises:
            HarnessError: `corrupt` when the file is no database of ours, `unavailable` when it cannot be opened.
        """
        path, locks = root / "space.db", root / "locks"
        if not path.exists() and not _writable(root):
            raise HarnessError("unavailable", f"There is no Space in {root}, and the folder cannot be written.")
        try:
            writable = _writable(root) and (not path.exists() or _writable(path))
            if writable:
                with contextlib.suppress(OSError):
                    locks.mkdir(mode=0o700, exist_ok=True)
                writable = _writable(locks)
            database = Database.open(path, readonly=not writable)
            try:
                if writable:
                    sweep(locks)
                return cls(database, locks, clock)
            except BaseException:
                database.close()
                raise
        except OSError as error:
            raise HarnessError("unavailable", f"The Space cannot be opened: {error.strerror}.") from error

    @property
    def readonly(self) -> bool:
        """Whether nothing can be written here."""
        return self._db.readonly

    @property
    def is_new(self) -> bool:
        """Whether nothing was ever written here."""
        return self._db.row("SELECT 1 FROM names UNION ALL SELECT 1 FROM events LIMIT 1") is None

    @property
    def process(self) -> str:
        """The id that this process stamps on its calls; empty on a read-only Space."""
        return self._lock.process if self._lock else ""

    def close(self) -> None:
        """Release the process's lock and the database."""
        if self._lock:
            self._lock.release()
        self._db.close()

    def alive(self, process: str) -> bool:
        """Whether that process is still there, this one included."""
        return process == self.process or alive(self._locks, process)

    def writing(self) -> contextlib.AbstractContextManager[None]:
        """One write transaction; what is inside lands whole or not at all. Nested uses join the outer one."""
        return self._db.writing()

    # Blocks -----------------------------------------------------------------------------------------------------

    def put_block(self, block: bytes, codec: Codec = "dag-cbor") -> str:
        """Keep a block and return its CID; a block that is there already stays as it is."""
        cid = cid_of(block, codec)
        with self.writing():
            if self._db.row("SELECT 1 FROM blocks WHERE cid = ?", cid) is None:
                self._db.insert("INSERT INTO blocks (cid, bytes) VALUES (?, ?)", cid, block)
        return cid

    def get_block(self, cid: str) -> bytes:
        """The bytes of a block, hashed anew.

        Raises:
            HarnessError: `not_found`, or `corrupt` when the bytes are not those that the CID names.
        """
        row = self._db.row("SELECT bytes FROM blocks WHERE cid = ?", cid)
        if row is None:
            raise HarnessError("not_found", f"This Space has no block {cid}.")
        block = bytes(row[0])
        if cid_of(block, codec_of(cid)) != cid:
            raise HarnessError("corrupt", f"Block {cid} does not match its CID and is not used. Run workbench fsck.")
        return block

    def blocks(self) -> Iterator[tuple[str, bytes]]:
        """Every block as it stands, unchecked, for `fsck`."""
        for cid, block in self._db.stream("SELECT cid, bytes FROM blocks ORDER BY rowid"):
            yield str(cid), bytes(block)

    # Names ------------------------------------------------------------------------------------------------------

    def names_mark(self) -> tuple[int, int, int]:
        """Something that is another value whenever a name may point elsewhere, by this process or another one."""
        return self._named, self._db.rollbacks, self.data_version()

    def set_name(self, name: str, cid: str | None, actor: str) -> bool:
        """Point a name at a version, or with None take it away. False, and nothing written, when it is so already."""
        with self.writing():
            head = self.head(name)
            if (head.cid if head else None) == cid:
                return False
            self._named += 1
            self._db.insert(
                "INSERT INTO names (name, version, cid, time_ms, actor) VALUES (?, ?, ?, ?, ?)",
                *(name, head.version + 1 if head else 1, cid, self._clock(), actor),
            )
        return True

    def head(self, name: str) -> VersionRow | None:
        """The newest version of a name, also when it says that the name was taken away."""
        row = self._db.row(
            "SELECT name, version, cid, time_ms, actor FROM names WHERE name = ? ORDER BY version DESC LIMIT 1", name
        )
        return VersionRow(*row) if row else None

    def heads(self, prefix: str) -> list[VersionRow]:
        """The newest version of every name that begins so and is there, by name."""
        rows = self._db.rows(
            "SELECT name, max(version), cid, time_ms, actor FROM names WHERE substr(name, 1, ?) = ? "
            "GROUP BY name ORDER BY name",
            *(len(prefix), prefix),
        )
        return [VersionRow(*row) for row in rows if row[2] is not None]

    def taken_away(self, prefix: str) -> list[VersionRow]:
        """Every name that begins so and is not there any more, by name.

        Each with the time and the actor of the deletion and with the CID that it had before.
        """
        rows = self._db.rows(
            "SELECT gone.name, gone.version, (SELECT cid FROM names AS was WHERE was.name = gone.name "
            "AND was.cid IS NOT NULL ORDER BY was.version DESC LIMIT 1), gone.time_ms, gone.actor FROM "
            "(SELECT name, max(version) AS version, cid, time_ms, actor FROM names WHERE substr(name, 1, ?) = ? "
            "GROUP BY name) AS gone WHERE gone.cid IS NULL ORDER BY gone.name",
            *(len(prefix), prefix),
        )
        return [VersionRow(*row) for row in rows]

    def versions(self, name: str | None = None) -> list[VersionRow]:
        """Every version of a name, or of all names, oldest first."""
        rows = self._db.rows(
            "SELECT name, version, cid, time_ms, actor FROM names WHERE ? IS NULL OR name = ? ORDER BY name, version",
            *(name, name),
        )
        return [VersionRow(*row) for row in rows]

    def sizes(self, name: str) -> dict[str, int]:
        """The sizes in bytes of the blocks that a name ever pointed at, by CID; one that is not there is left out."""
        rows = self._db.rows(
            "SELECT cid, length(bytes) FROM blocks WHERE cid IN (SELECT cid FROM names WHERE name = ?)", name
        )
        return {str(cid): int(size) for cid, size in rows}

    # Events -----------------------------------------------------------------------------------------------------

    def append(self, thread: str, actor: str, type_: str, payload: str, call: str | None = None) -> EventRow:
        """Add an event at the end of a thread: durable when this returns.

        Raises:
            HarnessError: `conflict` when the call has its result already, or the id of a call is taken.
        """
        block = None
        with self.writing():
            if len(payload.encode("utf-8")) > INLINE_BYTES:
                block = self.put_block(payload.encode("utf-8"), "raw")
            last = self._db.row("SELECT id, digest FROM events ORDER BY id DESC LIMIT 1") or (0, "")
            inline = payload if block is None else None
            row = (
                int(last[0]) + 1,
                thread,
                self.last_seq(thread) + 1,
                self._clock(),
                actor,
                type_,
                call,
                inline,
                block,
            )
            try:
                self._db.insert(
                    f"INSERT INTO events ({_EVENT}, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    *(*row, digest_of(str(last[1]), row)),
                )
            except sqlite3.IntegrityError as error:
                raise HarnessError("conflict", f"The log refused the event: {error}.") from error
        return EventRow(*row[:7], payload=payload)

    def events(self, thread: str, after: int = 0, upto: int | None = None) -> list[EventRow]:
        """The events of a thread, in order: those after `after`, and up to `upto` with it included."""
        rows = self._db.rows(
            f"SELECT {_EVENT} FROM events WHERE thread = ? AND seq > ? AND (? IS NULL OR seq <= ?) ORDER BY seq",
            *(thread, after, upto, upto),
        )
        return [self._event(row) for row in rows]

    def acts(self, thread: str, after: int = 0) -> list[EventRow]:
        """The calls of a thread that came after an event, and its first event, which says what the thread is."""
        rows = self._db.rows(
            f"SELECT {_EVENT} FROM events WHERE thread = ? AND seq > ? AND (type = 'tool_call' OR seq = 1) "
            "ORDER BY seq",
            *(thread, after),
        )
        return [self._event(row) for row in rows]

    def events_of_type(self, thread: str, type_: str) -> list[EventRow]:
        """The events of a thread of one type, in order."""
        rows = self._db.rows(f"SELECT {_EVENT} FROM events WHERE thread = ? AND type = ? ORDER BY seq", thread, type_)
        return [self._event(row) for row in rows]

    def events_since(self, last_id: int, limit: int = 1_000) -> list[EventRow]:
        """The events of all threads that came after the one with that id, in order."""
        rows = self._db.rows(f"SELECT {_EVENT} FROM events WHERE id > ? ORDER BY id LIMIT ?", last_id, limit)
        return [self._event(row) for row in rows]

    def newest(self) -> Iterator[EventRow]:
        """The events of all threads, newest first; for searches that stop early."""
        return self._backwards("id", "WHERE id < ?", (), self.last_id() + 1)

    def newest_of(self, thread: str) -> Iterator[EventRow]:
        """The events of one thread, newest first."""
        return self._backwards("seq", "WHERE thread = ? AND seq < ?", (thread,), self.last_seq(thread) + 1)

    def _backwards(self, order: str, where: str, bound: tuple[object, ...], before: int) -> Iterator[EventRow]:
        at = 0 if order == "id" else 2
        while True:
            rows = self._db.rows(f"SELECT {_EVENT} FROM events {where} ORDER BY {order} DESC LIMIT 200", *bound, before)
            for row in rows:
                yield self._event(row)
            if not rows:
                return
            before = int(rows[-1][at])

    def result_of(self, call: str) -> EventRow | None:
        """The result of a call, if it has one."""
        row = self._db.row(f"SELECT {_EVENT} FROM events WHERE type = 'tool_result' AND call = ?", call)
        return self._event(row) if row else None

    def has_result(self, call: str) -> bool:
        """Whether a call has its result."""
        return self._db.row("SELECT 1 FROM events WHERE type = 'tool_result' AND call = ?", call) is not None

    def open_calls(self) -> list[EventRow]:
        """Every call without a result, of all threads, oldest first."""
        newest = self.last_id()
        rows = self._db.rows(
            f"SELECT {_EVENT} FROM events AS c WHERE type = 'tool_call' AND id >= ? AND NOT EXISTS "
            "(SELECT 1 FROM events AS r WHERE r.type = 'tool_result' AND r.call = c.call) ORDER BY id",
            self._open_from,
        )
        found = [self._event(row) for row in rows]
        # Everything before the oldest open call is settled for good, so the next look need not begin at the start.
        self._open_from = found[0].id if found else newest
        return found

    def calls_of(self, tool: str, first: int, before: int, limit: int) -> list[calls.CallRow]:
        """The calls that name a tool among the events `first` up to below `before`, newest first, at most `limit`."""
        return calls.calls_of(self._db, tool, first, before, limit)

    def end_of(self, call: str) -> calls.EndRow | None:
        """How a call ended, in short, or None while it has no result."""
        return calls.end_of(self._db, call)

    def last_id(self) -> int:
        """The id of the newest event, 0 in an empty database."""
        return self._db.number("SELECT coalesce(max(id), 0) FROM events")

    def last_seq(self, thread: str) -> int:
        """The sequence number of a thread's newest event, 0 where there is none."""
        return self._db.number("SELECT coalesce(max(seq), 0) FROM events WHERE thread = ?", thread)

    def threads(self) -> list[ThreadRow]:
        """All threads, the one with the newest event first."""
        rows = self._db.rows("SELECT id, started_ms, last_ms, events FROM threads ORDER BY last_id DESC")
        return [ThreadRow(*row) for row in rows]

    def data_version(self) -> int:
        """A number that changes when another connection has written."""
        return self._db.number("PRAGMA data_version")

    def raw_events(self) -> Iterator[tuple[tuple[Any, ...], str]]:
        """Every event as it stands with its stored digest, unchecked, for `fsck`."""
        for *row, digest in self._db.stream(f"SELECT {_EVENT}, digest FROM events ORDER BY id"):
            yield tuple(row), str(digest)

    def integrity(self) -> list[str]:
        """What SQLite itself finds wrong with the file; empty when nothing."""
        return self._db.faults()

    def _event(self, row: Any) -> EventRow:
        id_, thread, seq, time_ms, actor, type_, call, payload, block = row
        if payload is None:
            try:
                payload = self.get_block(block).decode("utf-8")
            except HarnessError as error:
                # The row itself is whole: whoever reads it as an event is told that its content is not.
                payload = json.dumps({"unreadable": error.message})
        return EventRow(id_, thread, seq, time_ms, actor, type_, call, payload)


def _writable(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=True)
