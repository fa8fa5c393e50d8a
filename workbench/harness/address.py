"""Addresses: the texts that name things of the Space, of the Log and of the world outside."""

from __future__ import annotations

import re

from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.names import VERBS

MAX_ADDRESS_BYTES = 4096
"""Bytes of an address at most."""

MAX_PATH_BYTES = 512
"""Bytes of a memory path at most, once it is tidied."""

MAX_PATH_PARTS = 16
"""Names in a memory path at most, the file's own included."""

MAX_PART_BYTES = 255
"""Bytes of one name in a memory path at most: no common file system takes more."""

FORMS = (
    "~/memory/<path>",
    "~/tools/",
    "~/tools/<name>",
    "~/triggers/",
    "~/triggers/<name>",
    "~/self",
    "thread:",
    "thread:<id>",
    "run:<id>",
    "https://<page>",
    "ipfs://",
    "ipfs://<cid>",
    "mcp:<server>/<path>",
)
"""Every form that an address can have."""


class MemoryAddress(Struct, frozen=True):
    """A file or folder of memory; `path` is tidied and relative, empty for memory itself."""

    path: str

    def __str__(self) -> str:
        return f"~/memory/{self.path}"


class ToolsAddress(Struct, frozen=True):
    """The listing of the tools."""

    def __str__(self) -> str:
        return "~/tools/"


class ToolAddress(Struct, frozen=True):
    """One tool by name, legal or not."""

    name: str

    def __str__(self) -> str:
        return f"~/tools/{self.name}"


class TriggersAddress(Struct, frozen=True):
    """The listing of the triggers."""

    def __str__(self) -> str:
        return "~/triggers/"


class TriggerAddress(Struct, frozen=True):
    """One trigger by name, legal or not."""

    name: str

    def __str__(self) -> str:
        return f"~/triggers/{self.name}"


class SelfAddress(Struct, frozen=True):
    """The agent's own definition and settings."""

    def __str__(self) -> str:
        return "~/self"


class ThreadsAddress(Struct, frozen=True):
    """The listing of the threads."""

    def __str__(self) -> str:
        return "thread:"


class ThreadAddress(Struct, frozen=True):
    """One thread."""

    id: str

    def __str__(self) -> str:
        return f"thread:{self.id}"


class RunAddress(Struct, frozen=True):
    """One run."""

    id: str

    def __str__(self) -> str:
        return f"run:{self.id}"


class WebAddress(Struct, frozen=True):
    """A public page. The URL is as given, slashes at its end included: to a web server they mean something."""

    url: str

    def __str__(self) -> str:
        return self.url


class IpfsAddress(Struct, frozen=True):
    """A block by CID, not yet checked; an empty one is the place that is published to."""

    cid: str

    def __str__(self) -> str:
        return f"ipfs://{self.cid}"


class McpAddress(Struct, frozen=True):
    """Something of a connected server; `path` is the server's own name for it, as given, empty for the listing."""

    server: str
    path: str

    def __str__(self) -> str:
        return f"mcp:{self.server}/{self.path}"


