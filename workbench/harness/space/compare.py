"""What changed from one version of a tool to another: the contract by who it breaks, the source line by line."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.harness.space.compare_text import TextDiff, compare_texts
from workbench.harness.space.document import ToolDocument
from workbench.harness.space.schema.compare import KINDS, Change, Kind, compare_schemas
from workbench.harness.space.schema.values import show_wanted
from workbench.harness.text import size


@dataclass(frozen=True, slots=True)
class DocumentChanges:
    """The changes of a contract, the breaking ones first, and the differences of the two long texts.

    `description` and `source` are None where they are the same, or where neither version has one.
    """

    changes: tuple[Change, ...]
    description: TextDiff | None
    source: TextDiff | None

    @property
    def same(self) -> bool:
        """Whether nothing changed."""
        return not self.changes

    def of_kind(self, kind: Kind) -> tuple[Change, ...]:
        """The changes of one kind."""
        return tuple(change for change in self.changes if change.kind == kind)


def compare_documents(old: ToolDocument, new: ToolDocument) -> DocumentChanges:
    """Compare two versions.

    A description, a summary, a runtime and a source are neutral: no call that was right becomes wrong by them. What the
    code does is not compared, and the change of a source says so.
    """
    changes = [
        *_schemas(old, new),
        *_fields(old, new),
    ]
    changes.sort(key=lambda change: KINDS.index(change.kind))
    return DocumentChanges(
        tuple(changes),
        _texts(old.description, new.description),
        _texts(old.source or "", new.source or ""),
    )


def _schemas(old: ToolDocument, new: ToolDocument) -> list[Change]:
    found = list(compare_schemas(old.input, new.input, "input"))
    before = True if old.output is None else old.output
    after = True if new.output is None else new.output
    found += compare_schemas(before, after, "output")
    if old.output is None and new.output is not None:
        found.append(Change("output", "$", "neutral", "output schema added", "what is returned is checked from now on"))
    if old.output is not None and new.output is None:
        found.append(Change("output", "$", "neutral", "output schema removed", "what is returned is checked no more"))
    return found


def _fields(old: ToolDocument, new: ToolDocument) -> list[Change]:
    found: list[Change] = []

    def neutral(part: str, what: str, why: str) -> None:
        found.append(Change(part, "", "neutral", what, why))

    if old.name != new.name:
        neutral("name", f"{old.name} → {new.name}", "these are versions of two tools")
    if old.kind != new.kind:
        neutral("kind", f"{old.kind} → {new.kind}", "callers send and get the same")
    if old.summary != new.summary:
        words = f"{show_wanted(old.summary, 80)} → {show_wanted(new.summary, 80)}"
        neutral("summary", words, "it is the tool's line in the index; calls are not concerned")
    if old.description != new.description:
        words = f"{size(old.description):,} → {size(new.description):,} bytes"
        neutral("description", words, "it is what a model reads of the tool; calls are not concerned")
    if old.runtime != new.runtime:
        words = f"{old.runtime or 'none'} → {new.runtime or 'none'}"
        neutral("runtime", words, "callers send and get the same, whatever runs it")
    if old.binding != new.binding:
        words = f"{old.binding or 'none'} → {new.binding or 'none'}"
        neutral("binding", words, "another executor of the workbench stands behind it; the contract says what it takes")
    if old.source != new.source:
        words = f"{size(old.source or ''):,} → {size(new.source or ''):,} bytes"
        neutral("source", words, "the contract is what counts for callers; what the code does is not compared")
    return found


def _texts(old: str, new: str) -> TextDiff | None:
    return None if old == new else compare_texts(old, new)
