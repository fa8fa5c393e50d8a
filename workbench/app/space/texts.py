"""Texts of the Space that can be read in a sheet, and some of them edited: files, settings, what `~/self` tells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Protocol

from workbench.app.space.editing import rules_text, typed, value_of
from workbench.app.space.hexdump import hexdump
from workbench.app.space.setting_words import SETTINGS, Ruling, Tabling
from workbench.app.space.settings_rows import Setting, settings_of
from workbench.harness.errors import HarnessError
from workbench.harness.harness import Harness
from workbench.harness.paging import Position
from workbench.harness.space.memory import MAX_FILE_BYTES, BinaryFile, Folder, TextFile
from workbench.harness.strict_json import pretty
from workbench.harness.views import MemoryView

HEAD_BYTES = 512
"""How much of a binary file is shown."""

_CODE = {".py": "python", ".ts": "typescript", ".js": "typescript", ".json": "json"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text: where the next one begins, None behind the last; facts about the whole; whether it is text."""

    text: str
    next: Position | None = None
    facts: str = ""
    editable: bool = True


class Source(Protocol):
    """A text with an address. Its methods are called in a thread where `threaded`; they raise HarnessError."""

    @property
    def address(self) -> str:
        """What it is called."""
        ...

    @property
    def threaded(self) -> bool:
        """Whether reading may take a while."""
        ...

    @property
    def editable(self) -> bool:
        """Whether it may be edited here."""
        ...

    @property
    def code(self) -> str | None:
        """What it is coloured as in an editor."""
        ...

    @property
    def file_name(self) -> str:
        """What a file with it is called, for an editor of the person's own."""
        ...

    def piece(self, start: Position) -> Piece:
        """A part of it."""
        ...

    def whole(self) -> str:
        """All of it, to be edited; empty where there is nothing yet."""
        ...

    def written(self, text: str) -> dict[str, Any]:
        """The input of the act `write` that makes it this text. Raises HarnessError `bad_input` for what cannot be."""
        ...


@dataclass(frozen=True, slots=True)
class FileText:
    """A file of memory."""

    memory: MemoryView
    path: str

    threaded = True
    editable = True

    @property
    def address(self) -> str:
        """Its address."""
        return f"~/memory/{self.path}"

    @property
    def code(self) -> str | None:
        """By its name."""
        return _CODE.get(PurePosixPath(self.path).suffix)

    @property
    def file_name(self) -> str:
        """Its own name."""
        return PurePosixPath(self.path).name

    def piece(self, start: Position) -> Piece:
        """A page of it; of what is no text, the facts and the first bytes."""
        found = self.memory.read(self.path, start)
        match found:
            case TextFile(content=content, size=size, next_offset=next, total_lines=lines):
                return Piece(content, next, f"{size:,} B, {lines:,} line{'' if lines == 1 else 's'}")
            case BinaryFile(size=size, mime_type=kind):
                head = self.memory.head(self.path, HEAD_BYTES)
                shown = f"The first {len(head):,} of" if size > len(head) else "All"
                words = f"This is no text. {shown} {size:,} bytes, {kind}:\n\n{hexdump(head)}"
                return Piece(words, None, f"{size:,} B, no text", editable=False)
            case Folder():
                return Piece("This is a folder now.", editable=False)

    def whole(self) -> str:
        """All of it."""
        text: list[str] = []
        start: Position | None = 1
        try:
            while start is not None:
                found = self.memory.read(self.path, start)
                if not isinstance(found, TextFile):
                    raise HarnessError("bad_input", f"{self.address} is no text, so there is nothing to edit here.")
                if found.size > MAX_FILE_BYTES:
                    raise HarnessError(
                        "limit", f"{self.address} has {found.size:,} bytes; at most {MAX_FILE_BYTES:,} can be written."
                    )
                text.append(found.content)
                start = found.next_offset
        except HarnessError as error:
            if error.code == "not_found":
                return ""
            raise
        return "".join(text)

    def written(self, text: str) -> dict[str, Any]:
        """The whole file."""
        return {"address": self.address, "content": text}


@dataclass(frozen=True, slots=True)
class SettingText:
    """A setting of several lines."""

    harness: Harness
    path: str

    threaded = False
    editable = True

    @property
    def address(self) -> str:
        """Its key."""
        return f"~/self {self.path}"

    @property
    def code(self) -> str | None:
        """A table is edited as JSON."""
        return "json" if isinstance(SETTINGS[self.path].editing, Tabling | Ruling) else None

    @property
    def file_name(self) -> str:
        """After its key."""
        return f"{self.path}.{self.code or 'txt'}"

    def _setting(self) -> Setting:
        return next(setting for setting in settings_of(self.harness.settings()) if setting.path == self.path)

    def piece(self, start: Position) -> Piece:
        """All of it."""
        return Piece(self.whole(), None, SETTINGS[self.path].about)

    def whole(self) -> str:
        """All of it."""
        editing, present = SETTINGS[self.path].editing, self._setting().present
        return rules_text(present) if isinstance(editing, Ruling) else typed(editing, present)

    def written(self, text: str) -> dict[str, Any]:
        """A patch of this key."""
        value = value_of(self._setting(), SETTINGS[self.path].editing, text)
        return {"address": "~/self", "content": {self.path: value}}


@dataclass(frozen=True, slots=True)
class ToldText:
    """A text that is only read."""

    address: str
    facts: str
    tell: Callable[[], str]

    threaded = False
    editable = False
    code = None
    file_name = "told.txt"

    def piece(self, start: Position) -> Piece:
        """All of it."""
        return Piece(self.tell(), None, self.facts, editable=False)

    def whole(self) -> str:
        """All of it."""
        return self.tell()

    def written(self, text: str) -> dict[str, Any]:
        """Never."""
        raise HarnessError("bad_input", f"{self.address} is not edited here.")


def self_text(harness: Harness) -> ToldText:
    """What `read ~/self` gives."""
    return ToldText("~/self", "as read ~/self gives it", lambda: pretty(harness.about_self()))


def settings_file(harness: Harness) -> ToldText:
    """The settings file."""

    def tell() -> str:
        text = harness.settings_text()
        return text if text is not None else "There is no agent.toml. Changing a setting makes one."

    return ToldText("agent.toml", "as it stands; s changes settings one by one", tell)
