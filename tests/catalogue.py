"""Real tool contracts: the whole catalogue where it lies beside the project, else the sample that is in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SAMPLE = Path(__file__).parent / "data" / "catalog-sample.jsonl"
WHOLE = Path(__file__).parents[2] / "shared" / "catalog" / "tools.jsonl"


def catalogue() -> list[dict[str, Any]]:
    """Every tool as its server lists it: `name`, `description`, `inputSchema`, `outputSchema?`, and its source."""
    path = WHOLE if WHOLE.exists() else SAMPLE
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
