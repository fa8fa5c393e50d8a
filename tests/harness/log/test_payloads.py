"""Rows that are no events of ours: a log may come from elsewhere."""

from __future__ import annotations

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.log.payloads import as_json, dumps, from_row
from workbench.harness.store.rows import EventRow

CALL = '{"id":"c","name":"search","input":{"n":%s},"message":"m","process":"p"}'


def row(payload: str) -> EventRow:
    return EventRow(1, "t", 1, 0, "agent", "tool_call", "c", payload)


@pytest.mark.parametrize("number", ["1e400", "-1e400", "NaN", "Infinity", "-Infinity", "1" * 5_000])
def test_a_number_that_cannot_be_written_out_again_makes_no_event(number: str) -> None:
    with pytest.raises(HarnessError) as caught:
        from_row(row(CALL % number))
    assert caught.value.code == "corrupt"


@pytest.mark.parametrize("number", ["1e308", "-0.0", "12345678901234567890", "1.5"])
def test_other_numbers_do(number: str) -> None:
    assert dumps(as_json(from_row(row(CALL % number)))["input"])
