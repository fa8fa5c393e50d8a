"""Every tool there is: its row, and what is stored of it."""

from __future__ import annotations

from pathlib import Path

from tests.app.desk import save
from workbench import Harness
from workbench.app.tools.inventory import Inventory
from workbench.app.tools.rows import GONE


async def test_a_row_leads_to_what_is_stored_of_it(tmp_path: Path) -> None:
    async with Harness.open(tmp_path) as harness:
        await save(harness, "mine")
        inventory = Inventory()
        inventory.look(harness.view("main"), ("draft",), worked_on=None)
        assert {"read", "search", "mine", "draft"} <= inventory.names
        assert "toolbox:read" in inventory
        machine = inventory.row("toolbox:read")
        assert machine is not None
        assert "being loaded" in inventory.shown(machine, harness).absent
        inventory.load_machine(harness)
        for key, name in (("mine", "mine"), ("read", "read"), ("toolbox:read", "read")):
            row = inventory.row(key)
            assert row is not None
            shown = inventory.shown(row, harness)
            assert shown.tool is not None
            assert (shown.key, shown.tool.name) == (key, name)
        draft = inventory.row("draft")
        assert draft is not None
        assert inventory.shown(draft, harness).tool is None


async def test_a_lambda_that_goes_away_stays_only_while_somebody_works_on_it(tmp_path: Path) -> None:
    async with Harness.open(tmp_path) as harness:
        await save(harness, "mine")
        inventory = Inventory()
        inventory.look(harness.view("main"), (), worked_on=None)
        await harness.perform("write", {"address": "~/tools/mine", "options": {"delete": True}})
        view = harness.view("main")
        inventory.look(view, (), worked_on="mine")
        row = inventory.row("mine")
        assert row is not None
        assert row.state == GONE
        inventory.look(view, (), worked_on="mine")
        assert "mine" in inventory, "for as long as they do"
        inventory.look(view, (), worked_on="search")
        assert "mine" not in inventory


async def test_only_what_runs_in_the_sandbox_is_widened_with_it(tmp_path: Path) -> None:
    async with Harness.open(tmp_path) as harness:
        await save(harness, "mine")
        await harness.perform("write", {"address": "~/self", "content": {"sandbox": {"network": True}}})
        await harness.approve("sandbox.network", True)
        inventory = Inventory()
        inventory.look(harness.view("main"), (), worked_on=None)
        widened = {row.name for row in inventory.rows if inventory.widened(row)}
        assert widened == {"mine", "execute"}
