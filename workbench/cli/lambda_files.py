"""A lambda from its files: the source as it is, the contract beside it, nothing to escape."""

from __future__ import annotations

import ast
import os
import re
from textwrap import dedent
from typing import TYPE_CHECKING, Any

from workbench.cli.inputs import data_of, text_of
from workbench.harness import strict_json
from workbench.harness.errors import HarnessError

if TYPE_CHECKING:
    from workbench.harness.space.library import StoredTool

RUNTIMES = {".py": "python", ".ts": "typescript", ".mts": "typescript", ".js": "typescript", ".mjs": "typescript"}
"""The runtime that a source's suffix stands for."""

_HASH_COMMENTS = re.compile(r"\s*((?:#[^\n]*(?:\n|\Z))+)")
_BLOCK_COMMENT = re.compile(r"\s*/\*+(.*?)\*/", re.DOTALL)
_LINE_COMMENTS = re.compile(r"\s*((?://[^\n]*(?:\n|\Z)[ \t]*)+)")


def content_of(source: str, contract: str | None, stored: StoredTool | None) -> dict[str, Any]:
    """The content that `write ~/tools/NAME` takes.

    The contract is that of the contract file; without one the stored lambda keeps its own, and a new lambda is
    described by the comment (in Python the docstring) at the top of its source.

    Raises:
        HarnessError: a file cannot be read, is no text or no JSON; or nothing says what a new lambda is for.
    """
    text = text_of(source)
    suffix = os.path.splitext(source)[1].lower()
    runtime: dict[str, Any] = {"runtime": RUNTIMES[suffix]} if suffix in RUNTIMES else {}
    if contract is not None:
        content = runtime | _contract(contract) | {"source": text}
        if "runtime" not in content:
            raise _no_runtime(source)
        return content
    if stored is not None and stored.document.kind == "lambda":
        kept = stored.document.to_map() | {"cid": stored.cid}
        return kept | runtime | {"source": text}
    if not runtime:
        raise _no_runtime(source)
    description = described_by(text, python=suffix == ".py")
    if not description:
        raise HarnessError(
            "bad_input",
            "Nothing says what this new lambda is for. Give --contract FILE, JSON such as "
            '{"description": "…", "input": {"type": "object"}}, or begin the source with a comment that says it.',
        )
    return runtime | {"description": description, "source": text}


def _no_runtime(source: str) -> HarnessError:
    return HarnessError(
        "bad_input",
        f"Nothing says in which language {source} is. Name it with one of {', '.join(RUNTIMES)}, or give runtime "
        'in the contract: "python" or "typescript".',
    )


def described_by(source: str, *, python: bool) -> str | None:
    """What the comment at the top of a source says, None where there is none."""
    if python:
        try:
            documented = ast.get_docstring(ast.parse(source))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            documented = None
        if documented:
            return documented
        comments = _HASH_COMMENTS.match(source)
        lines = [line.lstrip("#") for line in comments[1].split("\n")] if comments else []
        return dedent("\n".join(line.rstrip() for line in lines if not line.startswith("!"))).strip() or None
    if block := _BLOCK_COMMENT.match(source):
        lines = [re.sub(r"^\s*\*\s?", "", line) for line in block[1].split("\n")]
    elif comments := _LINE_COMMENTS.match(source):
        lines = [re.sub(r"^\s*//\s?", "", line) for line in comments[1].split("\n")]
    else:
        return None
    return dedent("\n".join(line.rstrip() for line in lines)).strip() or None


def _contract(file: str) -> dict[str, Any]:
    value = strict_json.parse(data_of(file), what=file)
    if not isinstance(value, dict):
        raise HarnessError("bad_input", f"{file} must hold a JSON object with description, input, output, summary.")
    if "source" in value:
        raise HarnessError("bad_input", f"{file} has a source of its own; with --source it must have none.")
    return dict(value)
