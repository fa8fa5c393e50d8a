"""What streams, as items: nothing is lost, each is bounded, and a frame takes in a bounded part."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.canaries import CANARIES
from workbench.agent.models.model import Calling, Text, Thinking
from workbench.agent.notes import Streamed
from workbench.app.live import HEAD_CHARS, PIECE_CHARS, Live
from workbench.app.transcript.live_items import CHUNK_CHARS, CHUNK_LINES, FRAME_CHARS, Growing, LiveItems
from workbench.harness.text import printable

PIECES = st.lists(st.text(st.sampled_from("ab \n\t\x1b"), max_size=300), max_size=30)


def streaming(*pieces: Text | Thinking | Calling) -> Live:
    """A turn of which these came."""
    live = Live("demo", "scripted:test")
    for piece in pieces:
        live.note(Streamed(piece))
    return live


def shown(items: LiveItems) -> str:
    """All lines of the items."""
    return "\n".join(line for place in range(len(items)) for line, _ in items.lines(place, 200))


@given(PIECES)
def test_a_text_grows_by_whatever_pieces_without_loss_and_in_bounded_items(pieces: list[str]) -> None:
    growing = Growing()
    for upto in range(len(pieces) + 1):
        growing.take(pieces[:upto], FRAME_CHARS)
    whole = printable("".join(pieces)).lstrip("\n")
    # Between two items a line break or a space went away.
    assert "".join(growing.chunks).replace("\n", "").replace(" ", "") == whole.replace("\n", "").replace(" ", "")
    assert all(len(chunk) <= CHUNK_CHARS and chunk.count("\n") <= CHUNK_LINES for chunk in growing.chunks)


def test_only_the_last_item_is_different_when_more_comes() -> None:
    growing = Growing()
    growing.take(["word " * 2_000], FRAME_CHARS)
    before = list(growing.chunks)
    took, changed = growing.take(["word " * 2_000, " and more"], FRAME_CHARS)
    assert (took, changed) == (9, len(before) - 1)
    assert growing.chunks[:changed] == before[:-1]


def test_a_frame_takes_in_a_bounded_part_of_a_flood() -> None:
    live = streaming(Text("x" * 5_000_000))
    assert all(len(piece) <= PIECE_CHARS for piece in live.text)
    items, frames = LiveItems(), 0
    items.show(live, None)
    while items.behind:
        before = len(items)
        items.show(live, None)
        frames += 1
        assert len(items) - before <= (FRAME_CHARS + PIECE_CHARS) // CHUNK_CHARS + 1
    assert frames >= 5_000_000 // (FRAME_CHARS + PIECE_CHARS) - 1
    assert items.show(live, None) is None, "nothing came"


def test_what_is_thought_is_one_line_until_it_is_opened() -> None:
    items = LiveItems()
    items.show(streaming(Thinking("a\nb\nc"), Text("Said.")), None)
    assert "thought 5 chars, enter shows it" in shown(items)
    assert "b" not in shown(items).split("\n")
    items.toggle()
    assert shown(items).split("\n")[1:] == ["a", "b", "c", "Said."]


def test_calls_are_shown_as_they_are_written_and_only_their_beginning_is_kept() -> None:
    live = streaming(Calling(0, "search", '{"query": '), Calling(1, "read", "{"), Calling(0, "search", '"x' * 4_000))
    items = LiveItems()
    items.show(live, None)
    assert "writing call read {…" in shown(items)
    assert "8,010 characters" in " ".join(shown(items).split())
    assert all(len(call.head) <= 2 * HEAD_CHARS for call in live.calls.values())


def test_control_characters_are_made_visible() -> None:
    pieces = [Text(text) for text in CANARIES] + [Thinking(text) for text in CANARIES]
    pieces += [Calling(place, text, text) for place, text in enumerate(CANARIES)]
    items = LiveItems()
    items.show(streaming(*pieces), None)
    items.toggle()
    assert not any(ord(char) < 32 or 127 <= ord(char) < 160 for char in shown(items).replace("\n", ""))
