"""A line of the composer as an act. Pure.

The short forms are for hands; whatever they cannot say, `VERB {json}` can.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from workbench.harness import strict_json
from workbench.harness.errors import HarnessError
from workbench.harness.names import VERBS

FORMS = (
    "read ~/tools/",
    'read ~/tools/NAME {"part": "source"}',
    "write ~/memory/a.txt some text",
    "write ~/tools/NAME {json}",
    'call NAME {"key": "value"}',
    'NAME {"key": "value"}',
)
"""The short forms, as they are shown."""

SPEAK = "To speak in sentences switch the voice to message."

_NAME = re.compile(r"\S+")
_OBJECT_ADDRESSES = ("~/tools/", "~/triggers/", "~/self")


@dataclass(frozen=True, slots=True)
class Command:
    """An act as the door takes it: the verb or the tool's own name, and the input."""

    name: str
    input: Any


def parse(line: str, speak: str = SPEAK) -> Command:
    """Read a line as an act. `speak` is what a line that is no act is told of how to say it.

    Raises:
        HarnessError: `bad_input`, saying what was not understood and how it is written.
    """
    text = line.strip()
    if not text:
        raise _fault(f"Write an act, for example: {FORMS[0]}")
    found = _NAME.match(text)
    assert found is not None
    name, rest = found[0], text[found.end() :].strip()
    if rest.startswith("{") and name in VERBS:
        return Command(name, _object(rest, f"the input of {name}"))
    match name:
        case "read":
            return Command("read", _read(rest))
        case "write":
            return Command("write", _write(rest))
        case "call":
            return Command("call", _call(rest))
        case "plan" | "delegate":
            raise _fault(f"{name} takes its input as JSON: {name} {{…}}")
        case _:
            return Command(name, _direct(name, rest, speak))


def _read(rest: str) -> dict[str, Any]:
    address, options = _address_and_options(rest)
    if not address:
        raise _fault(f"read needs an address: {FORMS[0]}, ~/memory/, ~/self, thread:")
    return {"address": address} | ({"options": options} if options is not None else {})


def _write(rest: str) -> dict[str, Any]:
    if rest.startswith('"'):
        end = rest.find('"', 1)
        if end < 0:
            raise _fault('The address begins with " and has no second one.')
        address, content = rest[1:end], rest[end + 1 :].lstrip()
    else:
        address, _, content = rest.partition(" ")
        content = content.lstrip()
    if not address:
        raise _fault(f"write needs an address and content: {FORMS[2]}")
    if not content:
        raise _fault(
            f"write {address} needs content behind the address. To delete: "
            f'write {{"address": "{address}", "options": {{"delete": true}}}}'
        )
    if address.startswith(_OBJECT_ADDRESSES) and content.startswith("{"):
        return {"address": address, "content": _object(content, f"the content of {address}")}
    return {"address": address, "content": content}


def _call(rest: str) -> dict[str, Any]:
    tool, _, input = rest.partition(" ")
    input = input.strip()
    if not tool:
        raise _fault(f"call needs a tool: {FORMS[4]}")
    return {"tool": tool} | ({"input": _json(input, f"the input of {tool}")} if input else {})


def _direct(name: str, rest: str, speak: str) -> Any:
    if not rest:
        raise _fault(f"{name} is no verb ({', '.join(VERBS)}). To call a tool of that name: {name} {{}}. {speak}")
    if rest[0] not in "{[":
        raise _fault(f"{name} is no verb ({', '.join(VERBS)}), and a tool takes JSON: {name} {{…}}. {speak}")
    return _json(rest, f"the input of {name}")


def _address_and_options(rest: str) -> tuple[str, dict[str, Any] | None]:
    """Split at the JSON object that ends the line, if one does; an address may have spaces in it."""
    at = rest.find(" {")
    if at < 0 or not rest.endswith("}"):
        return rest, None
    return rest[:at].rstrip(), _object(rest[at:].strip(), "the options")


def _object(text: str, what: str) -> dict[str, Any]:
    value = _json(text, what)
    if not isinstance(value, dict):
        raise _fault(f"In {what}: a JSON object is needed, {{…}}.")
    return value


def _json(text: str, what: str) -> Any:
    return strict_json.parse(text, what=what)


def _fault(message: str) -> HarnessError:
    return HarnessError("bad_input", message)
