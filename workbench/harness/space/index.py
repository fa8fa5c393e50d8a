"""The `<space>` block: what an agent has, in at most 2,048 bytes of its system prompt.

Pure: values in, a block out. The frame, the memory line and the trigger line are bounded first; the tools get the rest
and give ground in stages when there are too many of them. Every count is exact and every listed name is a tool that can
be called, at any stage.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, islice
from typing import Literal

from msgspec import Struct

from workbench.harness.names import BUILTINS
from workbench.harness.text import REPLACEMENT, cut_bytes, neutralise, size

BUDGET = 2048
"""Bytes of the block at most, in UTF-8."""

SMALLEST_BUDGET = 1024
"""The least budget that `build` takes: room for the three bounded lines and the line that stands for unlisted tools."""

LINE_BYTES = 256
"""Bytes at most of the frame, of the memory line and of the trigger line, each."""

NAME_BYTES = 48
"""Bytes at most of a file's or trigger's name in its line."""

SUMMARY_BYTES = 12
"""A summary is never shortened to less than this; where that would be needed, summaries go."""

TYPICAL_LINE_BYTES = 80
"""What a tool's line is taken to cost where there is none to measure."""

# Each name takes a byte and a separator of four, so a line holds no more of them.
_MOST_NAMES = LINE_BYTES // 5 + 1

OPENING = "<space>"
CLOSING = "</space>"
HEADER = (
    "Tools: read ~/tools/<name> for a contract, then call {tool, input}. Author one: write ~/tools/<name>. "
    'All: read ~/tools/, options {"query": "words"} finds. Files: ~/memory/<path>. Automation: ~/triggers/<name>.'
)
"""The line that says how to read a contract, to call, to author, and to find what is not listed."""

Stage = Literal["full", "shortened", "names", "partial"]
"""How far the block had to give ground."""


class IndexTool(Struct, frozen=True):
    """A callable tool, as the block needs it.

    `authored` is set for a lambda, `builtin` for a tool that comes with the workbench.
    """

    name: str
    summary: str
    authored: bool = False
    builtin: bool = False


class MemoryEntry(Struct, frozen=True):
    """A file or folder at memory's top.

    `files` counts a folder's files at any depth; `at_least` says that there may be more.
    """

    name: str
    is_dir: bool
    files: int = 0
    at_least: bool = False


class MemoryTop(Struct, frozen=True):
    """Memory's top level: all its files, the first entries by name, and how many entries are not among them.

    `at_least` says that counting stopped early, so that `files` and `more` are lower bounds; `readable` is False where
    memory could not be looked at.
    """

    files: int = 0
    entries: tuple[MemoryEntry, ...] = ()
    more: int = 0
    at_least: bool = False
    readable: bool = True


class TriggersTop(Struct, frozen=True):
    """The names of the active triggers, in order, and how many triggers there are in all."""

    active: tuple[str, ...] = ()
    total: int = 0


class IndexLine(Struct, frozen=True):
    """One line of the block.

    `bytes` counts its newline, which every line but the last has; `tool` is set where the line is a tool's.
    """

    text: str
    bytes: int
    tool: str | None = None


class SpaceIndex(Struct, frozen=True):
    """The block with its accounts: the lines' bytes add up to `bytes`, `listed` of `total` tools have a line.

    `headroom` is how many more tools, of the mean size of those there are, would fit before the block gives ground once
    more: 0 means that the next one makes it, or, at the stage `partial`, that there is no more ground to give.
    """

    text: str
    bytes: int
    budget: int
    stage: Stage
    lines: tuple[IndexLine, ...]
    listed: int
    total: int
    headroom: int


def build(tools: Sequence[IndexTool], memory: MemoryTop, triggers: TriggersTop, budget: int = BUDGET) -> SpaceIndex:
    """Make the block of these callable tools, this memory and these triggers; never more than `budget` bytes.

    Raises ValueError for a budget below `SMALLEST_BUDGET`, which no Space has.
    """
    if budget < SMALLEST_BUDGET:
        raise ValueError(f"a budget of {budget} bytes is less than the {SMALLEST_BUDGET} that the bounded lines need")
    before = [OPENING, HEADER]
    after = [_memory_line(memory), _triggers_line(triggers), CLOSING]
    room = budget - sum(_cost(line) for line in (*before, *after)) + 1
    ordered = sorted(tools, key=_place)
    stage, tool_lines, rest = _tool_lines(ordered, room)
    least = [_cost(line) for line in _least_lines(stage, ordered)]
    mean = sum(least) / len(least) if least else TYPICAL_LINE_BYTES

    texts = [*((line, None) for line in before), *tool_lines, *((line, None) for line in (*rest, *after))]
    lines = [IndexLine(text, _cost(text), tool) for text, tool in texts[:-1]]
    lines.append(IndexLine(CLOSING, size(CLOSING)))
    return SpaceIndex(
        text="\n".join(line.text for line in lines),
        bytes=sum(line.bytes for line in lines),
        budget=budget,
        stage=stage,
        lines=tuple(lines),
        listed=len(tool_lines),
        total=len(ordered),
        headroom=0 if stage == "partial" else int((room - sum(least)) / mean),
    )


def line_cost(tool: IndexTool) -> int:
    """Count the bytes that this tool's line takes while nothing has to give ground, its newline included."""
    return _cost(_full_line(tool, neutralise(tool.summary)))


def _place(tool: IndexTool) -> tuple[int, str]:
    """Builtins in their fixed order, then the rest by name: adding a tool moves no other line."""
    if tool.builtin and tool.name in BUILTINS:
        return BUILTINS.index(tool.name), tool.name
    return len(BUILTINS), tool.name


