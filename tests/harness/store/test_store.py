"""The database keeps what it was given, refuses every change, and notices what was changed behind its back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.store.store import INLINE_BYTES, Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path, clock=lambda: 1_000)
    yield opened
    opened.close()


def raw(root: Path) -> sqlite3.Connection:
    """The database as anybody with SQLite sees it."""
    return sqlite3.connect(root / "space.db", isolation_level=None)


def filled(store: Store) -> None:
    store.put_block(b"\xa0")
    store.set_name("~/tools/a", store.put_block(b"\xa0"), "user")
    store.append("demo", "agent", "tool_call", '{"id":"c1"}', "c1")
    store.append("demo", "agent", "tool_result", '{"id":"c1"}', "c1")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE blocks SET bytes = x'00'",
        "DELETE FROM blocks",
        "INSERT OR REPLACE INTO blocks (cid, bytes) SELECT cid, x'00' FROM blocks",
        "REPLACE INTO blocks (rowid, cid, bytes) SELECT rowid, 'other', x'00' FROM blocks",
        "UPDATE names SET cid = NULL",
        "DELETE FROM names",
        "INSERT OR REPLACE INTO names SELECT name, version, NULL, time_ms, actor FROM names",
        "INSERT INTO names SELECT name, version + 2, NULL, time_ms, actor FROM names",
        "UPDATE events SET actor = 'user'",
        "UPDATE OR REPLACE events SET seq = 1",
        "DELETE FROM events",
        "INSERT OR REPLACE INTO events SELECT * FROM events WHERE seq = 1",
        "INSERT OR REPLACE INTO events SELECT id, 'new', 1, time_ms, actor, 'message', NULL, payload, block, digest "
        "FROM events WHERE seq = 1",
        "INSERT INTO events SELECT id + 10, thread, 9, time_ms, actor, 'message', NULL, payload, block, digest "
        "FROM events WHERE seq = 1",
        "INSERT OR REPLACE INTO events SELECT NULL, thread, 3, time_ms, actor, type, call, payload, block, digest "
        "FROM events WHERE seq = 2",
        "INSERT OR IGNORE INTO events SELECT NULL, thread, 3, time_ms, actor, type, call, payload, block, digest "
        "FROM events WHERE seq = 1",
        "INSERT INTO events SELECT NULL, 'elsewhere', 1, time_ms, actor, 'tool_result', 'c9', payload, block, digest "
        "FROM events WHERE seq = 2",
    ],
)
def test_the_database_itself_refuses_change(store: Store, tmp_path: Path, statement: str) -> None:
    filled(store)
    before = list(raw(tmp_path).iterdump())
    with pytest.raises(sqlite3.IntegrityError):
        raw(tmp_path).execute(statement)
    assert list(raw(tmp_path).iterdump()) == before


def test_a_call_has_one_result(store: Store) -> None:
    filled(store)
    with pytest.raises(HarnessError) as refused:
        store.append("demo", "system", "tool_result", '{"id":"c1"}', "c1")
    assert refused.value.code == "conflict"
    assert store.last_seq("demo") == 2


def test_sequence_numbers_have_no_gaps_in_any_thread(store: Store) -> None:
    for thread in ("a", "b", "a", "a", "b"):
        store.append(thread, "user", "message", "{}")
    assert [row.seq for row in store.events("a")] == [1, 2, 3]
    assert [row.seq for row in store.events("b")] == [1, 2]
    assert [row.id for row in store.events_since(0)] == [1, 2, 3, 4, 5]


def test_a_long_payload_stands_in_a_block(store: Store, tmp_path: Path) -> None:
    short, long = "x" * INLINE_BYTES, "é" * INLINE_BYTES
    store.append("demo", "user", "message", short)
    store.append("demo", "user", "message", long)
    columns = raw(tmp_path).execute("SELECT payload IS NULL, block IS NULL FROM events ORDER BY id").fetchall()
    assert columns == [(0, 1), (1, 0)]
    assert [row.payload for row in store.events("demo")] == [short, long]


def test_a_block_that_was_changed_is_never_used(store: Store, tmp_path: Path) -> None:
    cid = store.put_block(b"\xa0")
    outside = raw(tmp_path)
    outside.executescript("DROP TRIGGER blocks_no_update; UPDATE blocks SET bytes = x'a1';")
    with pytest.raises(HarnessError) as corrupt:
        store.get_block(cid)
    assert corrupt.value.code == "corrupt"


def test_names_keep_every_version(store: Store) -> None:
    one, two = store.put_block(b"\x01"), store.put_block(b"\x02")
    assert store.set_name("~/tools/a", one, "user")
    assert not store.set_name("~/tools/a", one, "agent")
    assert store.set_name("~/tools/a", two, "agent")
    assert store.set_name("~/tools/a", None, "user")
    assert not store.set_name("~/tools/a", None, "user")
    assert [(row.version, row.cid, row.actor) for row in store.versions("~/tools/a")] == [
        (1, one, "user"),
        (2, two, "agent"),
        (3, None, "user"),
    ]
    assert store.heads("~/tools/") == []


def test_a_prefix_is_no_pattern(store: Store) -> None:
    cid = store.put_block(b"\x01")
    store.set_name("~/tools/a_b", cid, "user")
    store.set_name("~/toolsXa", cid, "user")
    assert [row.name for row in store.heads("~/tools/")] == ["~/tools/a_b"]


def test_a_transaction_lands_whole_or_not_at_all(store: Store) -> None:
    def half() -> None:
        with store.writing():
            store.append("demo", "user", "message", "{}")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half()
    assert store.last_seq("demo") == 0
    assert store.append("demo", "user", "message", "{}").seq == 1


def test_open_calls_are_found_again_after_others_were_settled(store: Store) -> None:
    store.append("demo", "agent", "tool_call", "{}", "c1")
    store.append("demo", "agent", "tool_call", "{}", "c2")
    assert [row.call for row in store.open_calls()] == ["c1", "c2"]
    store.append("demo", "agent", "tool_result", "{}", "c1")
    assert [row.call for row in store.open_calls()] == ["c2"]
    store.append("demo", "agent", "tool_result", "{}", "c2")
    assert store.open_calls() == []
    store.append("other", "agent", "tool_call", "{}", "c3")
    assert [row.call for row in store.open_calls()] == ["c3"]


def test_two_processes_number_their_events_together(tmp_path: Path) -> None:
    first, second = Store.open(tmp_path), Store.open(tmp_path)
    for store in (first, second, second, first):
        store.append("demo", "user", "message", "{}")
    assert [row.seq for row in first.events("demo")] == [1, 2, 3, 4]
    assert first.process != second.process
    assert first.alive(second.process)
    second.close()
    assert not first.alive(second.process)
    first.close()


@pytest.mark.parametrize("process", ["", "process-00", "../../etc/passwd", "process-0123456789abcdef"])
def test_a_strange_process_id_names_nobody(store: Store, process: str) -> None:
    assert not store.alive(process)


def test_no_database_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "space.db").write_bytes(b"this is not a database, and long enough to look like one" * 40)
    with pytest.raises(HarnessError) as refused:
        Store.open(tmp_path)
    assert refused.value.code == "corrupt"


def test_a_newer_format_is_not_opened(store: Store, tmp_path: Path) -> None:
    raw(tmp_path).execute("PRAGMA user_version = 99")
    with pytest.raises(HarnessError) as refused:
        Store.open(tmp_path)
    assert refused.value.code == "unavailable"
