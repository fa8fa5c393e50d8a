"""From a report to a value or to the words that say why there is none."""

from __future__ import annotations

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.tools.lambdas.channel import Report
from workbench.harness.tools.lambdas.reports import value_of
from workbench.harness.tools.lambdas.values import Limits

LIMITS = Limits(result_bytes=20, memory_mib=64)


def test_a_value_is_read_strictly():
    assert value_of(Report("V", b'{"a": [1, 2.5]}'), 0, "", LIMITS) == {"a": [1, 2.5]}
    assert value_of(Report("V", b"1" * 20), 0, "", LIMITS) == int("1" * 20)


WORSE = [
    (Report("V", b'{"a":1,"a":2}'), 0, "", "failed", "not JSON"),
    (Report("V", b'"\\ud800"'), 0, "", "failed", "not JSON"),
    (Report("V", b"\xff"), 0, "", "failed", "not JSON"),
    (Report("V", b"NaN"), 0, "", "failed", "not JSON"),
    (Report("V", b"1" * 21), 0, "", "limit", "21 bytes of JSON; at most 20"),
    (Report("T", b"25"), 0, "", "limit", "5 over"),
    (Report("T", b"0"), 0, "", "limit", "at most 20"),
    (Report("N", b"$.a is nan"), 0, "boo", "failed", "$.a is nan.\nLast lines of stderr:\nboo"),
    (Report("M", b""), 0, "", "limit", "64 MiB"),
    (Report("X", b"ValueError: x"), 0, "", "failed", "It failed: ValueError: x."),
    (Report("?", b""), 0, "", "failed", "no result"),
    (None, 3, "line", "failed", "exited (code 3) before it returned a value.\nLast lines of stderr:\nline"),
    (None, 137, "", "failed", "killed by SIGKILL"),
    (None, 133, "# Fatal JavaScript out of memory", "limit", "out of memory"),
    (None, 255, "", "failed", "code 255"),
    (None, None, "", "failed", "before it returned"),
]


@pytest.mark.parametrize(("report", "exit_code", "stderr", "code", "says"), WORSE)
def test_what_is_no_value_says_why(report, exit_code, stderr, code, says):
    with pytest.raises(HarnessError) as caught:
        value_of(report, exit_code, stderr, LIMITS)
    assert caught.value.code == code
    assert says in caught.value.message
