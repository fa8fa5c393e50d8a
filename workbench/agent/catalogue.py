"""Catalogues of tools: JSON lines, as servers list their tools, read into documents that a Space could hold."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, MutableMapping
from typing import Any, Literal

from msgspec import Struct

from workbench.harness import strict_json
from workbench.harness.errors import HarnessError
from workbench.harness.names import MCP_PREFIX, lambda_name_fault
from workbench.harness.space.document import ToolDocument, lambda_document

STAND_IN = 'def main(input):\n    return {"done": True}\n'
"""What a catalogue's tool does here: nothing; a catalogue has contracts and no code."""

LONGEST = 64

LONGEST_ENDING = 8
"""Characters of the number that tells a name from one before it, at most, with room to spare."""


class Listed(Struct, frozen=True):
    """A tool of a catalogue: the name that its server gave it, and its document under a name that is legal here."""

    given: str
    document: ToolDocument

    @property
    def renamed(self) -> Literal["illegal", "taken"] | None:
        """Why it had to be called otherwise: its name is not legal here, or a tool before it has that name already."""
        if self.document.name == self.given:
            return None
        return "illegal" if lambda_name_fault(self.given) else "taken"


class Refused(Struct, frozen=True):
    """A line that no Space could hold as a tool: where it stands, and why."""

    where: str
    why: str


class Catalogue(Struct, frozen=True):
    """What was read of one or several files."""

    tools: tuple[Listed, ...] = ()
    refused: tuple[Refused, ...] = ()

    def and_lines(self, data: bytes, file: str) -> Catalogue:
        """The same with the tools of one more file, a JSON object a line: `{name, description, inputSchema}`.

        What a line has beside these is passed over; `input_schema` and `input` are taken for `inputSchema` too. A line
        that cannot be read, whatever its bytes are, is refused by itself.
        """
        taken = {tool.document.name for tool in self.tools}
        numbers: dict[str, int] = {}
        tools, refused = list(self.tools), list(self.refused)
        for number, line in enumerate(data.split(b"\n"), 1):
            if not line.strip():
                continue
            try:
                tool = _listed(strict_json.parse(line, what="the line"), taken, numbers)
            except HarnessError as error:
                refused.append(Refused(f"{file}, line {number}", error.message))
            else:
                taken.add(tool.document.name)
                tools.append(tool)
        return Catalogue(tuple(tools), tuple(refused))


def content_of(document: ToolDocument) -> dict[str, Any]:
    """What `write ~/tools/<name>` takes for such a tool."""
    kept = document.to_map()
    return {key: kept[key] for key in ("description", "summary", "input", "source", "runtime") if key in kept}


def legal_name(given: str, taken: Collection[str], numbers: MutableMapping[str, int] | None = None) -> str:
    """A name like the given one that a tool can have here and none of the others has.

    `numbers` has up to which number names that begin alike are taken: whoever names many tools hands in the same one.
    """
    plain = unicodedata.normalize("NFKD", given).encode("ascii", "ignore").decode("ascii")
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", plain).lower() if lambda_name_fault(given) else given
    joined = re.sub(r"[^a-z0-9_-]+", "_", words).lstrip("_-0123456789").rstrip("_-") or "tool"
    if joined.startswith(MCP_PREFIX):
        joined = f"tool_{joined}"
    name = joined[:LONGEST]
    if lambda_name_fault(name) is None and name not in taken:
        return name
    stem = joined[: LONGEST - LONGEST_ENDING]
    number = numbers.get(stem, 1) if numbers is not None else 1
    while lambda_name_fault(name) is not None or name in taken:
        number += 1
        ending = f"_{number}"
        name = joined[: LONGEST - len(ending)] + ending
    if numbers is not None:
        numbers[stem] = number
    return name


def _listed(line: object, taken: Collection[str], numbers: MutableMapping[str, int]) -> Listed:
    tool = strict_json.as_object(line)
    if tool is None:
        raise HarnessError("bad_input", "A line is a JSON object with name, description and inputSchema.")
    given, description = tool.get("name"), tool.get("description")
    if not isinstance(given, str) or not given:
        raise HarnessError("bad_input", "It has no name.")
    if not isinstance(description, str) or not description.strip():
        description = given
    schema = next((tool[key] for key in ("inputSchema", "input_schema", "input") if key in tool), None)
    content: Mapping[str, Any] = {"description": description, "source": STAND_IN, "runtime": "python"}
    content = content if schema is None else {**content, "input": schema}
    return Listed(given, lambda_document(legal_name(given, taken, numbers), content).document)
