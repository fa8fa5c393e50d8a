"""The facts of a version: its CID taken apart, its block, who saved it when, and which others there were."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content

from workbench.app.tools.cid.subject import Subject
from workbench.app.tools.cid.version_words import first_of, version_line, when
from workbench.app.widgets.columns import Columns, Row
from workbench.app.widgets.literal import Literal, literal, parts
from workbench.harness.cid import cid_parts
from workbench.harness.errors import HarnessError

ROOMY_FROM = 26
"""From how many lines on every part of the CID has a line of its own, with what it means."""

LEAD = 10
"""Cells at the left of a fact, about."""

LEAST_VERSIONS = 4
"""Versions that are listed however low the pane is."""

_HEADS = {"base32": "its letter b", "dag-cbor": "code 0x71", "raw": "code 0x55", "sha2-256": "code 0x12, 32 bytes"}


class FactsView(VerticalScroll):
    """All facts as one text."""

    DEFAULT_CSS = """
    FactsView { padding: 0 1; background: $surface; }
    FactsView > Literal { width: 1fr; height: auto; }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, can_focus=True)
        self._subject: Subject | None = None

    def compose(self) -> ComposeResult:
        """One text."""
        yield Literal()

    def show(self, subject: Subject) -> None:
        """Show these facts."""
        self._subject = subject
        self.query_one(Literal).show(Columns(fact_rows(subject, self.size.width, self.size.height)))

    def on_resize(self) -> None:
        if self._subject is not None:
            self.show(self._subject)


def fact_rows(subject: Subject, width: int, height: int) -> list[Row]:
    """The facts, in a form that fits so many lines as far as it can."""
    rows: list[Row] = []
    if subject.cid is not None:
        rows += _identity(subject, roomy=height >= ROOMY_FROM)
    if subject.document is None:
        rows.append((None, literal(subject.absent, "$text-warning")))
    taken = sum(-(-body.cell_length // max(width - LEAD, 1)) for _, body in rows)
    return [*rows, *_others(subject, width - 2, max(height - taken - 2, LEAST_VERSIONS))]


def _identity(subject: Subject, *, roomy: bool) -> list[Row]:
    assert subject.cid is not None
    rows = [_fact("cid", literal(subject.cid, "bold"))]
    try:
        split = cid_parts(subject.cid)
    except HarnessError as error:
        return [*rows, _fact("parts", literal(error.message, "$text-error"))]
    if roomy:
        named = (
            ("base", split.base),
            ("version", f"CIDv{split.version}"),
            ("codec", split.codec),
            ("hash", split.hash),
        )
        for name, value in named:
            rows.append(_fact(name, parts(value, (f"  {_HEADS[value]}" if value in _HEADS else "", "$text-muted"))))
    else:
        rows.append(_fact("parts", literal(f"{split.base} · CIDv{split.version} · {split.codec} · {split.hash}")))
    rows.append(_fact("digest", literal(split.digest)))
    if subject.block is not None:
        rows.append(_fact("block", literal(f"{len(subject.block):,} bytes of canonical DAG-CBOR")))
    rows.append(_fact("saved", _saved(subject)))
    if subject.document is not None and subject.document.binding:
        rows.append(_fact("binding", literal(subject.document.binding)))
    return rows


def _saved(subject: Subject) -> Content:
    version = subject.version
    if not subject.stored:
        return literal("nowhere: it comes with the workbench, and the block is made from the code")
    if version is None:
        return literal("unknown")
    gone = ("  · deleted since", "$text-warning") if subject.deleted else ""
    return parts(f"version {version.version} · {when(version.time)} UTC · by {version.actor}", gone)


def _others(subject: Subject, width: int, room: int) -> list[Row]:
    if subject.fault is not None:
        return [(None, literal(f"\n✗ {subject.fault}", "$text-error"))]
    versions = subject.versions
    if not versions:
        words = "\nIt has no versions: it changes only with the workbench." if not subject.stored else ""
        return [(None, literal(words, "$text-muted"))] if words else []
    heading = parts("\n", ("versions", "bold $text-primary"), (f"  {len(versions):,} · V compares them", "$text-muted"))
    digits, first = len(str(versions[-1].version)), first_of(versions)
    rows: list[Row] = [(None, heading)]
    newest = list(reversed(versions[-room:]))
    if len(versions) > room:
        del newest[-1]
    for version in newest:
        line = version_line(version, subject.number, digits, width, first.get(version.cid or ""))
        rows.append((None, literal(line, "bold" if version.version == subject.number else "").rstrip()))
    if len(versions) > len(newest):
        rows.append((None, literal(f"  … {len(versions) - len(newest):,} before them", "$text-muted")))
    return rows


def _fact(name: str, value: Content) -> Row:
    return literal(name, "$text-muted"), value
