"""The toolbox in the list: its groups, and the state of each tool in words."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.harness.on_machine import allow
from workbench import Harness
from workbench.app.tools.machine_rows import machine_rows
from workbench.app.tools.rows import ToolRow, matching, rows


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncIterator[Harness]:
    """A Space."""
    async with Harness.open(tmp_path / "space") as opened:
        yield opened


def listed(harness: Harness, thread: str = "main") -> dict[str, ToolRow]:
    """The rows of the toolbox by their keys."""
    return {row.key: row for row in machine_rows(harness.view(thread), {"bash": "Run commands."})}


async def test_what_looks_comes_first_then_what_changes_then_what_runs(harness: Harness) -> None:
    found = listed(harness)
    assert [(row.group, row.name) for row in found.values()] == [
        ("look", "read"), ("look", "grep"), ("look", "find"), ("look", "ls"),
        ("change", "write"), ("change", "edit"),
        ("run", "bash"),
    ]  # fmt: skip
    assert found["toolbox:bash"].summary == "Run commands."


async def test_the_verb_and_the_tool_of_one_name_are_two_rows(harness: Harness) -> None:
    view = harness.view("main")
    found = rows(view.verbs, (), view.promotion, machine=machine_rows(view, {}))
    assert [row.key for row in found if row.name == "read"] == ["read", "toolbox:read"]
    assert [row.key for row in matching(found, "toolbox:wr")] == ["toolbox:write"]
    assert {row.group for row in matching(found, "toolbox")} == {"look", "change", "run"}


@pytest.mark.parametrize(
    ("content", "yes", "state"),
    [
        ({}, (), "○ surface: verbs"),
        ({"workdir": "/"}, (True,), "○ surface: verbs"),
        ({"surface": "toolbox"}, (True,), "○ no workdir"),
        ({"surface": "toolbox", "workdir": "/"}, (), "○ waits for yes"),
        ({"surface": "toolbox", "workdir": "/"}, (True, False), "○ you said no"),
    ],
)
async def test_what_the_agent_is_not_offered_says_why(
    harness: Harness, content: dict[str, Any], yes: tuple[bool, ...], state: str
) -> None:
    if content:
        await harness.perform("write", {"address": "~/self", "content": content})
    for waiting, answer in zip(harness.waiting(), yes, strict=False):
        await harness.approve(waiting.id, answer)
    missing = harness.toolbox().missing
    assert missing is not None
    for row in listed(harness).values():
        assert f"{row.glyph} {row.state}" == state
        assert row.detail.startswith(missing.removesuffix(" Nothing was done."))
        assert "You can use it here: r." in row.detail


async def test_what_the_agent_is_offered_says_where_and_whether_it_asks(harness: Harness, tmp_path: Path) -> None:
    rules = {"write": "allow", "edit": "deny", "bash": {"deny": ["rm *"]}, "ls": "ask"}
    await allow(harness, tmp_path, **rules)
    found = listed(harness)
    assert {key: f"{row.glyph} {row.state}" for key, row in found.items()} == {
        "toolbox:read": "● offered, allowed",
        "toolbox:grep": "● offered, allowed",
        "toolbox:find": "● offered, allowed",
        "toolbox:ls": "● offered, asks",
        "toolbox:write": "● offered, allowed",
        "toolbox:edit": "○ denied",
        "toolbox:bash": "● offered by rules",
    }
    assert found["toolbox:write"].tone == "changed", "what changes something unasked stands out"
    assert found["toolbox:read"].tone == "good"
    assert f"in {tmp_path}" in found["toolbox:ls"].detail
    assert "It asks you before each call (approvals.ls)." in found["toolbox:ls"].detail
    assert "but for what its patterns say" in found["toolbox:bash"].detail
    assert "approvals.edit denies it" in found["toolbox:edit"].detail


async def test_a_thread_of_the_other_surface_is_told_apart(harness: Harness, tmp_path: Path) -> None:
    await harness.perform("read", {"address": "~/memory/"}, "agent", "before")
    await allow(harness, tmp_path)
    assert "which this thread is not of" in listed(harness, "before")["toolbox:ls"].detail
    assert "which this thread is not of" not in listed(harness, "after")["toolbox:ls"].detail
    view = harness.view("after")
    verb = rows(view.verbs, (), view.promotion, on_machine=True)[0]
    assert (verb.state, verb.detail) == (
        "verb, not here",
        "This thread is of the toolbox surface: its requests carry no verbs.",
    )
