"""The line above a contract: what its key does is there at every width."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.desk import at_desk, save

MANY = {f"p{number}": {"type": "string", "description": "words " * 8} for number in range(900)}
"""So many that the exact text has pages."""


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
@pytest.mark.parametrize("tool", ["long", "write", "toolbox:read"])
async def test_what_m_does_is_there_at_every_width(tmp_path: Path, size: tuple[int, int], tool: str) -> None:
    async with at_desk(tmp_path, size=size) as desk:
        await save(desk.harness, "long", input={"type": "object", "properties": MANY})
        await desk.until(lambda: "long" in desk.states(), "it is listed")
        await desk.select(tool)
        await desk.sees("m: exact text")
        await desk.press("m")
        await desk.sees("m: plain")
