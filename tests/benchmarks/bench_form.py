"""What it takes to open the call form of a large schema. Prints figures; it judges nothing.

python tests/benchmarks/bench_form.py
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

os.environ["TEXTUAL_ANIMATIONS"] = "none"

from textual.app import App, ComposeResult

from tests.app.tools.call.form.schemas import large_schema
from tests.catalogue import catalogue
from workbench.app.tools.call.form.assembling import assemble, verify
from workbench.app.tools.call.form.draft import FormDraft
from workbench.app.tools.call.form.field_rows import FieldRows
from workbench.app.tools.call.form.rows import rows_of
from workbench.app.tools.call.form.view import FormView

ROUNDS = 15
SIZE = (120, 40)
TARGET_MS = 500


class _Sheet(App[None]):
    def compose(self) -> ComposeResult:
        yield FormView()


def figure(what: str, act: Callable[[], object]) -> None:
    """Print the median and the worst duration of a call, in milliseconds."""
    taken: list[float] = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        act()
        taken.append((time.perf_counter() - began) * 1000)
    print(f"{what:<58} {statistics.median(taken):8.1f} ms   worst {max(taken):8.1f} ms")


async def opened_and_painted(name: str, schema: Any) -> None:
    """Open a form in the real widget and paint all of it that is in view."""
    app = _Sheet()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        form, rows = app.query_one(FormView), app.query_one(FieldRows)

        def act() -> None:
            form.open(schema)
            rows.render_lines(rows.region.reset_offset)

        figure(f"{name}: opened and painted at {SIZE[0]}x{SIZE[1]}", act)
        form.focus_content()
        figure(f"{name}: a key down, painted", lambda: (form.action_go(1), rows.render_lines(rows.region.reset_offset)))


def main() -> None:
    """Measure a schema of 44 KB, the largest of the catalogue, and one of 10,000 properties."""
    large = large_schema()
    largest = max((tool["inputSchema"] for tool in catalogue()), key=lambda schema: len(json.dumps(schema)))
    many = {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(10_000)}}
    print(f"target: a schema of 44 KB opened and painted in at most {TARGET_MS} ms")
    for name, schema in (("44 KB", large), ("largest of the catalogue", largest), ("10,000 properties", many)):
        print(f"-- {name}: {len(json.dumps(schema)):,} bytes, {len(schema['properties']):,} properties")
        figure(f"{name}: its fields", lambda schema=schema: rows_of(FormDraft(schema)))
        draft = FormDraft(schema)
        figure(f"{name}: the JSON that would be sent", lambda draft=draft: assemble(draft))
        figure(f"{name}: checked", lambda draft=draft, schema=schema: verify(schema, assemble(draft)))
        asyncio.run(opened_and_painted(name, schema))


if __name__ == "__main__":
    main()
