"""What schema checks, pages and the text boundary cost. Prints figures; it judges nothing.

python tests/benchmarks/bench_schema.py
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from contextlib import suppress

from workbench.harness.errors import HarnessError
from workbench.harness.paging import page
from workbench.harness.space.schema import unknown_keys, validate
from workbench.harness.text import printable

ROUNDS = 5
DICE = random.Random(7)


def figure(what: str, act: Callable[[], object]) -> None:
    """Print the median duration of a call, in milliseconds."""
    taken: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        with suppress(HarnessError):  # over its limit: measured as far as it went
            act()
        taken.append((time.perf_counter() - began) * 1000)
    print(f"{what:<52} {statistics.median(taken):9.2f} ms")


def letters(length: int) -> str:
    """A text of two letters, which resembles every other one of its kind."""
    return "".join(DICE.choices("ab", k=length))


def named(*names: str) -> dict[str, object]:
    """A schema that names these properties."""
    return {"properties": {name: {"type": "integer"} for name in names}}


def main() -> None:
    """Measure ordinary cases, then the worst that are known."""
    ordinary = named(*(f"parameter_{number}" for number in range(20)))
    given = {f"parameter_{number}": number for number in range(20)}
    figure("validate: 20 properties", lambda: validate(ordinary, given))
    figure("unknown keys: 20 properties, a typo", lambda: unknown_keys(ordinary, {**given, "paramter_3": 1}))
    many = [{"number": number} for number in range(100_000)]
    figure("validate: 100,000 different objects", lambda: validate({"uniqueItems": True}, many))
    wide = {"items": {"anyOf": [{"type": "string"}] * 1000}}
    figure("validate: a wide anyOf until its limit", lambda: validate(wide, many))
    for characters in (8, 64, 199):
        schema = named(*(letters(characters) + str(number) for number in range(300)))
        keys = {letters(characters) + f"x{number}": 1 for number in range(2000)}
        what = f"unknown keys: 2,000 among 300 of {characters} characters"
        figure(what, lambda schema=schema, keys=keys: unknown_keys(schema, keys))
    large = {f"k{number:06}": 1 for number in range(350_000)}
    figure("unknown keys: 4 MiB of them", lambda: unknown_keys(ordinary, large))
    for piece in ("\n", "漢字かな" * 30 + "\n", "é"):
        text = piece * (4 * 1024 * 1024 // len(piece.encode()))
        late = max(1, text.count("\n") - 5)
        figure(f"page: a late one of 4 MiB of {piece[:4]!r}", lambda text=text, late=late: page(text, late))
    for piece in ("x = list[int]\n", "漢字かな\n", "\x1b[31mred", "\x00", "\u202ea"):
        text = piece * (300_000 // len(piece))
        figure(f"printable: 300,000 characters of {piece[:4]!r}", lambda text=text: printable(text))


if __name__ == "__main__":
    main()
