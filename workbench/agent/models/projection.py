"""What each provider takes of the tools' contracts: its rules, and the losses by name. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import unquote

from msgspec import Struct

from workbench.agent.models.model import Loss, Projection

Schema = dict[str, Any]

UNFIT_AT_THE_ROOT = ("oneOf", "anyOf", "allOf", "enum", "not")
"""Keywords that the providers refuse in the outermost schema; deeper ones they take."""


class Rules(Struct, frozen=True):
    """What one provider asks of tools. `who` is its name in sentences; None is no rule.

    `needs_properties` is for a provider that refuses an object schema without the keyword `properties`.
    """

    who: str
    name: re.Pattern[str]
    most_tools: int | None = None
    property_name: re.Pattern[str] | None = None
    needs_properties: bool = False


OPENAI = Rules("OpenAI", re.compile(r"[a-zA-Z0-9_-]{1,64}\Z"), most_tools=128, needs_properties=True)
ANTHROPIC = Rules(
    "Anthropic", re.compile(r"[a-zA-Z0-9_-]{1,128}\Z"), property_name=re.compile(r"[a-zA-Z0-9_.-]{1,64}\Z")
)


def project(tools: Sequence[Mapping[str, Any]], rules: Rules) -> Projection:
    """The tools as the rules allow them, in their order: what fits goes as it is, what does not is named.

    Only the outermost level of a schema is ever changed. Where there are more tools than a provider takes, the first
    ones stay.
    """
    sent: list[Mapping[str, Any]] = []
    losses: list[Loss] = []
    for tool in tools:
        name = str(tool["name"])
        if not rules.name.match(name):
            losses.append(Loss(name, "", "name", f"{rules.who} takes no tool of this name, so the tool is left out."))
        elif rules.most_tools is not None and len(sent) == rules.most_tools:
            why = f"{rules.who} takes at most {rules.most_tools} tools, so this one is left out."
            losses.append(Loss(name, "", "tools", why))
        else:
            root = _Root(name, tool.get("input_schema", {}), rules)
            losses += root.losses
            if root.fits:
                sent.append(tool if root.schema is root.given else {**tool, "input_schema": root.schema})
    return Projection(tuple(sent), tuple(losses))


def legal_name(name: str, rules: Rules) -> str:
    """A name as a provider lets it stand in a past call, where some model once made up another one."""
    if rules.name.match(name):
        return name
    longest = 64 if rules.who == OPENAI.who else 128
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:longest] or "_"


class _Root:
    """The outermost level of one schema on its way to a provider. `given` stays as it is."""

    def __init__(self, tool: str, given: Any, rules: Rules) -> None:
        self.given = given
        self.schema: Any = given
        self.losses: list[Loss] = []
        self.fits = True
        self._tool = tool
        self._rules = rules
        if isinstance(given, bool):
            self._boolean(given)
        for rule in (self._reference, self._branches, self._type, self._properties):
            if self.fits:
                rule()

    def _lose(self, keyword: str, why: str, path: str = "") -> None:
        self.losses.append(Loss(self._tool, path, keyword, why))

    def _boolean(self, allows: bool) -> None:
        self.schema = {}
        self.fits = allows
        if not allows:
            self._lose("false", "The contract allows no input at all, so the tool is left out.")

    def _reference(self) -> None:
        followed: list[Any] = []
        while "$ref" in self.schema:
            reference = self.schema["$ref"]
            target = None if reference in followed else _local(self.given, reference)
            if target is None:
                self.schema = {key: value for key, value in self.schema.items() if key != "$ref"}
                why = f"{self._rules.who} takes no reference as the outermost schema, and this one leads to nothing."
                self._lose("$ref", why)
                return
            followed.append(reference)
            self._put_in_place(target)

    def _put_in_place(self, target: Schema) -> None:
        """Let the definition's keywords stand where the reference stood; what stands beside it goes before."""
        schema: Schema = {}
        for key, value in self.schema.items():
            if key != "$ref":
                schema[key] = value
                continue
            for inner, meaning in target.items():
                if inner not in self.schema or inner == "$ref":
                    schema[inner] = meaning
                elif self.schema[inner] != meaning:
                    why = f"It stands both beside the outermost $ref and in {self.schema['$ref']}; the first is sent."
                    self._lose(inner, why, str(self.schema["$ref"]).removeprefix("#"))
        self.schema = schema

    def _branches(self) -> None:
        for keyword in UNFIT_AT_THE_ROOT:
            if keyword in self.schema:
                self.schema = {key: value for key, value in self.schema.items() if key != keyword}
                self._lose(keyword, f"{self._rules.who} takes no {keyword} in the outermost schema, only deeper down.")

    def _type(self) -> None:
        kind = self.schema.get("type")
        if kind == "object":
            return
        if "type" in self.schema and not (isinstance(kind, list) and "object" in kind):
            self.fits = False
            self._lose("type", "The outermost schema allows no object, and a call gives one, so the tool is left out.")
            return
        self._lose("type", f'{self._rules.who} wants type "object" as the outermost, so that is what is sent.')
        rest = {key: value for key, value in self.schema.items() if key != "type"}
        self.schema = {"type": "object", **rest}

    def _properties(self) -> None:
        if "properties" not in self.schema and self._rules.needs_properties:
            self.schema = {**self.schema, "properties": {}}
        allowed = self._rules.property_name
        properties = self.schema.get("properties")
        if allowed is None or not isinstance(properties, dict):
            return
        names = cast("Schema", properties)
        unfit = [name for name in names if not allowed.match(name)]
        if not unfit:
            return
        kept = {name: value for name, value in names.items() if name not in unfit}
        self.schema = {key: kept if key == "properties" else value for key, value in self.schema.items()}
        required = self.schema.get("required")
        wanted = cast("list[Any]", required) if isinstance(required, list) else []
        if any(name in unfit for name in wanted):
            self.schema["required"] = [name for name in wanted if name not in unfit]
        for name in unfit:
            must = ", though a call must give it" if name in wanted else ""
            why = f"{self._rules.who} takes no property of this name, so it is left out{must}."
            self._lose("properties", why, f"/properties/{_escaped(name)}")


def _local(document: Any, reference: Any) -> Schema | None:
    """What a JSON pointer of the same document leads to, if it is a schema that means the same at the root."""
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return None
    here: Any = document
    for step in reference[2:].split("/"):
        name = unquote(step).replace("~1", "/").replace("~0", "~")
        if not isinstance(here, dict) or name not in here:
            return None
        here = cast("Schema", here)[name]
    if not isinstance(here, dict) or "$id" in here:
        return None
    return cast("Schema", here)


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
