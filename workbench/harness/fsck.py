"""Looking the whole Space over: every block hashed and encoded anew, every version and every event checked."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from workbench.harness.cid import cid_of, codec_of
from workbench.harness.errors import HarnessError
from workbench.harness.identity import UNKNOWN_TIME, iso
from workbench.harness.log.payloads import from_row
from workbench.harness.space.document import decode, verify_canonical
from workbench.harness.space.library import PREFIX
from workbench.harness.store.rows import EventRow, Fault
from workbench.harness.store.store import Store, digest_of


def fsck(store: Store) -> list[Fault]:
    """Everything that is wrong with a Space's database, in words; empty when nothing is."""
    faults: list[Fault] = []
    for look in (_file, _blocks, _names, _events):
        try:
            faults += look(store)
        except HarnessError as error:
            faults.append(Fault("space.db", error.message))
    return faults


def _file(store: Store) -> Iterator[Fault]:
    for what in store.integrity():
        yield Fault("space.db", what)


def _blocks(store: Store) -> Iterator[Fault]:
    for cid, block in store.blocks():
        try:
            codec = codec_of(cid)
            if cid_of(block, codec) != cid:
                yield Fault(f"block {cid}", "its bytes are not those that the CID names")
            elif codec == "dag-cbor":
                verify_canonical(block)
        except HarnessError as error:
            yield Fault(f"block {cid}", error.message)


def _names(store: Store) -> Iterator[Fault]:
    expected: dict[str, int] = {}
    for row in store.versions():
        where = f"version {row.name} {row.version}"
        expected[row.name] = expected.get(row.name, 0) + 1
        if row.version != expected[row.name]:
            yield Fault(where, f"version {expected[row.name]} is missing before it")
            expected[row.name] = row.version
        if iso(row.time_ms) == UNKNOWN_TIME:
            yield Fault(where, "no calendar has its time")
        if row.cid is None:
            continue
        try:
            block = store.get_block(row.cid)
            if row.name.startswith(PREFIX) and decode(block).name != row.name.removeprefix(PREFIX):
                yield Fault(where, f"its block {row.cid} is another tool's document")
        except HarnessError as error:
            yield Fault(where, error.message)


def _events(store: Store) -> Iterator[Fault]:
    previous, last_id = "", 0
    last_seq: dict[str, int] = {}
    calls: set[str] = set()
    results: set[str] = set()
    for row, digest in store.raw_events():
        event, payload, block = EventRow(*row[:7], payload=""), row[7], row[8]
        where = f"event {event.thread}/{event.seq}"
        if digest_of(previous, row) != digest:
            yield Fault(where, "it, or what came before it, is not what was written: the digest does not match")
        if event.id != last_id + 1:
            yield Fault(where, f"an event is missing before it: number {last_id + 1} of the database")
        if event.seq != last_seq.get(event.thread, 0) + 1:
            yield Fault(where, f"its thread goes from {last_seq.get(event.thread, 0)} to {event.seq}")
        if iso(event.time_ms) == UNKNOWN_TIME:
            yield Fault(where, "no calendar has its time")
        previous, last_id, last_seq[event.thread] = digest, event.id, event.seq
        try:
            text = store.get_block(block).decode("utf-8") if payload is None else payload
            from_row(replace(event, payload=text))
        except (HarnessError, UnicodeDecodeError) as error:
            yield Fault(where, str(error))
        if event.type == "tool_call":
            calls.add(event.call or "")
        elif event.type == "tool_result":
            if event.call not in calls:
                yield Fault(where, "it is the result of a call that is not there")
            if event.call in results:
                yield Fault(where, "it is a second result of its call")
            results.add(event.call or "")
