"""Pieces that are broken into lines keep their text and their looks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.canaries import CANARIES
from workbench.app.widgets.lines.flow import flow
from workbench.app.widgets.wrapping import wrap
from workbench.harness.text import printable

PIECES = st.lists(
    st.tuples(st.text() | st.sampled_from(CANARIES).map(printable), st.sampled_from(["", "key", "quiet"])), max_size=6
)


@given(PIECES, st.integers(2, 30))
def test_a_broken_line_has_the_text_that_wrap_gives_and_each_character_its_look(
    pieces: list[tuple[str, str]], width: int
) -> None:
    pieces = [(printable(text), look) for text, look in pieces]
    lines = flow(pieces, width)
    assert ["".join(text for text, _ in line) for line in lines] == wrap("".join(text for text, _ in pieces), width)
    assert all(cell_len("".join(text for text, _ in line)) <= width for line in lines)
    for look in ("", "key", "quiet"):
        kept = [char for line in lines for text, of in line if of == look for char in text if char != " "]
        given_ = [char for text, of in pieces if of == look for char in text if not char.isspace() or char in kept]
        assert kept == [char for char in given_ if char not in "\n\t "]
