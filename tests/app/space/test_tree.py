"""Memory as twigs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from workbench.app.space.tree import (
    MEMORY,
    MORE,
    Listing,
    folder_of,
    list_folder,
    path_of,
    twigs,
)
from workbench.app.widgets.outline.twig import Twig
from workbench.harness.space.memory import Memory
from workbench.harness.views import MemoryView


def memory(tmp_path: Path) -> Memory:
    (tmp_path / "memory").mkdir()
    return Memory(tmp_path / "memory")


def words(twig: Twig) -> str:
    return "".join(text for text, _ in twig.line)


def below(tree: list[Twig]) -> list[Twig]:
    root = next(twig for twig in tree if twig.key == MEMORY)
    assert root.children is not None
    return list(root.children())


def test_a_folder_is_asked_for_when_it_is_looked_into() -> None:
    asked: list[str] = []
    (reading,) = below(twigs({}, asked.append, 3))
    assert (words(reading), asked) == ("reading…", [""])


def test_kinds_and_sizes_are_told(tmp_path: Path) -> None:
    kept = memory(tmp_path)
    kept.write("notes/deep/a.txt", "x")
    kept.write("[b] b.txt", "1234")
    os.symlink("/etc/passwd", kept.root / "link")
    os.mkfifo(kept.root / "pipe")
    found = below(twigs({"": list_folder(MemoryView(kept), "", 1)}, lambda path: None, 3))
    assert [(twig.key, words(twig)) for twig in found] == [
        ("memory/[b] b.txt", "[b] b.txt  4 B"),
        ("memory/link", "link  link, never followed"),
        ("memory/notes/", "notes/"),
        ("memory/pipe", "pipe  no file: a FIFO, socket or device"),
    ]
    assert [twig.children is not None for twig in found] == [False, False, True, False]


def test_a_large_folder_is_listed_by_the_thousand(tmp_path: Path) -> None:
    kept = memory(tmp_path)
    for number in range(2100):
        (kept.root / f"{number:05}").touch()
    one, three = (list_folder(MemoryView(kept), "", pages) for pages in (1, 3))
    assert (len(one.entries), one.more) == (1000, 1100)
    assert (len(three.entries), three.more) == (2100, 0)
    last = below(twigs({"": one}, lambda path: None, 0))[-1]
    assert last.key == f"{MEMORY}{MORE}"
    assert words(last) == "… 1,100 more; enter lists the next"


def test_what_cannot_be_listed_says_why(tmp_path: Path) -> None:
    kept = memory(tmp_path)
    gone = list_folder(MemoryView(kept), "gone", 1)
    assert "no such file or folder" in (gone.fault or "")
    kept.write("gone", "a file now")
    assert "is no folder any more" in (list_folder(MemoryView(kept), "gone", 1).fault or "")
    assert words(below(twigs({"": Listing(fault="It [/] broke.")}, lambda path: None, 0))[0]) == "✗ It [/] broke."


def test_an_empty_memory_teaches() -> None:
    assert "n begins a file" in words(below(twigs({"": Listing()}, lambda path: None, 0))[0])


@pytest.mark.parametrize(
    ("key", "folder", "path"),
    [
        (MEMORY, "", None),
        ("memory/a/b/", "a/b", "a/b"),
        ("memory/a", None, "a"),
        ("memory/\0more", None, None),
        ("self", None, None),
    ],
)
def test_keys_and_paths(key: str, folder: str | None, path: str | None) -> None:
    assert (folder_of(key), path_of(key)) == (folder, path)
