"""What the button says that stops a call, and what the key does that it names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.widgets import Button

from tests.app.desk import at_desk
from tests.app.tools.call.test_machine_call import called

PLACES: dict[str, tuple[tuple[str, ...], bool]] = {
    "the output": ((), True),
    "the history": (("f5",), False),
    "the folder": (("ctrl+t",), False),
    "a field that is typed into": (("shift+tab", "shift+tab", "x"), False),
    "the list": ((), True),
    "the list while it is filtered": (("slash", "b", "a", "s", "h", "enter"), False),
}
"""Where somebody may be while it runs, the keys that lead there from its output, and whether esc stops it there."""


@pytest.mark.parametrize("place", PLACES)
async def test_the_button_names_the_key_only_where_the_key_stops_it(tmp_path: Path, here: Path, place: str) -> None:
    keys, stops = PLACES[place]
    async with at_desk(tmp_path / "space") as desk:
        os.mkfifo(here / "never")
        await called(desk, "bash", {"command": "echo begun; cat never"})
        await desk.sees("▶ running", "begun", "■ Cancel esc")
        if place.startswith("the list"):
            desk.tools.listing.tool_list.focus()
        button = desk.app.query_one("#cancel", Button)
        await desk.press(*keys)
        await desk.until(lambda: str(button.label) == ("■ Cancel esc" if stops else "■ Cancel"), "the button says it")
        await desk.press("escape")
        if not stops:
            await desk.until(lambda: str(button.label) == "■ Cancel esc", "one step out, and the key stops it")
            assert desk.harness.running()
            await desk.press("escape")
        await desk.sees("■ cancelled")
