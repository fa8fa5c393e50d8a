"""Finding what an edit is to replace: exactly as it stands, or else in the form for comparing.

Each edit is looked up by itself and counted where it matched. One that matches exactly is applied exactly, whatever the
others of the call need. One that does not is looked for in the normalised text; the lines that it touches are then
taken in that form, every other line stays as it is.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate, pairwise

from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.editing.line_endings import (
    ENDING,
    Change,
    Endings,
    common_start,
    with_newlines,
)
from workbench.harness.tools.toolbox.editing.nearest import closest_place
from workbench.harness.tools.toolbox.editing.normalise import (
    BLANK,
    normalised,
    normalised_line,
    normalised_lines,
    normalised_part,
)

_LINES = 1024


class Replacement(Struct, frozen=True):
    """One edit of a call, with `\\n` as the ending of lines in `new`."""

    old: str
    new: str


class Located(Struct, frozen=True):
    """Where the edits of a call belong. `base` is the text that they change, `changes` is in its order.

    `normalised` has the numbers of the edits that matched only in the form for comparing; their lines are in that form
    in `base`.
    """

    base: Endings
    changes: tuple[Change, ...]
    normalised: tuple[int, ...] = ()


def locate(original: Endings, edits: Sequence[Replacement], path: str, check: Callable[[], None]) -> Located:
    """Find the place of every edit of a call. `path` is what a message calls the file.

    `check` is asked between the steps, which may be long, and may raise.

    Raises:
        HarnessError: `bad_input` for an empty old text, one that is there more than once, or edits that overlap;
            `not_found` for one that is not there, with the place that comes closest.
    """
    several = len(edits) > 1
    for number, edit in enumerate(edits):
        if edit.old == "":
            what = f"edits[{number}].oldText" if several else "oldText"
            raise HarnessError("bad_input", f"{what} must not be empty in {path}.")
    lines: _Lines | None = None
    exact: dict[int, tuple[int, int]] = {}
    compared: dict[int, tuple[int, int]] = {}
    for number, edit in enumerate(edits):
        check()
        old = with_newlines(edit.old)
        count, start = _exactly(original, edit.old, old)
        if count == 1:
            exact[number] = (start, start + len(old))
            continue
        if count == 0:
            lines = lines or _Lines(original.text, check)
            count, start, end = _compared(lines.text, old, check)
            if count == 1:
                compared[number] = (start, end)
                continue
        if count > 1:
            raise HarnessError("bad_input", _found_often(count, number if several else None, path))
        message = _not_found(number if several else None, path)
        raise HarnessError("not_found", message + closest_place(original.text, old))
    check()
    base = original
    places = exact
    if lines is not None:
        base, places = _with_forms(original, lines, exact, compared, path, check)
    ordered = sorted(places, key=lambda number: (places[number], number))
    for former, latter in pairwise(ordered):
        if places[latter][0] < places[former][1]:
            raise HarnessError(
                "bad_input",
                f"edits[{former}] and edits[{latter}] overlap in {path}. "
                "Merge them into one edit or target disjoint regions.",
            )
    changes = tuple(Change(*places[number], with_newlines(edits[number].new)) for number in ordered)
    return Located(base, changes, tuple(sorted(compared)))


def _exactly(original: Endings, raw: str, old: str) -> tuple[int, int]:
    """How often a text is there, and where first. Where it is there once with its own line endings, that is the one,
    whatever comes out where all endings are taken for the same: there another place may match before it or over it."""
    place, again = _twice(original.raw, raw)
    if place >= 0 and not again:
        return 1, original.of(place)
    if original.text is original.raw and raw is old:
        return (original.raw.count(raw), place) if again else (0, -1)
    start, more = _twice(original.text, old)
    if again or more:
        return max(original.raw.count(raw), original.text.count(old)), -1
    return (1, start) if start >= 0 else (0, -1)


def _twice(text: str, old: str) -> tuple[int, bool]:
    """Where a text is first, -1 for nowhere, and whether it is there once more behind that."""
    start = text.find(old)
    return start, start >= 0 and text.find(old, start + len(old)) >= 0


def _compared(text: str, old: str, check: Callable[[], None]) -> tuple[int, int, int]:
    """How often a text is there in the form for comparing, and from where to where first."""
    form = normalised(old, check)
    if not form.strip("\n"):
        # Blanks alone become nothing, or newlines alone, which are everywhere and say no place.
        return 0, -1, -1
    # Blanks at the very end may stand within a line; only where they do not is that the end of a line.
    whole = normalised(old + "|", check)[:-1]
    count = text.count(whole)
    if count or whole == form:
        start = text.find(whole)
        return count, start, start + len(whole)
    ended = f"{text}\n"
    start = ended.find(f"{form}\n")
    return ended.count(f"{form}\n"), start, start + len(form)


class _Lines:
    """The lines of a text, as they are and in the form for comparing; both texts have equally many."""

    def __init__(self, text: str, check: Callable[[], None]) -> None:
        self.forms = normalised_lines(text, check)
        self.text = "\n".join(self.forms)

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate((len(form) + 1 for form in self.forms), initial=0))

    def line_at(self, place: int) -> int:
        """The line that a place of the normalised text is in, from 0."""
        return bisect_right(self._starts, place) - 1

    def start(self, line: int) -> int:
        """Where a line begins in the normalised text."""
        return self._starts[line]


def _with_forms(
    original: Endings,
    lines: _Lines,
    exact: dict[int, tuple[int, int]],
    compared: dict[int, tuple[int, int]],
    path: str,
    check: Callable[[], None],
) -> tuple[Endings, dict[int, tuple[int, int]]]:
    """The text with the lines in the form for comparing that edits matched in, and every edit's place in it."""
    touched: dict[int, int] = {}
    for number, (start, end) in compared.items():
        for line in range(lines.line_at(start), lines.line_at(max(start, end - 1)) + 1):
            touched.setdefault(line, number)
    bounds = sorted((place, number) for number, places in exact.items() for place in set(places))
    pieces: list[str] = []
    new_starts: list[int] = []
    moved: dict[int, int] = {}
    done = at_old = at_new = next_bound = 0
    # Line by line through the text as it is, since each line keeps the ending that it has.
    for line, form in enumerate(lines.forms):
        if line % _LINES == 0:
            check()
        ending = ENDING.search(original.raw, done)
        end, after = (ending.start(), ending.end()) if ending else (len(original.raw),) * 2
        text = original.raw[done:end]
        within: list[tuple[int, int]] = []
        while next_bound < len(bounds) and bounds[next_bound][0] <= at_old + len(text):
            place, number = bounds[next_bound]
            within.append((place - at_old, number))
            next_bound += 1
        columns = {column: column for column, _ in within}
        if line in touched:
            written, columns = _parted(text, sorted(columns), check)
            if written.rstrip(BLANK) != form:
                same = common_start(written, form)
                culprit = next((number for column, number in within if columns[column] > same), within[-1][1])
                raise HarnessError("bad_input", _half_a_character(culprit, touched[line], path))
        else:
            written = text
        moved.update((at_old + column, at_new + new) for column, new in columns.items())
        pieces += (written, original.raw[end:after])
        new_starts.append(at_new)
        at_old += len(text) + 1
        at_new += len(written) + 1
        done = after
    places = {number: (moved[start], moved[end]) for number, (start, end) in exact.items()}
    for number, (start, end) in compared.items():
        first, last = lines.line_at(start), lines.line_at(end)
        places[number] = (
            new_starts[first] + start - lines.start(first),
            new_starts[last] + end - lines.start(last),
        )
    return Endings("".join(pieces)), places


