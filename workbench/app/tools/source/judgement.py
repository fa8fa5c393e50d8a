"""What would come of saving a draft: its CID, its size, its line in the index. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from workbench.app.tools.source.drafts import Draft
from workbench.harness.cid import cid_of
from workbench.harness.errors import HarnessError
from workbench.harness.space.document import ToolDocument, encode, lambda_document
from workbench.harness.space.index import IndexTool, MemoryTop, SpaceIndex, TriggersTop
from workbench.harness.space.index import build as build_index
from workbench.harness.space.settings import Settings
from workbench.harness.tools.callables import Missing, decide


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the tool would be among: the other callable tools, and what decides whether it is listed with them."""

    tools: tuple[IndexTool, ...] = ()
    memory: MemoryTop = field(default_factory=MemoryTop)
    settings: Settings = field(default_factory=Settings)
    missing: Missing | None = None

    def without_reason(self, document: ToolDocument) -> str:
        """Why the tool would not be listed; empty when it would."""
        if self.missing is None:
            return ""
        _, reason, detail = decide(document.name, document, self.settings, self.missing)
        return f"{reason}: {detail}" if reason else ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a draft would become. `problem` says in words why it cannot be saved; the rest is empty then.

    `line` is its line in the index and `line_bytes` what that costs, with its newline; `index` is the whole block with
    it; `unlisted` says why neither is so at present.
    """

    problem: str | None = None
    cid: str | None = None
    size: int = 0
    line: str = ""
    line_bytes: int = 0
    index: SpaceIndex | None = None
    unlisted: str = ""
    notes: tuple[str, ...] = ()


def judge(draft: Draft, around: Surroundings | None = None) -> Judgement:
    """Say what saving would do. Costs milliseconds for a large draft, so it is nothing for every key."""
    around = around or Surroundings()
    try:
        made = lambda_document(draft.name, draft.content())
        block = encode(made.document)
    except HarnessError as error:
        return Judgement(problem=error.message)
    document = made.document
    tool = IndexTool(document.name, document.summary, authored=True)
    unlisted = around.without_reason(document)
    # While it is not listed, the line is the one that it would have if nothing else were.
    index = build_index([tool] if unlisted else [*around.tools, tool], around.memory, TriggersTop())
    line = next((line for line in index.lines if line.tool == document.name), None)
    if line is None:
        unlisted = f"there are too many tools to name it: {index.listed:,} of {index.total:,} have a line"
    return Judgement(
        None,
        cid_of(block),
        len(block),
        line.text if line else "",
        line.bytes if line else 0,
        index,
        unlisted,
        made.notes,
    )
