"""A lambda that is being edited: its source, the rest of its document, and what would come of saving it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from workbench.harness.cid import cid_of
from workbench.harness.errors import HarnessError
from workbench.harness.space.document import LambdaDraft, ToolDocument, encode, first_sentence, lambda_document
from workbench.harness.space.index import IndexTool, MemoryTop, TriggersTop
from workbench.harness.space.index import build as build_index
from workbench.harness.strict_json import parse, pretty

_REST = ("description", "summary", "input", "output", "runtime")

_PYTHON = '''def main(input):
    """What this returns is the output; what it prints is kept as logs. /workspace is ~/memory/."""
    return {"greeting": "Hello, " + input["name"]}
'''
_TYPESCRIPT = """// What this returns is the output; what it prints is kept as logs. /workspace is ~/memory/.
export default function (input: { name: string }) {
  return { greeting: `Hello, ${input.name}` };
}
"""


@dataclass(frozen=True, slots=True)
class Draft:
    """What stands in the editor. `base_cid` is the version it was edited from, None for a new tool.

    `saved_source` and `saved_rest` are what it began as, so that a draft that was undone is none.
    """

    name: str
    source: str
    rest: str
    base_cid: str | None
    saved_source: str
    saved_rest: str

    @property
    def unsaved(self) -> bool:
        """Whether anything differs from what it began as; a new tool always does."""
        return self.base_cid is None or (self.source, self.rest) != (self.saved_source, self.saved_rest)

    @property
    def runtime(self) -> str:
        """What the source is written in, as far as the document can be read."""
        try:
            rest = parse(self.rest, what="the contract")
        except HarnessError:
            return "python" if '"python"' in self.rest else "typescript"
        return "python" if isinstance(rest, dict) and rest.get("runtime") == "python" else "typescript"

    def edited(self, *, source: str | None = None, rest: str | None = None) -> Draft:
        """The draft with other text in it."""
        return replace(self, source=self.source if source is None else source, rest=self.rest if rest is None else rest)

    def rebased(self, cid: str | None) -> Draft:
        """The draft as if it had been edited from another version: saving it replaces that one."""
        return replace(self, base_cid=cid)

    def content(self) -> dict[str, Any]:
        """What `write` is given.

        Raises:
            HarnessError: the rest of the document is no JSON object, or holds the source a second time.
        """
        rest = parse(self.rest, what="the contract")
        if not isinstance(rest, dict):
            raise HarnessError("bad_input", "The contract is a JSON object with description, input, runtime and so on.")
        for key in ("source", "cid", "name", "kind"):
            if key in rest:
                raise HarnessError("bad_input", f"The contract here has no {key}: it is kept beside it. Take it out.")
        content: dict[str, Any] = {**rest, "source": self.source}
        return content | ({"cid": self.base_cid} if self.base_cid else {})


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a draft would become: `problem` in words, or the CID, the block's size and the cost of its index line."""

    problem: str | None = None
    cid: str | None = None
    size: int = 0
    index_bytes: int = 0
    notes: tuple[str, ...] = ()


def draft_of(document: ToolDocument, cid: str) -> Draft:
    """A stored lambda, opened for editing."""
    fields = document.to_map()
    if document.summary == first_sentence(document.description):
        # Derived, so it follows the description; kept here it would stay behind when that is edited.
        del fields["summary"]
    rest = pretty({key: fields[key] for key in _REST if key in fields})
    source = document.source or ""
    return Draft(document.name, source, rest, cid, source, rest)


def new_draft(name: str, runtime: str) -> Draft:
    """A lambda from the template."""
    rest = pretty(
        {
            "description": f"Say what {name} does and when to use it; a model reads this.",
            "input": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
            "runtime": runtime,
        }
    )
    source = _PYTHON if runtime == "python" else _TYPESCRIPT
    return Draft(name, source, rest, None, source, rest)


def judge(draft: Draft) -> Judgement:
    """Say what saving would do. Costs milliseconds for a large draft: not for every key."""
    try:
        made: LambdaDraft = lambda_document(draft.name, draft.content())
        block = encode(made.document)
    except HarnessError as error:
        return Judgement(problem=error.message)
    return Judgement(None, cid_of(block), len(block), index_cost(made.document), made.notes)


def index_cost(document: ToolDocument) -> int:
    """Bytes of the tool's own line in the index, while there is room for all of it."""
    tool = IndexTool(
        document.name, document.summary, authored=document.kind == "lambda", builtin=document.kind == "builtin"
    )
    index = build_index([tool], MemoryTop(), TriggersTop())
    return next((line.bytes for line in index.lines if line.tool == document.name), 0)
