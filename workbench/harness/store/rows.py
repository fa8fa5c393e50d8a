"""The rows of the database, as values."""

from __future__ import annotations

from msgspec import Struct


class EventRow(Struct, frozen=True):
    """One event. `id` is its place in the whole database, `seq` its place in its thread, both from 1 without gaps."""

    id: int
    thread: str
    seq: int
    time_ms: int
    actor: str
    type: str
    call: str | None
    payload: str


class VersionRow(Struct, frozen=True):
    """One version of a name; `cid` None says that the name was taken away."""

    name: str
    version: int
    cid: str | None
    time_ms: int
    actor: str


class ThreadRow(Struct, frozen=True):
    """A thread, as its events tell it."""

    id: str
    started_ms: int
    last_ms: int
    events: int


class Fault(Struct, frozen=True):
    """Something `fsck` found: where (`block bafy…`, `event demo/7`, `version ~/tools/x/2`) and what is wrong."""

    where: str
    what: str
