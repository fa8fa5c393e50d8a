"""Answers as people read them. Pure: an answer becomes the text to print and what to say beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.harness.names import VERBS
from workbench.harness.strict_json import pretty
from workbench.harness.text import fold

if TYPE_CHECKING:
    from workbench.agent.parts import Part
    from workbench.harness.log.events import Event
    from workbench.harness.log.promotion import Promotion
    from workbench.harness.log.reading import Thread
    from workbench.harness.request import Request
    from workbench.harness.space.index import SpaceIndex
    from workbench.harness.tools.callables import ToolState

EVENT_CHARACTERS = 160
"""How much of what was said, or came of a call, one line shows."""


@dataclass(frozen=True, slots=True)
class Shown:
    """`text` goes to standard output; each of `aside` is a line on standard error."""

    text: str
    aside: tuple[str, ...] = ()


def result(name: str, value: Any) -> Shown:
    """The result of a verb."""
    if not isinstance(value, dict):
        return Shown(_json(value))
    if value.get("status") in ("contract", "no_such_tool"):
        return _not_run(value)
    match name:
        case "read":
            return _read(value)
        case "write":
            return _written(value)
        case "call":
            return _called(value)
        case _:
            return Shown(_json(value))


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows in columns; the last one is as long as it likes."""
    if not rows:
        return ""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]) for row in rows
    ]
    return "".join(line.rstrip() + "\n" for line in lines)


def tools(states: Sequence[ToolState], verbs: Sequence[str]) -> Shown:
    """Every tool, one a line, with its state in words."""
    rows = [
        (state.name, state.kind, "callable" if state.callable else str(state.reason), fold(state.summary))
        for state in states
    ]
    why = tuple(f"{state.name}: {state.detail}" for state in states if not state.callable and state.detail)
    return Shown(table(rows), (f"Verbs, always there: {', '.join(verbs)}.", *why))


def index(found: SpaceIndex) -> Shown:
    """The block, and beside it what it costs."""
    cost = f"{found.bytes:,} of {found.budget:,} bytes, {found.stage}; {found.listed} of {found.total} tools listed"
    return Shown(found.text + "\n", (cost,))


def threads(found: Sequence[Thread]) -> Shown:
    """The threads, newest first."""
    if not found:
        return Shown("", ("There are no threads yet. Acts without --thread are logged in the thread workshop.",))
    return Shown(table([(thread.id, str(thread.events), thread.last) for thread in found]))


def event(one: Event) -> str:
    """An event on one line: its number, its time, who, what."""
    from workbench.harness.log.events import Message
    from workbench.harness.log.transcript import title

    what = title(one)
    if isinstance(one, Message):
        what = f"says: {_cut(fold(one.text))}"
    return f"{one.seq:>4}  {one.time}  {one.actor:<7}  {what}"


def detail(one: Event) -> str | None:
    """What an event's line leaves out and a reader of the whole story wants: what came of a call, cut to a line."""
    from workbench.harness.log.events import ToolResult
    from workbench.harness.log.host_results import gist_of, is_host_result
    from workbench.harness.log.payloads import dumps

    if not isinstance(one, ToolResult):
        return None
    if one.error is not None:
        text = one.error["message"]
    elif is_host_result(one.output):
        text = gist_of(one.output)
    elif isinstance(one.output, dict) and ("message" in one.output or "output" in one.output):
        text = str(one.output["message"]) if "message" in one.output else dumps(one.output["output"])
    else:
        return None
    return _cut(fold(text))


def promotion(found: Promotion) -> Shown:
    """What the provider gets, and what it does not."""
    # On the other surface there are no verbs, and two of its tools have a verb's name.
    kind = "verb" if set(VERBS) <= set(found.provider_tools) else "toolbox"
    rows = [(name, kind) for name in found.provider_tools if name not in {tool.name for tool in found.promoted}]
    rows += [(tool.name, f"promoted by event {tool.seq}") for tool in found.promoted]
    rows += [
        (fold(tool.name)[:80], f"withheld ({tool.reason}), touched in event {tool.seq}") for tool in found.withheld
    ]
    return Shown(table(rows))


def promotion_changes(before: Promotion, now: Promotion) -> list[str]:
    """What a provider has since, what it has no longer, and what was touched in vain, a line each."""
    lines = [
        f"+ {name} is now a tool of the provider" for name in now.provider_tools if name not in before.provider_tools
    ]
    lines += [
        f"- {name} is no tool of the provider any more"
        for name in before.provider_tools
        if name not in now.provider_tools
    ]
    known = {tool.name for tool in before.withheld}
    return lines + [
        f"x {fold(tool.name)[:80]} is withheld ({tool.reason})" for tool in now.withheld if tool.name not in known
    ]


