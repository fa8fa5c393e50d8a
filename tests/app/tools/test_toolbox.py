"""The toolbox in the Tools tab: seven tools of the real machine beside verbs of the same names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.desk import at_desk, elsewhere
from tests.harness.on_machine import allow
from workbench.app.tools.contract.pane import ContractPane
from workbench.app.tools.source.pane import SourcePane


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_it_is_listed_behind_the_others_with_why_the_agent_has_it_not(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with at_desk(tmp_path, size=size) as desk:
        await desk.press("G")
        await desk.until(lambda: desk.tools.selected == "toolbox:bash", "the last tool")
        await desk.sees("TOOLBOX: RUN", "○ surface: verbs", "You can use it here: r.")
        assert list(desk.states())[-7:] == [
            f"toolbox:{n}" for n in ("read", "grep", "find", "ls", "write", "edit", "bash")
        ]


async def test_what_is_offered_is_said_with_where_and_the_verbs_say_that_they_are_not(tmp_path: Path) -> None:
    async with elsewhere(tmp_path / "space") as harness:
        await allow(harness, tmp_path)
    async with at_desk(tmp_path / "space") as desk:
        assert desk.states()["read"] == "○ verb, not here"
        assert desk.states()["search"] == "○ not here"
        await desk.select("toolbox:write")
        await desk.sees("● offered, asks", "before each call (approvals.write)")
        assert str(tmp_path) in desk.screen().replace("\n", "")


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_on_a_thread_of_the_machine_the_machine_comes_first_and_a_filter_leads_to_it(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with elsewhere(tmp_path / "space") as harness:
        await allow(harness, tmp_path)
    async with at_desk(tmp_path / "space", size=size) as desk:
        assert desk.tools.selected == "toolbox:read", "at the start"
        await desk.sees("Look at one file of this machine")
        assert next(iter(desk.states())) == "toolbox:read"
        for name in ("read", "write"):
            await desk.select(name)
            await desk.press("slash")
            await desk.type(name)
            await desk.press("enter")
            assert desk.tools.selected == f"toolbox:{name}", "the verb of that name is not in this thread"
            await desk.press("escape")
            assert desk.tools.selected == f"toolbox:{name}"


async def test_on_a_thread_of_the_verbs_the_verb_is_what_a_filter_leads_to(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        assert desk.tools.selected == "read"
        await desk.select("toolbox:read")
        await desk.press("slash")
        await desk.type("read")
        await desk.press("enter")
        assert desk.tools.selected == "read"


async def test_settings_that_change_elsewhere_change_what_is_said(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space") as desk, elsewhere(tmp_path / "space") as other:
        await desk.select("toolbox:ls")
        await allow(other, tmp_path)
        await desk.until(lambda: desk.states()["toolbox:ls"] == "● offered, allowed", "it is offered now")


async def test_two_tools_of_one_name_are_never_taken_for_each_other(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        for key, binding, other in (
            ("read", "verb:read", "toolbox:read"),
            ("toolbox:read", "toolbox:read", "verb:read"),
        ):
            await desk.select(key)
            await desk.press("i")
            await desk.sees(binding, "It has no versions")
            assert other not in desk.screen()
            await desk.press("s")
            await desk.sees(f"workbench.harness.{'verbs' if key == 'read' else 'tools.toolbox'}.read")


async def test_its_contract_is_what_a_model_is_told(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        tool = next(tool for tool in desk.harness.host_tools() if tool.name == "bash")
        await desk.select("toolbox:bash")
        await desk.sees("what goes in", "command*", "timeout")
        await desk.press("m")
        await desk.sees("m: plain", "what a request carries, as a contract")
        text = desk.app.query_one(ContractPane).text
        assert tool.document.description.rstrip() in text
        assert tool.cid in text


async def test_its_source_is_the_executor_itself_beside_the_declaration(tmp_path: Path) -> None:
    async with at_desk(tmp_path, size=(200, 60)) as desk:
        await desk.select("toolbox:grep")
        await desk.press("s", "enter", "f2")
        await desk.sees("declaration f2")
        copied = desk.app.query_one(SourcePane).copied()
        assert copied is not None
        assert copied[1] == "the declaration"
        await desk.press("f2")
        copied = desk.app.query_one(SourcePane).copied()
        assert copied is not None
        assert copied[1] == "the executor workbench.harness.tools.toolbox.grep"
        assert "GREP = HostTool(" in copied[0]


async def test_the_filter_and_the_palette_reach_it_by_its_binding(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.press("slash")
        await desk.type("toolbox:")
        await desk.until(lambda: len(desk.states()) == 7, "the toolbox alone")
        await desk.press("escape", "escape")
        await desk.press("ctrl+p")
        await desk.type("toolbox: read")
        await desk.sees("a tool of the toolbox: it acts on the real machine")
        await desk.press("enter")
        await desk.until(lambda: desk.tools.selected == "toolbox:read", "it is selected")
        await desk.press("ctrl+p")
        await desk.type("tool: read")
        await desk.press("enter")
        await desk.until(lambda: desk.tools.selected == "read", "the verb is selected")


async def test_nothing_of_it_is_edited_or_deleted(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.select("toolbox:edit")
        for action in ("edit", "delete", "duplicate", "switch"):
            assert desk.tools.check_action(action, ()) is False
