"""Doing what an author does, in few words."""

from __future__ import annotations

from pathlib import Path

from tests.app.desk import Desk, elsewhere, save
from workbench.app.tools.source.drafts import PARTS
from workbench.app.tools.source.editor import Editor
from workbench.app.tools.source.marked_area import MarkedArea
from workbench.app.tools.source.pane import SourcePane


async def seeded(folder: Path, *names: str) -> None:
    """A Space with some lambdas."""
    async with elsewhere(folder) as harness:
        for name in names or ("word_count",):
            await save(harness, name)


def pane(desk: Desk) -> SourcePane:
    """The Source pane."""
    return desk.app.query_one(SourcePane)


def editor(desk: Desk) -> Editor:
    """The editor in it."""
    return desk.app.query_one(Editor)


def live(desk: Desk) -> str:
    """What the editor says of the draft."""
    return str(desk.app.query_one("#live").visual)


def put(desk: Desk, part: str, text: str) -> None:
    """Have a text in an area, as if it had been typed there."""
    desk.app.query_one(f"#edit-{part}", MarkedArea).replace_all(text)


async def edit(desk: Desk, name: str = "word_count") -> None:
    """Open the editor on a lambda."""
    await desk.select(name)
    await desk.press("e")
    await desk.until(lambda: desk.app.focused and desk.app.focused.id == "edit-source", "the editor is open")
    await looked(desk)


async def looked(desk: Desk) -> None:
    """Wait until what stands in the editor was looked over."""

    def done() -> bool:
        found, draft = editor(desk).findings, editor(desk).draft
        if found is None or draft is None or found.draft.texts != draft.texts:
            return False
        return all(editor(desk).area(part).text.split() == draft.texts[part].split() for part in PARTS)

    await desk.until(done, "the draft is looked over")
