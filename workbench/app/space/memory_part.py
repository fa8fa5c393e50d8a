"""Memory as a person looks through it: folder by folder, a file in a reader."""

from __future__ import annotations

from typing import cast

from textual import on
from textual.app import ComposeResult
from textual.widgets import OptionList

from workbench.app.seams import Workbench
from workbench.app.space.frame import Frame
from workbench.app.space.lists import Entry, KeepingList
from workbench.app.space.reader import Part, Reader
from workbench.app.widgets.literal import Literal, literal, parts, title
from workbench.app.widgets.rows import Ends
from workbench.harness.errors import HarnessError
from workbench.harness.paging import Position
from workbench.harness.space.memory import BinaryFile, Folder, TextFile

UP = "../"


class MemoryPart(Frame):
    """One folder at a time. Enter goes into a folder and opens a file."""

    def __init__(self) -> None:
        super().__init__("memory", id="memory-part")
        self._folder = ""
        self._paths: dict[str, tuple[str, str]] = {}

    def compose(self) -> ComposeResult:
        """What there is, in words; the entries."""
        yield Literal(id="memory-words", classes="words")
        yield KeepingList(id="memory")

    def read(self, path: str, start: Position = 1) -> TextFile | BinaryFile | Folder:
        """Look at a path of memory. Raises HarnessError."""
        return cast(Workbench, self.app).harness.memory.read(path, start)

    def refresh_folder(self) -> None:
        """Show the folder as it is now; its parent when it is gone."""
        title(self, f"memory · ~/memory/{self._folder}{'/' if self._folder else ''}")
        words, box = self.query_one("#memory-words", Literal), self.query_one(KeepingList)
        try:
            found = self.read(self._folder)
        except HarnessError as error:
            if self._folder:
                self._go(_parent(self._folder))
            else:
                words.show(parts("✗ ", error.message))
                box.show([])
            return
        if not isinstance(found, Folder):
            self._go(_parent(self._folder))
            return
        self._paths = {entry.path: (entry.path, entry.type) for entry in found.entries}
        listed = [Entry(Ends(literal(UP), literal("up")), UP)] if self._folder else []
        for entry in found.entries:
            name = entry.path.rpartition("/")[2] + ("/" if entry.type == "directory" else "")
            size = f"{entry.size:,} B" if entry.size is not None else entry.type
            listed.append(Entry(Ends(literal(name), literal(size)), entry.path))
        box.display = bool(listed)
        box.show(listed)
        if found.entries:
            more = f", and {found.more} more" if found.more else ""
            words.show(f"{len(found.entries)} here{more} · enter opens")
        elif self._folder:
            words.show("Nothing in this folder.")
        else:
            words.show("Empty. Files that the agent or you write to ~/memory/ are listed here.")

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option.id == UP:
            self._go(_parent(self._folder))
            return
        path, kind = self._paths.get(event.option.id or "", ("", ""))
        if kind == "directory":
            self._go(path)
        elif path:
            self.app.push_screen(Reader(f"~/memory/{path}", lambda start: _part(self.read(path, start))))

    def _go(self, folder: str) -> None:
        self._folder = folder
        self.query_one(KeepingList).highlighted = None
        self.refresh_folder()


def _parent(folder: str) -> str:
    return folder.rpartition("/")[0]


def _part(found: TextFile | BinaryFile | Folder) -> Part:
    if isinstance(found, TextFile):
        return Part(found.content, found.next_offset)
    if isinstance(found, Folder):
        return Part("This is a folder now.")
    return Part(f"No text: {found.size:,} bytes of {found.mime_type}.")
