"""Addresses: every form, what is ignored around them, and what is refused."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.harness.address import (
    FORMS,
    Address,
    IpfsAddress,
    McpAddress,
    MemoryAddress,
    RunAddress,
    SelfAddress,
    ThreadAddress,
    ThreadsAddress,
    ToolAddress,
    ToolsAddress,
    TriggerAddress,
    TriggersAddress,
    WebAddress,
    parse,
    path_parts,
    touched_tool,
)
from workbench.harness.errors import HarnessError


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("~/memory", MemoryAddress("")),
        ("~/memory/", MemoryAddress("")),
        ("~/memory///", MemoryAddress("")),
        ("~/memory/a/b", MemoryAddress("a/b")),
        ("~/memory/a/b/", MemoryAddress("a/b")),
        ("~/memory//notes//./deep\\f.txt", MemoryAddress("notes/deep/f.txt")),
        ("~/memory/two words", MemoryAddress("two words")),
        ("~/memory/tab\tand\nline", MemoryAddress("tab\tand\nline")),
        ("~/memory/a\u00a0", MemoryAddress("a\u00a0")),
        ("~/memory/...", MemoryAddress("...")),
        ("~/memory/日本/é", MemoryAddress("日本/é")),
        ("~/tools", ToolsAddress()),
        ("~/tools/", ToolsAddress()),
        ("~/tools/x", ToolAddress("x")),
        (" ~/tools/L/// ", ToolAddress("L")),
        ("~/tools/No Such", ToolAddress("No Such")),
        ("~/triggers", TriggersAddress()),
        ("~/triggers/", TriggersAddress()),
        ("~/triggers/daily", TriggerAddress("daily")),
        ("~/self", SelfAddress()),
        ("  ~/self/ ", SelfAddress()),
        ("thread:", ThreadsAddress()),
        ("thread:/", ThreadsAddress()),
        ("thread:demo", ThreadAddress("demo")),
        ("run:r1", RunAddress("r1")),
        ("https://example.org", WebAddress("https://example.org")),
        ("https://example.org/a/?q=1#x", WebAddress("https://example.org/a/?q=1#x")),
        (" https://example.org/a/ ", WebAddress("https://example.org/a/")),
        ("HTTPS://example.org", WebAddress("HTTPS://example.org")),
        ("ipfs://", IpfsAddress("")),
        ("ipfs://bafy", IpfsAddress("bafy")),
        ("ipfs://bafy/", IpfsAddress("bafy")),
        ("mcp:github", McpAddress("github", "")),
        ("mcp:github/", McpAddress("github", "")),
        ("mcp:github/repo://a/b/", McpAddress("github", "repo://a/b/")),
    ],
)
def test_every_form(text: str, address: Address) -> None:
    assert parse(text) == address
    assert parse(str(address)) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "/",
        "~",
        "~/",
        "~/x",
        "~/memoryx",
        "~/toolsx",
        "~/tools/a/b",
        "~/tools//a",
        "~/tools/a\n",
        "\t~/tools/a",
        "~/tools/a\x00",
        "~/Tools/a",
        "~/self/x",
        "~/triggers/a/b",
        "run:",
        "mcp:",
        "mcp:/x",
        "https://",
        "https:///x",
        "https:example.org",
        "http://example.org",
        "file:///etc/passwd",
        "ipfs:",
        "ipfs:bafy",
        "ipfs://a/b",
        "memory/a",
        "tools/a",
        "thread:a\x1b[31m",
        "~/memory/\ud800",
        "~/memory/" + "a" * 4096,
        None,
        3,
        True,
        ["~/self"],
        {"address": "~/self"},
        b"~/self",
    ],
)
def test_anything_else_lists_the_forms(text: object) -> None:
    with pytest.raises(HarnessError) as failure:
        parse(text)
    assert failure.value.code == "bad_input"
    for form in FORMS:
        assert form in failure.value.message


def test_a_likely_slip_is_named() -> None:
    with pytest.raises(HarnessError, match="use https://"):
        parse("http://example.org")
    with pytest.raises(HarnessError, match="begin with ~/"):
        parse("tools/word_count")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (" ~/tools/L/// ", "L"),
        ("~/tools/word_count", "word_count"),
        ("~/tools/bash", "bash"),
        ("~/tools/search", "search"),
        ("~/tools", None),
        ("~/tools/", None),
        ("~/tools/read", None),
        ("~/tools/plan/", None),
        ("~/tools/a/b", None),
        ("~/tools/a\n", None),
        ("~/memory/tools/a", None),
        ("nonsense", None),
        (None, None),
        (7, None),
        ({}, None),
        ("~/tools/\ud800", None),
    ],
)
def test_touched_tool(text: object, name: str | None) -> None:
    assert touched_tool(text) == name


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("/notes//./deep\\f.txt", ("notes", "deep", "f.txt")),
        ("", ()),
        (".", ()),
        ("./", ()),
        ("\\\\a\\b", ("a", "b")),
        ("...", ("...",)),
        ("a..b/..c", ("a..b", "..c")),
        ("/".join("p" * 16), tuple("p" * 16)),
        ("a" * 255, ("a" * 255,)),
        ("/".join(["a" * 255, "b" * 254, "c"]), ("a" * 255, "b" * 254, "c")),
    ],
)
def test_memory_paths_are_tidied(path: str, parts: tuple[str, ...]) -> None:
    assert path_parts(path) == parts


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("a/../b", "'..'"),
        ("..", "'..'"),
        ("a\\..\\b", "'..'"),
        ("a\x00b", "NUL"),
        ("/".join("p" * 17), "16 names deep; this one has 17"),
        ("/".join(["a" * 250, "b" * 250, "c" * 11]), "512 bytes long; this one has 513"),
        ("é" * 128, "255 bytes long; one here has 256"),
        ("\ud800", "UTF-8"),
        (5, "must be a text"),
    ],
)
def test_memory_paths_that_break_a_rule_are_refused_by_it(path: object, words: str) -> None:
    with pytest.raises(HarnessError, match=words) as failure:
        path_parts(path)
    assert failure.value.code == "bad_input"


@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_any_text_is_an_address_or_refused(text: str) -> None:
    for candidate in (text, f"~/tools/{text}", f"~/memory/{text}", f"thread:{text}"):
        touched_tool(candidate)
        with contextlib.suppress(HarnessError):
            address = parse(candidate)
            assert parse(str(address)) == address
