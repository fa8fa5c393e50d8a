"""Memory: the agent's files, reached so that no link, device or racing lambda can lead outside."""

from __future__ import annotations

from workbench.harness.space.memory.memory import Memory
from workbench.harness.space.memory.values import (
    MAX_ENTRIES,
    MAX_FILE_BYTES,
    BinaryFile,
    Deleted,
    Entry,
    EntryType,
    Folder,
    TextFile,
    WalkedFile,
    Written,
)

__all__ = [
    "MAX_ENTRIES",
    "MAX_FILE_BYTES",
    "BinaryFile",
    "Deleted",
    "Entry",
    "EntryType",
    "Folder",
    "Memory",
    "TextFile",
    "WalkedFile",
    "Written",
]
