"""Versions and comparisons in words, without an app."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app.desk import WORD_COUNT
from workbench.app.tools.cid.comparison import compared, restored, whole
from workbench.app.tools.cid.version_words import first_of, version_line
from workbench.harness.cid import cid_of
from workbench.harness.errors import HarnessError
from workbench.harness.space.document import decode, encode, lambda_document
from workbench.harness.space.library import Version

TIME = "2026-11-30T14:43:22.123Z"


def a_version(number: int, size: int = 312, cid: str | None = "bafyreiabcdefghijklmnopqrstuvwx") -> Version:
    """A version that the owner saved."""
    return Version(number, cid, TIME, "user", size if cid else 0)


def a_block(**content: Any) -> bytes:
    """The block of a lambda."""
    return encode(lambda_document("word_count", {**WORD_COUNT, **content}).document)


@pytest.mark.parametrize(
    ("version", "present", "width", "same_as", "line"),
    [
        (a_version(3), 3, 80, None, "→ 3  2026-11-30 14:43:22  user        312 B  …qrstuvwx"),
        (a_version(3), 3, 80, 1, "→ 3  2026-11-30 14:43:22  user        312 B  …qrstuvwx  = 1"),
        (a_version(3), 3, 56, 1, "→ 3  2026-11-30 14:43:22  user        312 B  = 1"),
        (a_version(1), 3, 80, 1, "  1  2026-11-30 14:43:22  user        312 B  …qrstuvwx"),
        (a_version(3), 3, 46, None, "→ 3  2026-11-30 14:43  user      312 B"),
        (a_version(2, cid=None), None, 80, None, "  2  2026-11-30 14:43:22  user      deleted"),
        (a_version(2, size=0), 2, 80, None, "→ 2  2026-11-30 14:43:22  user      missing  …qrstuvwx"),
    ],
)
def test_a_version_on_a_line(version: Version, present: int | None, width: int, same_as: int | None, line: str) -> None:
    assert version_line(version, present, 1, width, same_as) == line
    assert len(line) <= width


def test_what_came_back_is_known_by_its_first_version() -> None:
    versions = [a_version(1, cid="a"), a_version(2, cid=None), a_version(3, cid="b"), a_version(4, cid="a")]
    assert first_of(versions) == {"a": 1, "b": 3}


def test_a_comparison_is_copied_as_it_is_shown() -> None:
    old, new = a_block(), a_block(source="def main(input):\n    return 1\n", input={"type": "object"})
    made = compared(a_version(1, cid=cid_of(old)), old, a_version(2, cid=cid_of(new)), new)
    assert made.title == "version 1 → 2 · 0 breaking · 3 widening · 1 neutral"
    assert made.text == (
        "version 1 → 2 · 0 breaking · 3 widening · 1 neutral\n"
        f"{cid_of(old)} → {cid_of(new)}\n"
        "\n"
        "+ widening  nobody fails, and more is possible\n"
        "+ input $.text  optional now\n"
        "    objects without “text” are accepted now\n"
        "+ input $.text  property removed: string\n"
        "    objects with anything else under “text”, a name that is free now, are accepted now\n"
        "+ input $.unique  property removed: boolean\n"
        "    objects with anything else under “unique”, a name that is free now, are accepted now\n"
        "\n"
        "· neutral  nothing in the contract changes for those who use it\n"
        "· source  88 → 30 bytes\n"
        "    the contract is what counts for callers; what the code does is not compared\n"
        "\n"
        "source  +1 −2 lines\n"
        "1 1   def main(input):\n"
        '2   -     print("counting")\n'
        '3   -     return {"words": len(input["text"].split())}\n'
        "  2 +     return 1\n"
        "4 3\n"
    )


def test_the_same_document_twice_is_said_to_be_the_same() -> None:
    block = a_block()
    made = compared(a_version(1), block, a_version(3), block)
    assert [line.text for line in made.lines] == ["Both are the same document."]


def test_a_version_whole_is_its_contract_and_its_source() -> None:
    block = a_block()
    made = whole(a_version(1, cid=cid_of(block)), block)
    assert made.text.startswith(f"name: word_count\nkind: lambda\ncid: {cid_of(block)}\n")
    assert made.text.endswith(str(WORD_COUNT["source"]))


def test_what_is_restored_is_the_same_document() -> None:
    block = a_block(output={"type": "object"})
    content = restored(decode(block))
    assert encode(lambda_document("word_count", content).document) == block


def test_a_block_that_is_no_document_is_refused_in_words() -> None:
    with pytest.raises(HarnessError, match="no canonical DAG-CBOR"):
        compared(a_version(1), b"\xff", a_version(2), a_block())
