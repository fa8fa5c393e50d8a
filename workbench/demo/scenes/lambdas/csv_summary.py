"""Summarise a CSV file of memory, column by column."""

import csv
import math
from pathlib import Path

WORKSPACE = Path("/workspace")
MOST_DISTINCT = 10_000


class Column:
    """What is known of one column so far."""

    def __init__(self, name):
        self.name = name
        self.filled = 0
        self.empty = 0
        self.distinct = set()
        self.numbers = 0
        self.total = 0.0
        self.least = math.inf
        self.most = -math.inf

    def add(self, cell):
        cell = cell.strip()
        if not cell:
            self.empty += 1
            return
        self.filled += 1
        if len(self.distinct) < MOST_DISTINCT:
            self.distinct.add(cell)
        number = as_number(cell)
        if number is not None:
            self.numbers += 1
            self.total += number
            self.least = min(self.least, number)
            self.most = max(self.most, number)

    def summary(self):
        told = {
            "name": self.name,
            "filled": self.filled,
            "empty": self.empty,
            "distinct": len(self.distinct),
            "type": "text",
        }
        if self.filled and self.numbers == self.filled:
            told["type"] = "number"
            told |= {"min": self.least, "max": self.most, "sum": self.total, "mean": self.total / self.numbers}
        return told


def as_number(cell):
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def main(input):
    path = (WORKSPACE / input["path"]).resolve()
    if not path.is_relative_to(WORKSPACE):
        raise ValueError("path must stay inside memory")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file, delimiter=input.get("delimiter", ","), strict=True)
        header = next(rows, None)
        if header is None:
            raise ValueError(f"{input['path']} is empty: it has no header line")
        columns = [Column(name.strip()) for name in header]
        count = 0
        for row in rows:
            if not row:
                continue
            count += 1
            if len(row) > len(columns):
                raise ValueError(f"line {rows.line_num} has {len(row)} fields, the header has {len(columns)}")
            for column, cell in zip(columns, row + [""] * (len(columns) - len(row)), strict=True):
                column.add(cell)
    return {"path": input["path"], "rows": count, "columns": [column.summary() for column in columns]}
