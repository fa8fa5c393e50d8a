"""Texts of tens of thousands of lines are held as Textual holds them, with nothing done twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult
from textual.document._document import Document
from textual.document._wrapped_document import WrappedDocument

from workbench.app.widgets.code import CodeArea
from workbench.app.widgets.large_text import LargeDocument, LargeWrapped

TEXTS = st.text(alphabet="ab \t\n漢é", max_size=60)


class Counting(list[str]):
    """Lines that count how often somebody goes through all of them."""

    walks = 0

    def __iter__(self):
        """Go through them."""
        type(self).walks += 1
        return super().__iter__()


class Sheet(App[None]):
    """One editor."""

    def compose(self) -> ComposeResult:
        yield CodeArea()


def told(wrapped: WrappedDocument) -> dict[str, object]:
    """Everything that a text area asks of it."""
    rows = range(wrapped.document.line_count)
    return {
        "height": wrapped.height,
        "sections": wrapped.lines,
        "tabs": [wrapped.get_tab_widths(row) for row in rows],
        "places": [wrapped.location_to_offset((row, 0)) for row in rows],
        "lines": wrapped._offset_to_line_info,
        "offsets": [wrapped.get_offsets(row) for row in rows],
    }


@given(TEXTS)
def test_a_text_has_the_size_that_textual_says(text: str) -> None:
    assert LargeDocument(text).get_size(4) == Document(text).get_size(4)


@given(TEXTS, TEXTS, st.sampled_from([0, 5, 12]), st.data())
def test_lines_are_broken_as_textual_breaks_them_also_after_edits(
    text: str, put: str, width: int, data: st.DataObject
) -> None:
    ours, theirs = LargeDocument(text), Document(text)
    mine, other = LargeWrapped(ours, width), WrappedDocument(theirs, width)
    assert told(mine) == told(other)
    for _ in range(2):
        rows = st.integers(0, ours.line_count - 1)
        row, to = sorted((data.draw(rows), data.draw(rows)))
        start, end = (row, 0), (to, len(ours.lines[to]))
        for document, wrapped in ((ours, mine), (theirs, other)):
            wrapped.wrap_range(start, end, document.replace_range(start, end, put).end_location)
        assert ours.text == theirs.text
        assert told(mine) == told(other)
        # Where the numbers of the lines need another column, an edit is followed by `wrap` alone.
        for document, wrapped in ((ours, mine), (theirs, other)):
            document.replace_range((0, 0), (0, 0), "\tx\n")
            wrapped.wrap(width)
        assert told(mine) == told(other)


@pytest.mark.parametrize("wrap", [False, True])
async def test_painting_and_typing_go_through_a_long_text_a_few_times_and_not_for_every_line(wrap: bool) -> None:
    async with Sheet().run_test(size=(80, 40)) as pilot:
        area = pilot.app.query_one(CodeArea)
        area.soft_wrap = wrap
        area.put("line\n" * 2_000)
        area.focus()
        await pilot.pause()
        wrapped, document = area.wrapped_document, area.document
        assert isinstance(document, LargeDocument)
        wrapped._wrap_offsets = Counting(wrapped._wrap_offsets)  # type: ignore[arg-type]
        document._lines = Counting(document._lines)
        Counting.walks = 0
        await pilot.press("a", "b")
        await pilot.pause()
        assert area.text.startswith("abline")
        assert Counting.walks < 20
