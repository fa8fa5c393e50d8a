"""What a difference between two schemas means for those who use the tool, in words.

`breaking`: who used the tool rightly before may fail now. `widening`: nobody fails, and something is possible that was
not. `neutral`: neither. For an input that is about what callers may send, for an output about what readers may rely on:
a value that may come now and could not before breaks readers; one that comes no more gives them more to rely on.

There is no fourth word: what cannot be shown to be safe is called breaking, and the reason says that this is why.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["breaking", "widening", "neutral"]

KINDS: tuple[Kind, ...] = ("breaking", "widening", "neutral")
"""From what matters most."""

Use = Literal["input", "output"]

ONE_VALUE = "the value "
"""How the one noun phrase in the singular begins."""

MOST_CHANGES = 300
"""Changes that are listed; what they amount to is said of the rest."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a tool document.

    `part` is the field that it is in (`input`, `output`, `summary`…), `path` leads to the values it is about
    (`$.a.b[0]`; `.*` and `[*]` stand for any other property and item), `what` says the change and `why` its kind.
    """

    part: str
    path: str
    kind: Kind
    what: str
    why: str


@dataclass(slots=True)
class Fact:
    """A difference at one place, before it is known who uses the values.

    `lost` are the values that only the old schema accepts, `gained` those that only the new one does, each as a noun
    phrase; `doubt` is why it could not be found out, with `narrows` and `widens` saying which of the two
    may be. `note` is the reason when it makes no difference. With neither flag it is about words alone.
    """

    path: str
    what: str
    lost: str = ""
    gained: str = ""
    doubt: str = ""
    note: str = ""
    narrows: bool = field(default=False)
    widens: bool = field(default=False)

    def __post_init__(self) -> None:
        self.narrows = self.narrows or bool(self.lost)
        self.widens = self.widens or bool(self.gained)

    def keep(self, *, narrows: bool = True, widens: bool = True) -> Fact:
        """Take back what turned out not to be so."""
        self.narrows, self.widens = self.narrows and narrows, self.widens and widens
        return self

    def change(self, use: Use) -> Change:
        """What it means for callers (`input`) or readers (`output`)."""
        bad, good = (self.narrows, self.widens) if use == "input" else (self.widens, self.narrows)
        kind: Kind = "breaking" if bad else "widening" if good else "neutral"
        return Change(use, self.path, kind, self.what, self._why(use, bad=bad, good=good))

    def _why(self, use: Use, *, bad: bool, good: bool) -> str:
        if not bad and not good:
            return self.note or "the same values fit as before"
        lost, gained = (self.lost if self.narrows else ""), (self.gained if self.widens else "")
        said: list[str] = []
        if use == "input":
            if lost:
                said.append(f"{lost} {_verb(lost, 'were')} accepted before and {_verb(lost, 'are')} refused now")
            if gained:
                said.append(f"{gained} {_verb(gained, 'are')} accepted now")
        else:
            if gained:
                said.append(f"{gained} may come now, which readers did not have to expect")
            if lost:
                said.append(f"{lost} {_verb(lost, 'do')} not come any more")
        told = lost if use == "input" else gained
        if bad and not told:
            said.insert(0, f"it cannot be shown to be safe: {self.doubt or 'other values fit than before'}")
        elif not said:
            said.append(
                f"nothing that fitted is refused; perhaps more fits now: {self.doubt}"
                if use == "input"
                else f"readers get nothing new; perhaps less comes: {self.doubt}"
            )
        return "; ".join(said)


def _verb(phrase: str, plural: str) -> str:
    """The verb for a noun phrase, which is about one value or about many."""
    return {"were": "was", "are": "is", "do": "does"}[plural] if phrase.startswith(ONE_VALUE) else plural


def listed(facts: list[Fact], use: Use) -> tuple[Change, ...]:
    """The changes of some facts, the breaking ones first, at most `MOST_CHANGES`; one more counts the rest."""
    changes = [fact.change(use) for fact in facts]
    changes = list(dict.fromkeys(sorted(changes, key=lambda change: KINDS.index(change.kind))))
    if len(changes) <= MOST_CHANGES:
        return tuple(changes)
    rest = changes[MOST_CHANGES:]
    counts = ", ".join(f"{sum(each.kind == kind for each in rest)} {kind}" for kind in KINDS)
    return (
        *changes[:MOST_CHANGES],
        Change(use, "$", rest[0].kind, f"and {len(rest)} more changes", f"they are {counts}"),
    )
