"""`replay:THREAD` and `replay:FILE.jsonl`: a recorded run as a model, which answers word for word what it answered."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

import msgspec

from workbench.agent.models.known import KnownAnswers
from workbench.agent.models.model import Answer, Model, ModelFault
from workbench.agent.recorded import answers_of
from workbench.harness import strict_json
from workbench.harness.errors import HarnessError
from workbench.harness.log.events import Event, Message, RequestEnded, RequestSent, Run, ToolCall, ToolResult
from workbench.harness.text import cut_bytes, fold

if TYPE_CHECKING:
    from workbench.harness.harness import Harness

MAX_RECORDING_BYTES = 64 * 1024 * 1024
"""How long a recording may be."""

_KINDS: dict[tuple[str, str | None], type[Event]] = {
    ("message", None): Message,
    ("tool_call", None): ToolCall,
    ("tool_result", None): ToolResult,
    ("request", "sent"): RequestSent,
    ("request", "ended"): RequestEnded,
    ("run", "start"): Run,
    ("run", "end"): Run,
}
"""The events that an answer depends on, by type and state; the others are passed over."""


def open_replay(source: str, harness: Harness | None) -> Model:
    """A model that gives, in order, the answers that a recorded run gave: a thread's, with its past, or a file's.

    A file ends in `.jsonl` and holds what `workbench log THREAD --json` prints. What enters the thread afterwards is
    no part of the recording.

    Raises:
        HarnessError: there is no such thread or file, no answer in it, or a line of it is no event.
    """
    if source.endswith(".jsonl"):
        file = Path(source).expanduser()
        events, name = list(_events(file)), f"The recording {file.name}"
    elif harness is None:
        raise HarnessError(
            "bad_input", f"replay:{source} names a thread, and no Space is open to have it. Name a .jsonl file instead."
        )
    else:
        events, name = harness.lineage(source), f"Thread {source}"
    answers = answers_of(events)
    if not answers:
        raise HarnessError("not_found", f"{name} has no answer of an agent, so there is nothing to replay.")

    def over() -> Answer:
        raise ModelFault(
            "not_found",
            f"{name} is over: all of its {len(answers)} answers were given. Choose another model to go on.",
        )

    return KnownAnswers(f"replay:{source}", "replay", answers, over)


def _events(file: Path) -> Iterator[Event]:
    try:
        if not file.is_file():
            raise HarnessError(
                "not_found", f"There is no file {file}. `workbench log THREAD --json` prints a recording."
            )
        with file.open("rb") as opened:
            data = opened.read(MAX_RECORDING_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise HarnessError("bad_input", f"The recording {file} cannot be read: {why}.") from error
    if len(data) > MAX_RECORDING_BYTES:
        raise HarnessError("limit", f"The recording {file.name} has over {MAX_RECORDING_BYTES} bytes.")
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            event = _event(line, number, f"Line {number} of the recording {file.name}")
            if event is not None:
                yield event


def _event(line: bytes, number: int, where: str) -> Event | None:
    """The event of a line; None for one that no answer depends on."""
    try:
        # What the harness let into a log may be nested deeper than one value, by the event and its act around it.
        value: Any = json.loads(line.decode("utf-8"))
        strict_json.check(value, what="it", max_depth=2 * strict_json.MAX_DEPTH)
    except (ValueError, RecursionError) as error:
        _refuse(where, f"it is not JSON ({error})")
    except HarnessError as error:
        _refuse(where, error.message)
    table = strict_json.as_object(value)
    if table is None or not isinstance(table.get("type"), str):
        _refuse(where, "it is not an object with a type")
    kind = _kind(table)
    if kind is None:
        return None
    try:
        return msgspec.convert({"number": number} | table, kind, strict=True)
    except (msgspec.ValidationError, RecursionError) as error:
        _refuse(where, f"it is not a {table['type']} as the log has it ({error})")


def _kind(table: Mapping[str, Any]) -> type[Event] | None:
    name, state = cast(str, table["type"]), table.get("state")
    if isinstance(state, str) and (name, state) in _KINDS:
        return _KINDS[name, state]
    return _KINDS.get((name, None))


def _refuse(where: str, fault: str) -> NoReturn:
    raise HarnessError(
        "bad_input",
        f"{where} is no event: {cut_bytes(fold(fault), 300).removesuffix('.')}. "
        "A recording is what `workbench log THREAD --json` prints.",
    )
