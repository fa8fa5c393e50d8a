"""The calls of one tool, out of the whole log: what was given, by whom, with which version, and how it ended."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, cast

from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.identity import iso
from workbench.harness.log.events import Actor, ToolCall, ToolResult
from workbench.harness.log.live import CallState
from workbench.harness.log.payloads import from_row
from workbench.harness.store.calls import CallRow, EndRow
from workbench.harness.store.rows import EventRow, VersionRow
from workbench.harness.store.store import Store

SPAN = 5_000
"""How many events of the log are looked through in one step; that takes a few milliseconds."""

Outcome = Literal["ok", "not_run", "failed", "running", "interrupted"]
"""How a call ended: it ran, it was answered without being run, it failed; or it has no result."""


class PastCall(Struct, frozen=True, kw_only=True):
    """A call in the history of a tool; its input and result are read by `number` when somebody wants them.

    `number` is the call's event over all threads, `seq` its event in `thread`, `result_seq` that of its result. `name`
    is what was performed: a verb, or the tool itself. `preview` begins its input, as compact JSON of at most 300
    characters; `size` is what the whole event takes, in characters. `cid` is the version it ran with, or that stood
    when it was made; None for verbs. `code` is the error's, or the status of an answer. `words` begins the error's
    message. `duration_ms` is what the call says that it took, else the time between its two events. `cwd` is the
    directory of the machine that it acted in; None where it did not act on the machine.
    """

    number: int
    thread: str
    seq: int
    call: str
    name: str
    actor: Actor
    time: str
    preview: str
    size: int
    cid: str | None
    outcome: Outcome
    code: str
    words: str
    duration_ms: int | None
    result_seq: int | None
    cwd: str | None = None


class CallsPage(Struct, frozen=True):
    """Some calls, newest first. `before` is where to go on looking: events below it; None at the log's beginning."""

    calls: tuple[PastCall, ...]
    before: int | None


class Recorded(Struct, frozen=True):
    """A call as the log has it, not decoded yet."""

    call: EventRow
    result: EventRow | None

    def read(self) -> tuple[ToolCall, ToolResult | None]:
        """The call and its result. A large one takes a while; this may be called in any thread.

        Raises:
            HarnessError: `corrupt` when one of them cannot be read.
        """
        call, result = from_row(self.call), from_row(self.result) if self.result else None
        assert isinstance(call, ToolCall)
        return call, result if isinstance(result, ToolResult) else None


def page_of_calls(
    store: Store,
    tool: str,
    limit: int,
    before: int | None,
    span: int,
    state: Callable[[ToolCall], CallState],
) -> CallsPage:
    """One step back through the log, over `span` events: the calls in it that name the tool, at most `limit`.

    A tool of the toolbox is named by its binding, `toolbox:read`. `state` tells what became of a call without a result.
    """
    below = min(before, store.last_id() + 1) if before is not None else store.last_id() + 1
    first = max(below - span, 0)
    rows = store.calls_of(tool, first, below, limit)
    versions = store.versions(f"~/tools/{tool}") if ":" not in tool else []
    found = tuple(_past(store, row, versions, state) for row in rows)
    if len(rows) == limit:
        return CallsPage(found, rows[-1].id)
    return CallsPage(found, first if first > 1 else None)


def recorded(store: Store, number: int) -> Recorded:
    """A call by the number of its event.

    Raises:
        HarnessError: `not_found` when that event is no call.
    """
    row = next(iter(store.events_since(number - 1, 1)), None)
    if row is None or row.id != number or row.type != "tool_call":
        raise HarnessError("not_found", f"Event number {number} of this Space is no call.")
    return Recorded(row, store.result_of(row.call) if row.call else None)


def _past(
    store: Store,
    row: CallRow,
    versions: list[VersionRow],
    state: Callable[[ToolCall], CallState],
) -> PastCall:
    end = store.end_of(row.call)
    outcome, code, cid = _ended(end) if end is not None else (_open(store, row, state), "", None)
    stood = next((version.cid for version in reversed(versions) if version.time_ms <= row.time_ms), None)
    took = None
    if end is not None:
        took = end.duration_ms if end.duration_ms is not None else max(end.time_ms - row.time_ms, 0)
    return PastCall(
        number=row.id,
        thread=row.thread,
        seq=row.seq,
        call=row.call,
        name=row.name,
        actor=cast(Actor, row.actor),
        time=iso(row.time_ms),
        preview=row.preview or "",
        size=row.size,
        cid=cid or stood,
        outcome=outcome,
        code=code,
        words=(end.words or "") if end is not None else "",
        duration_ms=took,
        result_seq=end.seq if end is not None else None,
        cwd=row.cwd,
    )


def _open(store: Store, row: CallRow, state: Callable[[ToolCall], CallState]) -> Outcome:
    try:
        found = state(recorded(store, row.id).read()[0])
    except HarnessError:
        # The call cannot be read as one of ours; without a result it may or may not have taken effect.
        return "interrupted"
    return "running" if found == "running" else "interrupted"


_HEAD = re.compile(r'"output":\{"status":"(\w+)"')
_CID = re.compile(r'"cid":"([a-z2-7]{20,100})"')


def _ended(end: EndRow) -> tuple[Outcome, str, str | None]:
    """The outcome of a call with a result, its code, and the version that the result names."""
    if end.code is not None:
        return ("interrupted" if end.code == "interrupted" else "failed"), end.code, None
    status, cid = end.status, end.cid
    if end.head is not None:
        # What a call answers begins with its status and version, so a large result need not be read for them.
        found, named = _HEAD.search(end.head), _CID.search(end.head)
        status, cid = found[1] if found else None, named[1] if named else None
    if status in ("contract", "no_such_tool"):
        return "not_run", status, cid
    return "ok", status or "ok", cid
