"""The text boundary: what foreign text may look like on a screen, and inside a prompt.

Two boundaries, two rules. `printable` is for people: every character that would steer a terminal, reorder a line or
hide is made visible in its place, and the lines stay. `neutralise` is for a prompt: one line that cannot close a frame,
open another or carry what nobody sees.
"""

from __future__ import annotations

import re

REPLACEMENT = "\ufffd"
"""Stands where a character was that may not pass."""

WHITE_SPACE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
"""Unicode's White_Space property as the inside of a character class, so that folding is the same in every language."""

# All of Unicode's format characters (Cf) but the two joiners, and the code points that are invisible by default though
# no version assigned them. Written out, because asking `unicodedata` for each of 1.1 million would slow every start; a
# test holds the list against `unicodedata`.
_JOINERS = "\u200c\u200d"
_FORMAT = (
    "\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
_LINE_SEPARATORS = "\u2028\u2029"
_SURROGATES = "\ud800-\udfff"
# Selectors after an ideograph; a run of them carries hidden bytes, and a model reads what no screen shows.
_HIDDEN_SELECTORS = "\U000e0100-\U000e01ef"

_FOLDED = re.compile(f"[{WHITE_SPACE}]+")
_UNPRINTABLE = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_FORMAT}{_LINE_SEPARATORS}{_SURROGATES}]+")
_UNSAFE = re.compile(f"[\x00-\x1f\x7f-\x9f{_FORMAT}{_JOINERS}{_LINE_SEPARATORS}{_SURROGATES}{_HIDDEN_SELECTORS}]")


class _Visible(dict[int, str]):
    """Code point to its visible form, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        if code < 0x20:
            shown = chr(0x2400 + code)
        elif code == 0x7F:
            shown = "\u2421"
        elif code <= 0x9F or 0xD800 <= code <= 0xDFFF:
            shown = REPLACEMENT
        else:
            shown = f"⟨U+{code:04X}⟩"
        self[code] = shown
        return shown


_VISIBLE = _Visible()


def fold(text: str) -> str:
    """Give the text on one line: every run of white space becomes one space, none at the ends."""
    return _FOLDED.sub(" ", text).strip(" ")


def printable(text: str) -> str:
    """Give foreign text as a screen may show it; the same text if nothing in it is unsafe.

    Control characters become their pictures (`␛`), C1 controls and lone surrogates U+FFFD, characters that reorder,
    hide or break lines their code point (`⟨U+202E⟩`). Newlines and tabs stay, as do the joiners and variation selectors
    that emoji and scripts need. Markup is not touched: show the result only where text is taken literally.
    """
    return _UNPRINTABLE.sub(lambda run: run[0].translate(_VISIBLE), text)


def neutralise(text: str) -> str:
    """Give authored text as it may stand inside a prompt's frame: one line, no `<`, nothing invisible.

    Folded first; then `<` becomes `‹`, and every control, format, bidi and surrogate character U+FFFD.
    """
    return _UNSAFE.sub(REPLACEMENT, fold(text)).replace("<", "‹")


def size(text: str) -> int:
    """Count the bytes of the text in UTF-8 (a lone surrogate counts as three)."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def base64_size(count: int) -> int:
    """How many bytes of base64 so many bytes are."""
    return -(-count // 3) * 4


def cut_bytes(text: str, limit: int, mark: str = "…") -> str:
    """Shorten the text to at most `limit` bytes of UTF-8, `mark` included; never inside a character.

    The same text if it fits. Where not even the mark fits, the result is cut without one.
    """
    if size(text) <= limit:
        return text
    room = limit - size(mark)
    if room < 0:
        room, mark = max(limit, 0), ""
    # No character takes less than a byte, so the first `room` characters are enough to look at.
    data = text[: room + 1].encode("utf-8", "surrogatepass")
    while room and data[room : room + 1] and data[room] & 0xC0 == 0x80:
        room -= 1
    return data[:room].decode("utf-8", "surrogatepass") + mark
