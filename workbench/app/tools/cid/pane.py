"""The identity of a tool: its CID taken apart, its block, its versions, the document."""

from __future__ import annotations

import asyncio

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content

from workbench.app.seams import Change, workbench
from workbench.app.tools.shown import Shown
from workbench.app.widgets.columns import Columns, Row
from workbench.app.widgets.literal import Literal, OneLine, literal, parts
from workbench.app.widgets.text_view import TextLine, TextView, lines_of_text
from workbench.harness.cid import cid_of, cid_parts
from workbench.harness.errors import HarnessError
from workbench.harness.space.document import encode
from workbench.harness.space.library import StoredTool, Version
from workbench.harness.strict_json import pretty

MOST_VERSIONS = 200
"""How many versions are listed; the newest."""


class CidPane(Vertical):
    """Facts above, the document below."""

    DEFAULT_CSS = """
    CidPane > VerticalScroll { height: auto; max-height: 60%; padding: 0 1; background: $surface; }
    CidPane > VerticalScroll > Literal { width: 1fr; height: auto; }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._shown: Shown | None = None
        self._key: tuple[str, str | None, int, str | None] | None = None
        self._verdict: Content | None = None
        self._versions: list[Version] = []
        self._fault: str | None = None

    def compose(self) -> ComposeResult:
        """The facts, and the document as JSON."""
        with VerticalScroll(can_focus=True):
            yield Literal()
        yield OneLine("the document", classes="pane-head")
        yield TextView(id="document")

    def show(self, shown: Shown) -> None:
        """Show a tool's identity."""
        self._look(shown)
        key = (shown.name, shown.cid, len(self._versions), self._fault)
        if key != self._key:
            self._key, self._shown, self._verdict = key, shown, None
            self.query_one(TextView).show(())
            self.run_worker(
                self._show_document(shown),
                name="show a document",
                group="document",
                exclusive=True,
                exit_on_error=False,
            )
            self._facts()

    async def _show_document(self, shown: Shown) -> None:
        # A document may be a megabyte, and laying that out takes longer than a key may wait.
        lines = await asyncio.to_thread(document_lines, shown)
        self.query_one(TextView).show(lines)

    def focus_content(self) -> None:
        """Go to what can be scrolled."""
        self.query_one(VerticalScroll).focus()

    def back(self) -> bool:
        """There is nothing to leave."""
        return False

    def copied(self) -> tuple[str, str] | None:
        """The CID."""
        shown = self._shown
        return (shown.cid, f"the CID of {shown.name}") if shown and shown.cid else None

    def space_changed(self, change: Change) -> None:
        """`show` says what matters here."""

    def verify(self) -> None:
        """Hash the block again, and say what came of it."""
        shown = self._shown
        if shown is None or (shown.tool is None and shown.fault is None):
            return
        self._verdict = self._verified(shown)
        self._look(shown)
        self._facts()

    def _look(self, shown: Shown) -> None:
        """Which versions there are, or why that cannot be said."""
        self._versions, self._fault = [], None
        if shown.row.group != "verbs":
            try:
                self._versions = workbench(self).harness.versions(shown.name)
            except HarnessError as error:
                self._fault = f"The versions cannot be read now: {error.message}"

    def _verified(self, shown: Shown) -> Content:
        tool = shown.tool
        if tool is None:
            return literal(f"✗ corrupt: {shown.fault}", "bold $text-error")
        if tool.version == 0:
            same = cid_of(encode(tool.document)) == tool.cid
            words = "made again from the code and hashed: it is this CID" if same else "the code makes another CID"
            return literal(("✓ " if same else "✗ ") + words, "bold $text-success" if same else "bold $text-error")
        try:
            block = workbench(self).harness.block(tool.cid)
        except HarnessError as error:
            return literal(f"✗ {error.code}: {error.message}", "bold $text-error")
        return literal(f"✓ verified: the stored {len(block):,} bytes hash to this CID", "bold $text-success")

    def _facts(self) -> None:
        shown = self._shown
        if shown is None:
            return
        verdict = self._verdict or literal("v hashes the block again and compares", "$text-muted")
        rows: list[Row] = [(literal("verify", "$text-muted"), verdict)]
        if shown.tool is None:
            rows.insert(0, (None, literal(shown.absent, "$text-warning")))
        else:
            rows.insert(0, (literal("cid", "$text-muted"), literal(shown.tool.cid, "bold")))
            rows += _identity(shown.tool)
        versions = self._versions
        if self._fault is not None:
            rows.append((None, literal(f"\n✗ {self._fault}", "$text-error")))
        if versions:
            rows.append((None, parts("\n", ("versions", "bold $text-primary"), (f"  {len(versions)}", "$text-muted"))))
            rows += [_version(each, shown.cid) for each in reversed(versions[-MOST_VERSIONS:])]
        self.query_one("VerticalScroll Literal", Literal).show(Columns(rows))


def document_lines(shown: Shown) -> tuple[TextLine, ...]:
    """The document as JSON, line by line; where there is none, why."""
    return tuple(lines_of_text(pretty(shown.tool.document.to_map()) if shown.tool else shown.absent))


def _identity(tool: StoredTool) -> list[Row]:
    split = cid_parts(tool.cid)
    facts = [
        ("parts", f"{split.base} · version {split.version} · {split.codec} · {split.hash}"),
        ("digest", split.digest),
        ("block", f"{tool.size:,} bytes of canonical DAG-CBOR"),
    ]
    if tool.version:
        facts.append(("saved", f"version {tool.version} · {tool.time} · by {tool.actor}"))
    else:
        facts.append(("saved", "not stored in the Space: it comes with the workbench"))
    if tool.document.binding:
        facts.append(("binding", tool.document.binding))
    return [(literal(name, "$text-muted"), literal(value)) for name, value in facts]


def _version(version: Version, present: str | None) -> Row:
    here = version.cid is not None and version.cid == present
    size = f"{version.size:,} B" if version.cid else ""
    when = version.time.replace("T", " ")[:19]
    body = parts((f"{when}  {version.actor:<6} {size:>8}  ", "$text-muted"), version.cid or "deleted")
    return literal(f"{'→' if here else ' '} {version.version}", "bold" if here else ""), body
