"""From the name of a model, as the owner writes it, to a model that can be asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from unicodedata import category
from urllib.parse import urlsplit

from workbench.agent.models.extra import need
from workbench.agent.models.keys import key_source
from workbench.agent.models.model import Choice, Model, Price
from workbench.harness.errors import HarnessError
from workbench.harness.space.settings import Settings

if TYPE_CHECKING:
    from workbench.harness.harness import Harness

NO_MODEL = (
    'No model is set. Set one in the settings, such as model = "openai:NAME" or model = "anthropic:NAME", or name one '
    "for this time with --model. Without one you can play the agent yourself."
)
"""What is said where a model is needed and none is set."""

NAMES = "scripted:FILE, replay:THREAD, replay:FILE.jsonl, openai:NAME, anthropic:NAME"
"""The names that a model can have; an alias of the settings is another."""

PROVIDERS = ("openai", "anthropic")

_UNFIT = ("Cc", "Cs", "Zl", "Zp")  # what steers a terminal, and halves of characters

RESERVED = ("model", "messages", "system", "tools", "stream")
"""Parts of a request that the options of a model cannot replace."""


def choose(
    id: str | None, settings: Settings, *, scene_root: Path | None = None, harness: Harness | None = None
) -> Model:
    """The model of a name, with what the settings say of it. Nothing is asked, no key is read.

    `scene_root` is the folder that a scene's relative path begins at, the current one by default; `harness` is where a
    recorded thread is read from.

    Raises:
        HarnessError: `unavailable` when no model is set, what it needs is not installed, or its settings wait for the
            owner's yes, `bad_input` for a name or a setting that is none, and whatever opening a scene or a recording
            raises.
    """
    if id is None or not id.strip():
        raise HarnessError("unavailable", NO_MODEL)
    kind, name, choice = _named(id, settings)
    if kind == "scripted":
        from workbench.agent.models import scripted

        return scripted.open_scripted((scene_root or Path()) / name)
    if kind == "replay":
        from workbench.agent.models import replay

        return replay.open_replay(name, harness)
    return _provider(kind, id, name, choice)


def takes_images(id: str | None, settings: Settings) -> bool | None:
    """Whether the model of a name is sent images; None where that is not known. Nothing is opened or loaded."""
    try:
        kind, _, choice = _named(id or "", settings)
    except HarnessError:
        return None
    if kind not in PROVIDERS:
        return None
    from workbench.agent.models.providers import anthropic, openai, shared

    own_url = openai.OpenAI.own_url if kind == "openai" else anthropic.Anthropic.own_url
    return shared.takes_images(choice, own_url)


def _named(id: str, settings: Settings) -> tuple[str, str, Choice]:
    """What a name stands for: the kind, the name after the colon, and the owner's words on it."""
    _check_name(id)
    _check_waiting(id, settings)
    table = _table_of(id, settings)
    target = table.pop("model", None)
    if target is not None:
        if not isinstance(target, str) or target == id or not target.strip():
            raise _wrong(f"models.{_quoted(id)}.model", f"the name of a model: {NAMES}")
        _check_name(target)
        _check_waiting(target, settings)
        table = _table_of(target, settings) | table
        if "model" in table:
            raise _wrong(f"models.{_quoted(id)}.model", "the model itself, not another alias")
    kind, _, name = (target or id).partition(":")
    if not name.strip() or kind not in {"scripted", "replay", *PROVIDERS}:
        raise _no_such(target or id, settings)
    return kind, name, _choice(id, table)


def _provider(kind: str, id: str, name: str, choice: Choice) -> Model:
    for package in ("pydantic_ai", kind):
        need(package, what=f"The model {id}")
    if kind == "openai":
        from workbench.agent.models.providers.openai import OpenAI

        return OpenAI(id, name, choice)
    from workbench.agent.models.providers.anthropic import Anthropic

    return Anthropic(id, name, choice)


def _check_name(id: str) -> None:
    if unfit := next((char for char in id if category(char) in _UNFIT), None):
        raise HarnessError(
            "bad_input", f"The name of a model cannot hold the character U+{ord(unfit):04X}: write it in plain letters."
        )


