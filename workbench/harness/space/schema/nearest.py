"""The name that an invented key resembles most, found in bounded time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice

MAX_NAMES = 300
"""Names of one place that keys are compared with; the others are left out."""

MAX_CHARACTERS = 64
"""Names and keys are compared by so many of their first characters."""

MAX_CANDIDATES = 50
"""Names that one key is compared with in full, those that share most characters with it first."""

MAX_STEPS = 60_000
"""What all comparisons of one search may cost together, in steps of some 3 µs; after them no key gets a name."""

_CUTOFF = 0.6
_LOOK = 2  # steps that it takes to see which characters two texts share


@dataclass(frozen=True, slots=True)
class Name:
    """A name, made ready to be compared: letter case aside, and how often it has each character."""

    text: str
    folded: str
    bag: Counter[str]


def ready(names: Iterable[str]) -> tuple[Name, ...]:
    """The first `MAX_NAMES` names, made ready; of those that differ in nothing that is compared, the last one."""
    folded = {_fold(name): name for name in islice(names, MAX_NAMES)}
    return tuple(Name(text, key, Counter(key)) for key, text in folded.items())


class Nearest:
    """One search's comparisons: what they cost is counted, so that no schema and no input makes them take long."""

    def __init__(self) -> None:
        self._left = MAX_STEPS

    def find(self, key: str, names: Sequence[Name]) -> str | None:
        """The name whose `difflib` ratio with `key` is highest, if it is at least 0.6."""
        folded = _fold(key)
        bag = Counter(folded)
        ranked = self._ranked(folded, bag, names)
        matcher: SequenceMatcher[str] = SequenceMatcher()
        matcher.set_seq2(folded)
        best: tuple[float, str, str] | None = None
        for bound, name in ranked[:MAX_CANDIDATES]:
            # No name from here on can do better.
            if best is not None and bound < best[0]:
                break
            # Characters that are alike are what difflib goes through, once for each block that it finds.
            self._left -= 1 + sum(count * name.bag[character] for character, count in bag.items()) * 2 // 3
            if self._left < 0:
                break
            matcher.set_seq1(name.folded)
            found = (matcher.ratio(), name.folded, name.text)
            if found[0] >= _CUTOFF and (best is None or found > best):
                best = found
        return best[2] if best is not None else None

    def _ranked(self, folded: str, bag: Counter[str], names: Sequence[Name]) -> list[tuple[float, Name]]:
        """The names that can reach the cutoff, by what their ratio is at most."""
        ranked: list[tuple[float, Name]] = []
        for name in names:
            both = len(folded) + len(name.folded)
            if 2 * min(len(folded), len(name.folded)) < _CUTOFF * both:
                continue
            self._left -= _LOOK
            if self._left < 0:
                return []
            bound = 2 * (bag & name.bag).total() / both if both else 1.0
            if bound >= _CUTOFF:
                ranked.append((bound, name))
        ranked.sort(key=lambda one: one[0], reverse=True)
        return ranked


def _fold(text: str) -> str:
    return text[:MAX_CHARACTERS].casefold()[:MAX_CHARACTERS]
