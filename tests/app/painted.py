"""The screen as text that a person can review: what stands on it, and below that in which looks.

A picture of the screen says the same in a hundred times the size and shows no reviewer what changed.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import groupby
from string import ascii_letters

from rich.cells import cell_len
from textual.app import App

_SVG = "{http://www.w3.org/2000/svg}"
_CELL = 12.2
_LINE = 24.4
_RULE = re.compile(r"\.terminal-\d+-(r\d+) \{ ([^}]*?)\s*\}")


def painted(app: App[None]) -> str:
    """The lines of the screen, the looks by letter, and for each line how many cells have which look."""
    picture = app.export_screenshot()
    width, height = app.size
    looks = {name: rule.replace(";", " ").strip() for name, rule in _RULE.findall(picture)}
    root = ET.fromstring(picture)
    grounds = [[""] * width for _ in range(height)]
    texts = [[" "] * width for _ in range(height)]
    inks = [[""] * width for _ in range(height)]
    for rect in root.iter(f"{_SVG}rect"):
        if rect.get("shape-rendering") == "crispEdges":
            row, start, cells = round((_number(rect, "y") - 1.5) / _LINE), _cells(rect, "x"), _cells(rect, "width")
            for column in range(start, min(start + cells, width)):
                grounds[row][column] = rect.get("fill", "")
    for node in root.iter(f"{_SVG}text"):
        kind = node.get("class", "").rpartition("-")[2]
        if kind not in looks:
            continue
        row, column = round((_number(node, "y") - 20) / _LINE), _cells(node, "x")
        for char in "".join(node.itertext()).replace("\xa0", " ").rstrip("\n"):
            if row < height and column < width:
                texts[row][column], inks[row][column] = char, looks[kind]
                for behind in range(column + 1, min(column + cell_len(char), width)):
                    texts[row][behind], inks[row][behind] = "", looks[kind]
            column += cell_len(char)
    cells = [[_look(*cell) for cell in zip(inks[row], grounds[row], texts[row], strict=True)] for row in range(height)]
    names = dict(zip(dict.fromkeys(look for row in cells for look in row), _letters(), strict=False))
    return "\n".join(
        [
            *("".join(row).rstrip() for row in texts),
            "=" * width,
            *(f"{name} {look}" for look, name in names.items()),
            "=" * width,
            *(" ".join(f"{names[look]}{len(list(run))}" for look, run in groupby(row)) for row in cells),
            "",
        ]
    )


def _letters() -> Iterator[str]:
    """a, b, ... z, A, ... Z, and then a word for each further one."""
    yield from (f"{letter}" for letter in ascii_letters)
    number = 0
    while True:
        yield f"look{number}-"
        number += 1


def _look(ink: str, ground: str, text: str) -> str:
    # Of a blank cell only the ground can be seen.
    return f"{'' if text == ' ' and 'underline' not in ink else ink} on {ground}".strip()


def _number(node: ET.Element, name: str) -> float:
    return float(node.get(name, 0))


def _cells(node: ET.Element, name: str) -> int:
    return round(_number(node, name) / _CELL)
