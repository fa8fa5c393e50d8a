"""What an agent is answered when its call was not run: the contract, or that there is no such tool."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from itertools import islice
from typing import Any

from msgspec import Struct

from workbench.harness.errors import Code, HarnessError
from workbench.harness.log.events import ToolCall
from workbench.harness.log.promotion import named_tool
from workbench.harness.space.contract import contract_page
from workbench.harness.space.document import ToolDocument
from workbench.harness.space.schema import Problem, UnknownKey, unknown_keys, validate
from workbench.harness.strict_json import Json, as_object, canonical
from workbench.harness.text import neutralise
from workbench.harness.tools.callables import ToolState
from workbench.harness.verbs.act import Act
from workbench.harness.verbs.carried import split

MAX_NAMES = 40
"""How many callable names an answer lists."""

REPEATS = 3
"""From this many times on, the same refused input is answered shortly: the contract evidently does not help."""

LOOK_BACK = 5_000
"""How many of the agent's calls, of whatever tool, are looked through for repeats."""

_CODES: dict[str, Code] = {
    "unknown": "not_found",
    "not_granted": "refused",
    "unavailable": "unavailable",
    "needs_execute": "refused",
}


class Judged(Struct, frozen=True):
    """An input held against a schema. `errors` decide; unknown keys and unchecked keywords are only told."""

    errors: tuple[Problem, ...]
    unknown: tuple[UnknownKey, ...]
    unchecked: tuple[str, ...]


def judge(document: ToolDocument, input: Json) -> Judged:
    """Hold an input against a tool's schema. An input is an object, whatever the schema leaves open.

    Raises:
        HarnessError: `limit` when the check would take too long.
    """
    if not isinstance(input, dict):
        return Judged((Problem("$", "the input must be an object"),), (), ())
    verdict = validate(document.input, input)
    return Judged(verdict.errors, unknown_keys(document.input, input), verdict.unchecked)


def told(judged: Judged) -> dict[str, Any]:
    """The part of a judgement that is told beside an output; empty when there is nothing to tell."""
    out: dict[str, Any] = {}
    if judged.unknown:
        out["unknown_keys"] = unknown_json(judged.unknown)
    if judged.unchecked:
        out["unchecked"] = list(judged.unchecked)
    return out


def unknown_json(keys: tuple[UnknownKey, ...]) -> list[dict[str, str]]:
    """Unknown keys as answers carry them."""
    return [
        {"key": key.key, "path": key.path} | ({"nearest": key.nearest} if key.nearest is not None else {})
        for key in keys
    ]


def errors_json(errors: tuple[Problem, ...]) -> list[dict[str, str]]:
    """Problems as answers carry them."""
    return [{"path": problem.path, "message": problem.message} for problem in errors]


def not_run(act: Act, document: ToolDocument, cid: str, judged: Judged, input: Json) -> dict[str, Any]:
    """The answer to an agent whose call was not run: the contract, or a short word when that was no help before."""
    name = document.name
    if judged.errors:
        problems = "; ".join(f"{problem.path}: {problem.message}" for problem in judged.errors[:3])
        times = 1 + _refused_before(act, name, input)
        if times >= REPEATS:
            return {
                "message": (
                    f"Not executed. This same input to {name} was refused {times} times. Change this: {problems}."
                ),
                "status": "contract",
                "executed": False,
                "tool": name,
                "repeated": times,
                "errors": errors_json(judged.errors),
            }
        reason = "invalid_input"
        message = (
            f"Not executed. The input of {name} does not match its contract: {problems}. Call it again with input that "
            "matches."
        )
    else:
        reason = "untouched"
        message = (
            f"Not executed. This was the first call of {name} in this thread, and here is its contract. Call it again "
            "with input that matches, and it runs."
        )
    answer: dict[str, Any] = {
        "message": message,
        "status": "contract",
        "executed": False,
        "tool": name,
        "cid": cid,
        "reason": reason,
        "contract": contract_page(document, cid).content,
        "errors": errors_json(judged.errors),
        "unknown_keys": unknown_json(judged.unknown),
    }
    if judged.unchecked:
        answer["unchecked"] = list(judged.unchecked)
    return answer


def refused_input(document: ToolDocument, cid: str, judged: Judged) -> HarnessError:
    """The failed act that everybody but the agent gets for an input that the schema refuses."""
    problems = "\n".join(f"  {problem.path}: {problem.message}" for problem in judged.errors)
    hints = "".join(
        f"\n  {key.path}: unknown key {neutralise(key.key)}" + (f", did you mean {key.nearest}?" if key.nearest else "")
        for key in judged.unknown
    )
    return HarnessError(
        "bad_input",
        f"The input of {document.name} does not match its contract; nothing was run.\n{problems}{hints}\n\n"
        f"{contract_page(document, cid).content}",
    )


def no_such_tool(act: Act, state: ToolState) -> dict[str, Any]:
    """The answer to an agent that named what it cannot call.

    A tool that is not granted answers as one that does not exist, so that grants cannot be found out by asking.
    """
    names = act.callables.names()
    answer: dict[str, Any] = {
        "message": f"Not executed. There is no callable tool {neutralise(state.name)[:80]}; those in `tools` are.",
        "status": "no_such_tool",
        "executed": False,
        "tool": state.name,
        "tools": names[:MAX_NAMES],
    }
    if len(names) > MAX_NAMES:
        answer["more"] = len(names) - MAX_NAMES
    if state.reason in ("unavailable", "needs_execute"):
        answer["reason"] = state.reason
        answer["message"] = f"Not executed. {state.name} cannot be called now ({state.reason}); those in `tools` are."
    return answer


def cannot_call(act: Act, state: ToolState) -> HarnessError:
    """The failed act that everybody but the agent gets for a tool that cannot be called."""
    shown = neutralise(state.name)[:80]
    if state.reason == "unknown":
        near = difflib.get_close_matches(state.name, [tool.name for tool in act.callables.states()], 3, 0.5)
        hint = f" Near it: {', '.join(near)}." if near else " Read ~/tools/ for the tools there are."
        return HarnessError("not_found", f"There is no tool {shown}.{hint}")
    return HarnessError(_CODES[state.reason or "unknown"], f"{shown} cannot be called ({state.reason}). {state.detail}")


def _refused_before(act: Act, name: str, input: Json) -> int:
    """How many of the tool's last calls in this thread, one after another, were refused for this very input."""
    wanted = canonical(input)
    count = 0
    for call, result in islice(act.log.calls_before(act.call), LOOK_BACK):
        answer = as_object(result.output if result else None) or {}
        called, given = _meant(call, answer)
        if called != name:
            continue
        refused = answer.get("status") == "contract" and answer.get("reason") != "untouched"
        if canonical(given) != wanted or not refused:
            break
        count += 1
    return count


def _meant(call: ToolCall, answer: Mapping[str, Any]) -> tuple[str, Any]:
    """Which tool a call was judged as, and on what input: a `call` that was refused itself never came to its tool."""
    tool = named_tool(call.name, call.input) if call.name == "call" else None
    if tool is None or answer.get("tool") == "call":
        return call.name, split(call.name, call.input)[0]
    return tool, (as_object(call.input) or {}).get("input", {})