def request(found: Request, parts: Sequence[Part]) -> Shown:
    """A request kind by kind, with the bytes of each and of each of its parts."""
    sizes = found.bytes
    bytes_of = {kind: [part.bytes for part in parts if part.kind == kind] for kind in ("tools", "messages")}
    text = [f"# system, {sizes['system']:,} bytes\n\n{found.system.rstrip()}\n\n# tools, {sizes['tools']:,} bytes\n\n"]
    for tool, size in zip(found.tools, bytes_of["tools"], strict=True):
        text.append(f"- {tool['name']}, {size:,} bytes: {_cut(fold(str(tool['description'])))}\n")
    text.append(f"\n# messages, {sizes['messages']:,} bytes\n")
    for message, size in zip(found.messages, bytes_of["messages"], strict=True):
        text.append(f"\n{message['role']}, {size:,} bytes: {pretty(message)}\n")
    aside = [found.note] if found.note else []
    if found.recorded is not None:
        aside.append(f"This is what {found.model} was sent then, as it was recorded.")
    if found.left_out:
        aside.append(f"{found.left_out} older messages are left out, to leave room.")
    return Shown("".join(text), tuple(aside))


def promotion_json(found: Promotion) -> dict[str, Any]:
    """A promotion as `--json` prints it."""
    return {
        "provider_tools": list(found.provider_tools),
        "promoted": [{"name": tool.name, "seq": tool.seq, "cid": tool.cid} for tool in found.promoted],
        "withheld": [{"name": tool.name, "seq": tool.seq, "reason": tool.reason} for tool in found.withheld],
    }


def _read(value: Mapping[str, Any]) -> Shown:
    aside: list[str] = []
    if "next_offset" in value:
        offset = json.dumps({"offset": value["next_offset"]})
        aside.append(f"There is more. Go on with: workbench read '{value['address']}' --options '{offset}'")
    for key in ("contract", "content"):
        if isinstance(value.get(key), str):
            return Shown(value[key], tuple(aside))
    if "entries" in value:
        if "more" in value:
            aside.append(f"{value['more']} more entries are not shown.")
        rows = [(entry["type"], str(entry.get("size", "")), fold(entry["path"])) for entry in value["entries"]]
        return Shown(table(rows), tuple(aside) if rows else ("This folder is empty.",))
    if "tools" in value:
        rows = [(tool["name"], tool["kind"], tool["summary"]) for tool in value["tools"]]
        return Shown(table(rows), tuple(aside) if rows else ("No callable tool matches.",))
    if "threads" in value:
        rows = [(thread["id"], str(thread["events"]), thread["last"]) for thread in value["threads"]]
        return Shown(table(rows), tuple(aside) if rows else ("No thread matches.",))
    if "mime_type" in value:
        return Shown("", (f"{value['address']} is no text: {value['mime_type']}, {value['size']:,} bytes.",))
    return Shown(_json({key: field for key, field in value.items() if key != "status"}), tuple(aside))


def _written(value: Mapping[str, Any]) -> Shown:
    address = value.get("address", "")
    if value.get("status") == "deleted":
        return Shown(f"deleted {address}\n" if value.get("existed") else f"{address} was not there\n")
    what = "saved" if value.get("changed") else "unchanged"
    aside = [f"note: {note}" for note in value.get("notes", [])]
    aside += [f"fault: {fault}" for fault in value.get("faults", [])]
    if value.get("waiting"):
        aside.append(f"Waiting for your yes: {', '.join(value['waiting'])}. See: workbench approve")
    return Shown(f"{what} {address}" + (f"  {value['cid']}" if "cid" in value else "") + "\n", tuple(aside))


def _called(value: Mapping[str, Any]) -> Shown:
    output = value.get("output")
    text = output if isinstance(output, str) else _json(output)
    aside: list[str] = []
    if value.get("logs"):
        aside.append(str(value["logs"]).rstrip("\n"))
    aside += [f"{file['change']} ~/memory/{fold(file['path'])}" for file in value.get("changed_files", [])]
    for key in value.get("unknown_keys", []):
        near = f"; did you mean {key['nearest']}?" if "nearest" in key else ""
        aside.append(f"unknown key {fold(key['key'])} at {key['path']}{near}")
    if "duration_ms" in value:
        aside.append(f"{value.get('tool')}: {value['duration_ms']:,} ms")
    return Shown(text, tuple(aside))


def _not_run(value: Mapping[str, Any]) -> Shown:
    parts = [f"{value.get('message', '')}\n"]
    parts += [f"  {error['path']}: {error['message']}\n" for error in value.get("errors", [])]
    if isinstance(value.get("contract"), str):
        parts.append("\n" + value["contract"])
    if value.get("tools"):
        parts.append(
            "  " + ", ".join(value["tools"]) + (f" and {value['more']} more" if "more" in value else "") + "\n"
        )
    return Shown("".join(parts))


def _cut(text: str) -> str:
    return text if len(text) <= EVENT_CHARACTERS else text[: EVENT_CHARACTERS - 1] + "…"


def _json(value: Any) -> str:
    return pretty(value) + "\n"
