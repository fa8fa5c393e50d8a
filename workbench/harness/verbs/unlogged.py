"""What never reaches the log: a secret that was to be written to the settings."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any, cast

from workbench.harness import address as addresses
from workbench.harness.address import SelfAddress
from workbench.harness.errors import HarnessError
from workbench.harness.log.payloads import dumps
from workbench.harness.space.agent_file import NO_SECRETS
from workbench.harness.space.settings import secret_in, secret_in_text
from workbench.harness.strict_json import as_object
from workbench.harness.verbs.carried import CARRIED

_ADDRESS = re.compile(r'"address"\s*:\s*("(?:[^"\\]|\\.)*+")', re.DOTALL)
_TOOL = re.compile(r'"tool"\s*:\s*("(?:[^"\\]|\\.)*+")', re.DOTALL)


def refuse_before_logging(input: Any, name: str) -> None:
    """Stop a secret before the act exists: what is in the log stays there.

    It is about settings, however they come in: by `write`, by `call` of it, under a name that is no tool's, as an
    input that is a text. The content of files and tools is nobody's business here.

    Raises:
        HarnessError: `refused` for settings that hold a literal secret.
    """
    while name == "call" and (body := as_object(input)) is not None:
        name, input = _called(body.get("tool")), body.get("input")
    if not _for_settings(input, name):
        return
    fields = [field for field in (as_object(input) or {}).values() if isinstance(field, str)]
    if _holds_secret(input) or any(map(_holds_secret, fields)):
        raise HarnessError("refused", NO_SECRETS)


def _called(tool: object) -> str:
    """The name that `call` was to call, as it was meant."""
    return tool.strip().strip("/").rpartition("/")[2].lower() if isinstance(tool, str) else ""


def _for_settings(input: Any, name: str) -> bool:
    """Whether this is a write to ~/self, or perhaps was to be one."""
    body = as_object(input)
    if body is not None:
        places: list[object] = [body.get("address")]
    else:
        # Nothing of a text is done, and yet the log keeps it as it came, perhaps cut off in the middle.
        text = input if isinstance(input, str) else dumps(input)
        places = [_unquoted(found) for found in _ADDRESS.findall(text)] or [None]
        if name == "call" and any(_called(_unquoted(found)) == "write" for found in _TOOL.findall(text)):
            name = "write"
    # Under another name than `write` only what says so itself is for the settings.
    return any(_is_self(place, mistyped=name == "write") for place in places)


def _is_self(address: object, *, mistyped: bool) -> bool:
    try:
        return isinstance(addresses.parse(address), SelfAddress)
    except HarnessError:
        # Perhaps ~/self mistyped: nothing will be written, and the log keeps what was to be.
        elsewhere = isinstance(address, str) and address.strip().startswith(("~/memory/", "~/tools/"))
        return mistyped and not elsewhere


def _holds_secret(value: Any) -> bool:
    """Whether a literal that looks like a secret stands in what may be settings; a text is the JSON or TOML in it."""
    if not isinstance(value, str):
        return secret_in(value) is not None or any(map(secret_in_text, _keys(value)))
    try:
        read, comments = _loosely(value)
        if isinstance(read, str):
            return _holds_secret(read)
        return (comments and secret_in_text(value)) or _holds_secret(read) or any(map(_holds_secret, _contents(read)))
    except (ValueError, RecursionError):
        return secret_in_text(value, names=True)


def _loosely(text: str) -> tuple[Any, bool]:
    """A text's JSON, or its TOML, which has comments. What the settings would not take is logged all the same."""
    try:
        # A key that stands there twice is two of them here.
        return json.loads(text, object_pairs_hook=lambda pairs: [{key: value} for key, value in pairs]), False
    except ValueError:
        return tomllib.loads(text), True


def _within(value: Any) -> Iterator[tuple[str, Any]]:
    """Every key within a value, with what stands there."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            table = cast("dict[str, Any]", item)
            yield from table.items()
            waiting.extend(table.values())
        elif isinstance(item, list):
            waiting.extend(cast("list[Any]", item))


def _keys(value: Any) -> Iterator[str]:
    return (key for key, _ in _within(value))


def _contents(value: Any) -> Iterator[str]:
    """The texts within the text of an act that may be settings themselves."""
    return (item for key, item in _within(value) if key in CARRIED.values() and isinstance(item, str))


def _unquoted(text: str) -> str:
    try:
        return str(json.loads(text))
    except ValueError:
        return text