Address = (
    MemoryAddress
    | ToolsAddress
    | ToolAddress
    | TriggersAddress
    | TriggerAddress
    | SelfAddress
    | ThreadsAddress
    | ThreadAddress
    | RunAddress
    | WebAddress
    | IpfsAddress
    | McpAddress
)
"""Whatever an address can be."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def parse(text: object) -> Address:
    """Read an address; spaces (U+0020) around it and slashes at its end do not count, other white space does.

    Raises HarnessError `bad_input`: for a memory path that breaks its rules, saying which; for anything else, with the
    list of forms.
    """
    if not isinstance(text, str):
        raise _no_address("an address must be a text")
    if len(text) > MAX_ADDRESS_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_ADDRESS_BYTES:
        raise _no_address(f"an address is at most {MAX_ADDRESS_BYTES:,} bytes long")
    if _SURROGATE.search(text):
        raise _no_address("an address must be text that UTF-8 can encode; this one holds half of a surrogate pair")
    given = text.strip(" ")
    trimmed = given.rstrip("/")
    if trimmed == "~/memory" or trimmed.startswith("~/memory/"):
        return MemoryAddress("/".join(path_parts(trimmed.removeprefix("~/memory"))))
    if _CONTROL.search(given):
        raise _no_address("an address holds no control character, except in the path of a file in memory")
    found = _in_space(trimmed) or _elsewhere(given, trimmed)
    if found is None:
        raise _no_address(_hint(given))
    return found


def touched_tool(text: object) -> str | None:
    """Give the name of the tool that reading or writing this address touches; None if it is no tool's, or a verb's."""
    try:
        found = parse(text)
    except HarnessError:
        return None
    return found.name if isinstance(found, ToolAddress) and found.name not in VERBS else None


def path_parts(path: object) -> tuple[str, ...]:
    """Split a memory path into its names; empty for memory itself.

    A backslash is a slash; leading, doubled and trailing slashes and `.` do not count. Raises HarnessError `bad_input`
    for `..`, NUL, lone surrogates, and whatever is too long or too deep.
    """
    if not isinstance(path, str):
        raise HarnessError("bad_input", "a memory path must be a text")
    if "\x00" in path:
        raise HarnessError("bad_input", "a memory path holds no NUL character")
    if _SURROGATE.search(path):
        raise HarnessError(
            "bad_input", "a memory path must be text that UTF-8 can encode; this one holds half of a pair"
        )
    parts = tuple(part for part in path.replace("\\", "/").split("/") if part not in ("", "."))
    if ".." in parts:
        raise HarnessError("bad_input", "a memory path holds no '..': name the file from ~/memory/ on")
    if len(parts) > MAX_PATH_PARTS:
        raise HarnessError(
            "bad_input", f"a memory path is at most {MAX_PATH_PARTS} names deep; this one has {len(parts)}"
        )
    longest = max((len(part.encode()) for part in parts), default=0)
    total = len("/".join(parts).encode())
    if total > MAX_PATH_BYTES:
        raise HarnessError("bad_input", f"a memory path is at most {MAX_PATH_BYTES} bytes long; this one has {total}")
    if longest > MAX_PART_BYTES:
        raise HarnessError("bad_input", f"a file's name is at most {MAX_PART_BYTES} bytes long; one here has {longest}")
    return parts


def _in_space(trimmed: str) -> Address | None:
    if trimmed == "~/tools":
        return ToolsAddress()
    if trimmed == "~/triggers":
        return TriggersAddress()
    if trimmed == "~/self":
        return SelfAddress()
    for prefix, kind in (("~/tools/", ToolAddress), ("~/triggers/", TriggerAddress)):
        name = trimmed.removeprefix(prefix)
        if name != trimmed and "/" not in name:
            return kind(name)
    return None


def _elsewhere(given: str, trimmed: str) -> Address | None:
    scheme, colon, rest = trimmed.partition(":")
    if not colon:
        return None
    if scheme == "thread":
        return ThreadAddress(rest) if rest else ThreadsAddress()
    if scheme == "run" and rest:
        return RunAddress(rest)
    if scheme == "mcp":
        server, _, path = given.removeprefix("mcp:").partition("/")
        return McpAddress(server, path if path.strip("/") else "") if server else None
    if scheme == "ipfs" and given.startswith("ipfs://"):
        cid = rest.removeprefix("//")
        return IpfsAddress(cid) if "/" not in cid else None
    if scheme.lower() == "https" and re.match(r"(?i)https://[^/?#\s]", given):
        return WebAddress(given)
    return None


def _hint(given: str) -> str:
    """Say what may have been meant by an address that has no known form."""
    if given.lower().startswith("http://"):
        return "plain http:// is not read; use https://"
    if given.startswith(("/tools/", "tools/", "memory/", "/memory/", "triggers/", "self", "/self")):
        return "addresses in the Space begin with ~/"
    if given.startswith(("~/tools/", "~/triggers/")):
        return "a name holds no slash"
    if not given:
        return "the address is empty"
    return "this is no address"


def _no_address(fault: str) -> HarnessError:
    return HarnessError("bad_input", f"{fault}. An address has one of these forms: {', '.join(FORMS)}")
