"""Characters that a server cut into halves are put together, wherever the pieces end."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pydantic_ai")

from workbench.agent.models.providers.sdk.stream import Whole, mended

TEXTS = st.text(st.sampled_from("aé日😀\U0010ffff\n"), max_size=12)


def halves(text: str) -> str:
    """The text as a JSON reader gives it where each escape came alone."""
    data = text.encode("utf-16-le")
    return "".join(chr(int.from_bytes(data[at : at + 2], "little")) for at in range(0, len(data), 2))


@given(text=TEXTS, cuts=st.lists(st.integers(0, 24), max_size=6))
def test_any_text_in_any_pieces_is_itself_again(text: str, cuts: list[int]) -> None:
    broken = halves(text)
    borders = [0, *sorted(cut for cut in cuts if cut <= len(broken)), len(broken)]
    whole = Whole()

    pieces = [whole.more(broken[start:end]) for start, end in pairwise(borders)]

    assert "".join(pieces) + whole.rest() == text == mended(broken)
    for piece in pieces:
        piece.encode()


@given(text=st.text(st.sampled_from("a\ud83d\ude00"), max_size=8))
def test_a_half_that_stays_alone_is_marked(text: str) -> None:
    whole = Whole()

    assert "".join(map(whole.more, text)) + whole.rest() == mended(text)
    mended(text).encode()
