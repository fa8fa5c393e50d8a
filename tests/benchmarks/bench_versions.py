"""What looking at a version and comparing two costs. Prints figures; it judges nothing.

python tests/benchmarks/bench_versions.py
"""

from __future__ import annotations

import copy
import json
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import dag_cbor

from tests.catalogue import catalogue
from workbench.harness.space.compare_text import compare_texts
from workbench.harness.space.dump import dump, dump_text
from workbench.harness.space.schema.compare import compare_schemas

ROUNDS = 3
DICE = random.Random(7)
MIB = 1024 * 1024
SOURCE = 256 * 1024


def figure(what: str, act: Callable[[], object]) -> None:
    """Print the median duration of a call, in milliseconds."""
    taken: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        act()
        taken.append((time.perf_counter() - began) * 1000)
    print(f"{what:<64} {statistics.median(taken):9.2f} ms")


def dumps() -> None:
    """Dumps of blocks of a megabyte."""
    document = dag_cbor.encode({"source": "x = 1\n" * (MIB // 6 - 20)})
    figure(f"dump: {len(document):,} bytes, one text", lambda: dump(document))
    figure("dump: the same as text to copy", lambda: dump_text(dump(document)))
    numbers = dag_cbor.encode([1] * (MIB - 10))
    figure("dump: a list of a million numbers", lambda: dump(numbers))
    figure("dump: a megabyte of lists inside lists", lambda: dump(b"\x81" * MIB))


def sources() -> None:
    """Comparisons of two sources of the largest size."""
    lines = [f"    value_{number} = compute({number % 97})" for number in range(SOURCE // 34)]
    ordinary = "\n".join(lines)
    edited = "\n".join(line for line in lines if DICE.random() > 0.02)
    figure(
        f"compare: two sources of {len(ordinary):,} bytes, 2 % of lines gone", lambda: compare_texts(ordinary, edited)
    )
    shuffled = "\n".join(DICE.sample(lines, len(lines)))
    figure("compare: its lines in another order", lambda: compare_texts(ordinary, shuffled))
    figure("compare: its lines in reverse", lambda: compare_texts(ordinary, "\n".join(reversed(lines))))
    few = ["".join(DICE.choices("ab", k=3)) for _ in range(SOURCE // 4)]
    others = DICE.sample(few, len(few))
    figure("compare: eight different lines, 65,536 times", lambda: compare_texts("\n".join(few), "\n".join(others)))
    figure("compare: empty lines and no lines", lambda: compare_texts("\n" * SOURCE, "x" * SOURCE))


def schemas() -> None:
    """Comparisons of 44 KB of real schemas with themselves, changed; and of hostile ones."""
    properties: dict[str, Any] = {}
    for tool in catalogue():
        properties[tool["name"]] = tool["inputSchema"]
        if len(json.dumps(properties)) > 44_000:
            break
    largest = {"type": "object", "properties": properties}
    size = len(json.dumps(largest))
    figure(
        f"compare: a schema of {size:,} bytes and its twin", lambda: compare_schemas(largest, copy.deepcopy(largest))
    )
    changed = edited_everywhere(copy.deepcopy(largest))
    figure(f"compare: a schema of {size:,} bytes, changed everywhere", lambda: compare_schemas(largest, changed))
    wide = {"anyOf": [{"type": "object", "properties": {f"p{n}": {"type": "string"}}} for n in range(400)]}
    other = {"anyOf": [{"type": "object", "properties": {f"q{n}": {"type": "string"}}} for n in range(400)]}
    figure("compare: 400 branches with 400 others, until its limit", lambda: compare_schemas(wide, other))


def edited_everywhere(schema: Any) -> Any:
    """Another bound and another description at every place."""
    if isinstance(schema, dict):
        for value in list(schema.values()):
            edited_everywhere(value)
        if schema.get("type") == "string":
            schema["minLength"] = schema.get("minLength", 0) + 1
        if "description" in schema:
            schema["description"] = f"{schema['description']} "
    elif isinstance(schema, list):
        for value in schema:
            edited_everywhere(value)
    return schema


if __name__ == "__main__":
    dumps()
    sources()
    schemas()
