"""Memory: the agent's files, with real links, FIFOs, sockets, odd names and a racing neighbour."""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.people import ordinary_user
from workbench.harness.address import path_parts
from workbench.harness.errors import HarnessError
from workbench.harness.space.index import MemoryEntry, MemoryTop
from workbench.harness.space.memory import (
    MAX_ENTRIES,
    MAX_FILE_BYTES,
    BinaryFile,
    Deleted,
    Entry,
    Folder,
    Memory,
    TextFile,
    WalkedFile,
    Written,
)
from workbench.harness.space.memory.handles import in_words
from workbench.harness.space.memory.walk import COUNTED

AT_FDCWD = -100
RENAME_EXCHANGE = 2


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "space" / "memory"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def memory(root: Path) -> Memory:
    return Memory(root)


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret.txt").write_text("secret")
    return folder


@pytest.fixture(autouse=True)
def no_handle_is_left_open() -> Iterator[None]:
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    yield
    assert not before or len(os.listdir("/proc/self/fd")) <= before


def refusal(act: Callable[[], object], code: str) -> str:
    with pytest.raises(HarnessError) as failure:
        act()
    assert failure.value.code == code
    return failure.value.message


def pages(memory: Memory, path: str) -> Iterator[TextFile]:
    found = memory.read(path)
    assert isinstance(found, TextFile)
    yield found
    while found.next_offset is not None:
        found = memory.read(path, found.next_offset)
        assert isinstance(found, TextFile)
        yield found


def paths(folder: object) -> list[str]:
    assert isinstance(folder, Folder)
    return [entry.path for entry in folder.entries]


# Writing and reading


def test_what_is_written_can_be_read_and_listed(memory: Memory, root: Path) -> None:
    assert memory.write("notes/a.md", "grüße\n") == Written("notes/a.md", 8, changed=True, existed=False)
    assert (root / "notes" / "a.md").read_bytes() == "grüße\n".encode()
    assert memory.read("notes/a.md") == TextFile("notes/a.md", "grüße\n", 8, None, 1)
    assert memory.read("notes") == Folder("notes", (Entry("notes/a.md", "file", 8),), 0, None)
    assert memory.read("") == Folder("", (Entry("notes", "directory", None),), 0, None)


def test_a_write_replaces_the_whole_and_keeps_the_mode(memory: Memory, root: Path) -> None:
    memory.write("run.sh", "echo a long first version\n")
    (root / "run.sh").chmod(0o750)
    assert memory.write("run.sh", "echo b\n") == Written("run.sh", 7, changed=True, existed=True)
    assert (root / "run.sh").read_text() == "echo b\n"
    assert stat.S_IMODE((root / "run.sh").stat().st_mode) == 0o750
    assert os.listdir(root) == ["run.sh"]


def test_the_same_content_again_changes_nothing(memory: Memory, root: Path) -> None:
    memory.write("a", "same")
    before = (root / "a").stat()
    assert memory.write("/a", "same") == Written("a", 4, changed=False, existed=True)
    assert (root / "a").stat().st_ino == before.st_ino
    assert memory.write("a", "sane").changed


@pytest.mark.parametrize(
    ("path", "stored"),
    [
        ("/notes//./deep\\f.txt", "notes/deep/f.txt"),
        ("...", "..."),
        ("/".join("p" * 16), "/".join("p" * 16)),
        ("two words\tand\nlines", "two words\tand\nlines"),
        ("日本/é", "日本/é"),
        ("a" * 255, "a" * 255),
        ("</space>", "</space>"),
    ],
)
def test_paths_that_are_stored(memory: Memory, path: str, stored: str) -> None:
    assert memory.write(path, "x").path == stored
    assert memory.read(stored) == TextFile(stored, "x", 1, None, 1)


@pytest.mark.parametrize(
    "path",
    ["a/../b", "..", "", ".", "/", "a\x00b", "/".join(["a" * 250, "b" * 250, "c" * 11]), "/".join("p" * 17), "\ud800"],
)
def test_paths_that_are_refused(memory: Memory, root: Path, path: str) -> None:
    refusal(lambda: memory.write(path, "x"), "bad_input")
    assert os.listdir(root) == []


