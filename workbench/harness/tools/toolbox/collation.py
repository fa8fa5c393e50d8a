"""The order in which people look for names: signs, then digits, then letters, whatever their case and accents.

It comes near to what the Unicode collation has for every language, at the cost of a key for each name: signs in its
order, digits as characters (`10` before `9`), an accented letter beside its base letter.
"""

from __future__ import annotations

import unicodedata

_SIGNS = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$"
"""The signs of ASCII in the order of the Unicode collation."""

_RANKS = str.maketrans({sign: chr(rank) for rank, sign in enumerate(_SIGNS, 0x0E)})
"""Each sign as a control character, so that signs come before digits and letters; the controls before stay first."""

_OTHER_SIGN = "\x2f"
"""Before a sign outside ASCII: after those of ASCII, before the digits."""

Key = tuple[str, str, str]


def collation_key(name: str) -> Key:
    """The key to sort a name by: its letters, then its accents, then the name as it is, so that no two are equal."""
    folded = name.casefold()
    if folded.isascii():
        return folded.translate(_RANKS), "", name
    base: list[str] = []
    accents: list[str] = []
    for char in unicodedata.normalize("NFKD", folded):
        category = unicodedata.category(char)
        if category[0] == "M":
            accents.append(char)
        elif category == "Nd":
            base.append(str(unicodedata.decimal(char)))
        elif char.isascii():
            base.append(char.translate(_RANKS))
        else:
            base.append(_OTHER_SIGN + char if category[0] in "PSZC" else char)
    return "".join(base), "".join(accents), name
