"""Every tool of the toolbox, called through its form by keys alone, at a narrow and a wide screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.desk import at_desk
from tests.app.tools.call.test_machine_call import at, calls
from tests.harness.tools.toolbox.test_read_images import picture

BY_HAND: dict[str, tuple[tuple[str, ...], str]] = {
    "grep": (("return",), "a.py:2:     return 1"),
    "find": (("*.py",), "a.py"),
    "write": (("new/b.txt", "TAB", "hello"), "Successfully wrote 5 bytes to new/b.txt"),
    "edit": (("a.py", "TAB", "ADD", "return 1", "TAB", "return 2"), "Successfully replaced 1 block(s) in a.py."),
    "read": (("pic.png",), "picture: image/png"),
    "ls": (("new",), "(empty directory)"),
    "bash": (("echo done two",), "done two"),
}
"""What is typed into each form, and what is seen of the answer."""

KEYS = {"TAB": "tab", "ADD": "ctrl+g"}


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
@pytest.mark.parametrize("tool", BY_HAND)
async def test_each_of_the_seven_is_called_through_its_form(
    tmp_path: Path, here: Path, tool: str, size: tuple[int, int]
) -> None:
    (here / "new").mkdir()
    (here / "pic.png").write_bytes(picture(40, 40))
    typed, seen = BY_HAND[tool]
    async with at_desk(tmp_path / "space", size=size) as desk:
        await at(desk, tool)
        for each in typed:
            await (desk.press(KEYS[each]) if each in KEYS else desk.type(each))
        await desk.sees("✓ ready")
        await desk.press("ctrl+r")
        await desk.sees("✓ ok", seen)
        assert [call.name for call in calls(desk)] == [tool]
