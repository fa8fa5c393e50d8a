"""The lambdas of the demo do what their contracts say."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from workbench import Harness, HarnessError
from workbench.demo.player import Player
from workbench.demo.shipped import find
from workbench.harness.space.agent_file import OwnerFolders

pytestmark = pytest.mark.sandbox


@pytest.fixture
async def prepared(tmp_path: Path) -> AsyncIterator[Harness]:
    """A Space with the demo's lambdas."""
    folders = OwnerFolders(tmp_path / "config", tmp_path / "state")
    async with Harness.open(tmp_path / "space", folders=folders) as harness:
        await Player(harness, find("touch_expand")).prepare()
        yield harness


async def call(harness: Harness, tool: str, input: dict[str, Any]) -> Any:
    """The output of a call by the owner."""
    return (await harness.perform("call", {"tool": tool, "input": input})).result["output"]


CASES: list[tuple[str, dict[str, Any], Any]] = [
    (
        "word_count",
        {"text": "Don't stop, don't\nwell-known", "top": 1},
        {"words": 4, "distinct": 3, "lines": 2, "characters": 28, "top": [{"word": "don't", "count": 2}]},
    ),
    ("word_count", {"text": "— … !", "top": 0}, {"words": 0, "distinct": 0, "lines": 1, "characters": 5, "top": []}),
    (
        "date_diff",
        {"from": "2026-11-30", "to": "2026-12-04"},
        {"days": 4, "weekdays": 4, "from_weekday": "Monday", "to_weekday": "Friday"},
    ),
    (
        "date_diff",
        {"from": "2026-12-07", "to": "2026-11-28"},
        {"days": -9, "weekdays": -5, "from_weekday": "Monday", "to_weekday": "Saturday"},
    ),
    ("slugify", {"text": "Straße & Crème brûlée!"}, {"slug": "strasse-creme-brulee", "words": 3}),
    ("slugify", {"text": "one two three", "max_length": 8, "separator": "_"}, {"slug": "one_two", "words": 3}),
    ("slugify", {"text": "overlong", "max_length": 4}, {"slug": "over", "words": 1}),
    ("slugify", {"text": "!?"}, {"slug": "", "words": 0}),
    ("json_diff", {"before": {"a": [1, 2]}, "after": {"a": [1, 2]}}, {"equal": True, "changes": []}),
    (
        "json_diff",
        {"before": {"a/b": 1, "c": None}, "after": {"a/b": 2, "d": [None]}},
        {
            "equal": False,
            "changes": [
                {"path": "/a~1b", "change": "changed", "before": 1, "after": 2},
                {"path": "/c", "change": "removed", "before": None},
                {"path": "/d", "change": "added", "after": [None]},
            ],
        },
    ),
    (
        "json_diff",
        {"before": [1], "after": {}},
        {
            "equal": False,
            "changes": [
                {"path": "", "change": "changed", "before": [1], "after": {}},
            ],
        },
    ),
    (
        "markdown_toc",
        {"markdown": "# A *b*\n```\n# no\n```\n## C\n#### deep\n## C ##\n"},
        {
            "toc": "- [A b](#a-b)\n  - [C](#c)\n  - [C](#c-1)\n",
            "headings": [
                {"level": 1, "text": "A b", "anchor": "a-b", "line": 1},
                {"level": 2, "text": "C", "anchor": "c", "line": 5},
                {"level": 2, "text": "C", "anchor": "c-1", "line": 7},
            ],
        },
    ),
    ("markdown_toc", {"markdown": "no heading"}, {"toc": "", "headings": []}),
]


async def test_each_gives_what_its_contract_promises(prepared: Harness) -> None:
    for tool, input, output in CASES:
        assert await call(prepared, tool, input) == output, (tool, input)


async def test_a_csv_file_of_memory_is_summarised(prepared: Harness) -> None:
    await prepared.perform("write", {"address": "~/memory/d/x.csv", "content": 'n;t\n1;"a;b"\n\n2.5;\n;a\n'})
    found = await call(prepared, "csv_summary", {"path": "d/x.csv", "delimiter": ";"})
    number = {"name": "n", "type": "number", "filled": 2, "empty": 1, "distinct": 2}
    assert found == {
        "path": "d/x.csv",
        "rows": 3,
        "columns": [
            number | {"min": 1, "max": 2.5, "sum": 3.5, "mean": 1.75},
            {"name": "t", "type": "text", "filled": 2, "empty": 1, "distinct": 2},
        ],
    }


@pytest.mark.parametrize(
    ("tool", "input", "words"),
    [
        ("csv_summary", {"path": "none.csv"}, "none.csv"),
        ("csv_summary", {"path": "../etc/passwd"}, "inside memory"),
        ("date_diff", {"from": "2026-02-30", "to": "2026-03-01"}, "day"),
    ],
)
async def test_what_cannot_be_done_says_why(prepared: Harness, tool: str, input: dict[str, Any], words: str) -> None:
    with pytest.raises(HarnessError, match=words):
        await call(prepared, tool, input)
