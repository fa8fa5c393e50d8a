"""The Space as a tree to look through: memory's folders and files, `~/self`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from textual import on
from textual.app import ComposeResult
from textual.message import Message
from textual.widgets import Input

from workbench.app.actions import bindings
from workbench.app.seams import workbench
from workbench.app.space.actions import LINES
from workbench.app.space.frame import Part
from workbench.app.space.texts import FileText, Source, self_text
from workbench.app.space.tree import (
    MEMORY,
    MORE,
    SELF,
    TOOLS,
    TRIGGERS,
    Listing,
    folder_of,
    list_folder,
    path_of,
    twigs,
)
from workbench.app.widgets.field import Field
from workbench.app.widgets.literal import OneLine
from workbench.app.widgets.outline.actions import OUTLINE
from workbench.app.widgets.outline.view import Outline
from workbench.app.widgets.question import Answer, Question
from workbench.harness.address import path_parts
from workbench.harness.door.doing import Done
from workbench.harness.errors import HarnessError
from workbench.harness.text import fold, printable
from workbench.harness.views import View

HINT = "enter opens · e edits · n new file · d deletes"
NO_TRIGGERS = "Triggers are not in this version."


class Tree(Outline, inherit_bindings=False):
    """The tree, with the keys of the tab's other lists beside its own."""

    BINDINGS = bindings(*LINES, *OUTLINE)


