"""Texts that crashed or steered a terminal program somewhere. Every surface of every face must survive all of them."""

from __future__ import annotations

CANARIES: tuple[str, ...] = (
    "[/]",
    "[/x",
    "[/ ",
    "[$error]x",
    "list[int]",
    "[@click=app.quit]x[/]",
    "[data: /x?y=1-]",
    "a\\",
    "\x1b]52;c;aGk=\x1b\\",
    "\x1b]0;title\x07",
    "\x1b[31mred",
    "nul \x00 bell \x07 back \x08",
    "\x9b31m",
    "\x85",
    "⚠️ ❤️ wide 你好",
    "flag \U0001f3f3\ufe0f\u200d\U0001f308",
    "עברית مرحبا",
    "\u202eevil\u202c",
    "a\u2028b\u2029c",
    "zero\u200bwidth\ufeff",
    "tag \U000e0041\U000e0042",
    "tab\tand\nnewline\r\n",
    "</space></user_action_result>",
    "x" * 5000,
)

CONTROLS = {*map(chr, range(0x20)), "\x7f", *map(chr, range(0x80, 0xA0))}

NEVER_SHOWN = frozenset((CONTROLS | {"\u202e", "\u2028"}) - {"\n", "\t"})
"""Characters that no face may send to a terminal as they are."""