def _check_waiting(id: str, settings: Settings) -> None:
    """Without its settings a model would be asked at its provider's own address, and the owner meant another."""
    if id in settings.models_waiting:
        raise HarnessError(
            "unavailable", f"The settings of {id} wait for your yes on this machine: workbench approve models."
        )


def _table_of(id: str, settings: Settings) -> dict[str, Any]:
    table = settings.models.get(id, {})
    if not isinstance(table, Mapping):
        raise _wrong(f"models.{_quoted(id)}", "a table")
    return dict(cast("Mapping[str, Any]", table))


def _no_such(id: str, settings: Settings) -> HarnessError:
    aliases = [name for name, table in settings.models.items() if isinstance(table, Mapping) and "model" in table]
    more = f" Of your settings: {', '.join(aliases)}." if aliases else ""
    return HarnessError("bad_input", f"{id!r} names no model. A model is one of {NAMES}.{more}")


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _amount(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 10**9


_HOST = re.compile(r"(?:[\w.-]+|[0-9a-fA-F:.]+)\Z")
_BROKEN = re.compile(r"[\s\\]")  # others read an address with one of these differently


def _address(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    try:
        parts = urlsplit(value)
        _ = parts.port
    except ValueError:
        return False
    if not _HOST.match(parts.hostname or ""):
        return False
    plain = not (parts.query or parts.fragment or parts.username or parts.password)
    return parts.scheme in {"http", "https"} and plain and value.isprintable() and not _BROKEN.search(value)


_CHOICE: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "base_url": ("an address such as http://127.0.0.1:8080/v1, without a user, a query or a fragment", _address),
    "key": ("${NAME} or keyring:NAME", lambda value: isinstance(value, str)),
    "context": ("a whole number of tokens, at least 1", _whole),
    "max_tokens": ("a whole number of tokens, at least 1", _whole),
    "images": ("true or false: whether it is sent images", lambda value: isinstance(value, bool)),
    "price": ("a table", lambda value: isinstance(value, Mapping)),
    "options": ("a table", lambda value: isinstance(value, Mapping)),
}
_PRICE = ("input", "output", "cache_read")


def _choice(id: str, table: Mapping[str, Any]) -> Choice:
    """Read the table of one model; whatever is no setting, or does not fit, is refused by name."""
    at = f"models.{_quoted(id)}"
    for key, value in table.items():
        if key not in _CHOICE:
            raise HarnessError("bad_input", f"Unknown setting {at}.{key}. A model has: model, {', '.join(_CHOICE)}.")
        allowed, fits = _CHOICE[key]
        if not fits(value):
            raise _wrong(f"{at}.{key}", allowed)
    if "key" in table:
        try:
            key_source(table["key"])
        except HarnessError as error:
            raise HarnessError(error.code, f"The setting {at}.key: {error.message}") from None
    options = dict(cast("Mapping[str, Any]", table.get("options", {})))
    for key in options:
        if key in RESERVED:
            raise HarnessError(
                "bad_input", f"The setting {at}.options cannot hold {key}: the harness itself writes that part."
            )
    return Choice(
        base_url=table.get("base_url"),
        key=table.get("key"),
        context=table.get("context"),
        max_tokens=table.get("max_tokens"),
        images=table.get("images"),
        price=_price(at, cast("Mapping[str, Any]", table.get("price", {}))),
        options=options,
    )


def _price(at: str, table: Mapping[str, Any]) -> Price:
    for key, value in table.items():
        if key not in _PRICE:
            raise HarnessError("bad_input", f"Unknown setting {at}.price.{key}. A price has: {', '.join(_PRICE)}.")
        if not _amount(value):
            raise _wrong(f"{at}.price.{key}", "a number of at least 0: what a million tokens cost")
    return Price(**{key: float(value) for key, value in table.items()})


def _wrong(setting: str, allowed: str) -> HarnessError:
    return HarnessError("bad_input", f"The setting {setting} must be {allowed}.")


def _quoted(id: str) -> str:
    return id if id.replace("-", "").replace("_", "").isalnum() else f'"{id}"'
