"""The settings of a Space: `agent.toml` read as values, and what of it acts. Pure; files are in `agent_file.py`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, cast

from msgspec import Struct, field

from workbench.harness.errors import HarnessError
from workbench.harness.names import BUILTINS, TOOLBOX
from workbench.harness.space import approvals
from workbench.harness.strict_json import check

GRANTABLE = (*BUILTINS, "publish")
"""What the list `tools` may name."""

DEFAULT_PROMPT = (
    "You are an agent in a harness. You act with a few verbs; everything that you can use and keep has an address in "
    "your Space. Work step by step, look before you change, and say plainly what you did and what you could not do."
)

TOOLBOX_PROMPT = (
    "You are an agent on the machine of your owner. You act with a few tools, on real files and with real commands. "
    "Work step by step, look before you change, and say plainly what you did and what you could not do."
)
"""The prompt of threads of the toolbox surface, unless the owner wrote one."""

MAX_FILE_BYTES = 256 * 1024
"""How long `agent.toml` may be."""


MAX_TIMEOUT_SECS = 300
"""Seconds that a call may ask for, and that the owner may set."""


class Settings(Struct, frozen=True):
    """The settings as they act. `tools` None means that everything is granted.

    `models_waiting` names the models whose settings wait for the owner's yes, so that none of them is asked without.
    `approvals` has what the owner says of a tool of the toolbox, by its name; see `approvals.rules_of`.
    """

    name: str = "agent"
    prompt: str = DEFAULT_PROMPT
    tools: tuple[str, ...] | None = None
    switched_off: tuple[str, ...] = ()
    first_call: Literal["contract", "run"] = "contract"
    model: str | None = None
    models: Mapping[str, Any] = field(default_factory=dict[str, Any])
    models_waiting: tuple[str, ...] = ()
    max_steps: int = 50
    max_tokens: int | None = None
    network: bool = False
    processes: bool = False
    memory_mib: int = 512
    timeout_secs: int = 60
    disk_mib: int = 256
    web_read: bool = True
    searxng: str | None = None
    private_addresses: bool = False
    surface: Literal["verbs", "toolbox"] = "verbs"
    workdir: str | None = None
    approvals: Mapping[str, Any] = field(default_factory=dict[str, Any])
    bash_env: tuple[str, ...] = ()
    mcp: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def publish(self) -> bool:
        """Whether public writing is granted."""
        return self.tools is None or "publish" in self.tools

    @property
    def new_surface(self) -> Literal["verbs", "toolbox"]:
        """The surface of a thread that begins now: the toolbox only where it is said where that acts."""
        return "toolbox" if self.surface == "toolbox" and self.workdir is not None else "verbs"


DEFAULTS = Settings()

Value = Any


def _text(value: Value) -> bool:
    return isinstance(value, str) and value.strip() != ""


def _flag(value: Value) -> bool:
    return isinstance(value, bool)


def _texts(value: Value) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in cast("list[Any]", value))


_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def _names(value: Value) -> bool:
    return _texts(value) and all(_VARIABLE.match(name) for name in cast("list[str]", value))


def _table(value: Value) -> bool:
    return isinstance(value, dict)


def _whole(least: int, most: int) -> Callable[[Value], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _folder(value: Value) -> bool:
    # Text that is no path is shown to the owner before it is used, so that much is asked of it here already.
    return _text(value) and (value.startswith(("/", "~/")) or value == "~") and value.isprintable()


def _one_of(*allowed: str) -> Callable[[Value], bool]:
    return lambda value: value in allowed


class Key(Struct, frozen=True):
    """One setting: where it stands in the file, its field, what it may be, and when it acts without a yes.

    `free` tells of a value whether it narrows, or changes nothing that needs trust. `built` is False for what this
    version cannot do yet: it waits, and no yes is taken for it. `tool` is set where `field` holds a value for each tool
    of the toolbox.
    """

    path: str
    field: str
    allowed: str
    fits: Callable[[Value], bool]
    free: Callable[[Value], bool]
    built: bool = True
    tool: str | None = None

    @property
    def default(self) -> Any:
        """What acts where the file says nothing."""
        return getattr(DEFAULTS, self.field) if self.tool is None else approvals.DEFAULTS[self.tool]


def _always(_: Value) -> bool:
    return True


def _never(_: Value) -> bool:
    return False


def _at_most(default: int) -> Callable[[Value], bool]:
    return lambda value: value <= default


def _number(path: str, field: str, least: int, most: int) -> Key:
    default: int = getattr(DEFAULTS, field)
    return Key(path, field, f"a whole number from {least} to {most}", _whole(least, most), _at_most(default))


def _approval(tool: str) -> Key:
    return Key(
        f"approvals.{tool}",
        "approvals",
        approvals.ALLOWED_WORDS,
        lambda value: approvals.fits(tool, value),
        lambda value: not approvals.widens(tool, value),
        tool=tool,
    )


KEYS: tuple[Key, ...] = (
    Key("name", "name", "a text", _text, _always),
    Key("prompt", "prompt", "a text", _text, _always),
    Key("tools", "tools", "a list of " + ", ".join(GRANTABLE), _texts, _always),
    Key("switched_off", "switched_off", "a list of lambda names", _texts, _always),
    Key("touch_expand.first_call", "first_call", '"contract" or "run"', _one_of("contract", "run"), _always),
    Key("model", "model", 'a model such as "openai:NAME"', _text, _never),
    Key("models", "models", "a table for each model", _table, lambda value: not value),
    _number("turn.max_steps", "max_steps", 1, 1000),
    Key("turn.max_tokens", "max_tokens", "a whole number of at least 1", _whole(1, 10**9), _always),
    Key("sandbox.network", "network", "true or false", _flag, lambda value: not value),
    Key("sandbox.processes", "processes", "true or false", _flag, lambda value: not value),
    _number("sandbox.memory_mib", "memory_mib", 64, 65536),
    _number("sandbox.timeout_secs", "timeout_secs", 1, MAX_TIMEOUT_SECS),
    _number("sandbox.disk_mib", "disk_mib", 1, 65536),
    Key("web.read", "web_read", "true or false", _flag, _always),
    Key("web.searxng", "searxng", "an address", _text, _never, built=False),
    Key("web.private_addresses", "private_addresses", "true or false", _flag, lambda value: not value, built=False),
    Key("surface", "surface", '"verbs" or "toolbox"', _one_of("verbs", "toolbox"), lambda v: v == "verbs"),
    Key("workdir", "workdir", 'a folder, such as "/home/me/project" or "~/project"', _folder, _never),
    *(_approval(tool) for tool in TOOLBOX),
    Key("bash.env", "bash_env", "a list of names of variables", _names, lambda value: not value),
    Key("mcp", "mcp", "a table for each server", _table, lambda value: not value, built=False),
)
BY_PATH = {key.path: key for key in KEYS}
TABLES = {key.path.split(".")[0] for key in KEYS if "." in key.path}
"""The tables whose keys are all known; `models` and `mcp` hold names of the owner's."""


