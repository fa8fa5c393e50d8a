"""A Space on disk: `agent.toml`, `memory/`, `space.db`, `locks/`, `outbox/`."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.harness.cid import cid_of
from workbench.harness.errors import HarnessError
from workbench.harness.space.agent_file import AgentFile, OwnerFolders
from workbench.harness.space.library import Library
from workbench.harness.space.memory import Memory
from workbench.harness.store.store import Store
from workbench.harness.strict_json import as_object, canonical, parse

SETTINGS_NAME = "~/self"

_KINDS = {
    "agent.toml": stat.S_ISREG,
    "memory": stat.S_ISDIR,
    "space.db": stat.S_ISREG,
    "locks": stat.S_ISDIR,
    "outbox": stat.S_ISDIR,
}


class Space:
    """What one agent has: its library of tools, its memory, its settings."""

    def __init__(self, root: Path, store: Store, folders: OwnerFolders) -> None:
        self.root = root
        self.folders = folders
        self.store = store
        self.library = Library(store)
        self.memory = Memory(root / "memory")
        self.agent_file = AgentFile(root, folders, self.noted_settings)

    def guarded(self) -> tuple[Path, ...]:
        """The folders that no tool writes on the real machine: this Space, and the owner's own of the workbench."""
        folders = (self.root, self.folders.config, self.folders.state)
        return tuple(Path(os.path.realpath(folder)) for folder in folders)

    def note_settings(self, values: Mapping[str, Any], actor: str) -> bool:
        """Keep what the settings file says as the newest version known; False when it was known already."""
        return self.store.set_name(SETTINGS_NAME, self.store.put_block(_block(values), "raw"), actor)

    def noted_settings(self) -> dict[str, Any] | None:
        """What the settings file said when it was last noted, None before the first time."""
        head = self.store.head(SETTINGS_NAME)
        if head is None or head.cid is None:
            return None
        try:
            return as_object(parse(self.store.get_block(head.cid), what="the noted settings"))
        except HarnessError:
            return {}

    def settings_noted(self) -> bool:
        """Whether what the settings file says now is noted, or cannot be because the file is broken."""
        values = self.agent_file.state().values
        head = self.store.head(SETTINGS_NAME)
        return values is None or (head is not None and head.cid == cid_of(_block(values), "raw"))


def _block(values: Mapping[str, Any]) -> bytes:
    return canonical(dict(values)).encode("utf-8")


def _refuse_other_folders(root: Path) -> None:
    """A folder that holds other things and nothing of a Space is most likely a slip: nothing is put among them."""
    try:
        names = {entry.name for entry in os.scandir(root) if not entry.name.startswith(".")}
    except OSError as error:
        raise HarnessError("unavailable", f"{root} cannot be looked at: {error.strerror}.") from error
    if names and not names & _KINDS.keys():
        raise HarnessError(
            "refused",
            f"{root} holds other things and is no Space. Name a Space, or a folder that is new or empty for one.",
        )


def prepare(path: str | Path) -> Path:
    """Make the folders of a Space where they are missing, and check those that are there; the absolute path.

    Raises:
        HarnessError: `refused` when a part is a link or of another kind, `unavailable` when it cannot be made.
    """
    try:
        root = Path(path).expanduser().absolute()
    except FileNotFoundError as error:
        raise HarnessError(
            "not_found", f"{path} starts from the folder you are in, and that was removed. Name a whole path, from /."
        ) from error
    try:
        root.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise HarnessError("refused", f"{root} is a file; a Space is a folder. Name another place.") from None
    except OSError as error:
        raise HarnessError("unavailable", f"{root} cannot be made: {error.strerror}.") from error
    _refuse_other_folders(root)
    for name, is_kind in _KINDS.items():
        try:
            mode = os.stat(root / name, follow_symlinks=False).st_mode
        except FileNotFoundError:
            continue
        except OSError as error:
            raise HarnessError("unavailable", f"{name} of this Space cannot be seen: {error.strerror}.") from error
        if not is_kind(mode):
            what = "a link" if stat.S_ISLNK(mode) else "not " + ("a folder" if is_kind is stat.S_ISDIR else "a file")
            raise HarnessError(
                "refused", f"{name} of this Space is {what}, so the Space is not opened. Put a real one in its place."
            )
    if os.access(root, os.W_OK, effective_ids=True):
        for name in ("memory", "locks", "outbox"):
            try:
                (root / name).mkdir(exist_ok=True)
            except OSError as error:
                raise HarnessError("unavailable", f"{name} cannot be made: {error.strerror}.") from error
    return root
