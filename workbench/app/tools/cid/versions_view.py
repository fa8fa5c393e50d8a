"""The versions of a tool: any two compared, any one seen whole, and an older one written again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer

from workbench.app.actions import bindings
from workbench.app.seams import workbench
from workbench.app.tools.cid.actions import VERSIONS
from workbench.app.tools.cid.comparison import compared, counted, restored, whole
from workbench.app.tools.cid.sheet import Sheet, SheetView
from workbench.app.tools.cid.subject import Subject
from workbench.app.tools.cid.version_list import VersionList
from workbench.app.tools.cid.version_words import when
from workbench.app.widgets.lines.view import LineView
from workbench.app.widgets.literal import Literal, OneLine, literal, parts
from workbench.app.widgets.question import Answer, Question
from workbench.harness.door.doing import Done
from workbench.harness.errors import HarnessError
from workbench.harness.space.compare import compare_documents
from workbench.harness.space.document import ToolDocument, decode
from workbench.harness.space.library import Version

BESIDE_FROM = 100
"""From how many columns on a comparison stands beside the list; below that it takes its place."""

FOLLOW_SECS = 0.12
"""How long the cursor rests before the comparison beside it follows."""

LIST_WORDS = "space marks · d compares · w whole · R restores"


class VersionsView(Horizontal):
    """The list, and beside it or in its stead what was asked of a version."""

    BINDINGS = bindings(*VERSIONS)
    DEFAULT_CSS = """
    VersionsView { height: 1fr; }
    VersionsView > #version-side { width: 1fr; height: 1fr; }
    VersionsView #version-words { width: 1fr; height: auto; max-height: 4; padding: 0 1; color: $text-muted; }
    VersionsView > #version-sheet-side { width: 1fr; height: 1fr; display: none; }
    VersionsView.-opened > #version-sheet-side { display: block; }
    VersionsView.-opened > #version-side { display: none; }
    VersionsView.-wide > #version-side { display: block; width: 2fr; min-width: 50;
        max-width: 76; }
    VersionsView.-wide > #version-sheet-side { display: block; width: 3fr; border-left: vkey $border-blurred; }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._subject: Subject | None = None
        self._sheet: Sheet | None = None
        self._asked: tuple[object, ...] = ()
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """The list with its keys, and the sheet with its title."""
        with Vertical(id="version-side"):
            yield Literal(LIST_WORDS, id="version-words")
            yield VersionList(id="version-list")
        with Vertical(id="version-sheet-side"):
            yield OneLine(id="version-title")
            yield SheetView(id="version-sheet")

    def on_resize(self) -> None:
        """Beside each other where there is room."""
        wide = self.size.width >= BESIDE_FROM
        if wide != self.has_class("-wide"):
            self.set_class(wide, "-wide")
            if wide:
                self._follow()

    # What is shown ----------------------------------------------------------------------------------------------

    def show(self, subject: Subject) -> None:
        """Show the versions; of the same tool the cursor, the mark and what was opened stay."""
        before = self._subject
        anew = before is None or before.key != subject.key
        self._subject = subject
        if before is not None and not anew and before.versions == subject.versions and before.fault == subject.fault:
            return
        self._list.show(subject.versions, subject.number, _no_versions(subject), anew=anew)
        if anew:
            self._put(None)
            self.remove_class("-opened")
            self._note(literal(LIST_WORDS))
        if self.has_class("-wide"):
            self._follow()

    def focus_content(self) -> None:
        """Take the keys: what was opened, else the list."""
        if self.has_class("-opened") and not self.has_class("-wide"):
            self._view.focus()
        else:
            self._list.focus()

    @property
    def opened(self) -> bool:
        """Whether a version or a comparison is opened, or has the keys beside the list."""
        return self.has_class("-opened") or self._view.has_focus

    def back(self) -> bool:
        """Out of what was opened, to the list."""
        if not self.opened:
            return False
        self.remove_class("-opened")
        self._list.focus()
        return True

    def copied(self) -> tuple[str, str] | None:
        """What was opened; before that, the CID at the cursor."""
        name = self._subject.name if self._subject is not None else ""
        if self._sheet is not None and (self.has_class("-opened") or self.has_class("-wide")):
            return self._sheet.text, f"{name}: {self._sheet.title}"
        version = self._list.version
        return (version.cid, f"the CID of version {version.version} of {name}") if version and version.cid else None

    @property
    def _list(self) -> VersionList:
        return self.query_one("#version-list", VersionList)

    @property
    def _view(self) -> SheetView:
        return self.query_one("#version-sheet", SheetView)

    def _note(self, words: Content) -> None:
        self.query_one("#version-words", Literal).show(words)

    def _put(self, sheet: Sheet | None, words: str = "") -> None:
        self._sheet = sheet
        self.query_one("#version-title", OneLine).show(sheet.title if sheet is not None else "")
        self._view.show(sheet.lines if sheet is not None else (), words)

    # Comparing --------------------------------------------------------------------------------------------------

    @on(LineView.Moved, "#version-list")
    def _moved(self, event: LineView.Moved) -> None:
        event.stop()
        if self.has_class("-wide"):
            self._follow()

    @on(VersionList.Marked)
    def _marked(self, event: VersionList.Marked) -> None:
        event.stop()
        if self.has_class("-wide"):
            self._follow()

    @on(LineView.Opened, "#version-list")
    def _opened(self, event: LineView.Opened) -> None:
        event.stop()
        self.action_compare()

    def on_show(self) -> None:
        """The comparison beside the list waits until somebody can see it."""
        if self.has_class("-wide"):
            self._follow()

    def _follow(self) -> None:
        if not self.display:
            return
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(FOLLOW_SECS, self._compare, name="compare at the cursor")

    def action_compare(self) -> None:
        """Compare the version at the cursor, and go there."""
        if self._list.version is not None:
            self._open()
            self._compare()

    def action_whole(self) -> None:
        """See the version at the cursor whole."""
        version = self._list.version
        if version is None:
            return
        self._open()
        if version.cid is None:
            self._put(None, f"Version {version.version} is the deletion of the tool: it has no document.")
            return
        blocks = self._blocks(version)
        if blocks is not None:
            self._work(("whole", version.cid, version.version), lambda: whole(version, blocks[0]))

    def _open(self) -> None:
        self.add_class("-opened")
        self.call_after_refresh(self._view.focus)

    def _compare(self) -> None:
        version = self._list.version
        if version is None:
            self._put(None, _no_versions(self._subject) if self._subject is not None else "")
            return
        if version.cid is None:
            self._put(None, f"The tool was deleted then, by {version.actor}, at {when(version.time)} UTC.")
            return
        other = self._list.marked or self._list.before(version)
        if other is None or other.cid is None:
            self._put(None, f"Version {version.version} is the first: there is none before it. space marks another.")
            return
        if other == version:
            self._put(None, f"Version {version.version} is the marked one itself. Move the cursor to another.")
            return
        blocks = self._blocks(other, version)
        if blocks is not None:
            key = ("compare", other.cid, other.version, version.cid, version.version)
            self._work(key, lambda: compared(other, blocks[0], version, blocks[1]))

    def _blocks(self, *versions: Version) -> list[bytes] | None:
        """The blocks of some versions; where one cannot be used, that is said."""
        found: list[bytes] = []
        for version in versions:
            try:
                found.append(workbench(self).harness.block(version.cid or ""))
            except HarnessError as error:
                self._asked = ()
                self._put(None, f"✗ Version {version.version} cannot be used: {error.message}")
                return None
        return found

    def _work(self, key: tuple[object, ...], make: Callable[[], Sheet]) -> None:
        """Make a sheet beside the UI, and show it if it is still what was asked for."""
        if key == self._asked and self._sheet is not None:
            return
        self._asked = key
        self._put(None, "Being put together …")

        async def work() -> None:
            try:
                sheet, words = await asyncio.to_thread(make), ""
            except HarnessError as error:
                sheet, words = None, f"✗ {error.code}: {error.message}"
            if self._asked == key:
                self._put(sheet, words)

        self.run_worker(work(), name="compare versions", group="versions", exclusive=True, exit_on_error=False)

    # Restoring --------------------------------------------------------------------------------------------------

    def action_restore(self) -> None:
        """Ask, and write the version at the cursor again."""
        subject, version = self._subject, self._list.version
        if subject is None or version is None:
            return
        refusal = _no_restore(subject, version)
        if refusal is not None:
            self._note(literal(refusal, "$text-warning"))
            workbench(self).say(refusal)
            return
        harness = workbench(self).harness
        try:
            block = harness.block(version.cid or "")
        except HarnessError as error:
            self._failed(version, f"{error.code}: {error.message}")
            return
        present = None
        if subject.present is not None:
            try:
                present = harness.block(subject.present)
            except HarnessError:
                present = None  # a present version that is corrupt is what one restores another for

        async def prepare() -> None:
            try:
                document, changes = await asyncio.to_thread(_prepared, block, present)
            except HarnessError as error:
                self._failed(version, f"{error.code}: {error.message}")
                return
            self._ask(subject, version, document, changes)

        self.run_worker(prepare(), name="prepare a restore", group="restore", exclusive=True, exit_on_error=False)

    def _ask(self, subject: Subject, version: Version, document: ToolDocument, changes: str) -> None:
        place = "It is deleted now; this brings it back." if subject.present is None else changes
        words = (
            f"Version {version.version}, saved {when(version.time)} UTC by {version.actor}, is written again as the "
            f"newest version. {place}\nEvery version is kept; the write is logged as yours."
        )

        def answered(value: str | None) -> None:
            if value == "restore":
                self._restore(subject, version, document)

        heading = f"Restore version {version.version} of {subject.name}?"
        self.app.push_screen(Question(heading, words, (Answer("r", "Restore", "restore"),)), answered)

    def _restore(self, subject: Subject, version: Version, document: ToolDocument) -> None:
        content = restored(document)
        act: dict[str, object] = {"address": f"~/tools/{subject.name}", "content": content}
        if subject.present is not None:
            content["cid"] = subject.present
        else:
            act["options"] = {"create": True}

        def ended(done: Done | None, error: HarnessError | None) -> None:
            if error is not None:
                self._failed(version, f"{error.code}: {error.message}")
            elif done is not None:
                words = f"Restored version {version.version} of {subject.name}."
                self._note(literal(f"✓ {words}", "$text-success"))
                workbench(self).say(words)

        workbench(self).act("write", act, then=ended)

    def _failed(self, version: Version, words: str) -> None:
        text = f"Version {version.version} was not restored ({words})"
        self._note(parts(("✗ ", "bold $text-error"), text))
        if not self.is_on_screen:
            workbench(self).say_error(text)


def _prepared(block: bytes, present: bytes | None) -> tuple[ToolDocument, str]:
    """The document to write, and what that changes for those who use the tool."""
    document = decode(block)
    if present is None:
        return document, "The present version cannot be used."
    return document, f"From the present version that is: {counted(compare_documents(decode(present), document))}."


def _no_versions(subject: Subject) -> str:
    """Why there is nothing in the list."""
    if subject.fault is not None:
        return f"✗ {subject.fault}"
    if not subject.stored:
        return "This comes with the workbench and is not stored in the Space, so it has no versions."
    return "No version is saved yet. ctrl+s in the editor saves the first."


def _no_restore(subject: Subject, version: Version) -> str | None:
    """Why a version cannot be written again; None where it can."""
    if subject.document is not None and subject.document.kind == "builtin":
        return f"{subject.name} comes with the workbench: its versions follow the code and are not restored."
    if version.cid is None:
        return f"Version {version.version} is a deletion and has no document; x deletes a tool."
    if version.cid == subject.present:
        return f"Version {version.version} is the present document already; there is nothing to restore."
    return None
