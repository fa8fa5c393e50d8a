"""A lambda that is being edited: its texts, and the version they were edited from. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from workbench.harness.errors import HarnessError
from workbench.harness.space.document import Runtime, ToolDocument, first_sentence
from workbench.harness.strict_json import parse, pretty

Part = Literal["source", "description", "rest"]
"""What is edited apart: the code, the description as plain text, and as JSON whatever else the document has."""

PARTS: Final[tuple[Part, ...]] = ("source", "description", "rest")
"""The parts in the order in which f2 goes through them."""

PART_NAMES: dict[Part, str] = {"source": "source", "description": "description", "rest": "contract"}
"""What the parts are called."""

REST = ("summary", "input", "output", "runtime")
"""What the JSON may hold."""

_ELSEWHERE = {
    "source": "The source has a part of its own",
    "description": "The description has a part of its own, as plain text",
    "cid": "The version that it was edited from is kept beside it",
    "name": "The name is kept beside it",
    "kind": "The kind is kept beside it",
}


@dataclass(frozen=True, slots=True)
class Texts:
    """What stands in the three parts."""

    source: str = ""
    description: str = ""
    rest: str = ""

    def __getitem__(self, part: Part) -> str:
        """The text of a part."""
        return {"source": self.source, "description": self.description, "rest": self.rest}[part]

    def having(self, part: Part, text: str) -> Texts:
        """The texts with another one in a part."""
        match part:
            case "source":
                return replace(self, source=text)
            case "description":
                return replace(self, description=text)
            case "rest":
                return replace(self, rest=text)


@dataclass(frozen=True, slots=True)
class Draft:
    """What stands in the editor. `base_cid` is the version it was edited from, None for a new tool.

    `saved` are the texts it began as, so that a draft whose edits were undone is none.
    """

    name: str
    texts: Texts
    base_cid: str | None
    saved: Texts

    @property
    def unsaved(self) -> bool:
        """Whether anything differs from what it began as; a new tool always does."""
        return self.base_cid is None or self.texts != self.saved

    @property
    def runtime(self) -> Runtime:
        """What the source is written in, as far as the document can be read."""
        try:
            rest = parse(self.texts.rest, what="the contract")
        except HarnessError:
            return "python" if '"python"' in self.texts.rest else "typescript"
        return "python" if isinstance(rest, dict) and rest.get("runtime") == "python" else "typescript"

    def edited(self, part: Part, text: str) -> Draft:
        """The draft with another text in a part."""
        return replace(self, texts=self.texts.having(part, text))

    def rebased(self, cid: str | None) -> Draft:
        """The draft as if it had been edited from another version: saving it replaces that one."""
        return replace(self, base_cid=cid)

    def content(self) -> dict[str, Any]:
        """What `write` is given.

        Raises:
            HarnessError: the contract is no JSON object, or holds what has its place elsewhere.
        """
        rest = parse(self.texts.rest, what="the contract")
        if not isinstance(rest, dict):
            raise HarnessError("bad_input", f"The contract is a JSON object that may hold {', '.join(REST)}.")
        for key, words in _ELSEWHERE.items():
            if key in rest:
                raise HarnessError("bad_input", f"{words}. Take {key} out of the contract.")
        content: dict[str, Any] = {**rest, "description": self.texts.description, "source": self.texts.source}
        return content | ({"cid": self.base_cid} if self.base_cid else {})

    def act(self) -> dict[str, Any]:
        """The input of the `write` that saves it: over the version it was edited from, or where there is none.

        Raises:
            HarnessError: as `content` does.
        """
        act: dict[str, Any] = {"address": f"~/tools/{self.name}", "content": self.content()}
        return act | ({} if self.base_cid else {"options": {"create": True}})


def draft_of(document: ToolDocument, cid: str) -> Draft:
    """A stored lambda, opened for editing."""
    texts = texts_of(document)
    return Draft(document.name, texts, cid, texts)


def texts_of(document: ToolDocument) -> Texts:
    """A stored lambda as the texts of the editor."""
    fields = document.to_map()
    if document.summary == first_sentence(document.description):
        # Derived, so it follows the description; kept here it would stay behind when that is edited.
        del fields["summary"]
    rest = pretty({key: fields[key] for key in REST if key in fields})
    return Texts(document.source or "", document.description, rest)
