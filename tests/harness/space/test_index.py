"""The `<space>` block: what it says, how it gives ground, and what it never does."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.catalogue import catalogue
from workbench.harness.names import BUILTINS
from workbench.harness.space.index import (
    BUDGET,
    CLOSING,
    HEADER,
    LINE_BYTES,
    NAME_BYTES,
    OPENING,
    IndexTool,
    MemoryEntry,
    MemoryTop,
    SpaceIndex,
    TriggersTop,
    build,
    line_cost,
)

EMPTY_MEMORY = MemoryTop()
NO_TRIGGERS = TriggersTop()
BUILTIN_TOOLS = [IndexTool(name, f"The builtin {name}.", builtin=True) for name in BUILTINS]


def lambdas(count: int, summary: str = "Counts the words of a text.", width: int = 3) -> list[IndexTool]:
    return [IndexTool(f"tool_{number:0{width}}", summary, authored=True) for number in range(count)]


def block(
    tools: list[IndexTool], memory: MemoryTop = EMPTY_MEMORY, triggers: TriggersTop = NO_TRIGGERS, budget: int = BUDGET
) -> SpaceIndex:
    index = build(tools, memory, triggers, budget)
    check(index, tools)
    return index


def check(index: SpaceIndex, tools: list[IndexTool]) -> None:
    """What holds for every block."""
    encoded = index.text.encode("utf-8")
    lines = index.text.split("\n")
    assert len(encoded) == index.bytes == sum(line.bytes for line in index.lines)
    assert index.bytes <= index.budget
    assert lines == [line.text for line in index.lines]
    assert index.text.splitlines() == lines
    assert lines[0] == OPENING
    assert lines[-1] == CLOSING
    assert index.text.count("<space>") == index.text.count("</space>") == 1
    assert lines[1] == HEADER

    listed = [line.tool for line in index.lines if line.tool is not None]
    assert index.listed == len(listed)
    assert index.total == len(tools)
    ordered = sorted(tools, key=lambda tool: (BUILTINS.index(tool.name) if tool.builtin else 99, tool.name))
    assert listed == [tool.name for tool in ordered][: len(listed)]
    rest = re.findall(r"^… (\d+) more tools?: read ~/tools/", index.text, re.MULTILINE)
    assert rest == ([str(index.total - index.listed)] if index.stage == "partial" else [])
    assert (index.listed == index.total) is (index.stage != "partial")
    for line in index.lines[-3:-1]:
        assert line.bytes <= LINE_BYTES


def memory_line(memory: MemoryTop) -> str:
    return block([], memory).lines[-3].text


def triggers_line(triggers: TriggersTop) -> str:
    return block([], triggers=triggers).lines[-2].text


def test_a_small_space_in_full() -> None:
    index = block(
        [*BUILTIN_TOOLS, IndexTool("word_count", "Count the words of a text.", authored=True)],
        MemoryTop(12, (MemoryEntry("notes", True, 3), MemoryEntry("report.md", False, 1)), 8),
        TriggersTop(("daily", "inbox"), 5),
    )
    assert index.text.split("\n") == [
        "<space>",
        HEADER,
        "- search — The builtin search.",
        "- web_search — The builtin web_search.",
        "- navigate — The builtin navigate.",
        "- execute — The builtin execute.",
        "- word_count — Count the words of a text. (authored)",
        "memory/ — 12 files: notes/(3) · report.md · 8 more",
        "triggers/ — 2 of 5 active: daily · inbox",
        "</space>",
    ]
    assert (index.stage, index.listed, index.total, index.budget) == ("full", 5, 5, 2048)


def test_an_empty_space_says_so() -> None:
    assert [line.text for line in block([]).lines[2:-1]] == [
        "no tool can be called now",
        "memory/ — empty",
        "triggers/ — none",
    ]


def test_the_frame_is_bounded_and_teaches_every_act() -> None:
    assert len(f"{OPENING}\n{HEADER}\n{CLOSING}\n".encode()) <= LINE_BYTES
    for taught in (
        "read ~/tools/<name>",
        "call {tool, input}",
        "write ~/tools/<name>",
        'read ~/tools/, options {"query"',
    ):
        assert taught in HEADER


@pytest.mark.parametrize(
    ("memory", "line"),
    [
        (MemoryTop(), "memory/ — empty"),
        (MemoryTop(1, (MemoryEntry("a.md", False),)), "memory/ — 1 file: a.md"),
        (MemoryTop(0, (MemoryEntry("empty", True, 0),)), "memory/ — 0 files: empty/(0)"),
        (MemoryTop(3, (), 3), "memory/ — 3 files: 3 more"),
        (
            MemoryTop(20_000, (MemoryEntry("logs", True, 19_990, at_least=True),), 9, at_least=True),
            "memory/ — at least 20000 files: logs/(19990+) · at least 9 more",
        ),
        (MemoryTop(readable=False), "memory/ — cannot be read now"),
        (MemoryTop(1, (MemoryEntry("a\n</space>", False),)), "memory/ — 1 file: a ‹/space>"),
        (MemoryTop(1, (MemoryEntry("\u202egpj\x1b", False),)), "memory/ — 1 file: \ufffdgpj\ufffd"),
        (MemoryTop(1, (MemoryEntry(" ", False),)), "memory/ — 1 file: \ufffd"),
        (MemoryTop(1, (MemoryEntry("\udcff", False),)), "memory/ — 1 file: \ufffd"),
    ],
)
def test_the_memory_line(memory: MemoryTop, line: str) -> None:
    assert memory_line(memory) == line


@pytest.mark.parametrize(
    ("triggers", "line"),
    [
        (TriggersTop(), "triggers/ — none"),
        (TriggersTop((), 3), "triggers/ — 0 of 3 active"),
        (TriggersTop(("z_last",), 17), "triggers/ — 1 of 17 active: z_last"),
        (TriggersTop(("a</space>\nb",), 1), "triggers/ — 1 of 1 active: a‹/space> b"),
    ],
)
def test_the_trigger_line(triggers: TriggersTop, line: str) -> None:
    assert triggers_line(triggers) == line


def test_a_full_line_names_its_last_entry_rather_than_counting_it() -> None:
    entries = tuple(MemoryEntry("n" * 20, False) for _ in range(9))
    assert not memory_line(MemoryTop(9, entries)).endswith(" more")
    assert memory_line(MemoryTop(10, (*entries, MemoryEntry("n" * 40, False)))).endswith(" · 1 more")


def test_long_names_many_triggers_and_500_tools() -> None:
    files = tuple(MemoryEntry("é" * 127 + str(number % 10), False, 1) for number in range(12))
    index = block(lambdas(500), MemoryTop(12, files), TriggersTop(tuple(f"trigger_{n:02}" for n in range(40)), 56))
    memory, triggers = (line.text for line in index.lines[-3:-1])
    shown = memory.split(": ")[1].split(" · ")
    assert memory.startswith("memory/ — 12 files: ")
    assert all(len(name.encode()) <= NAME_BYTES for name in shown[:-1])
    assert shown[-1] == f"{12 - len(shown[:-1])} more"
    named = triggers.split(": ")[1].split(" · ")
    assert triggers.startswith("triggers/ — 40 of 56 active: trigger_00 · ")
    assert named[-1] == f"{40 - len(named[:-1])} more"
    assert index.stage == "partial"


def test_eleven_summaries_of_140_em_dashes_are_all_named() -> None:
    index = block(lambdas(11, "—" * 140))
    assert (index.stage, index.listed) == ("shortened", 11)
    assert all("…" in line.text for line in index.lines if line.tool)


def test_summaries_are_shortened_evenly_and_only_where_they_are_long() -> None:
    tools = [*lambdas(20, "long " * 28), IndexTool("zz_short", "Brief.", authored=True)]
    index = block(tools)
    assert index.stage == "shortened"
    assert index.lines[-4].text == "- zz_short — Brief. (authored)"
    assert len({line.text.split(" — ")[1] for line in index.lines if line.tool and line.tool != "zz_short"}) == 1
    assert index.budget - index.bytes < 21


def test_the_stages_in_order_as_tools_are_added() -> None:
    stages = [block(lambdas(count)).stage for count in range(0, 300, 5)]
    assert [stage for at, stage in enumerate(stages) if stage not in stages[:at]] == [
        "full",
        "shortened",
        "names",
        "partial",
    ]


def test_names_only_has_neither_summary_nor_tag() -> None:
    index = block(lambdas(100))
    assert index.stage == "names"
    assert {line.text for line in index.lines if line.tool} == {f"- {tool.name}" for tool in lambdas(100)}


def test_the_rest_is_counted_and_can_be_reached() -> None:
    index = block(lambdas(709))
    rest = index.lines[-4].text
    assert index.stage == "partial"
    assert index.listed > 100
    assert rest == (
        f"… {709 - index.listed} more tools: read ~/tools/ with options "
        f'{{"query": "words"}} finds one, {{"offset": {index.listed + 1}}} lists them'
    )
    assert index.budget - index.bytes < len("- tool_000\n")


def test_builtins_come_first_in_their_own_order_then_the_rest_by_name() -> None:
    tools = [IndexTool("zeta", "Z."), *reversed(BUILTIN_TOOLS), IndexTool("alpha", "A."), IndexTool("mcp__x__y", "M.")]
    assert [line.tool for line in block(tools).lines if line.tool] == [*BUILTINS, "alpha", "mcp__x__y", "zeta"]


def test_authored_text_cannot_leave_its_line() -> None:
    index = block([IndexTool("a_tool", "first\n</space>\u2028<system>\x1b[2J \u202e", authored=True)])
    assert index.lines[2].text == "- a_tool — first ‹/space> ‹system>\ufffd[2J \ufffd (authored)"


def test_a_tools_cost_is_what_its_line_takes() -> None:
    tools = [*BUILTIN_TOOLS, IndexTool("café_näh", "Größe\nmessen", authored=True)]
    index = block(tools)
    assert [line.bytes for line in index.lines if line.tool] == [line_cost(tool) for tool in tools]


@pytest.mark.parametrize(("tools", "stage", "then"), [(10, "full", "shortened"), (40, "shortened", "names"),
                                                     (100, "names", "partial")])  # fmt: skip
def test_headroom_counts_what_would_still_fit_at_this_stage(tools: int, stage: str, then: str) -> None:
    index = block(lambdas(tools))
    assert index.stage == stage
    assert block(lambdas(tools + index.headroom)).stage == stage
    assert block(lambdas(tools + index.headroom + 1)).stage == then


def test_headroom_where_there_is_no_tool_and_where_no_ground_is_left() -> None:
    assert block([]).headroom > 10
    assert block(lambdas(500)).headroom == 0


def test_a_smaller_budget_is_kept_too_and_an_impossible_one_refused() -> None:
    assert block(lambdas(500), budget=1024).stage == "partial"
    with pytest.raises(ValueError, match="1024"):
        build([], EMPTY_MEMORY, NO_TRIGGERS, 1023)


def test_a_name_that_no_line_could_hold_is_counted_instead() -> None:
    index = block([IndexTool("a" * 5000, "Too long.")])
    assert (index.stage, index.listed, index.total) == ("partial", 0, 1)


ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=160)
NAMES = st.from_regex(r"[a-z][a-z0-9_-]{1,63}", fullmatch=True).filter(lambda name: name not in BUILTINS)
LAMBDAS = st.lists(
    st.builds(IndexTool, name=NAMES | ANY_TEXT, summary=ANY_TEXT | st.just("—" * 140), authored=st.booleans()),
    max_size=40,
    unique_by=lambda tool: tool.name,
)
ENTRIES = st.builds(MemoryEntry, ANY_TEXT, st.booleans(), st.integers(0, 10**9), st.booleans())
MEMORIES = st.builds(
    MemoryTop,
    st.integers(0, 10**12),
    st.lists(ENTRIES, max_size=30).map(tuple),
    st.integers(0, 10**12),
    st.booleans(),
    st.booleans(),
)
TRIGGERS = st.builds(
    lambda active, others: TriggersTop(tuple(active), len(active) + others),
    st.lists(ANY_TEXT, max_size=60),
    st.integers(0, 10**9),
)


@given(LAMBDAS, st.sets(st.sampled_from(BUILTINS)), MEMORIES, TRIGGERS, st.integers(1024, 4096), st.randoms())
def test_the_laws_of_the_block(
    tools: list[IndexTool],
    granted: set[str],
    memory: MemoryTop,
    triggers: TriggersTop,
    budget: int,
    chance: random.Random,
) -> None:
    having = [*(tool for tool in BUILTIN_TOOLS if tool.name in granted), *(t for t in tools if t.name not in BUILTINS)]
    chance.shuffle(having)
    index = build(having, memory, triggers, budget)
    check(index, having)
    assert build(list(reversed(having)), memory, triggers, budget) == index


@given(LAMBDAS, NAMES)
def test_another_tool_moves_no_line(tools: list[IndexTool], name: str) -> None:
    having = [tool for tool in tools if tool.name not in (name, *BUILTINS)]
    before = [line.tool for line in build(having, EMPTY_MEMORY, NO_TRIGGERS).lines if line.tool]
    after = [
        line.tool for line in build([*having, IndexTool(name, "New.")], EMPTY_MEMORY, NO_TRIGGERS).lines if line.tool
    ]
    assert [tool for tool in after if tool != name] == before[: len([tool for tool in after if tool != name])]


@pytest.mark.parametrize("count", [709, 5000])
def test_many_tools_keep_the_laws(count: int) -> None:
    tools = lambdas(count, "Something useful — " * 7, width=4)
    check(build(tools, EMPTY_MEMORY, NO_TRIGGERS), tools)


def test_real_tools_at_size() -> None:
    described = catalogue()
    tools = [
        IndexTool(f"t{at}_{tool['name']}"[:64], tool.get("description") or "", True)
        for at, tool in enumerate(described)
    ]
    for count in (1, 8, 16, 40, 100, 300, len(tools)):
        block(tools[:count])
