"""The SQLite file: opened with its layout checked, asked and written with every fault of it put into words."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Generator, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from workbench.harness.errors import HarnessError

FORMAT = 1
"""Layout of the database, in SQLite's `user_version`. A newer one is not opened: it may mean other things."""

BUSY_MS = 10_000
"""How long a writer waits for another process's transaction; ours last milliseconds."""

OLDEST_SQLITE = (3, 37, 0)
"""The first SQLite with strict tables, which keep text out of number columns."""

_BATCH = 500
_CREATE = re.compile(r"\b(CREATE(?: UNIQUE)? \w+) IF NOT EXISTS\b")


class Database:
    """One connection. Not for use from several threads at once."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        *,
        readonly: bool,
        scratch: tempfile.TemporaryDirectory[str] | None = None,
    ) -> None:
        self._connection = connection
        self._scratch = scratch
        self.readonly = readonly
        self.rollbacks = 0
        """How many transactions of this connection came to nothing."""

    @classmethod
    def open(cls, path: Path, *, readonly: bool) -> Database:
        """Open the file, making it when it is not there and may be written.

        Raises:
            HarnessError: `corrupt` when it is no database or its layout is not ours, `unavailable` when it is a newer
                workbench's or cannot be opened now.
        """
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            raise HarnessError(
                "unavailable", f"SQLite {sqlite3.sqlite_version} is too old; Python needs one from 3.37 on."
            )
        with _in_words("opened"):
            database = cls._to_read(path) if readonly else cls(_to_write(path), readonly=False)
        try:
            with _in_words("opened"):
                database._lay_out()
        except BaseException:
            database.close()
            raise
        return database

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
        if self._scratch is not None:
            self._scratch.cleanup()

    @classmethod
    def _to_read(cls, path: Path) -> Database:
        """Open a file that cannot be written, without making anything beside it."""
        connection = _connection(f"{path.resolve().as_uri()}?mode=ro")
        with contextlib.suppress(sqlite3.OperationalError):
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            return cls(connection, readonly=True)
        # The newest writes may stand in a journal that only somebody who can write here could bring in: read a copy.
        connection.close()
        scratch = tempfile.TemporaryDirectory(prefix=f"workbench-look-{os.getpid()}-")
        for part in (path, path.with_name(f"{path.name}-wal")):
            if part.exists():
                shutil.copyfile(part, Path(scratch.name) / part.name)
        copy = (Path(scratch.name) / path.name).resolve().as_uri()
        return cls(_connection(f"{copy}?mode=rw"), readonly=True, scratch=scratch)

    def rows(self, sql: str, *parameters: object) -> list[Any]:
        """All rows of a query. Raises HarnessError `corrupt` or `unavailable`."""
        with _in_words("read"):
            return self._connection.execute(sql, parameters).fetchall()

    def row(self, sql: str, *parameters: object) -> Any:
        """The first row of a query, or None."""
        with _in_words("read"):
            return self._connection.execute(sql, parameters).fetchone()

    def number(self, sql: str, *parameters: object) -> int:
        """The one number that a query gives."""
        return int(self.row(sql, *parameters)[0])

    def stream(self, sql: str, *parameters: object) -> Iterator[Any]:
        """The rows of a query, a batch at a time."""
        with _in_words("read"):
            cursor = self._connection.execute(sql, parameters)
        while True:
            with _in_words("read"):
                batch = cursor.fetchmany(_BATCH)
            if not batch:
                return
            yield from batch

    def insert(self, sql: str, *parameters: object) -> None:
        """Add a row. Raises sqlite3.IntegrityError as the database refuses it; call it inside `writing`."""
        self._connection.execute(sql, parameters)

    @contextlib.contextmanager
    def writing(self) -> Generator[None]:
        """One write transaction; what is inside lands whole or not at all. Nested uses join the outer one.

        Raises:
            HarnessError: `unavailable` on a read-only Space, a full disk, or a database kept busy by others.
        """
        if self.readonly:
            raise HarnessError("unavailable", "This Space is open read-only: its folder cannot be written from here.")
        if self._connection.in_transaction:
            yield
            return
        with _in_words("written"):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                self.rollbacks += 1
                # A commit that failed on a full disk may have ended the transaction already.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def faults(self) -> list[str]:
        """What SQLite itself finds wrong with the file; empty when nothing."""
        found = [str(row[0]) for row in self.rows("PRAGMA integrity_check(20)")]
        return [] if found == ["ok"] else found

    def _lay_out(self) -> None:
        """Make what is missing of the tables and their guards, and refuse what is not ours.

        A Space may come from elsewhere, and a foreign trigger or view would run as soon as we ask or write.
        """
        found = self.number("PRAGMA user_version")
        if found > FORMAT:
            raise HarnessError(
                "unavailable", f"This Space was made by a newer workbench (format {found}; this one reads {FORMAT})."
            )
        wanted, present = _layout(None), _layout(self._connection)
        foreign = sorted(name for name, sql in present.items() if wanted.get(name) != sql)
        if foreign:
            raise HarnessError(
                "corrupt",
                f"space.db holds {', '.join(foreign)[:200]} in a form that is not the workbench's, so it is not "
                "opened. Restore it from a copy that you trust.",
            )
        missing = wanted.keys() - present.keys()
        if not missing and found == FORMAT:
            return
        if self.readonly:
            raise HarnessError("corrupt", "space.db has not all of a Space's tables, and cannot be mended read-only.")
        if found == FORMAT and any(not name.startswith("trigger ") for name in missing):
            raise HarnessError("corrupt", f"space.db lacks {', '.join(sorted(missing))}. Restore it from a copy.")
        _make(self._connection)


def _to_write(path: Path) -> sqlite3.Connection:
    connection = _connection(f"{path.resolve().as_uri()}?mode=rwc")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _connection(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_MS / 1000)
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _script() -> str:
    return files("workbench.harness.store").joinpath("schema.sql").read_text("utf-8")


def _layout(connection: sqlite3.Connection | None) -> dict[str, str]:
    """Everything that a database declares, by kind and name; of None, what ours should."""
    if connection is None:
        with contextlib.closing(sqlite3.connect(":memory:")) as model:
            model.executescript(_script())
            return _layout(model)
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {f"{kind} {name}": _CREATE.sub(r"\1", sql) for kind, name, sql in rows}


def _make(connection: sqlite3.Connection) -> None:
    """Make the tables, also when several processes open a new Space in the same moment."""
    deadline = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            # Switching the journal does not honour the busy timeout, so it is tried again here.
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(f"BEGIN IMMEDIATE;\n{_script()}\nPRAGMA user_version = {FORMAT};\nCOMMIT;")
            return
        except sqlite3.OperationalError:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


@contextlib.contextmanager
def _in_words(doing: str) -> Generator[None]:
    """Put SQLite's faults into words: what is broken needs a copy, what is busy or full needs another try."""
    try:
        yield
    except sqlite3.OperationalError as error:
        broken = "decode" in str(error) or "no such" in str(error) or "malformed" in str(error)
        if broken:
            raise _corrupt(doing, error) from error
        raise HarnessError(
            "unavailable", f"The Space could not be {doing} now: {error}. Nothing was lost; try again."
        ) from error
    except sqlite3.IntegrityError:
        raise
    except sqlite3.Error as error:
        raise _corrupt(doing, error) from error


def _corrupt(doing: str, error: sqlite3.Error) -> HarnessError:
    return HarnessError("corrupt", f"space.db could not be {doing} as a Space's database: {error}. Run workbench fsck.")
