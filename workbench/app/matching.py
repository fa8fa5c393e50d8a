"""Finding names by a few letters of them, in time that grows only with their length.

Textual's own matcher tries every way to spread the letters over a name, which takes years for a name like "aaaa…".
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct


class Match(Struct, frozen=True):
    """How well a text fits a query, more is better, and the places of the letters that made it fit."""

    score: float
    places: tuple[int, ...]


def match(query: str, text: str) -> Match | None:
    """Match the words of a query, each as a piece of the text or, weaker, as letters in their order.

    None where a word is not in it. An empty query fits everything.
    """
    return fit(words_of(query), folded(text))


def words_of(query: str) -> list[str]:
    """The words of a query, for `fit`."""
    return folded(query).split()


def folded(text: str) -> str:
    """A text as `fit` takes it, letter by letter, so that places in it are places in the text."""
    if text.isascii():
        return text.lower()
    return "".join(lower if len(lower := char.lower()) == 1 else char for char in text)


def fit(words: Sequence[str], text: str) -> Match | None:
    """What `match` does, for whoever holds many texts against one query: both as they are compared."""
    if len(words) == 1:
        return _piece(words[0], text) or _letters(words[0], text)
    score, places = 0.0, set[int]()
    for word in words:
        found = _piece(word, text) or _letters(word, text)
        if found is None:
            return None
        score += found.score
        places.update(found.places)
    return Match(score, tuple(sorted(places)))


def _piece(word: str, text: str) -> Match | None:
    """The word as it is: at the beginning of a word if it is there anywhere, else where it comes first."""
    first = at = text.find(word)
    while at > 0 and text[at - 1].isalnum():
        at = text.find(word, at + 1)
    begins = at >= 0
    at = at if begins else first
    if at < 0:
        return None
    end = at + len(word)
    whole = begins and (end == len(text) or not text[end].isalnum())
    return Match(len(word) * (3.0 if whole else 2.5 if begins else 2.0), tuple(range(at, end)))


def _letters(word: str, text: str) -> Match | None:
    """The letters of the word, each at the first place behind the one before."""
    places: list[int] = []
    at = -1
    for letter in word:
        at = text.find(letter, at + 1)
        if at < 0:
            return None
        places.append(at)
    spread = places[-1] - places[0] + 1
    return Match(len(word) * len(word) / spread, tuple(places))
