"""The contract: one text that explains a tool, made here and nowhere else.

`read`, touch-expand, the faces and the command line all show these bytes.
"""

from __future__ import annotations

from msgspec.structs import replace

from workbench.harness.paging import Page, Position, page_with_notice
from workbench.harness.space.document import ToolDocument
from workbench.harness.strict_json import Json, pretty
from workbench.harness.text import size

_IMPORTS = {
    "python": "Python's standard library",
    "typescript": "what deno has built in",
}
"""What a lambda may import, by runtime: said here and nowhere else."""


def contract_text(document: ToolDocument, cid: str) -> str:
    """The whole contract, unpaged; the same document and CID always give the same text."""
    lines = [
        f"name: {document.name}",
        f"kind: {document.kind}",
        f"cid: {cid}",
    ]
    if document.runtime is not None and document.source is not None:
        lines.append(f"runtime: {document.runtime}")
        lines.append(
            f'source: {size(document.source)} bytes (read ~/tools/{document.name} with options.part "source"); '
            f"may import {_IMPORTS[document.runtime]}; no network unless the owner allows it; /workspace is ~/memory/"
        )
    lines += ["", document.description.rstrip("\r\n"), "", "input schema:", pretty(_ordered(document.input))]
    if document.output is not None:
        lines += ["", "output schema:", pretty(_ordered(document.output))]
    return "\n".join(lines) + "\n"


def contract_page(document: ToolDocument, cid: str, offset: Position = 1) -> Page:
    """One page of the contract: its `content` is at most 2,000 lines and 50 KB.

    When more follows, the last line of the content says which `options.offset` reads on. A contract that fits a page
    is given as it is.
    Raises HarnessError `bad_input` for an offset that the text does not have.
    """
    text, page = page_with_notice(contract_text(document, cid), offset)
    return replace(page, content=text)


def contract_pages(document: ToolDocument, cid: str) -> list[str]:
    """Every page of the contract in turn, each as `contract_page` gives it."""
    whole = contract_text(document, cid)
    pages: list[str] = []
    offset: Position | None = 1
    while offset is not None:
        text, page = page_with_notice(whole, offset)
        pages.append(text)
        offset = page.next_offset
    return pages


def _ordered(value: Json) -> Json:
    """By key: a document that was just written and the same one read back must not differ."""
    if isinstance(value, dict):
        return {key: _ordered(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_ordered(item) for item in value]
    return value