class Waiting(Struct, frozen=True):
    """A setting that waits for the owner's yes on this machine. `id` is the key's path.

    `question` is what the yes is bound to where that is more than the value: of a model, where it is sent.
    """

    id: str
    value: Any
    default: Any
    built: bool
    denied: bool = False
    question: Any = None


class Reading(Struct, frozen=True):
    """What a settings file says: the values by key path, and the faults that do not stop the rest."""

    values: Mapping[str, Any]
    faults: tuple[str, ...]


def read_values(table: Mapping[str, Any]) -> Reading:
    """Take a parsed file apart, key by key.

    Raises:
        HarnessError: `bad_input` when a known key has a value that it cannot have; such a file is not used at all.
    """
    values: dict[str, Any] = {}
    faults: list[str] = []
    for path, value in _leaves(table):
        key = BY_PATH.get(path)
        if key is None:
            faults.append(f"Unknown setting {path}; it does nothing. Settings are: {', '.join(BY_PATH)}.")
            continue
        if not key.fits(value):
            raise HarnessError("bad_input", f"The setting {path} must be {key.allowed}.")
        check(value, what=f"the setting {path}")
        values[path] = value
    listed = cast("list[str]", values.get("tools", []))
    unknown = sorted(set(listed) - set(GRANTABLE))
    if unknown:
        faults.append(
            f"tools names {', '.join(unknown)}, which cannot be granted; it may hold {', '.join(GRANTABLE)}. "
            "Lambdas are switched off one by one in switched_off."
        )
    return Reading(values, tuple(faults))


class Acting(Struct, frozen=True):
    """The settings that act, those that wait for a yes, and those that act because of one."""

    settings: Settings
    waiting: tuple[Waiting, ...]
    approved: tuple[Waiting, ...]


