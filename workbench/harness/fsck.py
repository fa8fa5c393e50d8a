"""Looking the whole Space over: every block hashed and encoded anew, every version and every event checked."""

from __future__ import annotations

import json
from collections.abc import Iterator

from workbench.harness.cid import cid_of, codec_of
from workbench.harness.errors import HarnessError
from workbench.harness.log.events import from_row
from workbench.harness.space.document import decode, verify_canonical
from workbench.harness.store.rows import EventRow, Fault
from workbench.harness.store.store import Store, digest_of


def fsck(store: Store) -> list[Fault]:
    """Everything that is wrong with a Space's database, in words; empty when nothing is."""
    faults = [Fault("space.db", what) for what in store.integrity()]
    faults += _blocks(store)
    faults += _names(store)
    faults += _events(store)
    return faults


def _blocks(store: Store) -> Iterator[Fault]:
    for cid, block in store.blocks():
        try:
            codec = codec_of(cid)
            if cid_of(block, codec) != cid:
                yield Fault(f"block {cid}", "its bytes are not those that the CID names")
            elif codec == "dag-cbor":
                verify_canonical(block)
                decode(block)
        except HarnessError as error:
            yield Fault(f"block {cid}", error.message)


def _names(store: Store) -> Iterator[Fault]:
    known = {cid for cid, _ in store.blocks()}
    expected: dict[str, int] = {}
    for row in store.versions():
        where = f"version {row.name} {row.version}"
        expected[row.name] = expected.get(row.name, 0) + 1
        if row.version != expected[row.name]:
            yield Fault(where, f"version {expected[row.name]} is missing before it")
            expected[row.name] = row.version
        if row.cid is not None and row.cid not in known:
            yield Fault(where, f"its block {row.cid} is missing")


def _events(store: Store) -> Iterator[Fault]:
    previous, last_id = "", 0
    last_seq: dict[str, int] = {}
    calls: set[str] = set()
    results: set[str] = set()
    for row, digest in store.raw_events():
        id_, thread, seq, time_ms, actor, type_, call, payload, block = row
        where = f"event {thread}/{seq}"
        if digest_of(previous, row) != digest:
            yield Fault(where, "it, or what came before it, is not what was written: the digest does not match")
        if id_ != last_id + 1:
            yield Fault(where, f"an event is missing before it: number {last_id + 1} of the database")
        if seq != last_seq.get(str(thread), 0) + 1:
            yield Fault(where, f"its thread goes from {last_seq.get(str(thread), 0)} to {seq}")
        previous, last_id = digest, int(str(id_))
        last_seq[str(thread)] = int(str(seq))
        try:
            text = store.get_block(str(block)).decode("utf-8") if payload is None else str(payload)
            event = EventRow(last_id, str(thread), int(str(seq)), int(str(time_ms)), str(actor), str(type_), None, text)
            from_row(event)
            if call is not None and json.loads(text).get("id") != call:
                yield Fault(where, "it is filed under another call than the one it names")
        except HarnessError as error:
            yield Fault(where, error.message)
        if type_ == "tool_call":
            calls.add(str(call))
        elif type_ == "tool_result":
            if call not in calls:
                yield Fault(where, "it is the result of a call that is not there")
            if call in results:
                yield Fault(where, "it is a second result of its call")
            results.add(str(call))
