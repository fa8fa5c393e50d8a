"""`read`: whatever has an address."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from msgspec.structs import asdict

from workbench.harness import address as addresses
from workbench.harness.address import (
    MemoryAddress,
    SelfAddress,
    ThreadAddress,
    ThreadsAddress,
    ToolAddress,
    ToolsAddress,
)
from workbench.harness.errors import HarnessError
from workbench.harness.log.live import CallState
from workbench.harness.log.transcript import as_markdown
from workbench.harness.log.words import event_text, has_words
from workbench.harness.names import VERBS
from workbench.harness.paging import Position, line_limit, page, position
from workbench.harness.space import approvals
from workbench.harness.space.contract import contract_page
from workbench.harness.space.library import StoredTool
from workbench.harness.space.memory import BinaryFile, Entry, Folder, TextFile
from workbench.harness.space.space import Space
from workbench.harness.strict_json import pretty
from workbench.harness.text import neutralise
from workbench.harness.tools.callables import Callables
from workbench.harness.tools.definition import ToolDefinition
from workbench.harness.tools.widened import sandbox_notes
from workbench.harness.verbs.act import Act, known_options
from workbench.harness.verbs.answers import cannot_call, no_such_tool
from workbench.harness.verbs.later import not_built

LISTED = 100
"""How many tools or threads one page of a listing holds."""


class ReadInput(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What to read."""

    address: Annotated[
        str,
        msgspec.Meta(
            min_length=1,
            description="~/tools/, ~/tools/<name>, ~/memory/<path>, ~/self, thread: or thread:<id>.",
        ),
    ]
    options: Annotated[
        dict[str, Any],
        msgspec.Meta(
            description="offset: where to go on; limit: lines of a file; query: words that a listing filters by."
        ),
    ] = {}


READ = ToolDefinition(
    name="read",
    summary="Read what has an address.",
    description=(
        "Read what stands at an address. ~/tools/ lists the callable tools (options.query filters, options.offset goes "
        "on); ~/tools/<name> gives a tool's contract, with options.part source its source, with options.part document "
        "the JSON that write takes. ~/memory/<path> gives a file (options.offset and options.limit are lines) or lists "
        "a folder. ~/self tells who you are and what is granted; thread: lists threads (options.query searches), "
        "thread:<id> gives a transcript. Long texts come in pages: go on with options.offset set to next_offset."
    ),
    parameters=ReadInput,
    binding="verb:read",
)


async def run(act: Act, params: ReadInput) -> dict[str, Any]:
    """Read an address. Raises HarnessError `bad_input`, `not_found`, `refused`, `corrupt` or `unavailable`."""
    where = addresses.parse(params.address)
    options = params.options
    match where:
        case MemoryAddress():
            known_options(options, ("offset", "limit"), "a file of memory")
            offset = position(options["offset"]) if "offset" in options else 1
            limit = line_limit(options["limit"]) if "limit" in options else None
            return await _memory(act, where, offset, limit)
        case ToolsAddress():
            known_options(options, ("offset", "query"), "the listing of tools")
            return _tools(act, _query(options), _start(options))
        case ToolAddress():
            return _tool(act, where, options)
        case SelfAddress():
            known_options(options, (), "~/self")
            return about_self(act.space, act.callables, owner=act.actor == "user")
        case ThreadsAddress():
            known_options(options, ("offset", "query"), "the listing of threads")
            return await _threads(act, _query(options), _start(options))
        case ThreadAddress():
            known_options(options, ("offset", "limit"), "a thread")
            offset = position(options["offset"]) if "offset" in options else 1
            limit = line_limit(options["limit"]) if "limit" in options else None
            return await _thread(act, where, offset, limit)
        case _:
            raise not_built(where)


def _query(options: dict[str, Any]) -> list[str]:
    query = options.get("query", "")
    if not isinstance(query, str):
        raise HarnessError("bad_input", "options.query is text: words that each listed thing must hold.")
    return query.casefold().split()


def _start(options: dict[str, Any]) -> int:
    start = options.get("offset", 1)
    if not isinstance(start, int) or isinstance(start, bool) or start < 1:
        raise HarnessError("bad_input", "options.offset of a listing is a whole number from 1: the first to list.")
    return start


async def _memory(act: Act, where: MemoryAddress, offset: Position, limit: int | None) -> dict[str, Any]:
    answer: dict[str, Any] = {"status": "ok", "address": str(where)}
    match await asyncio.to_thread(act.space.memory.read, where.path, offset, limit):
        case TextFile(content=content, size=size, next_offset=next_offset):
            answer |= {"content": content, "size": size}
        case BinaryFile(size=size, mime_type=mime_type):
            return answer | {"size": size, "mime_type": mime_type}
        case Folder(entries=entries, more=more, next_offset=next_offset):
            answer["entries"] = [_entry(entry) for entry in entries]
            if more:
                answer["more"] = more
    return answer | _next(next_offset)


def _next(offset: Position | None) -> dict[str, Any]:
    """Where to go on, as JSON has it; nothing on the last page."""
    if offset is None:
        return {}
    return {"next_offset": list(offset) if isinstance(offset, tuple) else offset}


def _entry(entry: Entry) -> dict[str, Any]:
    listed: dict[str, Any] = {"path": entry.path, "type": entry.type}
    return listed | ({"size": entry.size} if entry.size is not None else {})


