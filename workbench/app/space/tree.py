"""The Space as a tree: twigs for what memory's folders hold. Pure, but for what it is given to read with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from workbench.app.widgets.outline.twig import Twig
from workbench.harness.errors import HarnessError
from workbench.harness.space.memory import Entry, Folder
from workbench.harness.text import fold, printable
from workbench.harness.views import MemoryView

MEMORY = "memory/"
"""The key of memory's root; what is in it has the key `memory/PATH`, a folder with a slash behind it."""

SELF, TOOLS, TRIGGERS = "self", "tools/", "triggers/"

MORE = "\0more"
"""What the key of the twig ends with that stands for entries which are not listed yet."""

_KINDS = {"link": "link, never followed", "special": "no file: a FIFO, socket or device"}


@dataclass(frozen=True, slots=True)
class Listing:
    """What a folder holds, as far as it was listed; `fault` says why it cannot be looked at."""

    entries: tuple[Entry, ...] = ()
    more: int = 0
    fault: str | None = None


def list_folder(memory: MemoryView, path: str, pages: int) -> Listing:
    """List the first pages of a folder. Blocking."""
    entries: list[Entry] = []
    start: int | None = 1
    more = 0
    try:
        for _ in range(pages):
            found = memory.read(path, start)
            if not isinstance(found, Folder):
                return Listing(fault=f"~/memory/{path} is no folder any more.")
            entries += found.entries
            start, more = found.next_offset, found.more
            if start is None:
                break
    except HarnessError as error:
        if not entries:
            return Listing(fault=error.message)
    return Listing(tuple(entries), more)


def folder_of(key: str) -> str | None:
    """The path of the folder that a key stands for; None for what is none."""
    if not key.startswith(MEMORY) or not key.endswith("/"):
        return None
    return key.removeprefix(MEMORY).removesuffix("/")


def path_of(key: str) -> str | None:
    """The path in memory of what a key stands for; None for what is not in memory, and for its root."""
    if not key.startswith(MEMORY) or "\0" in key:
        return None
    return key.removeprefix(MEMORY).removesuffix("/") or None


def twigs(listings: Mapping[str, Listing], load: Callable[[str], None], tools: int) -> list[Twig]:
    """The whole tree. `load` is asked for a folder that is unfolded and not listed yet."""
    told = (("~/self", "strong"), ("  who the agent is, as it is told", "quiet"))
    count = "1 tool" if tools == 1 else f"{tools:,} tools"
    return [
        Twig(SELF, told),
        _folder(MEMORY, "~/memory/", "", listings, load),
        Twig(TRIGGERS, (("~/triggers/", "strong"), ("  not in this version", "quiet"))),
        Twig(TOOLS, (("~/tools/", "strong"), (f"  {count}; enter goes to the Tools tab", "quiet"))),
    ]


def _folder(key: str, shown: str, path: str, listings: Mapping[str, Listing], load: Callable[[str], None]) -> Twig:
    def children() -> list[Twig]:
        listing = listings.get(path)
        if listing is None:
            load(path)
            return [Twig(f"{key}\0reading", (("reading…", "quiet"),))]
        return _children(path, listing, listings, load)

    known = listings.get(path)
    counted = f"  {len(known.entries) + known.more:,}" if known is not None and not known.fault else ""
    return Twig(key, ((fold(printable(shown)), "strong"), (counted, "quiet")), children)


def _children(path: str, listing: Listing, listings: Mapping[str, Listing], load: Callable[[str], None]) -> list[Twig]:
    if listing.fault is not None:
        return [Twig(f"{MEMORY}{path}\0fault", (("✗ ", "bad"), (fold(printable(listing.fault)), "")))]
    if not listing.entries:
        words = "Nothing in this folder." if path else "Empty. What the agent or you write to ~/memory/ is here."
        return [Twig(f"{MEMORY}{path}\0empty", ((f"{words} n begins a file.", "quiet"),))]
    found = [_entry(entry, listings, load) for entry in listing.entries]
    if listing.more:
        words = f"… {listing.more:,} more; enter lists the next"
        found.append(Twig(f"{MEMORY}{path}{MORE}", ((words, "quiet"),)))
    return found


def _entry(entry: Entry, listings: Mapping[str, Listing], load: Callable[[str], None]) -> Twig:
    if entry.type == "directory":
        name = entry.path.rpartition("/")[2]
        return _folder(f"{MEMORY}{entry.path}/", f"{name}/", entry.path, listings, load)
    return _leaf(entry)


@lru_cache(maxsize=20_000)
def _leaf(entry: Entry) -> Twig:
    """Kept, because a large folder is drawn anew whenever one file in it changes."""
    name = fold(printable(entry.path.rpartition("/")[2]))
    told = (f"  {entry.size or 0:,} B", "quiet") if entry.type == "file" else (f"  {_KINDS[entry.type]}", "quiet")
    return Twig(f"{MEMORY}{entry.path}", ((name, ""), told))