class MemoryPart(Part):
    """Folders are listed when they are unfolded, a thousand entries at a time, away from the screen's own thread."""

    DEFAULT_CSS = """
    MemoryPart > #memory-name { display: none; }
    MemoryPart.-naming > #memory-name { display: block; }
    MemoryPart > #memory-foot { padding: 0; }
    """
    does = frozenset({"edit", "new", "delete"})

    class Read(Message):
        """A text is to be read."""

        def __init__(self, source: Source, *, edit: bool = False, fresh: bool = False) -> None:
            super().__init__()
            self.source = source
            self.edit = edit
            self.fresh = fresh

    def __init__(self) -> None:
        super().__init__("m  memory and ~/self", id="memory")
        self._listings: dict[str, Listing] = {}
        self._pages: dict[str, int] = {}
        self._wanted: set[str] = {""}
        self._loading = False
        self._tools = 0
        self._go_to: str | None = None

    def compose(self) -> ComposeResult:
        """The tree, the line for a name, and what can be done."""
        yield Tree(id="memory")
        yield Field(id="memory-name", placeholder="name of the new file, with its folders", select_on_focus=False)
        yield OneLine(HINT, id="memory-foot")

    @property
    def outline(self) -> Outline:
        """The tree."""
        return self.query_one("#memory", Outline)

    def on_mount(self) -> None:
        self._draw()
        self._load()

    def focus_content(self) -> None:
        """Take the keys."""
        self.outline.focus()

    def look(self, view: View) -> None:
        """Count the tools anew."""
        if len(view.tools) != self._tools:
            self._tools = len(view.tools)
            self._draw()

    def memory_changed(self) -> None:
        """List anew what is unfolded; forget what is not."""
        opened = {folder_of(key) for key in self.outline.opened} | {""}
        self._listings = {path: listing for path, listing in self._listings.items() if path in opened}
        self._wanted |= self._listings.keys()
        self._load()

    # Listing ----------------------------------------------------------------------------------------------------

    def _want(self, path: str) -> None:
        self._wanted.add(path)
        self.call_later(self._load)

    def _load(self) -> None:
        if self._loading or not self._wanted:
            return
        self._loading = True
        self.run_worker(self._list(), name="list memory", group="memory-tree", exit_on_error=False)

    async def _list(self) -> None:
        memory = workbench(self).harness.memory
        try:
            while self._wanted:
                wanted, self._wanted = self._wanted, set()
                asked = {path: self._pages.get(path, 1) for path in sorted(wanted)}

                def found(asked: Mapping[str, int] = asked) -> dict[str, Listing]:
                    return {path: list_folder(memory, path, pages) for path, pages in asked.items()}

                listings = await asyncio.to_thread(found)
                if any(self._listings.get(path) != listing for path, listing in listings.items()):
                    self._listings |= listings
                    self._draw()
        finally:
            self._loading = False

    def _draw(self) -> None:
        self.outline.show(twigs(self._listings, self._want, self._tools), open=(MEMORY,))
        if self._go_to is not None and self.outline.go(self._go_to):
            self._go_to = None

    # Keys -------------------------------------------------------------------------------------------------------

    @property
    def _key(self) -> str:
        return self.outline.twig.key if self.outline.twig is not None else ""

    @on(Outline.Chosen)
    def _chosen(self, event: Outline.Chosen) -> None:
        event.stop()
        self._open(event.twig.key)

    @on(Outline.Moved)
    def _moved(self) -> None:
        self._hint(HINT)

    def _open(self, key: str) -> None:
        bench = workbench(self)
        if key == SELF:
            self.post_message(self.Read(self_text(bench.harness)))
        elif key == TOOLS:
            self.call_later(self.app.run_action, "app.show_tab('tools')")
        elif key == TRIGGERS:
            self._hint(NO_TRIGGERS)
        elif key.endswith(MORE):
            path = folder_of(f"{key.removesuffix(MORE)}/") or ""
            self._pages[path] = self._pages.get(path, 1) + 1
            self._want(path)
        else:
            path = path_of(key)
            if path is not None:
                bench.keys_wait()
                self.post_message(self.Read(FileText(bench.harness.memory, path)))

    def edit(self) -> None:
        """Edit the file at the cursor."""
        path = path_of(self._key)
        if self._key == SELF:
            self._hint("~/self is changed by the settings: s.")
        elif path is None or self._key.endswith("/"):
            self._hint("Only a file can be edited; enter folds and unfolds a folder.")
        else:
            bench = workbench(self)
            bench.keys_wait()
            self.post_message(self.Read(FileText(bench.harness.memory, path), edit=True))

    def new(self) -> None:
        """Ask for the name of a new file."""
        folder = folder_of(self._key)
        if folder is None:
            folder = (path_of(self._key) or "").rpartition("/")[0]
        field = self.query_one("#memory-name", Field)
        self.add_class("-naming")
        field.value = f"{folder}/" if folder else ""
        field.cursor_position = len(field.value)
        field.focus()
        self._hint("enter begins the file, esc does not")

    @on(Input.Submitted, "#memory-name")
    def _named(self, event: Input.Submitted) -> None:
        event.stop()
        workbench(self).keys_wait()
        self.run_worker(self._begin(event.value), name="begin a file", group="memory-new", exit_on_error=False)

    @on(Input.Changed, "#memory-name")
    def _naming(self, event: Input.Changed) -> None:
        event.stop()

    async def _begin(self, name: str) -> None:
        memory = workbench(self).harness.memory
        try:
            path = await self._free_path(name)
        except HarnessError as error:
            self._hint(f"✗ {error.message}")
            workbench(self).keys_go_on()
            return
        self.back()
        self._go_to = f"{MEMORY}{path}"
        self.post_message(self.Read(FileText(memory, path), edit=True, fresh=True))

    async def _free_path(self, name: str) -> str:
        """The path of a file that is not there yet. Raises HarnessError: it is none, or is there."""
        path = "/".join(path_parts(name))
        if not path or name.rstrip().endswith("/"):
            raise HarnessError("bad_input", "Give the file a name, such as notes/today.md.")
        try:
            await asyncio.to_thread(workbench(self).harness.memory.read, path)
        except HarnessError as error:
            if error.code == "not_found":
                return path
            raise
        raise HarnessError("conflict", f"~/memory/{path} is there already; e edits it.")

    def back(self) -> bool:
        """Leave the line for a name."""
        if not self.has_class("-naming"):
            return False
        self.remove_class("-naming")
        self._hint(HINT)
        self.focus_content()
        return True

    def delete(self) -> None:
        """Delete what is at the cursor, after a question."""
        key, path = self._key, path_of(self._key)
        if path is None:
            self._hint("Only files and folders of memory can be deleted.")
            return
        address = f"~/memory/{path}"
        what = f"{address} and everything in it" if key.endswith("/") else address
        words = f"{what} is deleted for good: memory keeps no versions, so there is no way back."

        def answered(value: str | None) -> None:
            if value is not None:
                workbench(self).act(
                    "write", {"address": address, "options": {"delete": True}}, actor="user", then=self._deleted
                )

        self.app.push_screen(Question("Delete for good?", words, (Answer("d", "Delete", "yes"),)), answered)

    def _deleted(self, done: Done | None, error: HarnessError | None) -> None:
        if error is not None:
            self._hint(f"✗ {error.message}")
        self.memory_changed()

    def copied(self) -> tuple[str, str] | None:
        """The address at the cursor."""
        path = path_of(self._key)
        known = {SELF: "~/self", MEMORY: "~/memory/", TOOLS: "~/tools/", TRIGGERS: "~/triggers/"}
        address = known.get(self._key) or (f"~/memory/{path}" if path is not None else None)
        return (address, f"the address {address}") if address is not None else None

    def _hint(self, words: str) -> None:
        self.query_one("#memory-foot", OneLine).show(fold(printable(words)))
