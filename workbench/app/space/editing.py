"""Text that was typed for a setting, to its value and back; what cannot be is refused in words. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from workbench.app.space.setting_words import Composing, Counting, Editing, Naming, Ruling, Tabling, Writing
from workbench.app.space.settings_rows import Setting
from workbench.harness.errors import HarnessError
from workbench.harness.space.approvals import VERDICTS
from workbench.harness.space.settings import secret_in
from workbench.harness.strict_json import parse, pretty

_WHOLE = re.compile(r"[+-]?[0-9][0-9_,]*\Z")


def typed(editing: Editing, value: Any) -> str:
    """A value as it is typed."""
    if value is None:
        return ""
    if isinstance(editing, Naming):
        names = [str(name) for name in value]
        plain = all(name and not re.search(r"[\s,\[]", name) for name in names)
        return ", ".join(names) if plain else json.dumps(names, ensure_ascii=False)
    if isinstance(editing, Ruling):
        return pretty(dict(value)) if isinstance(value, Mapping) else str(value)
    if isinstance(editing, Tabling):
        return pretty(dict(value)) if value else "{\n}"
    return str(value)


def several_lines(editing: Editing) -> bool:
    """Whether it takes an editor of its own."""
    return isinstance(editing, Composing | Tabling)


def value_of(setting: Setting, editing: Editing, text: str) -> Any:
    """The value that a text stands for.

    Raises:
        HarnessError: `bad_input` or `refused`: it cannot be this setting's value; says what is allowed.
    """
    value = _read(setting, editing, text)
    where = secret_in({setting.path: value})
    if where:
        raise HarnessError(
            "refused", f"{where} looks like a secret itself. Write ${{NAME}} for a variable, or keyring:NAME."
        )
    if not setting.key.fits(value):
        raise HarnessError("bad_input", f"{setting.path} must be {setting.key.allowed}.")
    return value


def _read(setting: Setting, editing: Editing, text: str) -> Any:
    match editing:
        case Counting():
            return _number(setting, editing, text)
        case Naming():
            return _names(setting, editing, text)
        case Ruling():
            return _rules(setting, text)
        case Tabling():
            return parse(text, what=setting.path)
        case Writing():
            return _worded(setting, text.strip())
        case _:
            return _worded(setting, text)


def rules_text(value: Any) -> str:
    """A word or a table of rules as the table that is edited: all that may stand in it is there to be filled."""
    table: dict[str, Any] = dict(value) if isinstance(value, Mapping) else {"default": value}
    return pretty({name: [] for name in ("allow", "ask", "deny")} | table)


def _rules(setting: Setting, text: str) -> Any:
    """A word, or a table as JSON or TOML. Lists with nothing in them say nothing, so they are left out."""
    plain = text.strip()
    if plain.strip("\"'") in VERDICTS:
        return plain.strip("\"'")
    if plain.startswith("{"):
        given = parse(plain, what=setting.path)
    else:
        import tomllib

        try:
            given = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            words = f"{setting.path} is a word, or a table as JSON or TOML; as TOML it has a fault: {error}."
            raise HarnessError("bad_input", words) from error
    if not setting.key.fits(given):
        raise HarnessError("bad_input", f"{setting.path} must be {setting.key.allowed}.")
    return {name: said for name, said in given.items() if said != []} if isinstance(given, dict) else given


def _worded(setting: Setting, text: str) -> str:
    if not text.strip():
        raise HarnessError("bad_input", f"{setting.path} must be {setting.key.allowed}; it is empty. d takes it away.")
    return text


def _number(setting: Setting, editing: Counting, text: str) -> int:
    plain = text.strip()
    if not _WHOLE.match(plain):
        raise HarnessError("bad_input", f"“{plain}” is no whole number; {setting.path} must be {setting.key.allowed}.")
    digits = plain.replace("_", "").replace(",", "")
    if len(digits) > 20 or not editing.least <= int(digits) <= editing.most:
        raise HarnessError(
            "bad_input", f"{plain} is out of bounds; {setting.path} is from {editing.least:,} to {editing.most:,}."
        )
    return int(digits)


def _names(setting: Setting, editing: Naming, text: str) -> list[str]:
    if text.lstrip().startswith("["):
        given = parse(text, what=setting.path)
        if not setting.key.fits(given):
            raise HarnessError("bad_input", f"{setting.path} must be {setting.key.allowed}.")
        names = cast("list[str]", given)
    else:
        names = [name for name in re.split(r"[\s,]+", text) if name]
    names = list(dict.fromkeys(names))
    there = set(setting.present or ())
    unknown = [name for name in names if editing.known is not None and name not in (*editing.known, *there)]
    if unknown:
        raise HarnessError("bad_input", f"{', '.join(unknown)} cannot be granted; {setting.key.allowed}.")
    return names
