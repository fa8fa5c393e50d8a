"""The bytes of a block, each with what it means; of a block of any size only what is in view is put into words."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from workbench.app.widgets.lines.line import Line, Piece
from workbench.app.widgets.lines.view import LineView
from workbench.app.widgets.wrapping import wrap
from workbench.harness.space.dump import ROW_BYTES, Dump, dump, dump_text, hex_cells, offset_digits

NARROW_BYTES = 8
"""Bytes of a row where sixteen leave no room for what they mean."""

WIDE_FROM = 72
"""From how many columns on a row has sixteen bytes."""

DEEPEST = 8
"""Levels that are shown by standing further in; below them the level is a number."""

AT_ONCE_BYTES = 16 * 1024
"""A block of this size is dumped at once, and put into words to copy when somebody copies it."""

_LOOKS = {"not read": "bad", "key ": "heading", "“": "quiet"}


class BytesView(LineView):
    """The dump. It has no cursor: nothing in it can be chosen."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._block: bytes | None = None
        self._dump: Dump | None = None
        self._words = ""
        self._text = ""

    def show(self, block: bytes | None, words: str) -> None:
        """Show a block; where there is none, why."""
        if block == self._block and words == self._words:
            return
        self._block, self._words, self._text, self._dump = block, words, "", None
        self._make()

    @property
    def text(self) -> str:
        """The whole dump to copy; empty while a large one is being put together."""
        if not self._text and self._dump is not None and len(self._dump.block) <= AT_ONCE_BYTES:
            self._text = dump_text(self._dump)
        return self._text

    @property
    def fault(self) -> str | None:
        """Where the bytes stop making sense."""
        return self._dump.fault if self._dump is not None else None

    def on_resize(self) -> None:
        """As many bytes a row as there is room for."""
        if self._dump is not None and self._dump.width != self._width:
            self._make()

    @property
    def _width(self) -> int:
        return ROW_BYTES if self.size.width >= WIDE_FROM else NARROW_BYTES

    def _make(self) -> None:
        block = self._block
        if block is None:
            self._take(None)
        elif len(block) <= AT_ONCE_BYTES:
            self._take(dump(block, self._width))
        else:
            self._take(None)
            self.run_worker(
                self._make_large(block, self._width),
                name="dump a block",
                group="dump",
                exclusive=True,
                exit_on_error=False,
            )

    async def _make_large(self, block: bytes, width: int) -> None:
        made = await asyncio.to_thread(dump, block, width)
        if block is self._block:
            self._take(made)
            text = await asyncio.to_thread(dump_text, made)
            if self._dump is made:
                self._text = text

    def _take(self, made: Dump | None) -> None:
        self._dump = made
        self.reset(len(made) if made is not None else 0)

    # What a list of lines asks ----------------------------------------------------------------------------------

    def nothing(self) -> Sequence[str]:
        """Why there are no bytes."""
        return (self._words,) if self._block is None else ("The block is being taken apart …",)

    def estimate(self, index: int, width: int) -> int:
        """Nearly always one."""
        return 1

    def lines_of(self, index: int, width: int) -> Sequence[Line]:
        """Offset, bytes, meaning; what does not fit goes on below the meaning."""
        made = self._dump
        if made is None:
            return []
        row = made.row(index)
        digits, cells = offset_digits(made), hex_cells(made)
        deep = f"{row.depth}: " if row.depth > DEEPEST else ""
        into = digits + 2 + cells + 2 + min(row.depth, DEEPEST) * 2
        room = max(width - into, 8)
        meaning = wrap(f"{deep}{row.meaning}", room)
        look = next((look for begin, look in _LOOKS.items() if row.meaning.startswith(begin)), "")
        head: list[Piece] = [
            (f"{row.offset:0{digits}x}  ", "later"),
            (f"{row.bytes.hex(' '):<{cells}}  ", "quiet"),
            ("  " * min(row.depth, DEEPEST), ""),
        ]
        return [[*head, (meaning[0], look)], *([(" " * into, ""), (line, look)] for line in meaning[1:])]

    # Keys -------------------------------------------------------------------------------------------------------

    def action_move(self, step: int) -> None:
        """Scroll by a line."""
        self.scroll_by_lines(step)

    def action_first(self) -> None:
        """Go to the first byte."""
        self.scroll_by_lines(-self.virtual_size.height)

    def action_follow(self) -> None:
        """Go to the last byte."""
        self.scroll_by_lines(self.virtual_size.height)

    def action_open(self) -> None:
        """Nothing in here can be opened."""
