"""The Space's database: blocks by CID, names to versions, threads of events. Bytes and rows, no meaning."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Generator, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from workbench.harness.cid import Codec, cid_of, codec_of
from workbench.harness.errors import HarnessError
from workbench.harness.identity import Clock, now_ms
from workbench.harness.store.locks import ProcessLock, alive, sweep
from workbench.harness.store.rows import EventRow, ThreadRow, VersionRow

FORMAT = 1
"""Layout of the database, in SQLite's `user_version`. A newer one is not opened: it may mean other things."""

INLINE_BYTES = 64 * 1024
"""A payload longer than this stands in `blocks`, and its event carries the CID."""

BUSY_MS = 10_000
"""How long a writer waits for another process's transaction; ours last milliseconds."""

_EVENT = "id, thread, seq, time_ms, actor, type, call, payload, block"


def digest_of(previous: str, row: tuple[object, ...]) -> str:
    """The digest of an event: of the digest before it and of everything the event says, in hex."""
    text = json.dumps([previous, *row], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


class Store:
    """One open database, with this process's lock. Not for use from several threads at once."""

    def __init__(self, database: sqlite3.Connection, locks: Path, clock: Clock, *, readonly: bool) -> None:
        self._db = database
        self._locks = locks
        self._clock = clock
        self.readonly = readonly
        self._lock = None if readonly else ProcessLock(locks)
        self._open_from = 0

    @classmethod
    def open(cls, root: Path, clock: Clock = now_ms) -> Store:
        """Open `space.db` under `root`, making it when it is not there.

        A Space that cannot be written is opened read-only.

        Raises:
            HarnessError: `corrupt` when the file is no database of ours, `unavailable` when it cannot be opened.
        """
        path, locks = root / "space.db", root / "locks"
        try:
            if not path.exists() and not os.access(root, os.W_OK, effective_ids=True):
                raise HarnessError("unavailable", f"There is no Space in {root}, and the folder cannot be written.")
            writable = os.access(root, os.W_OK, effective_ids=True) and (
                not path.exists() or os.access(path, os.W_OK, effective_ids=True)
            )
            if writable:
                with contextlib.suppress(OSError):
                    locks.mkdir(mode=0o700, exist_ok=True)
                writable = os.access(locks, os.W_OK, effective_ids=True)
            database = _connect(path, writable)
            if writable:
                sweep(locks)
            return cls(database, locks, clock, readonly=not writable)
        except sqlite3.DatabaseError as error:
            raise HarnessError(
                "corrupt", f"{path.name} cannot be read as a Space's database ({error}). Restore it from a copy."
            ) from error
        except OSError as error:
            raise HarnessError("unavailable", f"The Space cannot be opened: {error.strerror}.") from error

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

    @contextlib.contextmanager
    def writing(self) -> Generator[None]:
        """One write transaction; what is inside lands whole or not at all. Nested uses join the outer one.

        Raises:
            HarnessError: `unavailable` on a read-only Space, a full disk, or a database kept busy by others.
        """
        if self.readonly:
            raise HarnessError("unavailable", "This Space is open read-only: its folder cannot be written from here.")
        if self._db.in_transaction:
            yield
            return
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.rollback()
                raise
            self._db.commit()
        except sqlite3.OperationalError as error:
            raise HarnessError("unavailable", f"The Space could not be written: {error}. Try again.") from error

    # Blocks -----------------------------------------------------------------------------------------------------

    def put_block(self, block: bytes, codec: Codec = "dag-cbor") -> str:
        """Keep a block and return its CID; a block that is there already stays as it is."""
        cid = cid_of(block, codec)
        with self.writing():
            if self._db.execute("SELECT 1 FROM blocks WHERE cid = ?", (cid,)).fetchone() is None:
                self._db.execute("INSERT INTO blocks (cid, bytes) VALUES (?, ?)", (cid, block))
        return cid

    def get_block(self, cid: str) -> bytes:
        """The bytes of a block, hashed anew.

        Raises:
            HarnessError: `not_found`, or `corrupt` when the bytes are not those that the CID names.
        """
        row = self._db.execute("SELECT CAST(bytes AS BLOB) FROM blocks WHERE cid = ?", (cid,)).fetchone()
        if row is None:
            raise HarnessError("not_found", f"This Space has no block {cid}.")
        block = bytes(row[0])
        if cid_of(block, codec_of(cid)) != cid:
            raise HarnessError("corrupt", f"Block {cid} does not match its CID and is not used. Run workbench fsck.")
        return block

    def blocks(self) -> Iterator[tuple[str, bytes]]:
        """Every block as it stands, unchecked, for `fsck`."""
        for cid, block in self._db.execute("SELECT cid, CAST(bytes AS BLOB) FROM blocks ORDER BY rowid"):
            yield str(cid), bytes(block)

    # Names ------------------------------------------------------------------------------------------------------

    def set_name(self, name: str, cid: str | None, actor: str) -> bool:
        """Point a name at a version, or with None take it away. False, and nothing written, when it is so already."""
        with self.writing():
            head = self.head(name)
            if (head.cid if head else None) == cid:
                return False
            self._db.execute(
                "INSERT INTO names (name, version, cid, time_ms, actor) VALUES (?, ?, ?, ?, ?)",
                (name, head.version + 1 if head else 1, cid, self._clock(), actor),
            )
        return True

    def head(self, name: str) -> VersionRow | None:
        """The newest version of a name, also when it says that the name was taken away."""
        row = self._db.execute(
            "SELECT name, version, cid, time_ms, actor FROM names WHERE name = ? ORDER BY version DESC LIMIT 1", (name,)
        ).fetchone()
        return VersionRow(*row) if row else None

    def heads(self, prefix: str) -> list[VersionRow]:
        """The newest version of every name that begins so and is there, by name."""
        rows = self._db.execute(
            "SELECT name, max(version), cid, time_ms, actor FROM names WHERE substr(name, 1, ?) = ? "
            "GROUP BY name ORDER BY name",
            (len(prefix), prefix),
        )
        return [VersionRow(*row) for row in rows if row[2] is not None]

    def versions(self, name: str | None = None) -> list[VersionRow]:
        """Every version of a name, or of all names, oldest first."""
        rows = self._db.execute(
            "SELECT name, version, cid, time_ms, actor FROM names WHERE ? IS NULL OR name = ? ORDER BY name, version",
            (name, name),
        )
        return [VersionRow(*row) for row in rows]

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
            last = self._db.execute("SELECT id, digest FROM events ORDER BY id DESC LIMIT 1").fetchone() or (0, "")
            seq = self._db.execute("SELECT coalesce(max(seq), 0) + 1 FROM events WHERE thread = ?", (thread,))
            inline = payload if block is None else None
            row = (int(last[0]) + 1, thread, int(seq.fetchone()[0]), self._clock(), actor, type_, call, inline, block)
            try:
                self._db.execute(
                    f"INSERT INTO events ({_EVENT}, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (*row, digest_of(str(last[1]), row)),
                )
            except sqlite3.IntegrityError as error:
                raise HarnessError("conflict", f"The log refused the event: {error}.") from error
        return EventRow(*row[:7], payload=payload)

    def events(self, thread: str, after: int = 0, upto: int | None = None) -> list[EventRow]:
        """The events of a thread, in order: those after `after`, and up to `upto` with it included."""
        rows = self._db.execute(
            f"SELECT {_EVENT} FROM events WHERE thread = ? AND seq > ? AND (? IS NULL OR seq <= ?) ORDER BY seq",
            (thread, after, upto, upto),
        ).fetchall()
        return [self._event(row) for row in rows]

    def events_since(self, last_id: int, limit: int = 1_000) -> list[EventRow]:
        """The events of all threads that came after the one with that id, in order."""
        rows = self._db.execute(
            f"SELECT {_EVENT} FROM events WHERE id > ? ORDER BY id LIMIT ?", (last_id, limit)
        ).fetchall()
        return [self._event(row) for row in rows]

    def events_backwards(self, thread: str | None = None) -> Iterator[EventRow]:
        """Newest first, of one thread or of all; for searches that stop early."""
        before = self.last_id() + 1
        while True:
            rows = self._db.execute(
                f"SELECT {_EVENT} FROM events WHERE id < ? AND (? IS NULL OR thread = ?) ORDER BY id DESC LIMIT 500",
                (before, thread, thread),
            ).fetchall()
            for row in rows:
                yield self._event(row)
            if not rows:
                return
            before = int(rows[-1][0])

    def result_of(self, call: str) -> EventRow | None:
        """The result of a call, if it has one."""
        row = self._db.execute(
            f"SELECT {_EVENT} FROM events WHERE type = 'tool_result' AND call = ?", (call,)
        ).fetchone()
        return self._event(row) if row else None

    def open_calls(self) -> list[EventRow]:
        """Every call without a result, of all threads, oldest first."""
        newest = self.last_id()
        rows = self._db.execute(
            f"SELECT {_EVENT} FROM events AS c WHERE type = 'tool_call' AND id >= ? AND NOT EXISTS "
            "(SELECT 1 FROM events AS r WHERE r.type = 'tool_result' AND r.call = c.call) ORDER BY id",
            (self._open_from,),
        ).fetchall()
        found = [self._event(row) for row in rows]
        # Everything before the oldest open call is settled for good, so the next look need not begin at the start.
        self._open_from = found[0].id if found else newest
        return found

    def last_id(self) -> int:
        """The id of the newest event, 0 in an empty database."""
        return int(self._db.execute("SELECT coalesce(max(id), 0) FROM events").fetchone()[0])

    def last_seq(self, thread: str) -> int:
        """The sequence number of a thread's newest event, 0 where there is none."""
        return int(
            self._db.execute("SELECT coalesce(max(seq), 0) FROM events WHERE thread = ?", (thread,)).fetchone()[0]
        )

    def threads(self) -> list[ThreadRow]:
        """All threads, the one with the newest event first."""
        rows = self._db.execute("SELECT id, started_ms, last_ms, events FROM threads ORDER BY last_id DESC")
        return [ThreadRow(*row) for row in rows]

    def data_version(self) -> int:
        """A number that changes when another connection has written."""
        return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    def raw_events(self) -> Iterator[tuple[tuple[object, ...], str]]:
        """Every event as it stands with its stored digest, unchecked, for `fsck`."""
        for *row, digest in self._db.execute(f"SELECT {_EVENT}, digest FROM events ORDER BY id"):
            yield tuple(row), str(digest)

    def integrity(self) -> list[str]:
        """What SQLite itself finds wrong with the file; empty when nothing."""
        try:
            found = [str(row[0]) for row in self._db.execute("PRAGMA integrity_check(20)")]
        except sqlite3.DatabaseError as error:
            return [str(error)]
        return [] if found == ["ok"] else found

    def _event(self, row: Any) -> EventRow:
        id_, thread, seq, time_ms, actor, type_, call, payload, block = row
        if payload is None:
            payload = self.get_block(block).decode("utf-8")
        return EventRow(id_, thread, seq, time_ms, actor, type_, call, payload)


def _connect(path: Path, writable: bool) -> sqlite3.Connection:
    """Open the file and, when it can be written, bring its tables about."""
    if writable:
        database = sqlite3.connect(path, isolation_level=None, timeout=BUSY_MS / 1000)
        database.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        found = int(database.execute("PRAGMA user_version").fetchone()[0])
        if found > FORMAT:
            database.close()
            raise HarnessError(
                "unavailable", f"This Space was made by a newer workbench (format {found}; this one reads {FORMAT})."
            )
        if found < FORMAT:
            _lay_out(database)
        database.execute("PRAGMA synchronous = FULL")
        return database
    database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=5)
    try:
        database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        # Write-ahead logging wants to make a file beside the database. Where it cannot, nobody else writes either.
        database.close()
        database = sqlite3.connect(f"{path.resolve().as_uri()}?immutable=1", uri=True, isolation_level=None)
    return database


def _lay_out(database: sqlite3.Connection) -> None:
    """Make the tables, also when several processes open a new Space in the same moment."""
    script = files("workbench.harness.store").joinpath("schema.sql").read_text("utf-8")
    deadline = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            # Switching the journal does not honour the busy timeout, so it is tried again here.
            database.execute("PRAGMA journal_mode = WAL")
            database.executescript(f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {FORMAT};\nCOMMIT;")
            return
        except sqlite3.OperationalError:
            if database.in_transaction:
                database.rollback()
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
