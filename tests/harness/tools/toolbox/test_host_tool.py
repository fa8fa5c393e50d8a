"""The signal of a call: whoever waits for an abort is told of it."""

from __future__ import annotations

import pytest

from workbench.harness.tools.toolbox.host_tool import Signal


def test_everybody_is_told_though_some_fail_and_the_first_failure_is_raised() -> None:
    signal = Signal()
    told: list[int] = []

    def failing(number: int) -> None:
        told.append(number)
        raise OSError(f"number {number}")

    signal.on_abort(lambda: told.append(1))
    signal.on_abort(lambda: failing(2))
    signal.on_abort(lambda: told.append(3))
    signal.on_abort(lambda: failing(4))
    signal.on_abort(lambda: told.append(5))
    with pytest.raises(OSError, match="number 2"):
        signal.abort()
    assert signal.aborted
    assert told == [1, 2, 3, 4, 5]
    signal.abort()
    assert told == [1, 2, 3, 4, 5]
