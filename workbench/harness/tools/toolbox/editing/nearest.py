"""The place in a text that comes closest to one that is not in it, in words for whoever looked for it.

Bounded work: a bounded part of the file, a bounded number of lines of what was looked for.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from heapq import nlargest
from itertools import islice

from workbench.harness.tools.toolbox.limits import NEAREST_CHARS, NEAREST_LINES

_OLD_LINES = 20_000
_VOTING_LINES = 1000
_PLACES_A_LINE = 8
_CANDIDATES = 24
_EXAMINED = 3
_THOROUGH_LINES = 12
_COMPARED_LINES = 60
_COMPARED_CHARS = 240
_WORDS = 8
_PARTS = 16
_SHOWN_LINES = 12
_SHOWN_BEFORE = 4
_SHOWN_CHARS = 200
_CLOSE_ENOUGH = 0.6


def closest_place(text: str, old: str) -> str:
    """What to add to the message that `old` is not in `text`; both have `\\n` endings. Empty where nothing is close."""
    lines = text[:NEAREST_CHARS].split("\n", NEAREST_LINES)[:NEAREST_LINES]
    wanted = old.split("\n", _OLD_LINES)[:_OLD_LINES]
    while len(wanted) > 1 and not wanted[-1].strip():
        wanted.pop()
    first = next((number for number, line in enumerate(wanted) if line.strip()), None)
    if first is None:
        return ""
    wanted = wanted[first:]
    starts = _by_equal_lines(lines, wanted) or _by_words(lines, wanted)
    # A quick look at all of them, a thorough one at those that come out best.
    best = nlargest(_EXAMINED, ((_likeness(lines, wanted, start, 0), -start) for start in starts))
    score, start = max(
        ((_likeness(lines, wanted, -start, _THOROUGH_LINES), start) for _, start in best), default=(0.0, 0)
    )
    return _described(lines, wanted, -start) if score >= _CLOSE_ENOUGH else ""


def _by_equal_lines(lines: list[str], wanted: list[str]) -> set[int]:
    """Where a text could begin, judged by lines that are the same but for blanks. Every such line votes for a place."""
    asked: dict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(islice(wanted, _VOTING_LINES)):
        folded = _folded(line)
        if len(folded) > 2 and len(asked[folded]) < _PLACES_A_LINE:
            asked[folded].append(number)
    votes: Counter[int] = Counter()
    for at, line in enumerate(lines):
        for number in asked.get(_folded(line), ()):
            votes[at - number] += 1
    best = nlargest(_CANDIDATES, votes.items(), key=lambda vote: (vote[1], -vote[0]))
    return {max(start, 0) for start, _ in best}


def _by_words(lines: list[str], wanted: list[str]) -> set[int]:
    """The same, judged by what the longest line of the text shares with lines of the file: words, or parts of them."""
    number = max(range(min(len(wanted), _COMPARED_LINES)), key=lambda at: len(wanted[at][:_COMPARED_CHARS].strip()))
    line = wanted[number][:_COMPARED_CHARS].strip()
    apart = "".join(character if character.isalnum() or character == "_" else " " for character in line)
    words = sorted(set(apart.split()), key=lambda word: (-len(word), word))[:_WORDS]
    step = max(1, len(line) // _PARTS)
    parts = [line[at : at + 3] for at in range(0, max(1, len(line) - 2), step)]
    for pieces in (words, parts):
        shared = ((sum(len(piece) for piece in pieces if piece in other), -at) for at, other in enumerate(lines))
        if found := {max(-at - number, 0) for score, at in nlargest(_CANDIDATES, shared) if score}:
            return found
    return set()


def _likeness(lines: list[str], wanted: list[str], start: int, thorough: int) -> float:
    """How alike a text and a place are: 1 where they differ in blanks at most.

    Of lines that differ, so many are compared with care; of the others, which characters they have.
    """
    from difflib import SequenceMatcher

    total = weight = 0.0
    for number, line in enumerate(islice(wanted, _COMPARED_LINES)):
        at = start + number
        other = lines[at] if at < len(lines) else ""
        if number == 0:
            other = other[_begins(other, line) :]
        mine, other = _folded(line[:_COMPARED_CHARS]), _folded(other[:_COMPARED_CHARS])
        size = len(mine) + 1
        weight += size
        if mine == other:
            total += size
            continue
        pair = SequenceMatcher(None, mine, other, autojunk=False)
        if number in (0, len(wanted) - 1):
            # These may be parts of their lines: held against as much of them, from where they have most in common.
            same = pair.find_longest_match()
            shift = max(same.b - same.a, 0)
            pair.set_seq2(other[shift : shift + len(mine)])
        total += size * (pair.ratio() if thorough > 0 else pair.quick_ratio())
        thorough -= 1
    return total / weight


def _begins(line: str, wanted: str) -> int:
    """Where in a very long line a text begins, judged by as much of its beginning as is there; 0 in any other line."""
    if len(line) <= _COMPARED_CHARS:
        return 0
    low, high = 0, min(len(wanted), _COMPARED_CHARS)
    while low < high:
        middle = (low + high + 1) // 2
        if wanted[:middle] in line:
            low = middle
        else:
            high = middle - 1
    return line.index(wanted[:low])


def _described(lines: list[str], wanted: list[str], start: int) -> str:
    end = min(start + len(wanted), len(lines))
    different = _first_difference(lines, wanted, start)
    begin = start if end - start <= _SHOWN_LINES else max(start, start + (different or 0) - _SHOWN_BEFORE)
    stop = min(end, begin + _SHOWN_LINES)
    width = len(str(stop))
    rows = [f"{number + 1:>{width}} | {_cut(lines[number])}" for number in range(begin, stop)]
    if begin > start:
        rows.insert(0, f"{'':{width}} | ({begin - start} more before)")
    if end > stop:
        rows.append(f"{'':{width}} | ({end - stop} more after)")
    where = f"line {start + 1}" if end == start + 1 else f"lines {start + 1}-{end}"
    return "\n".join(
        (
            f"\n\nThe closest place in the file is {where}:",
            *rows,
            _difference(lines, wanted, start, different),
        )
    )


def _first_difference(lines: list[str], wanted: list[str], start: int) -> int | None:
    """The first line of a text that the file has otherwise at a place; one that is a part of its line is the same."""
    for number, mine in enumerate(wanted):
        other = lines[start + number] if start + number < len(lines) else None
        if other is None or not (
            mine == other
            or (number == 0 and len(wanted) > 1 and other.endswith(mine))
            or (0 < number == len(wanted) - 1 and other.startswith(mine))
        ):
            return number
    return None


def _difference(lines: list[str], wanted: list[str], start: int, different: int | None) -> str:
    if different is None:
        return "These lines are the same; oldText differs before or after them."
    mine = wanted[different]
    if start + different >= len(lines):
        return f"The file ends before line {start + different + 1}; there oldText has {_quoted(mine, 0)}."
    other = lines[start + different]
    found = lines[start : start + len(wanted)]
    blanks = len(found) == len(wanted) and all(map(_alike, wanted, found))
    # Side by side from where they begin to be the same; of long lines, what stands around the first difference.
    shift = _begins(other, mine) if different == 0 else 0
    same = next((at for at, (one, two) in enumerate(zip(mine, other[shift:], strict=False)) if one != two), 0)
    return (
        f"{'Only white space differs. ' if blanks else ''}Line {start + different + 1} is "
        f"{_quoted(other, shift + same)}; oldText has {_quoted(mine, same)}."
    )


def _alike(one: str, other: str) -> bool:
    return _folded(one) == _folded(other)


def _folded(line: str) -> str:
    return " ".join(line.split())


def _cut(line: str) -> str:
    return line if len(line) <= _SHOWN_CHARS else line[:_SHOWN_CHARS] + "... [truncated]"


def _quoted(line: str, around: int) -> str:
    """A line so that its blanks are seen; of a long one, what stands around a character of it."""
    if len(line) <= _SHOWN_CHARS:
        return json.dumps(line, ensure_ascii=False)
    begin = max(0, around - _SHOWN_CHARS // 2)
    part = json.dumps(line[begin : begin + _SHOWN_CHARS], ensure_ascii=False)
    return f"{part} (from its character {begin + 1} on)"
