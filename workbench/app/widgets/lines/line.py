"""What a line of such a list is made of, before it is painted."""

from __future__ import annotations

from collections.abc import Sequence

Piece = tuple[str, str]
"""A printable text and the name of its look, `""` for the plain one."""

Line = Sequence[Piece]
"""One line on the screen."""
