"""Copying through the terminal (OSC 52), so that it works over ssh too."""

from __future__ import annotations

import base64
from collections.abc import Mapping

MAX_BYTES = 74_994
"""Bytes of text at most: 100,000 once encoded, which is where terminals and tmux begin to drop it silently."""

SCREEN_PIECE = 512
"""Characters that screen hands on at once; of more than 768 it keeps nothing."""


def osc52(text: str, environment: Mapping[str, str]) -> str | None:
    """The sequence that asks the terminal to take the text, passed through tmux or screen where one is in between.

    For tmux it is there twice: tmux itself takes the plain one (its default, `set-clipboard`), and hands on the wrapped
    one only where `allow-passthrough` is on.

    None when the text is too large to be taken whole.
    """
    data = text.encode("utf-8", "replace")
    if len(data) > MAX_BYTES:
        return None
    sequence = f"\x1b]52;c;{base64.b64encode(data).decode('ascii')}\x07"
    if environment.get("TMUX"):
        doubled = sequence.replace("\x1b", "\x1b\x1b")
        return f"{sequence}\x1bPtmux;{doubled}\x1b\\"
    if environment.get("TERM", "").startswith("screen"):
        pieces = (sequence[at : at + SCREEN_PIECE] for at in range(0, len(sequence), SCREEN_PIECE))
        return "".join(f"\x1bP{piece}\x1b\\" for piece in pieces)
    return sequence
