"""From what a lambda left behind to its value, or to the words that say why there is none."""

from __future__ import annotations

import signal

from workbench.harness import strict_json
from workbench.harness.errors import HarnessError
from workbench.harness.strict_json import Json
from workbench.harness.tools.lambdas.channel import Report
from workbench.harness.tools.lambdas.values import Limits

_OUT_OF_MEMORY = ("out of memory", "MemoryError", "OOM error", "allocation failed")


def value_of(report: Report | None, exit_code: int | None, stderr: str, limits: Limits) -> Json:
    """The value in `report`.

    `exit_code` and `stderr` (its last lines) tell how the process ended where there is no report. Raises HarnessError
    `failed` or `limit`.
    """
    if report is None:
        raise _without_report(exit_code, stderr, limits)
    text = report.payload.decode("utf-8", "replace")
    match report.kind:
        case "V":
            return _parsed(report.payload, stderr, limits)
        case "N":
            raise _failed(f"The value it returned is not JSON: {text}.", stderr)
        case "T":
            raise _too_large(int(text) if text.isdigit() else 0, limits)
        case "M":
            raise _out_of_memory(stderr, limits)
        case "X":
            if any(sign in text for sign in _OUT_OF_MEMORY):
                raise _out_of_memory(stderr, limits)
            raise _failed(f"It failed: {text.rstrip('.')}.", stderr)
        case _:
            raise _failed("What it wrote to the result channel is no result.", stderr)


def _parsed(payload: bytes, stderr: str, limits: Limits) -> Json:
    if len(payload) > limits.result_bytes:
        raise _too_large(len(payload), limits)
    try:
        return strict_json.parse(payload, what="the value")
    except HarnessError as error:
        raise _failed(f"The value it returned is not JSON: {error.message}", stderr) from error


def _without_report(exit_code: int | None, stderr: str, limits: Limits) -> HarnessError:
    if any(sign in stderr for sign in _OUT_OF_MEMORY):
        return _out_of_memory(stderr, limits)
    code = exit_code or 0
    if code > 128 and code - 128 in {entry.value for entry in signal.Signals}:
        how = f"was killed by {signal.Signals(code - 128).name}"
    else:
        how = f"exited (code {code})"
    return _failed(f"It {how} before it returned a value.", stderr)


def _failed(message: str, stderr: str) -> HarnessError:
    return HarnessError("failed", f"{message}\nLast lines of stderr:\n{stderr}" if stderr else message)


def _out_of_memory(stderr: str, limits: Limits) -> HarnessError:
    message = (
        f"It ran out of memory: {limits.memory_mib:,} MiB are allowed. Hold less at a time, or the owner raises "
        "`sandbox.memory_mib`."
    )
    return HarnessError("limit", f"{message}\nLast lines of stderr:\n{stderr}" if stderr else message)


def _too_large(size: int, limits: Limits) -> HarnessError:
    most = f"at most {limits.result_bytes:,} bytes are allowed"
    told = (
        f"is {size:,} bytes of JSON; {most}, so it is {size - limits.result_bytes:,} over"
        if size
        else (f"is more JSON than is taken: {most}")
    )
    return HarnessError(
        "limit",
        f"The value it returned {told}. Return less, or write it to a file in `/workspace` and return its path.",
    )
