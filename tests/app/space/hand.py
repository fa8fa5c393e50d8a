"""A hand and eyes for the Space tab."""

from __future__ import annotations

import time
from pathlib import Path

from tests.app.transcript.desk import Desk
from workbench import Harness
from workbench.app.space.grants_part import GrantsPart
from workbench.app.space.memory_part import MemoryPart
from workbench.app.space.row_view import RowView
from workbench.app.space.settings_part import SettingsPart
from workbench.app.space.sheet import Sheet
from workbench.app.space.yes_question import FIRST_MOMENT_SECS, YesQuestion
from workbench.app.widgets.lines.view import LineView
from workbench.app.widgets.literal import Literal

LAMBDA = {"description": "Does it.", "runtime": "python", "source": "def main(input):\n    return 1\n"}


def rows(desk: Desk, id: str) -> RowView:
    """The list of a part."""
    return desk.space.query_one(f"#{id}", RowView)


def text(view: RowView) -> str:
    """All that a list says, row by row."""
    return "\n".join(
        " ".join((row.gutter + "".join(text for text, _ in row.head), row.tail[0], *(text for text, _ in row.notes)))
        for row in view.rows
    )


def block(desk: Desk) -> str:
    """The block as it is shown."""
    return "\n".join(row.head[0][0] for row in rows(desk, "index").rows)


def words(desk: Desk, id: str) -> str:
    """What words in a fixed place say."""
    return desk.space.query_one(f"#{id}", Literal).content.plain


def told(desk: Desk) -> str:
    """What was said in passing so far."""
    return "\n".join(str(toast.message) for toast in desk.app._notifications)


def line_of(view: LineView, index: int) -> int:
    """On which line of the list an item begins."""
    return view._heights.top(index) - int(view.scroll_offset.y)


def memory(desk: Desk) -> MemoryPart:
    """The part of memory."""
    return desk.space.query_one(MemoryPart)


def settings(desk: Desk) -> SettingsPart:
    """The part of the settings."""
    return desk.space.query_one(SettingsPart)


def grants(desk: Desk) -> GrantsPart:
    """The part of the grants."""
    return desk.space.query_one(GrantsPart)


def sheet(desk: Desk) -> Sheet:
    """The text that is open."""
    return desk.space.query_one(Sheet)


async def choose(desk: Desk, id: str, key: str) -> None:
    """Put the cursor of a part's list on a row."""
    view = rows(desk, id)
    view.focus()
    await desk.until(lambda: view.go(key), f"{key} in {id}")


async def answer(desk: Desk, key: str) -> None:
    """Answer the question for a yes, as somebody who has read it."""
    question = desk.app.screen
    assert isinstance(question, YesQuestion)
    later = time.monotonic() + FIRST_MOMENT_SECS
    question.clock = lambda: later
    await desk.press(key)


async def at(desk: Desk, key: str) -> None:
    """Put the cursor of the tree on something."""
    outline = memory(desk).outline
    outline.focus()
    await desk.until(lambda: outline.go(key), f"{key} in the tree")


async def made(folder: Path, **files: str) -> None:
    """A Space with a lambda `el` and files of memory."""
    async with Harness.open(folder) as harness:
        await harness.perform("write", {"address": "~/tools/el", "content": LAMBDA})
        for name, content in files.items():
            path = name.replace("__", "/").replace("_txt", ".txt")
            await harness.perform("write", {"address": f"~/memory/{path}", "content": content})
