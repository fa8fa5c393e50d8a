"""Every setting in words: what it is for, what a yes to it means, and how it is edited."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.harness.names import TOOLBOX
from workbench.harness.space.approvals import rules_of
from workbench.harness.space.settings import GRANTABLE, MAX_TIMEOUT_SECS


@dataclass(frozen=True, slots=True)
class Switching:
    """On or off."""


@dataclass(frozen=True, slots=True)
class Choosing:
    """One of a few values, each with what it means."""

    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Counting:
    """A whole number with bounds, both allowed."""

    least: int
    most: int
    unit: str


@dataclass(frozen=True, slots=True)
class Writing:
    """A text of one line."""


@dataclass(frozen=True, slots=True)
class Composing:
    """A text of several lines."""


@dataclass(frozen=True, slots=True)
class Naming:
    """A list of names; `known` are the only ones, None where any will do."""

    known: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Tabling:
    """A table, edited as JSON."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """One of a few words, or a table with rules, edited as JSON or as the settings file has it."""

    words: tuple[tuple[str, str], ...]


RULES = "rules"
"""Chosen in place of a word: a table."""

Editing = Switching | Choosing | Counting | Writing | Composing | Naming | Tabling | Ruling


@dataclass(frozen=True, slots=True)
class Words:
    """A setting in words. `yes` says what letting a value act means, for those that wait for the owner's yes."""

    about: str
    editing: Editing
    yes: Callable[[Any], str] | None = None


def _more(what: str, unit: str, default: int) -> Callable[[Any], str]:
    return lambda value: f"{what} up to {value:,} {unit} in place of {default:,}."


def surface_means(folder: str) -> str:
    """What a yes to the toolbox surface means; `folder` is where it acts, in words."""
    return f"In new threads {_machine_means(f'in {folder}')}"


def _machine_means(where: str) -> str:
    """What a yes to acting on the machine means, for the setting that says that it does or the one that says where."""
    return (
        f"the agent acts on this machine {where}, as you: it can read whatever you can read, and with your yes to each "
        "call (unless approvals.* allow it) change files and run commands. bash can reach the Space itself and the "
        "folder of your yeses, which write and edit refuse."
    )


_RULED = Ruling(
    (
        ("ask", "you are asked before each call"),
        ("allow", "it acts without asking"),
        ("deny", "its calls are refused"),
    )
)

_UNASKED: Mapping[str, str] = {
    "write": "writes and replaces any file that you can write, but for the Space and the folder of your yeses",
    "edit": "changes any file that you can write, but for the Space and the folder of your yeses",
    "bash": "runs any command, as you; it can reach the Space itself and the folder of your yeses",
}
"""What a tool of the toolbox does that acts without asking, of those that ask unless that is set."""


def _approval_means(tool: str) -> Callable[[Any], str]:
    def means(value: Any) -> str:
        rules = rules_of(tool, value)
        if rules.default == "allow":
            but = " What its patterns ask about or deny is left out." if rules.ask or rules.deny else ""
            return f"Without asking you, {tool} {_UNASKED[tool]}.{but}"
        if rules.allow:
            return f"Without asking you, {tool} acts where this matches: {', '.join(rules.allow)}"
        return ""

    return means


def _approval(tool: str) -> Words:
    patterns = "commands" if tool == "bash" else "paths"
    about = f"Whether the toolbox's {tool} asks you before it acts; a table has rules by patterns of {patterns}."
    return Words(about, _RULED, _approval_means(tool) if tool in _UNASKED else None)


SETTINGS: Mapping[str, Words] = {
    "name": Words("What the agent is called.", Writing()),
    "prompt": Words("The first part of every system prompt, before the <space> block.", Composing()),
    "tools": Words(
        "The builtins and publish that are granted. No list: all of them. An empty list: none.", Naming(GRANTABLE)
    ),
    "switched_off": Words("Lambdas that are kept but cannot be called.", Naming()),
    "touch_expand.first_call": Words(
        "What a first call of a tool gives that nobody touched in the thread before.",
        Choosing(
            (("contract", "its contract; nothing runs until the call is made again"), ("run", "its result, if valid"))
        ),
    ),
    "model": Words(
        "The model that answers messages, such as openai:NAME.",
        Writing(),
        lambda value: f"What the agent reads and writes is sent to the provider of {value}, and may cost money.",
    ),
    "models": Words(
        "For each model its address and its options. Keys come from ${NAME} or keyring:NAME.",
        Tabling(),
        lambda value: "What the agent reads and writes may be sent to the addresses named here.",
    ),
    "turn.max_steps": Words(
        "How many requests one turn may make.", Counting(1, 1000, "requests"), _more("A turn makes", "requests", 50)
    ),
    "turn.max_tokens": Words(
        "How many tokens one answer may have. None: as the model has it.", Counting(1, 10**9, "tokens")
    ),
    "sandbox.network": Words(
        "Whether execute and lambdas have the network.",
        Switching(),
        lambda value: (
            "Code of the agent's gets the host's network, loopback included: it reaches the internet, your "
            "local network, and whatever listens on this machine."
        ),
    ),
    "sandbox.processes": Words(
        "Whether execute and lambdas may start processes of their own.",
        Switching(),
        lambda value: "Code of the agent's may start other programs in the sandbox; all end with the call.",
    ),
    "sandbox.memory_mib": Words(
        "Memory of one call.", Counting(64, 65536, "MiB"), _more("A call takes", "MiB of memory", 512)
    ),
    "sandbox.timeout_secs": Words(
        f"How long a call may take that asks for nothing else; it may ask for up to {MAX_TIMEOUT_SECS}.",
        Counting(1, MAX_TIMEOUT_SECS, "s"),
        _more("A call runs", "s", 60),
    ),
    "sandbox.disk_mib": Words(
        "By how much one call may make memory and /tmp grow.",
        Counting(1, 65536, "MiB"),
        _more("A call writes", "MiB", 256),
    ),
    "web.read": Words("Whether read takes public pages, https://….", Switching()),
    "web.searxng": Words(
        "The SearXNG instance that web_search asks.",
        Writing(),
        lambda value: f"What the agent searches for is sent to {value}.",
    ),
    "web.private_addresses": Words(
        "Whether pages of the local network may be read.",
        Switching(),
        lambda value: "The agent may read pages of this machine and of your local network.",
    ),
    "surface": Words(
        "What new threads offer the agent.",
        Choosing((("verbs", "the five verbs and the Space"), ("toolbox", "seven tools that act on the real machine"))),
        lambda value: surface_means("the folder that workdir names"),
    ),
    "workdir": Words(
        "The folder that the toolbox works in. It takes surface = toolbox as well.",
        Writing(),
        lambda value: f"In threads of the toolbox surface {_machine_means(f'in {value}')}",
    ),
    **{f"approvals.{tool}": _approval(tool) for tool in TOOLBOX},
    "bash.env": Words(
        "Variables of your environment that the toolbox's bash is given.",
        Naming(),
        lambda value: f"Commands of the agent's see your {', '.join(map(str, value))}.",
    ),
    "mcp": Words(
        "For each MCP server its command or address, and which of its tools are granted.",
        Tabling(),
        lambda value: f"These are started or connected to, as you: {', '.join(value)}.",
    ),
}
"""By key, in the order of the settings' own table."""