def acting(reading: Reading, answers: Callable[[str, Any], bool | None] = lambda path, value: None) -> Acting:
    """What of a reading acts, and what waits.

    `answers` tells what the owner said on this machine of a key and its value: yes, no, or nothing yet. Whatever
    widens what the agent can do acts only after a yes; until then its default does.
    """
    fields: dict[str, Any] = {}
    waiting: list[Waiting] = []
    approved: list[Waiting] = []
    for path, value in reading.values.items():
        key = BY_PATH[path]
        where = _sent_to(value, reading.values.get("models")) if path == "model" else {}
        question = {"model": value, "sent_to": where} if where else None
        answer = True if key.free(value) else answers(path, value if question is None else question)
        # Until a yes what narrows in the rules of a tool acts already, and the default where nothing does.
        meanwhile = key.default if key.tool is None else approvals.narrowed(key.tool, value) or key.default
        asked = Waiting(path, value, meanwhile, key.built, answer is False, question)
        acts = bool(answer) and (key.built or key.free(value))
        if key.tool is not None:
            # What narrows in it acts at once, also while the rest waits.
            own = fields.setdefault(key.field, {})
            own[key.tool] = value if acts else approvals.narrowed(key.tool, value)
        elif acts:
            fields[key.field] = tuple(cast("list[str]", value)) if isinstance(value, list) else value
        if acts and not key.free(value):
            approved.append(asked)
        elif not acts:
            waiting.append(asked)
            if path == "models":
                fields["models_waiting"] = tuple(cast("Mapping[str, Any]", value))
    return Acting(Settings(**fields), tuple(waiting), tuple(approved))


def _sent_to(model: str, models: Any) -> dict[str, Any]:
    """Where the settings send what a model is asked, as far as they say: a yes to it is a yes to that as well."""
    tables: Mapping[str, Any] = cast("Mapping[str, Any]", models) if isinstance(models, dict) else {}
    where: dict[str, Any] = {}
    target: Any = model
    for _ in range(2):
        table = tables.get(target) if isinstance(target, str) else None
        if not isinstance(table, Mapping):
            break
        said = cast("Mapping[str, Any]", table)
        where = {name: said[name] for name in ("model", "base_url", "key") if name in said} | where
        target = said.get("model")
    return where


def _leaves(table: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, Any]]:
    for name, value in table.items():
        path = f"{prefix}{name}"
        if isinstance(value, dict) and path in TABLES and path not in BY_PATH:
            yield from _leaves(cast("dict[str, Any]", value), f"{path}.")
        else:
            yield path, value


_SECRET_NAME = re.compile(
    r"(^|[._-])(api_?key|key|token|secret|password|passwd|authorization|bearer)s?$", re.IGNORECASE
)
_SECRET_VALUE = re.compile(
    r"(?:\bsk-[A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}|\bAKIA[0-9A-Z]{16}\b"
    r"|\bxox[abprs]-[A-Za-z0-9-]{10,}|\bAIza[0-9A-Za-z_-]{30,}|-----BEGIN [A-Z ]*PRIVATE KEY-----"
    r"|\beyJ[A-Za-z0-9_-]{10,400}\.eyJ|\bBearer\s+[A-Za-z0-9._~+/-]{16,})"
)
_SECRET_IN_TEXT = re.compile(
    r"""(?:api_?key|token|secret|password|passwd|authorization)["']?\s*[:=]\s*["']?(?!\$\{|keyring:)[^\s"',}]{8,}""",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"(?:\$\{[A-Za-z_][A-Za-z0-9_]*\}|keyring:\S+)\Z")


def secret_in(value: Any, path: str = "") -> str | None:
    """The place of a literal that looks like a secret, or None. References to a secret are no secrets."""
    if isinstance(value, Mapping):
        items = cast("Mapping[Any, Any]", value).items()
        pairs = [(f"{path}.{name}" if path else str(name), item) for name, item in items]
    elif isinstance(value, list):
        pairs = [(path, item) for item in cast("list[Any]", value)]
    elif isinstance(value, str):
        if _REFERENCE.match(value.strip()):
            return None
        looks = _SECRET_VALUE.search(value) or (_SECRET_NAME.search(path) and value.strip())
        return path or "the value" if looks else None
    else:
        return None
    return next((found for where, item in pairs if (found := secret_in(item, where))), None)


def secret_in_text(text: str, *, names: bool = False) -> bool:
    """Whether a text that cannot be taken apart holds what looks like a secret; with `names` also `api_key = …`."""
    return bool(_SECRET_VALUE.search(text) or (names and _SECRET_IN_TEXT.search(text)))
