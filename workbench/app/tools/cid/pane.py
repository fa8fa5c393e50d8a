"""The identity of a tool in four views: its facts, its bytes, its JSON, its versions."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import ContentSwitcher

from workbench.app.actions import bindings
from workbench.app.seams import Change, workbench
from workbench.app.tools.cid.actions import VIEWS
from workbench.app.tools.cid.bytes_view import BytesView
from workbench.app.tools.cid.facts import FactsView
from workbench.app.tools.cid.json_view import JsonView
from workbench.app.tools.cid.subject import Subject, hashed, subject_of
from workbench.app.tools.cid.versions_view import VersionsView
from workbench.app.tools.shown import Shown
from workbench.app.widgets.literal import OneLine, literal, parts
from workbench.app.widgets.strip import Place, TabStrip

PLACES = (
    Place("cid-facts", "Facts", "F"),
    Place("cid-bytes", "Bytes", "B"),
    Place("cid-json", "JSON", "J"),
    Place("cid-versions", "Versions", "V"),
)
"""The views, in order, by the ids of their widgets: `cid-` and the view's name."""

Key = tuple[str, str | None, int, str | None, str]


class CidPane(Vertical):
    """The views of one tool, below one line that says in each of them whether the block is intact."""

    BINDINGS = bindings(*VIEWS)
    DEFAULT_CSS = """
    CidPane > #cid-bar { height: 1; background: $surface; }
    CidPane > #cid-head { background: $surface; }
    CidPane > ContentSwitcher { height: 1fr; }
    CidPane > ContentSwitcher > * { height: 1fr; width: 1fr; }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._shown: Shown | None = None
        self._subject: Subject | None = None
        self._key: Key | None = None
        self._passed = False
        self._fresh: set[str] = set()

    def compose(self) -> ComposeResult:
        """The names of the views, the verdict, and the views."""
        with Horizontal(id="cid-bar"):
            yield TabStrip(PLACES, id="cid-views")
        yield OneLine(id="cid-head")
        with ContentSwitcher(initial="cid-facts"):
            yield FactsView(id="cid-facts")
            yield BytesView(id="cid-bytes")
            yield JsonView(id="cid-json")
            yield VersionsView(id="cid-versions")

    # What the tab asks ------------------------------------------------------------------------------------------

    def show(self, shown: Shown) -> None:
        """Be about this tool; nothing is read where nothing is different."""
        key = (shown.key, shown.cid, shown.tool.version if shown.tool else -1, shown.fault, shown.row.group)
        # Of what is not there the key says nothing: it may have been deleted, or come back, or got worse.
        if key == self._key and not (self._passed and shown.tool is None):
            return
        self._key, self._shown, self._passed = key, shown, False
        before = self._subject
        # Of the same block it stays known how often it was hashed.
        same = before is not None and before.key == shown.key and shown.cid in (None, before.cid)
        self._take(subject_of(workbench(self).harness, shown, looks=before.looks if before and same else 0))

    def focus_content(self) -> None:
        """Take the keys, in the view that is seen."""
        match self._view:
            case "json":
                self.query_one(JsonView).focus_content()
            case "versions":
                self.query_one(VersionsView).focus_content()
            case view:
                self.query_one(f"#cid-{view}").focus()

    def back(self) -> bool:
        """One step out of what was opened in a view."""
        match self._view:
            case "json":
                return self.query_one(JsonView).back()
            case "versions":
                return self.query_one(VersionsView).back()
            case _:
                return False

    @property
    def leaves(self) -> bool:
        """Whether something was opened in the view that is seen."""
        match self._view:
            case "json":
                return self.query_one(JsonView).opened
            case "versions":
                return self.query_one(VersionsView).opened
            case _:
                return False

    def copied(self) -> tuple[str, str] | None:
        """What the view is about: the CID, the dump, the document, a comparison."""
        subject = self._subject
        if subject is None:
            return None
        match self._view:
            case "bytes":
                text = self.query_one(BytesView).text
                return (text, f"the bytes of {subject.name}") if text else None
            case "json":
                return self.query_one(JsonView).copied()
            case "versions":
                return self.query_one(VersionsView).copied()
            case _:
                return (subject.cid, f"the CID of {subject.name}") if subject.cid else None

    def space_changed(self, change: Change) -> None:
        """Something happened; `show` follows where it may concern this tool."""
        self._passed = self._passed or bool(change.events) or change.tools

    def verify(self) -> None:
        """Hash the block again, and say in every view what came of it."""
        if self._subject is None:
            return
        self._take(hashed(workbench(self).harness, self._subject, looks=self._subject.looks + 1))

    # Views ------------------------------------------------------------------------------------------------------

    @property
    def _view(self) -> str:
        return (self.query_one(ContentSwitcher).current or "cid-facts").removeprefix("cid-")

    def action_look(self, view: str) -> None:
        """Go to a view."""
        had_focus = self.has_focus_within
        self.query_one(ContentSwitcher).current = f"cid-{view}"
        self.query_one(TabStrip).mark(f"cid-{view}")
        self._fill()
        self._say_verdict()
        if had_focus:
            self.focus_content()

    def action_next_look(self, step: int) -> None:
        """Go some views on, round at the end."""
        views = [place.id.removeprefix("cid-") for place in PLACES]
        self.action_look(views[(views.index(self._view) + step) % len(views)])

    @on(TabStrip.Picked, "#cid-views")
    def _picked(self, event: TabStrip.Picked) -> None:
        event.stop()
        self.action_look(event.place.removeprefix("cid-"))
        self.focus_content()

    def _take(self, subject: Subject) -> None:
        self._subject = subject
        self._fresh.clear()
        self._fill()
        self._say_verdict()

    def _fill(self) -> None:
        """Show the subject in the view that is seen; the others are filled when somebody goes there.

        The versions are always filled: the palette compares and restores them from anywhere.
        """
        subject = self._subject
        if subject is None:
            return
        for view in {"versions", self._view} - self._fresh:
            self._fresh.add(view)
            match view:
                case "bytes":
                    self.query_one(BytesView).show(subject.block, subject.absent)
                case "json":
                    self.query_one(JsonView).show(subject)
                case "versions":
                    self.query_one(VersionsView).show(subject)
                case _:
                    self.query_one(FactsView).show(subject)

    def _say_verdict(self) -> None:
        subject = self._subject
        if subject is None:
            return
        fault = self.query_one(BytesView).fault if self._view == "bytes" else None
        words = _verdict(subject)
        self.query_one("#cid-head", OneLine).show(parts(words, (f" · {fault}", "$text-error")) if fault else words)


def _verdict(subject: Subject) -> Content:
    verdict = subject.verdict
    if verdict.ok is None:
        return literal(verdict.words, "$text-warning")
    glyph, style = ("✓", "bold $text-success") if verdict.ok else ("✗", "bold $text-error")
    again = ("  v hashes again", "$text-muted") if verdict.ok and not subject.looks else ""
    return parts((f"{glyph} {verdict.words}", style), again)