def test_a_write_of_4_mib_and_of_one_byte_more(memory: Memory, root: Path) -> None:
    assert memory.write("big", "é" * (MAX_FILE_BYTES // 2)).size == MAX_FILE_BYTES
    message = refusal(lambda: memory.write("big", "x" * (MAX_FILE_BYTES + 1)), "limit")
    assert "4194305" in message
    assert "4194304" in message
    assert (root / "big").stat().st_size == MAX_FILE_BYTES


def test_content_that_is_no_text_is_refused(memory: Memory) -> None:
    assert "surrogate" in refusal(lambda: memory.write("a", "\ud800"), "bad_input")


def test_a_write_where_a_folder_or_file_is_in_the_way(memory: Memory) -> None:
    memory.write("folder/file", "x")
    assert "~/memory/folder is a folder" in refusal(lambda: memory.write("folder", "x"), "refused")
    assert "~/memory/folder/file is a file" in refusal(lambda: memory.write("folder/file/below", "x"), "refused")
    assert "~/memory/folder/file is a file" in refusal(lambda: memory.read("folder/file/below/it"), "refused")


def test_a_failed_write_leaves_all_as_it_was(memory: Memory, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.write("a", "before")

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device", str(root))

    monkeypatch.setattr(os, "write", full)
    message = refusal(lambda: memory.write("a", "after"), "limit")
    assert message == "cannot write ~/memory/a: the disk is full; delete something first"
    assert os.listdir(root) == ["a"]
    assert (root / "a").read_text() == "before"


# Pages


def test_a_long_file_page_by_page(memory: Memory) -> None:
    text = "".join(f"line {number} — größer\n" for number in range(5000)) + "漢" * 40_000 + "\nend"
    memory.write("log.txt", text)
    found = list(pages(memory, "log.txt"))
    assert "".join(page.content for page in found) == text
    assert {page.size for page in found} == {len(text.encode())}
    assert found[0].total_lines == 5002
    second = memory.read("log.txt", 2, 3)
    assert isinstance(second, TextFile)
    assert second.content == "line 1 — größer\nline 2 — größer\nline 3 — größer\n"
    assert second.next_offset == 5


def test_a_file_larger_than_a_write_allows_is_read_by_pages(memory: Memory, root: Path) -> None:
    line = b"0123456789abcdef" * 63 + b"fifteen bytes.\n"
    with (root / "huge.log").open("wb") as file:
        for _ in range(12):
            file.write(line * 1024)
    last = memory.read("huge.log", 12 * 1024)
    assert isinstance(last, TextFile)
    assert last.content == line.decode()
    assert last.size == 12 * 1024 * len(line)
    assert "12288 lines" in refusal(lambda: memory.read("huge.log", 12_289), "bad_input")


def test_an_empty_file_is_an_empty_page(memory: Memory) -> None:
    memory.write("empty", "")
    assert memory.read("empty") == TextFile("empty", "", 0, None, 0)


@pytest.mark.parametrize(
    ("name", "data", "mime_type"),
    [
        ("a.png", b"\x89PNG\r\n\x1a\n", "image/png"),
        ("nul.txt", b"text\x00more", "text/plain"),
        ("latin", "é".encode("latin-1"), "application/octet-stream"),
        ("late.txt", b"x" * (1024 * 1024) + b"\xc3", "text/plain"),
        ("surrogate.json", b'"\xed\xa0\x80"', "application/json"),
        ("a.tar.gz", b"\x1f\x8b\x00", "application/octet-stream"),
    ],
)
def test_a_binary_file_has_facts_and_no_content(
    memory: Memory, root: Path, name: str, data: bytes, mime_type: str
) -> None:
    (root / name).write_bytes(data)
    assert memory.read(name) == BinaryFile(name, len(data), mime_type)


def test_a_character_across_two_chunks_is_still_text(memory: Memory, root: Path) -> None:
    (root / "a").write_bytes(b"x" * (1024 * 1024 - 1) + "é".encode())
    assert isinstance(memory.read("a"), TextFile)


def test_the_first_bytes_of_any_file(memory: Memory, root: Path, outside: Path) -> None:
    (root / "a").write_bytes(b"\x00\xff" * 100)
    assert memory.read_bytes_bounded("a", 3) == b"\x00\xff\x00"
    (root / "link").symlink_to(outside / "secret.txt")
    refusal(lambda: memory.read_bytes_bounded("link", 3), "refused")


# What is not there


def test_what_is_not_there(memory: Memory) -> None:
    assert refusal(lambda: memory.read("a"), "not_found") == ("cannot read ~/memory/a: there is no such file or folder")
    assert "~/memory/x:" in refusal(lambda: memory.read("x/y/z"), "not_found")
    assert memory.delete("a") == Deleted("a", existed=False)
    assert memory.delete("x/y/z") == Deleted("x/y/z", existed=False)


def test_a_space_without_a_memory_folder(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "none")
    for act in (lambda: memory.read(""), lambda: memory.write("a", "x"), lambda: memory.delete("a")):
        assert str(tmp_path) not in refusal(act, "unavailable")
    assert memory.top() == MemoryTop(readable=False)


def test_a_memory_that_is_a_link_is_not_used(tmp_path: Path, outside: Path) -> None:
    (tmp_path / "memory").symlink_to(outside)
    memory = Memory(tmp_path / "memory")
    for act in (
        lambda: memory.read(""),
        lambda: memory.read("secret.txt"),
        lambda: memory.write("a", "x"),
        lambda: memory.delete("secret.txt"),
        lambda: list(memory.walk(5)),
    ):
        assert "link" in refusal(act, "refused")
    assert memory.top() == MemoryTop(readable=False)
    assert os.listdir(outside) == ["secret.txt"]


# Links and special files


@pytest.mark.parametrize(
    "path", ["out/secret.txt", "out", "out/deep/new.txt", "dir/out/secret.txt", "dir/../out", "to_file"]
)
def test_a_link_in_any_component_is_never_followed(memory: Memory, root: Path, outside: Path, path: str) -> None:
    (root / "dir").mkdir()
    (root / "out").symlink_to(outside)
    (root / "dir" / "out").symlink_to(outside)
    (root / "to_file").symlink_to(outside / "secret.txt")
    code = "bad_input" if ".." in path else "refused"
    for act in (lambda: memory.read(path), lambda: memory.write(path, "x")):
        assert str(outside) not in refusal(act, code)
    if path.count("/") > path.startswith("dir"):
        refusal(lambda: memory.delete(path), code)
    assert (outside / "secret.txt").read_text() == "secret"
    assert os.listdir(outside) == ["secret.txt"]


def test_links_are_listed_and_deleted_as_links(memory: Memory, root: Path, outside: Path) -> None:
    (root / "out").symlink_to(outside)
    (root / "dangling").symlink_to("nowhere")
    (root / "loop").symlink_to("loop")
    assert memory.read("") == Folder(
        "", (Entry("dangling", "link", None), Entry("loop", "link", None), Entry("out", "link", None)), 0, None
    )
    for name in ("dangling", "loop", "out"):
        assert memory.delete(name) == Deleted(name, existed=True)
    assert os.listdir(root) == []
    assert os.listdir(outside) == ["secret.txt"]


def test_special_files_are_listed_refused_at_once_and_deleted(memory: Memory, root: Path) -> None:
    os.mkfifo(root / "fifo")
    listening = socket.socket(socket.AF_UNIX)
    here = os.getcwd()
    os.chdir(root)
    try:
        listening.bind("socket")
    finally:
        os.chdir(here)
        listening.close()
    assert memory.read("") == Folder("", (Entry("fifo", "special", None), Entry("socket", "special", None)), 0, None)
    for name in ("fifo", "socket"):
        assert "special" not in refusal(lambda name=name: memory.read(name), "refused")
        refusal(lambda name=name: memory.write(name, "x"), "refused")
        refusal(lambda name=name: memory.read_bytes_bounded(name, 1), "refused")
        refusal(lambda name=name: memory.read(f"{name}/x"), "refused")
    assert list(memory.walk(10)) == []
    assert memory.top() == MemoryTop()
    assert memory.delete("fifo").existed
    assert memory.delete("socket").existed
    assert os.listdir(root) == []


# Names that are no text


def test_names_that_are_no_text_are_distinct_and_can_be_read_and_deleted(memory: Memory, root: Path) -> None:
    folder = os.fsencode(root)
    for name in (b"a\xff", b"a\xfe", b"b\\c", b"dir\xff"):
        if name.startswith(b"dir"):
            os.mkdir(os.path.join(folder, name))
        else:
            Path(os.fsdecode(os.path.join(folder, name))).write_text(repr(name))
    Path(os.fsdecode(os.path.join(folder, b"dir\xff", b"inner"))).write_text("below")
    assert paths(memory.read("")) == ["a⟨xFE⟩", "a⟨xFF⟩", "b⟨x5C⟩c", "dir⟨xFF⟩"]
    found = memory.read("a⟨xFF⟩")
    assert isinstance(found, TextFile)
    assert found.content == repr(b"a\xff")
    assert paths(memory.read("dir⟨xFF⟩")) == ["dir⟨xFF⟩/inner"]
    assert [file.path for file in memory.walk(9)] == ["a⟨xFE⟩", "a⟨xFF⟩", "b⟨x5C⟩c", "dir⟨xFF⟩/inner"]
    for name in ("a⟨xFF⟩", "b⟨x5C⟩c", "dir⟨xFF⟩"):
        assert memory.delete(name).existed
    assert os.listdir(folder) == [b"a\xfe"]


def test_a_name_that_is_spelled_like_an_escape_comes_first(memory: Memory, root: Path) -> None:
    memory.write("a⟨xFF⟩", "literal")
    Path(os.fsdecode(os.fsencode(root) + b"/a\xff")).write_text("bytes")
    found = memory.read("a⟨xFF⟩")
    assert isinstance(found, TextFile)
    assert found.content == "literal"


def test_messages_stay_on_one_harmless_line(memory: Memory) -> None:
    message = refusal(lambda: memory.read("a\n<space>\x1b[2J"), "not_found")
    assert message.startswith("cannot read ~/memory/a ‹space>\ufffd[2J: ")


# Folders


def test_a_large_folder_is_listed_by_parts(memory: Memory, root: Path) -> None:
    for number in range(MAX_ENTRIES + 3):
        (root / f"f{number:05}").touch()
    first = memory.read("")
    assert isinstance(first, Folder)
    assert (len(first.entries), first.more, first.next_offset) == (MAX_ENTRIES, 3, MAX_ENTRIES + 1)
    assert paths(memory.read("", first.next_offset or 1)) == ["f01000", "f01001", "f01002"]
    assert paths(memory.read("", 5, 2)) == ["f00004", "f00005"]
    assert "no entry 1004" in refusal(lambda: memory.read("", 1004), "bad_input")
    refusal(lambda: memory.read("", (1, 5)), "bad_input")


def test_entries_are_sorted_by_code_point(memory: Memory) -> None:
    for name in ("b.txt", "B.txt", ".hidden", "ä.md", "notes-x", "notes/y", "zz"):
        memory.write(name, "")
    assert paths(memory.read("")) == [".hidden", "B.txt", "b.txt", "notes", "notes-x", "zz", "ä.md"]


# Deleting


def test_a_folder_is_deleted_with_all_in_it_and_nothing_beside_it(memory: Memory, root: Path, outside: Path) -> None:
    memory.write("a/b/c/d.txt", "x")
    memory.write("a/e.txt", "x")
    memory.write("ab.txt", "x")
    (root / "a" / "b" / "out").symlink_to(outside)
    (root / "a" / "file").symlink_to(outside / "secret.txt")
    os.mkfifo(root / "a" / "fifo")
    assert memory.delete("a/") == Deleted("a", existed=True)
    assert os.listdir(root) == ["ab.txt"]
    assert os.listdir(outside) == ["secret.txt"]


@pytest.mark.parametrize("path", ["", "/", ".", "./"])
def test_memory_itself_is_not_deleted(memory: Memory, root: Path, path: str) -> None:
    memory.write("a", "x")
    assert "itself" in refusal(lambda: memory.delete(path), "bad_input")
    assert os.listdir(root) == ["a"]


def test_a_folder_deeper_than_any_address_or_handle_table_is_deleted(memory: Memory, root: Path) -> None:
    handle = os.open(root, os.O_RDONLY)
    for _ in range(2000):
        os.mkdir("deep", dir_fd=handle)
        inner = os.open("deep", os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = inner
    os.close(handle)
    top = memory.top()
    assert top.entries == (MemoryEntry("deep", True, 0, at_least=True),)
    assert top.at_least
    assert list(memory.walk(5)) == []
    assert memory.delete("deep") == Deleted("deep", existed=True)
    assert os.listdir(root) == []


# A neighbour that swaps folders meanwhile


def test_a_racing_neighbour_never_leads_outside(memory: Memory, root: Path, outside: Path) -> None:
    """A thread swaps a folder for a link, and back, while every kind of act goes through it."""
    (outside / "deep").mkdir()
    (outside / "deep" / "kept.txt").write_text("kept")
    inside, link = root / "dir", root / "link"
    (inside / "deep").mkdir(parents=True)
    (inside / "secret.txt").write_text("mine")
    link.symlink_to(outside)
    exchange = getattr(ctypes.CDLL(None), "renameat2", None)
    if exchange is None:
        pytest.skip("this system cannot exchange two names at once")
    done = threading.Event()

    def swap() -> None:
        while not done.is_set():
            exchange(AT_FDCWD, os.fsencode(inside), AT_FDCWD, os.fsencode(link), RENAME_EXCHANGE)

    neighbour = threading.Thread(target=swap)
    neighbour.start()
    seen: set[str] = set()
    outcomes: set[str] = set()
    messages: list[str] = []
    try:
        for attempt in range(400):
            for act in (
                lambda: memory.read("dir/secret.txt"),
                lambda attempt=attempt: memory.write(f"dir/deep/new{attempt}.txt", "x"),
                lambda: memory.delete("dir/deep"),
                lambda: memory.read("dir"),
                lambda: [memory.read(file.path) for file in memory.walk(50) if "secret" in file.path],
            ):
                try:
                    found = act()
                except HarnessError as failure:
                    outcomes.add(failure.code)
                    messages.append(failure.message)
                else:
                    outcomes.add("done")
                    for each in found if isinstance(found, list) else [found]:
                        if isinstance(each, TextFile):
                            seen.add(each.content)
            memory.top()
    finally:
        done.set()
        neighbour.join()
    assert seen <= {"mine"}
    assert outcomes <= {"done", "refused", "not_found", "conflict"}
    assert "done" in outcomes
    assert not any(str(outside) in message for message in messages)
    assert sorted(os.listdir(outside)) == ["deep", "secret.txt"]
    assert os.listdir(outside / "deep") == ["kept.txt"]
    assert (outside / "secret.txt").read_text() == "secret"


# For the block and for searching


def test_the_top_level_with_its_counts(memory: Memory, root: Path, outside: Path) -> None:
    for path in ("notes/a", "notes/deep/b", "notes/deep/c", "report.md"):
        memory.write(path, "x")
    (root / "empty").mkdir()
    (root / "out").symlink_to(outside)
    os.mkfifo(root / "notes" / "fifo")
    assert memory.top() == MemoryTop(
        4, (MemoryEntry("empty", True, 0), MemoryEntry("notes", True, 3), MemoryEntry("report.md", False, 1))
    )


def test_an_empty_memory_has_an_empty_top(memory: Memory) -> None:
    assert memory.top() == MemoryTop()


def test_more_entries_than_a_line_can_hold_are_counted(memory: Memory, root: Path) -> None:
    for number in range(70):
        (root / f"f{number:02}").touch()
    top = memory.top()
    assert (top.files, len(top.entries), top.more, top.at_least) == (70, 64, 6, False)


def test_counting_stops_and_says_so(memory: Memory, root: Path) -> None:
    (root / "many").mkdir()
    folder = os.open(root / "many", os.O_RDONLY)
    for number in range(COUNTED):
        os.mknod(f"{number}", 0o600 | stat.S_IFREG, dir_fd=folder)
    os.close(folder)
    (root / "zz").touch()
    top = memory.top()
    assert top.at_least
    assert top.entries == (MemoryEntry("many", True, COUNTED - 2, at_least=True), MemoryEntry("zz", False, 1))
    assert top.files == COUNTED - 1


def test_a_walk_gives_regular_files_in_order_and_stops_at_its_limit(memory: Memory, root: Path, outside: Path) -> None:
    for path in ("b/x", "a", "b/a/y", "c"):
        memory.write(path, path)
    (root / "b" / "out").symlink_to(outside)
    assert list(memory.walk(10)) == [
        WalkedFile("a", 1),
        WalkedFile("b/a/y", 5),
        WalkedFile("b/x", 3),
        WalkedFile("c", 1),
    ]
    assert [file.path for file in memory.walk(2)] == ["a", "b/a/y"]
    walk = memory.walk(10)
    assert next(walk).path == "a"
    assert next(walk).path == "b/a/y"
    walk.close()


# Whatever the disk says


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOSPC, "limit"),
        (errno.EDQUOT, "limit"),
        (errno.EACCES, "refused"),
        (errno.EROFS, "refused"),
        (errno.ENAMETOOLONG, "bad_input"),
        (errno.EMFILE, "unavailable"),
        (errno.EIO, "failed"),
        (None, "failed"),
    ],
)
def test_every_fault_of_the_disk_becomes_words(number: int | None, code: str) -> None:
    fault = OSError(number, "words of the system", "/host/path") if number else OSError("nothing known")

    def act() -> None:
        with in_words(("a", "b"), "write"):
            raise fault

    message = refusal(act, code)
    assert message.startswith("cannot write ~/memory/a/b: ")
    assert "/host" not in message


def test_what_permissions_forbid_is_said_in_words(open_folder: Path) -> None:
    memory = Memory(open_folder)
    with ordinary_user():
        memory.write("locked/a", "x")
        (open_folder / "locked").chmod(0)
        for act in (
            lambda: memory.read("locked/a"),
            lambda: memory.write("locked/b", "x"),
            lambda: memory.delete("locked"),
        ):
            assert "permissions" in refusal(act, "refused")
        assert memory.top().at_least
        (open_folder / "locked").chmod(0o700)


PARTS = st.sampled_from(["a", "b", ".", "", "...", "é", "x y"])
ACTS = st.lists(
    st.tuples(st.sampled_from(["write", "delete", "read"]), st.lists(PARTS, max_size=3).map("/".join)), max_size=25
)


@given(ACTS)
def test_memory_behaves_like_a_tree_of_texts(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[str, str]]
) -> None:
    memory = Memory(tmp_path_factory.mktemp("memory"))
    model: dict[tuple[str, ...], str] = {}
    folders: set[tuple[str, ...]] = {()}
    for at, (act, path) in enumerate(acts):
        parts = path_parts(path)
        above = [parts[:depth] for depth in range(len(parts))]
        blocked = parts in folders or any(folder in model for folder in above)
        there = parts in model or parts in folders
        if act == "write" and not parts:
            refusal(lambda path=path: memory.write(path, "x"), "bad_input")
        elif act == "write" and blocked:
            refusal(lambda path=path: memory.write(path, "x"), "refused")
        elif act == "write":
            memory.write(path, str(at))
            model[parts] = str(at)
            folders.update(above)
        elif act == "delete" and not parts:
            refusal(lambda path=path: memory.delete(path), "bad_input")
        elif act == "delete" and not there and blocked:
            refusal(lambda path=path: memory.delete(path), "refused")
        elif act == "delete":
            assert memory.delete(path).existed is there
            model = {key: value for key, value in model.items() if key[: len(parts)] != parts}
            folders = {key for key in folders if key[: len(parts)] != parts}
        elif not there:
            refusal(lambda path=path: memory.read(path), "refused" if blocked else "not_found")
        else:
            found = memory.read(path)
            assert isinstance(found, Folder) if parts in folders else found.content == model[parts]
    assert sorted(path_parts(file.path) for file in memory.walk(100)) == sorted(model)
