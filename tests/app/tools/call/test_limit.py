"""The seconds that a call may take, as they are typed."""

from __future__ import annotations

import pytest

from workbench.app.tools.call.limit import asked_seconds
from workbench.harness.errors import HarnessError


@pytest.mark.parametrize(("text", "asked"), [("", None), ("60", None), (" 5 ", 5), ("300", 300), ("1", 1)])
def test_what_is_asked_for(text: str, asked: int | None) -> None:
    assert asked_seconds(text, 60) == asked


@pytest.mark.parametrize("text", ["0", "301", "-1", "1.5", "abc", "٣", "1e2"])
def test_what_is_refused(text: str) -> None:
    with pytest.raises(HarnessError, match="from 1 to 300"):
        asked_seconds(text, 60)
