"""What is typed stays in sight, however narrow the line is."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.events import Paste

from tests.app.desk import at_desk


@pytest.mark.parametrize("width", [60, 80, 120])
async def test_the_end_of_a_long_line_is_seen(tmp_path: Path, width: int) -> None:
    async with at_desk(tmp_path / "space", size=(width, 24)) as desk:
        await desk.press("3", "i")
        # Typed key by key this takes a quarter of a minute; how its end is typed is what counts.
        desk.app.post_message(Paste('call word_count {"text":"' + "word " * (width // 5)))
        await desk.type('the end"}')
        await desk.sees('the end"}')
