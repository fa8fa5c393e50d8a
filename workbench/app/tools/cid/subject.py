"""What the CID pane is about: one version of a tool with its block, whether that is intact, and the other versions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from workbench.app.tools.shown import Shown
from workbench.harness.cid import cid_of
from workbench.harness.errors import HarnessError
from workbench.harness.harness import Harness
from workbench.harness.space.document import ToolDocument, encode
from workbench.harness.space.library import Version


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a block is what its CID names; `ok` is None where there is no block to look at."""

    ok: bool | None
    words: str


@dataclass(frozen=True, slots=True)
class Subject:
    """A version: the present one, or of a deleted tool the last that it had. `key` is the tool's, as `ToolRow` has it.

    `document` and `block` are None where they cannot be trusted or were never stored; `verdict` and `absent` say why.
    `versions` are all of them, oldest first; `fault` is why they cannot be read. `stored` says whether it stands in the
    Space at all: verbs and the toolbox come with the code.
    """

    key: str
    name: str
    cid: str | None
    document: ToolDocument | None
    block: bytes | None
    verdict: Verdict
    versions: tuple[Version, ...]
    fault: str | None
    stored: bool
    deleted: bool
    absent: str
    looks: int = 0

    @property
    def present(self) -> str | None:
        """The CID of the present version; None for a tool that is deleted or was never saved."""
        return self.versions[-1].cid if self.versions else None

    @property
    def number(self) -> int | None:
        """The number of the present version."""
        return self.versions[-1].version if self.present is not None else None

    @property
    def version(self) -> Version | None:
        """The row of the version list that it is."""
        return next((version for version in reversed(self.versions) if version.cid == self.cid), None)


def subject_of(harness: Harness, shown: Shown, *, looks: int = 0) -> Subject:
    """Read what there is of the selected tool, and hash its block. `looks` counts how often somebody asked for that."""
    versions, fault = _versions(harness, shown)
    document = shown.tool.document if shown.tool else None
    cid = shown.cid
    deleted = False
    if shown.tool is None:
        newest = next((version for version in reversed(versions) if version.cid is not None), None)
        cid = newest.cid if newest else None
        deleted = bool(versions) and versions[-1].cid is None
    stored = not (shown.tool is not None and shown.tool.version == 0)
    subject = Subject(
        key=shown.key,
        name=shown.name,
        cid=cid,
        document=document,
        block=None,
        verdict=Verdict(None, shown.absent),
        versions=versions,
        fault=fault,
        stored=stored,
        deleted=deleted,
        absent=shown.absent,
    )
    return hashed(harness, subject, looks=looks)


def hashed(harness: Harness, subject: Subject, *, looks: int) -> Subject:
    """The subject with its block read and hashed anew."""
    if subject.cid is None:
        return replace(subject, looks=looks)
    asked = f"verified {looks}×" if looks > 1 else "verified" if looks else "intact"
    if not subject.stored and subject.document is not None:
        block = encode(subject.document)
        if cid_of(block) != subject.cid:
            return replace(subject, block=None, verdict=Verdict(False, "the code makes another CID"), looks=looks)
        words = f"{asked}: made again from the code and hashed, it is this CID"
        return replace(subject, block=block, verdict=Verdict(True, words), looks=looks)
    document = subject.document
    try:
        block = harness.block(subject.cid)
        if document is None:
            document = harness.version(subject.cid).document
    except HarnessError as error:
        verdict = Verdict(False, f"{error.code}{f', looked at {looks}×' if looks > 1 else ''}: this block is not used")
        words = f"{error.code}: {error.message}"
        return replace(subject, document=None, block=None, verdict=verdict, absent=words, looks=looks)
    words = f"{asked}: the stored {len(block):,} bytes hash to this CID"
    return replace(subject, document=document, block=block, verdict=Verdict(True, words), looks=looks)


def _versions(harness: Harness, shown: Shown) -> tuple[tuple[Version, ...], str | None]:
    if shown.row.group == "verbs" or shown.on_machine:
        return (), None
    try:
        return tuple(harness.versions(shown.name)), None
    except HarnessError as error:
        return (), f"The versions cannot be read now: {error.message}"
