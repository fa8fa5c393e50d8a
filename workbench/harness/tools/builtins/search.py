"""`search`: find tools, files of memory and moments of threads by words."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any

import msgspec
from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.log.events import ToolCall, ToolResult
from workbench.harness.log.promotion import named_tool
from workbench.harness.log.words import event_text, has_words
from workbench.harness.space.memory import Memory
from workbench.harness.strict_json import as_object
from workbench.harness.text import fold
from workbench.harness.tools.context import Ran, ToolContext
from workbench.harness.tools.definition import ToolDefinition

MAX_RESULTS = 50
"""Results at most, whatever is asked for."""

FILE_BYTES = 1024 * 1024
"""How much of one file is looked at."""

TOTAL_BYTES = 64 * 1024 * 1024
"""How much of memory, and how much of the log, one search looks at."""

MAX_FILES = 20_000
"""How many files one search looks at."""

MAX_EVENTS = 20_000
"""How many events one search looks at, newest first."""

SNIPPET = 160
"""Code points of text shown around a hit."""


class SearchInput(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Words to find."""

    query: Annotated[
        str, msgspec.Meta(min_length=1, max_length=1000, description="Words to find; every one of them must be there.")
    ]
    limit: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS, description="How many results at most.")] = 20


SEARCH = ToolDefinition(
    name="search",
    summary="Find tools, memory files and past events by words.",
    description=(
        "Find what you have: callable tools, files of memory, and what was said and done in threads. Give words; upper "
        "and lower case are the same, and each result holds every word. A result has an address that read takes and a "
        f"snippet. At most {MAX_RESULTS} results come back; when more_exists is true, use words that are rarer. "
        f"Files are searched in their first {FILE_BYTES // (1024 * 1024)} MiB, threads in their newest {MAX_EVENTS} "
        "events."
    ),
    parameters=SearchInput,
    binding="search",
    output={
        "type": "object",
        "properties": {
            "results": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "address": {"type": "string"},
                        "kind": {"enum": ["tool", "memory", "thread"]},
                        "snippet": {"type": "string"},
                    },
                    "required": ["address", "kind", "snippet"],
                },
            },
            "more_exists": {"type": "boolean"},
            "not_searched": {"type": "string"},
        },
        "required": ["results", "more_exists"],
    },
)


class _Hit(Struct, frozen=True):
    address: str
    kind: str
    snippet: str


async def run(params: SearchInput, context: ToolContext) -> Ran:
    """Look through tools, then memory, then threads. Raises HarnessError `bad_input` for a query without words."""
    words = [word.casefold() for word in params.query.split()]
    if not words:
        raise HarnessError("bad_input", "The query holds no words. Give at least one.")
    hits = list(_tools(words, context))
    found, skipped = await asyncio.to_thread(_memory, words, context.space.memory, params.limit + 1)
    hits += found
    if len(hits) <= params.limit:
        hits += await _threads(words, context, params.limit + 1 - len(hits))
    shown = hits[: params.limit]
    output: dict[str, Any] = {
        "results": [{"address": hit.address, "kind": hit.kind, "snippet": hit.snippet} for hit in shown],
        "more_exists": len(hits) > params.limit,
    }
    if skipped:
        output["not_searched"] = skipped
    return Ran(output)


def _tools(words: list[str], context: ToolContext) -> Iterator[_Hit]:
    """Callable tools, those first that carry the words in their name."""
    tools, _ = context.callables.all()
    names = set(context.callables.names())
    by_text: list[_Hit] = []
    for tool in tools:
        if tool.name not in names:
            continue
        hit = _Hit(f"~/tools/{tool.name}", "tool", tool.document.summary)
        if has_words(words, tool.name):
            yield hit
        elif has_words(words, f"{tool.name} {tool.document.summary} {tool.document.description}"):
            by_text.append(hit)
    yield from by_text


def _memory(words: list[str], memory: Memory, limit: int) -> tuple[list[_Hit], str]:
    """Files as they are now, so also those that an editor changed; and what was too much to look at."""
    hits: list[_Hit] = []
    looked = files = 0
    for file in memory.walk(MAX_FILES + 1):
        path = file.path
        files += 1
        if files > MAX_FILES or looked > TOTAL_BYTES:
            return hits, f"Memory holds more than one search looks at; it stopped before ~/memory/{path}."
        try:
            data = memory.read_bytes_bounded(path, FILE_BYTES)
        except HarnessError:
            # Gone, or swapped for a link, since it was met on the walk.
            continue
        looked += len(data)
        text = "" if b"\0" in data else data.decode("utf-8", "replace")
        if has_words(words, f"{path}\n{text}"):
            hits.append(_Hit(f"~/memory/{path}", "memory", _around(words, text) or path))
            if len(hits) >= limit:
                break
    return hits, ""


async def _threads(words: list[str], context: ToolContext, limit: int) -> list[_Hit]:
    """Events of any thread, newest first. What a search itself asked and found is left out: it would find itself."""
    hits: list[_Hit] = []
    looked = 0
    for count, event in enumerate(islice(context.log.newest(), MAX_EVENTS)):
        if looked > TOTAL_BYTES:
            break
        if count % 100 == 0:
            await asyncio.sleep(0)
        match event:
            case ToolResult() if (as_object(event.output) or {}).get("tool") == SEARCH.name:
                continue
            case ToolCall() if named_tool(event.name, event.input) == SEARCH.name:
                continue
            case _:
                text = event_text(event)
        looked += len(text)
        if has_words(words, text):
            hits.append(_Hit(f"thread:{event.thread}", "thread", f"event {event.seq}: {_around(words, text)}"))
            if len(hits) >= limit:
                break
    return hits


def _around(words: list[str], text: str) -> str:
    """A line's worth of text around the first word."""
    at = max(text.casefold().find(words[0]), 0)
    start = max(at - SNIPPET // 3, 0)
    cut = fold(text[start : start + SNIPPET])
    return ("…" if start else "") + cut + ("…" if start + SNIPPET < len(text) else "")