def _cost(line: str) -> int:
    return size(line) + 1


def _tool_lines(ordered: Sequence[IndexTool], room: int) -> tuple[Stage, list[tuple[str, str | None]], list[str]]:
    """Fit the tools into `room` bytes: the stage, each line with its tool, and the lines that stand for the others."""
    if not ordered:
        return "full", [], ["no tool can be called now"]
    names = _while_it_fits((_name_line(tool) for tool in ordered), room)
    if len(names) < len(ordered):
        kept, rest = _partial(names, len(ordered), room)
        return "partial", list(zip(kept, (tool.name for tool in ordered), strict=False)), [rest]

    stage, lines = _with_summaries(ordered, room) or ("names", names)
    return stage, list(zip(lines, (tool.name for tool in ordered), strict=True)), []


def _with_summaries(ordered: Sequence[IndexTool], room: int) -> tuple[Stage, list[str]] | None:
    """Fit all tools with their summaries, shortened to one common width where needed; None if there is no room."""
    summaries = [neutralise(tool.summary) for tool in ordered]
    longest = max(size(summary) for summary in summaries)

    def lines(width: int) -> list[str]:
        return [_full_line(tool, _shorten(text, width)) for tool, text in zip(ordered, summaries, strict=True)]

    def fits(width: int) -> bool:
        return sum(map(_cost, lines(width))) <= room

    if fits(longest):
        return "full", lines(longest)
    if longest <= SUMMARY_BYTES or not fits(SUMMARY_BYTES):
        return None
    widths = range(SUMMARY_BYTES, longest)
    width = widths[bisect_right(widths, False, key=lambda width: not fits(width)) - 1]
    return "shortened", lines(width)


def _partial(names: Sequence[str], total: int, room: int) -> tuple[Sequence[str], str]:
    """Keep as many of the names that fit by themselves as fit beside the line that counts the others."""
    used = [0, *accumulate(map(_cost, names))]
    kept = len(names)
    while kept and used[kept] + _cost(_rest_line(kept, total)) > room:
        kept -= 1
    return names[:kept], _rest_line(kept, total)


def _rest_line(listed: int, total: int) -> str:
    rest = total - listed
    tools = "1 more tool" if rest == 1 else f"{rest} more tools"
    return (
        f'… {tools}: read ~/tools/ with options {{"query": "words"}} finds one, {{"offset": {listed + 1}}} lists them'
    )


def _least_lines(stage: Stage, ordered: Sequence[IndexTool]) -> list[str]:
    """The shortest lines of these tools that the stage knows: past their sum comes the next stage."""
    if stage == "partial":
        return []
    if stage == "names":
        return [_name_line(tool) for tool in ordered]
    summaries = (neutralise(tool.summary) for tool in ordered)
    if stage == "shortened":
        summaries = (_shorten(summary, SUMMARY_BYTES) for summary in summaries)
    return [_full_line(tool, summary) for tool, summary in zip(ordered, summaries, strict=True)]


def _while_it_fits(lines: Iterable[str], room: int) -> list[str]:
    """Take lines from the front until the next would not fit."""
    taken: list[str] = []
    for line in lines:
        room -= _cost(line)
        if room < 0:
            break
        taken.append(line)
    return taken


def _name_line(tool: IndexTool) -> str:
    return f"- {_named(tool.name)}"


def _full_line(tool: IndexTool, summary: str) -> str:
    tag = " (authored)" if tool.authored else ""
    return f"{_name_line(tool)} — {summary}{tag}" if summary else f"{_name_line(tool)}{tag}"


def _shorten(summary: str, width: int) -> str:
    """Cut a summary to `width` bytes, its mark included, without a space before the mark."""
    cut = cut_bytes(summary, width)
    return cut if cut == summary else f"{cut[:-1].rstrip(' ')}…"


def _memory_line(memory: MemoryTop) -> str:
    if not memory.readable:
        return "memory/ — cannot be read now"
    if not (memory.files or memory.entries or memory.more):
        return "memory/ — empty"
    files = "1 file" if memory.files == 1 else f"{memory.files} files"
    about = f"memory/ — {'at least ' if memory.at_least else ''}{files}"
    entries = islice(memory.entries, _MOST_NAMES)
    return _list_line(about, map(_entry, entries), len(memory.entries) + memory.more, at_least=memory.at_least)


def _entry(entry: MemoryEntry) -> str:
    name = cut_bytes(_named(entry.name), NAME_BYTES)
    return f"{name}/({entry.files}{'+' if entry.at_least else ''})" if entry.is_dir else name


def _triggers_line(triggers: TriggersTop) -> str:
    if not triggers.total and not triggers.active:
        return "triggers/ — none"
    about = f"triggers/ — {len(triggers.active)} of {triggers.total} active"
    names = (cut_bytes(_named(name), NAME_BYTES) for name in islice(triggers.active, _MOST_NAMES))
    return _list_line(about, names, len(triggers.active))


def _list_line(about: str, items: Iterable[str], total: int, *, at_least: bool = False) -> str:
    """Join as many items as `LINE_BYTES` holds and count the others."""

    def line(shown: Sequence[str]) -> str:
        rest = total - len(shown)
        others = [f"{'at least ' if at_least else ''}{rest} more"] if rest else []
        return f"{about}: {' · '.join([*shown, *others])}" if total else about

    shown: list[str] = []
    fitting = line(shown)
    for item in items:
        shown.append(item)
        candidate = line(shown)
        if _cost(candidate) <= LINE_BYTES:
            fitting = candidate
    return fitting


def _named(name: str) -> str:
    """Give a name as text of the block; one that is nothing but white space still shows that it is there."""
    return neutralise(name) or REPLACEMENT
