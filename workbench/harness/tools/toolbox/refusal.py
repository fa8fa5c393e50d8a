"""Holding an input against the schema of its tool. Nothing is coerced; what does not fit is refused in fixed words."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, cast

from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.space.schema import Problem, validate
from workbench.harness.space.schema.verdicts import MISSING, type_wanted
from workbench.harness.tools.definition import schema_of, typed
from workbench.harness.tools.toolbox.host_tool import HostTool
from workbench.harness.tools.toolbox.limits import MAX_RECEIVED_CHARS

_STEP = re.compile(r'\.([^.\[\]"]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]')


class Checked(Struct, frozen=True):
    """An input that fits: as JSON with the names of the wire, and as the value that is executed."""

    params: Mapping[str, Any]
    value: Any


def prepared(tool: HostTool, raw: Any) -> Any:
    """An input with what its tool repairs. It is a copy; the one that was sent is never changed.

    Raises:
        HarnessError: as the tool has it, `bad_input` for any other error, with its message.
    """
    copied = copy.deepcopy(raw)
    if tool.prepare_arguments is None:
        return copied
    try:
        return tool.prepare_arguments(copied)
    except HarnessError:
        raise
    except Exception as error:
        raise HarnessError("bad_input", words_of(error)) from error


def checked(tool: HostTool, args: Any) -> Checked:
    """A prepared input, held against the schema of its tool.

    Raises:
        HarnessError: `bad_input` with every fault in a row of its own, and the input; `limit` for one nested too deep.
    """
    rows = faults(tool, args)
    if rows:
        raise _refused(tool.name, rows, args)
    return Checked(cast("Mapping[str, Any]", args), typed(tool.parameters, args))


def faults(tool: HostTool, args: Any) -> list[str]:
    """What the schema of a tool refuses of a prepared input, each fault in a row.

    Raises:
        HarnessError: `limit` for an input that is nested too deep.
    """
    schema = schema_of(tool.parameters)
    verdict = validate(schema, args)
    return [] if verdict.ok else list(_rows(verdict.errors, schema))


def words_of(error: BaseException) -> str:
    """What an exception says, as the log can hold it; its kind where it says nothing."""
    return str(error).encode("utf-8", "surrogatepass").decode("utf-8", "replace") or type(error).__name__


def _refused(name: str, rows: Iterable[str], args: Any) -> HarnessError:
    received = json.dumps(args, indent=2, ensure_ascii=False)
    more = len(received) - MAX_RECEIVED_CHARS
    if more > 0:
        received = f"{received[:MAX_RECEIVED_CHARS]}\n… [{more:,} more characters]"
    listed = "\n".join(f"  - {row}" for row in rows)
    return HarnessError(
        "bad_input", f'Validation failed for tool "{name}":\n{listed}\n\nReceived arguments:\n{received}'
    )


def _rows(problems: Iterable[Problem], schema: Mapping[str, Any]) -> list[str]:
    """A row for each problem; what is missing at one place shares one, in the schema's order."""
    order = {name: at for at, name in reversed(list(enumerate(_required(schema))))}
    rows: list[str] = []
    missing: dict[str, tuple[int, list[str]]] = {}
    for problem in problems:
        place = _dotted(problem.path)
        if problem.message == MISSING:
            parent, _, name = place.rpartition(".")
            missing.setdefault(parent, (len(rows), []))[1].append(name)
            if len(missing[parent][1]) == 1:
                rows.append("")
            continue
        rows.append(f"{place}: {type_wanted(problem.message) or problem.message}")
    for parent, (row, names) in missing.items():
        names.sort(key=lambda name: order.get(name, len(order)))
        place = f"{parent}.{names[0]}" if parent else names[0]
        rows[row] = f"{place}: must have required properties {', '.join(names)}"
    return rows


def _required(schema: Mapping[str, Any]) -> list[str]:
    parts = (schema, *cast("Mapping[str, Any]", schema.get("$defs", {})).values())
    return [name for part in parts for name in part.get("required", ())]


def _dotted(path: str) -> str:
    """`$.edits[0].newText` as `edits.0.newText`, the whole input as `root`."""
    steps = [next(group for group in match.groups() if group is not None) for match in _STEP.finditer(path, 1)]
    return ".".join(steps) or "root"