def _parted(line: str, columns: Sequence[int], check: Callable[[], None]) -> tuple[str, dict[int, int]]:
    """A line in the form for comparing, made part by part, and where in it the places are that it was parted at.

    The parts together are the form of the line, unless what became one character was parted. Blanks at the end stay
    where a part that is to be changed has them or has them before it.
    """
    parts: list[str] = []
    places: dict[int, int] = {}
    done = at = 0
    for column in columns:
        parts.append(normalised_part(line[done:column], check))
        at += len(parts[-1])
        places[column] = at
        done = column
    parts.append(normalised_line(line[done:], check))
    return "".join(parts), places


def _found_often(count: int, number: int | None, path: str) -> str:
    if number is None:
        return (
            f"Found {count} occurrences of the text in {path}. The text must be unique. "
            "Please provide more context to make it unique."
        )
    return (
        f"Found {count} occurrences of edits[{number}] in {path}. Each oldText must be unique. "
        "Please provide more context to make it unique."
    )


def _half_a_character(number: int, other: int, path: str) -> str:
    return (
        f"edits[{number}] begins or ends within a character in {path}, between a letter and the mark on it: on a line "
        f"where edits[{other}] was found only in plain form, the two become one. Have edits[{number}] take in both, "
        "or make it in a call of its own."
    )


def _not_found(number: int | None, path: str) -> str:
    if number is None:
        return (
            f"Could not find the exact text in {path}. "
            "The old text must match exactly including all whitespace and newlines."
        )
    return (
        f"Could not find edits[{number}] in {path}. "
        "The oldText must match exactly including all whitespace and newlines."
    )
