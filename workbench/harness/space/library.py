"""The tool documents of a Space: names to versions, versions to documents."""

from __future__ import annotations

from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.identity import iso
from workbench.harness.space.document import ToolDocument, decode, encode
from workbench.harness.store.rows import VersionRow
from workbench.harness.store.store import Store

PREFIX = "~/tools/"

KEPT_BYTES = 64 * 1024 * 1024
"""How many bytes of blocks are kept decoded; beyond that, keeping starts anew."""


class StoredTool(Struct, frozen=True):
    """A tool as it is stored now. `size` is the block's, in bytes; `version` counts from 1."""

    name: str
    cid: str
    document: ToolDocument
    size: int
    version: int
    time: str
    actor: str


class Version(Struct, frozen=True):
    """One version of a tool; `cid` None says that it was deleted then.

    `size` is the block's as it is stored, in bytes: 0 where there is none. Whether it is what its CID names is found
    out when it is read.
    """

    version: int
    cid: str | None
    time: str
    actor: str
    size: int


class DeletedTool(Struct, frozen=True):
    """A name that was taken away: its last version `cid`, and when and by whom it was deleted."""

    name: str
    cid: str
    time: str
    actor: str


class BrokenTool(Struct, frozen=True):
    """A tool whose stored block cannot be trusted: it is listed with its fault and never used."""

    name: str
    cid: str
    fault: str


class Library:
    """Reads and writes tool documents. A block is immutable, so what was decoded once is kept."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._decoded: dict[str, tuple[ToolDocument, int]] = {}
        self._decoded_bytes = 0
        self.distrusted: frozenset[str] = frozenset()
        """The blocks that were found not to be what their CIDs name, after they had been read or by looking again."""

    def get(self, name: str) -> StoredTool | None:
        """The tool of that name, or None.

        Raises:
            HarnessError: `corrupt` when its block is not what its CID names.
        """
        head = self._store.head(PREFIX + name)
        return self._stored(head) if head and head.cid else None

    def all(self) -> tuple[dict[str, StoredTool], list[BrokenTool]]:
        """Every tool by name, and beside them those whose block cannot be trusted."""
        tools: dict[str, StoredTool] = {}
        broken: list[BrokenTool] = []
        for head in self._store.heads(PREFIX):
            try:
                tool = self._stored(head)
            except HarnessError as error:
                broken.append(BrokenTool(head.name.removeprefix(PREFIX), head.cid or "", error.message))
            else:
                tools[tool.name] = tool
        return tools, broken

    def document(self, cid: str) -> tuple[ToolDocument, int]:
        """A version's document and the size of its block. Raises HarnessError `not_found` or `corrupt`."""
        known = self._decoded.get(cid)
        if known is None:
            block = self._store.get_block(cid)
            known = self._keep(cid, decode(block), len(block))
        return known

    def block(self, cid: str) -> bytes:
        """A block's bytes, hashed anew. One that does not match is not used any more, whatever was decoded before.

        Raises:
            HarnessError: `not_found` or `corrupt`.
        """
        try:
            block = self._store.get_block(cid)
        except HarnessError as error:
            if error.code in ("corrupt", "not_found"):
                self._distrust(cid)
            raise
        if cid in self.distrusted:
            self.distrusted -= {cid}
        return block

    def _distrust(self, cid: str) -> None:
        known = self._decoded.pop(cid, None)
        if known is not None:
            self._decoded_bytes -= known[1]
        if cid not in self.distrusted:
            self.distrusted |= {cid}

    def _keep(self, cid: str, document: ToolDocument, size: int) -> tuple[ToolDocument, int]:
        if self._decoded_bytes + size > KEPT_BYTES:
            self._decoded.clear()
            self._decoded_bytes = 0
        self._decoded_bytes += size
        self._decoded[cid] = (document, size)
        return document, size

    def save(
        self, document: ToolDocument, actor: str, base_cid: str | None = None, *, create: bool = False
    ) -> tuple[str, bool]:
        """Make a document the newest version of its name; its CID, and whether anything changed.

        Raises:
            HarnessError: `conflict` when `base_cid` is given and is no longer the version, or with `create` when there
                is one, whatever it says.
        """
        block = encode(document)
        with self._store.writing():
            head = self._store.head(PREFIX + document.name)
            present = head.cid if head else None
            if base_cid is not None and base_cid != present:
                now = f"now it is {present}" if present else "now there is none"
                raise HarnessError(
                    "conflict",
                    f"~/tools/{document.name} was edited from {base_cid}, and {now}. Nothing was written: read the "
                    "document again, bring both together, and write it with the cid that you read.",
                )
            if create and present is not None:
                raise HarnessError(
                    "conflict",
                    f"There is a tool ~/tools/{document.name} already; it is {present}. Nothing was written: choose "
                    "another name, or write it with that cid, without options.create, to replace it.",
                )
            cid = self._store.put_block(block)
            changed = self._store.set_name(PREFIX + document.name, cid, actor)
        self._keep(cid, document, len(block))
        return cid, changed

    def delete(self, name: str, actor: str) -> bool:
        """Take a name away; whether there was one. Its versions stay."""
        return self._store.set_name(PREFIX + name, None, actor)

    def versions(self, name: str) -> list[Version]:
        """Every version of a tool, oldest first."""
        sizes = self._store.sizes(PREFIX + name)
        return [
            Version(row.version, row.cid, iso(row.time_ms), row.actor, sizes.get(row.cid or "", 0))
            for row in self._store.versions(PREFIX + name)
        ]

    def deleted(self) -> list[DeletedTool]:
        """Every name that was taken away, by name, with the version that it had last."""
        return [
            DeletedTool(row.name.removeprefix(PREFIX), row.cid, iso(row.time_ms), row.actor)
            for row in self._store.taken_away(PREFIX)
            if row.cid is not None
        ]

    def _stored(self, head: VersionRow) -> StoredTool:
        assert head.cid is not None
        document, size = self.document(head.cid)
        name = head.name.removeprefix(PREFIX)
        if document.name != name:
            raise HarnessError("corrupt", f"The block stored as ~/tools/{name} is a document of {document.name}.")
        return StoredTool(name, head.cid, document, size, head.version, iso(head.time_ms), head.actor)
