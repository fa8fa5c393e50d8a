"""What ripgrep prints, in whatever pieces it comes, as rows: the first matches, merged, in bounded memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.harness.tools.toolbox.ripgrep import rows as reading
from workbench.harness.tools.toolbox.ripgrep.listed import Listed
from workbench.harness.tools.toolbox.ripgrep.rows import Matches


def fed(data: bytes, sizes: list[int], limit: int, context: int) -> Matches:
    matches = Matches(None, limit=limit, context=context)
    at = 0
    for size in sizes:
        matches.take(data[at : at + size])
        at += size
    matches.take(data[at:])
    return matches


names = st.text(st.sampled_from("ab-/.\n"), min_size=1, max_size=6).map(lambda name: name.strip("/") or "x")


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(names, st.sets(st.integers(1, 40), min_size=1, max_size=6), max_size=8),
    st.lists(st.integers(1, 30), max_size=20),
    st.integers(1, 12),
)
def test_the_first_matches_in_the_order_of_paths(files: dict[str, set[int]], sizes: list[int], limit: int) -> None:
    printed = "".join(f"./{name}\0{line}:text\n" for name, lines in files.items() for line in sorted(lines))
    found = fed(printed.encode(), sizes, limit, 0).found()
    every = [
        f"{name}:{line}: text".replace("\n", "\u240a")
        for name in sorted(files, key=lambda name: name.split("/"))
        for line in sorted(files[name])
    ]
    assert list(found.rows) == every[:limit]
    assert found.more == (len(every) > limit)


def test_a_remark_about_a_binary_file_is_no_row() -> None:
    printed = (
        b'./a\x001:hit\n./a: WARNING: stopped searching binary file after match (found "\\0" byte around offset 9)\n'
        b"./b\x002:hit\n"
    )
    assert fed(printed, [], 9, 0).found().rows == ("a:1: hit", "b:2: hit")


@given(st.sets(names, min_size=1, max_size=6), st.sets(st.integers(0, 5)), st.lists(st.integers(1, 30), max_size=20))
def test_files_that_are_broken_off_are_known_in_whatever_pieces_it_comes(
    files: set[str], broken: set[int], sizes: list[int]
) -> None:
    named = list(enumerate(sorted(files, key=lambda name: name.split("/"))))
    printed = b"".join(
        b"./%b\x001:hit\n" % name.encode() + (b"./" + name.encode() + WARNING if number in broken else b"")
        for number, name in named
    )
    found = fed(printed, sizes, 9, 0).found()
    assert found.broken_off == tuple(name.replace("\n", "\u240a") for number, name in named if number in broken)
    assert len(found.rows) == len(files)


def test_only_a_file_whose_end_would_be_given_is_broken_off() -> None:
    printed = b"./a\x001:hit\n./a\x002:hit\n./a" + WARNING + b"./b\x001:hit\n./b" + WARNING
    assert [fed(printed, [], limit, 0).found().broken_off for limit in (1, 2, 3)] == [(), ("a",), ("a", "b")]
    unwanted = Matches(lambda path: path == "b", limit=9, context=0)
    unwanted.take(printed)
    assert unwanted.found().broken_off == ("b",)


WARNING = b': WARNING: stopped searching binary file after match (found "\\0" byte around offset 9)\n'
MATCHES = b": binary file matches (found x)\n"


@pytest.mark.parametrize(
    "before", [b"", b"./a" + WARNING, b"./a" + MATCHES, (b"./a\nb" + WARNING + b"./c" + MATCHES) * 9]
)
@pytest.mark.parametrize("name", [b"b", b"b\nc", b"\n\nb\n", b"b: binary file matches", b"x\nb: binary file matches"])
def test_remarks_before_a_row_leave_every_name_whole(before: bytes, name: bytes) -> None:
    rows = fed(before + b"./%b\0001:one\n./%b\0002:two\n" % (name, name), [], 9, 0).found().rows
    shown = name.decode().replace("\n", "\u240a")
    assert rows == (f"{shown}:1: one", f"{shown}:2: two")


def test_a_name_with_newlines_is_looked_through_once_and_not_for_every_row(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    plain = reading._behind_remarks

    def noting(printed: bytes) -> bytes:
        looked.append(len(printed))
        return plain(printed)

    monkeypatch.setattr(reading, "_behind_remarks", noting)
    name = b"./" + b"n\n" * 2000 + b"x"
    printed = b"".join(b"%b\0%d:hit\n" % (name, number) for number in range(1, 2001))
    assert len(fed(printed, [], 5000, 0).found().rows) == 2000
    assert looked == [len(name)]


@pytest.mark.parametrize(
    "hostile",
    [
        b": binary file matches" * 3000 + b"\n",
        (b": WARNING: stopped searching binary file after match" * 40 + b"\n") * 30,
        b": " * 30_000 + b"\n",
        b"\n" * 60_000,
        b"x: binary file matches\n" + b": binary file matches" * 3000,
    ],
    ids=["one remark", "many remarks", "colons", "newlines", "no end"],
)
def test_what_is_made_to_be_looked_through_slowly_is_not(hostile: bytes) -> None:
    """Each of these takes a step for each byte; in steps for each pair of bytes this would not end in a minute."""
    printed = b"".join(b"%b./f%d\0001:hit\n" % (hostile, number) for number in range(30))
    assert len(fed(printed, [], 99, 0).found().rows) == 30


def test_context_of_a_match_that_is_not_given_is_not_given() -> None:
    printed = b"".join(b"./a\x00%d%c%d\n" % (n, b":"[0] if n in (2, 6) else b"-"[0], n) for n in range(1, 8))
    assert fed(printed, [], 1, 1).found().rows == ("a-1- 1", "a:2: 2", "a-3- 3")


def everywhere() -> Iterator[bytes]:
    for file in range(3000):
        name = b"./d%d/f%05d" % (file % 10, 3000 - file)
        yield b"".join(b"%b\x00%d:%b\n" % (name, line, b"q" * 400) for line in range(1, 102))


def test_a_pattern_that_is_everywhere_takes_bounded_memory() -> None:
    matches = Matches(None, limit=100, context=0)
    tracemalloc.start()
    size = 0
    for piece in everywhere():
        size += len(piece)
        matches.take(piece)
    found = matches.found()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert size > 100_000_000
    assert peak < 4_000_000
    assert len(found.rows) == 100
    assert found.more
    assert found.rows[0].startswith("d0/f00010:1: ")


def test_a_limit_without_end_takes_bounded_memory() -> None:
    matches = Matches(None, limit=10**9, context=0)
    tracemalloc.start()
    for start in range(0, 200_000, 1000):
        matches.take(b"".join(b"./a\x00%d:%b\n" % (line, b"q" * 100) for line in range(start + 1, start + 1001)))
    found = matches.found()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000
    assert len(found.rows) + found.unkept == 200_000
    assert not found.more


def test_a_row_without_end_takes_bounded_memory() -> None:
    matches = Matches(None, limit=1, context=0)
    matches.take(b"./a\x001:")
    tracemalloc.start()
    for _ in range(300):
        matches.take(b"q" * 100_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    matches.take(b"\n")
    assert peak < 1_000_000
    assert matches.found().cut


@settings(max_examples=60, deadline=None)
@given(st.sets(names, max_size=12), st.lists(st.integers(1, 30), max_size=10), st.integers(1, 15))
def test_the_first_paths_in_order_with_their_folders(files: set[str], sizes: list[int], limit: int) -> None:
    files = {name for name in files if "//" not in name and not any(other.startswith(name + "/") for other in files)}
    listed = Listed(lambda path: True, folders_only=False, limit=limit)
    data = "".join(f"{name}\0" for name in files).encode()
    at = 0
    for size in sizes:
        listed.take(data[at : at + size])
        at += size
    listed.take(data[at:])
    folders = {"/".join(name.split("/")[:depth]) for name in files for depth in range(1, name.count("/") + 1)}
    every = sorted([(name.split("/"), name) for name in files] + [(name.split("/"), name + "/") for name in folders])
    rows, more = listed.rows()
    assert rows == [name.replace("\n", "\u240a") for _, name in every][:limit]
    assert more == (len(every) > limit)


def test_many_paths_in_many_pieces() -> None:
    listed = Listed(lambda path: True, folders_only=False, limit=10)
    for start in range(100_000, 0, -1000):
        listed.take(b"".join(b"d/%06d\0" % number for number in range(start, start - 1000, -1)))
    rows, more = listed.rows()
    assert rows == ["d/", *(f"d/{number:06}" for number in range(1, 10))]
    assert more
