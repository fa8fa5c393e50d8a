"""Rows: the cursor stays where it was, whatever comes and goes around it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App, ComposeResult

from workbench.app.space.row_view import Row, RowView, heading, text_row


class Bare(App[None]):
    """Nothing but a list."""

    def compose(self) -> ComposeResult:
        yield RowView(id="rows")


@contextlib.asynccontextmanager
async def showing(rows: Sequence[Row]) -> AsyncIterator[RowView]:
    """A list of ten lines that shows these rows."""
    async with Bare().run_test(size=(40, 10)) as pilot:
        view = pilot.app.query_one(RowView)
        view.show(rows)
        view.focus()
        await pilot.pause()
        yield view


def row(key: str, *notes: str) -> Row:
    return Row(key, ((key, ""),), ("state", "quiet"), tuple((note, "quiet") for note in notes))


def many(count: int) -> list[Row]:
    return [row(f"row {number}") for number in range(count)]


async def test_the_cursor_stays_on_what_it_was_on() -> None:
    async with showing(many(50)) as view:
        view.go("row 20")
        top = view.scroll_offset.y
        view.show([row("new"), *many(50)])
        assert view.key == "row 20"
        assert view.scroll_offset.y == top + 1, "and stays on the same line of the screen"


async def test_where_it_was_on_is_gone_it_stays_near() -> None:
    async with showing(many(5)) as view:
        view.go("row 4")
        view.show(many(3))
        assert view.key == "row 2"
        view.show([])
        assert view.key is None
        view.show(many(3))
        assert view.key == "row 0"


async def test_a_row_that_is_different_is_drawn_anew_where_it_is() -> None:
    async with showing(many(5)) as view:
        view.go("row 3")
        view.show([*many(2), row("row 2", "a note", "another"), *many(5)[3:]])
        assert view.key == "row 3"
        assert "a note" in "".join(text for line in view.lines_of(2, 39) for text, _ in line)


async def test_headings_and_paragraphs_are_passed_by_and_come_into_view_with_the_first_row() -> None:
    rows = [heading("first"), text_row("words " * 20), row("a"), heading("second"), row("b"), text_row("the end")]
    async with showing([*rows, *many(30)]) as view:
        assert view.key == "a"
        view.action_move(1)
        assert view.key == "b"
        view.action_follow()
        assert view.key == "row 29"
        view.action_first()
        assert (view.key, view.scroll_offset.y) == ("a", 0)
        view.action_page(1)
        assert view.key not in (None, "a")


TEXT = st.text(st.characters(exclude_categories=("C", "Z", "M")), min_size=1, max_size=60)


@given(TEXT, TEXT, st.integers(20, 80))
def test_one_line_is_never_wider_than_its_place(head: str, tail: str, width: int) -> None:
    view = RowView()
    view._rows = (Row("k", ((head, ""), (head, "strong")), (tail, "quiet"), hang=4),)
    for line in view.lines_of(0, width):
        assert cell_len("".join(text for text, _ in line)) <= width