def _tools(act: Act, words: list[str], start: int) -> dict[str, Any]:
    """The listing follows the same reasons as a call: what cannot be called is not offered."""
    states = [
        state
        for state in act.callables.states()
        if state.callable and all(word in f"{state.name} {state.summary}".casefold() for word in words)
    ]
    shown = states[start - 1 : start - 1 + LISTED]
    answer: dict[str, Any] = {
        "status": "ok",
        "address": "~/tools/",
        "tools": [
            {"name": state.name, "kind": state.kind, "summary": neutralise(state.summary), "cid": state.cid}
            for state in shown
        ],
        "total": len(states),
        "verbs": list(VERBS),
    }
    if start - 1 + LISTED < len(states):
        answer["next_offset"] = start + LISTED
    return answer


def _tool(act: Act, where: ToolAddress, options: dict[str, Any]) -> dict[str, Any]:
    known_options(options, ("part", "offset", "limit"), "a tool")
    part = options.get("part", "contract")
    if part not in ("contract", "source", "document"):
        raise HarnessError("bad_input", 'options.part is "contract", "source" or "document".')
    try:
        tool = act.verbs[where.name] if where.name in VERBS else act.callables.tool(where.name)
    except HarnessError:
        if not act.by_agent:
            raise
        tool = None
    if tool is None or not _may_read(act, tool):
        state = act.callables.state(where.name)
        if act.by_agent:
            return no_such_tool(act, state)
        raise cannot_call(act, state)
    offset = position(options["offset"]) if "offset" in options else 1
    limit = line_limit(options["limit"]) if "limit" in options else None
    answer: dict[str, Any] = {
        "status": "ok",
        "address": str(where),
        "name": tool.name,
        "kind": tool.document.kind,
        "cid": tool.cid,
    }
    if part == "contract":
        if limit is not None:
            raise HarnessError("bad_input", "A contract is paged by options.offset alone.")
        given = contract_page(tool.document, tool.cid, offset)
        answer["contract"] = given.content
    else:
        text = _source(tool) if part == "source" else pretty(tool.document.to_map() | {"cid": tool.cid}) + "\n"
        given = page(text, offset, limit)
        answer |= {"content": given.content, "size": len(text.encode("utf-8"))}
    return answer | _next(given.next_offset)


def _may_read(act: Act, tool: StoredTool) -> bool:
    """The owner reads everything; an agent reads the verbs, every lambda, and the builtins that it may call."""
    if not act.by_agent or tool.name in VERBS or tool.document.kind == "lambda":
        return True
    return act.callables.state(tool.name).callable


def _source(tool: StoredTool) -> str:
    if tool.document.source is None:
        raise HarnessError("not_found", f"{tool.name} is a {tool.document.kind} and has no source in the Space.")
    return tool.document.source


def about_self(space: Space, callables: Callables, *, owner: bool) -> dict[str, Any]:
    """What `~/self` tells: who the agent is and what is granted; the owner also the toolbox, what waits, and faults."""
    state = space.agent_file.state()
    settings = state.settings
    granted = [tool.name for tool in callables.states() if tool.kind == "builtin" and tool.granted]
    top = space.memory.top()
    answer: dict[str, Any] = {
        "status": "ok",
        "address": "~/self",
        "name": settings.name,
        "prompt": settings.prompt,
        "model": settings.model,
        "grants": {"tools": granted, "publish": settings.publish, "everything": settings.tools is None},
        "switched_off": list(settings.switched_off),
        "first_call": settings.first_call,
        "sandbox": [note.text for note in sandbox_notes(settings, callables.missing)],
        "triggers": [],
        "memory": {"files": top.files, "top": [neutralise(entry.name) for entry in top.entries]},
    }
    if owner:
        answer["toolbox"] = {
            "surface": settings.surface,
            "workdir": settings.workdir,
            "approvals": {tool: settings.approvals.get(tool) or word for tool, word in approvals.DEFAULTS.items()},
            "bash_env": list(settings.bash_env),
        }
        answer["waiting"] = [asdict(waiting) for waiting in state.waiting]
        answer["faults"] = list(state.faults)
    return answer


async def _threads(act: Act, words: list[str], start: int) -> dict[str, Any]:
    threads = act.log.threads()
    if words:
        found = await _threads_with(act, words)
        threads = [thread for thread in threads if thread.id in found]
    answer: dict[str, Any] = {
        "status": "ok",
        "address": "thread:",
        "threads": [asdict(thread) for thread in threads[start - 1 : start - 1 + LISTED]],
        "total": len(threads),
    }
    if start - 1 + LISTED < len(threads):
        answer["next_offset"] = start + LISTED
    return answer


async def _threads_with(act: Act, words: list[str]) -> set[str]:
    """The threads in which one event holds all the words; what asks for them does not count."""
    found: set[str] = set()
    for count, event in enumerate(act.log.newest()):
        if count % 100 == 0:
            await asyncio.sleep(0)
        if event.thread in found or (event.thread == act.call.thread and event.seq == act.call.seq):
            continue
        if has_words(words, event_text(event)):
            found.add(event.thread)
    return found


async def _thread(act: Act, where: ThreadAddress, offset: Position, limit: int | None) -> dict[str, Any]:
    events = [
        event for event in act.log.events(where.id) if event.seq != act.call.seq or event.thread != act.call.thread
    ]
    if not events:
        raise HarnessError(
            "not_found", f"There is no thread {neutralise(where.id)[:80]}. Read thread: for those there are."
        )
    states: dict[str, CallState] = {
        call.id: act.log.live.state_of(call) for call in act.log.live.open_calls() if call.thread == where.id
    }
    text = await asyncio.to_thread(as_markdown, where.id, events, lambda call: states.get(call.id, "ended"))
    given = page(text, offset, limit)
    answer: dict[str, Any] = {
        "status": "ok",
        "address": str(where),
        "content": given.content,
        "size": len(text.encode("utf-8")),
    }
    return answer | _next(given.next_offset)
