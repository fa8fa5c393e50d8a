"""The agent's files: read, list, write, delete, and what the `<space>` block says of them."""

from __future__ import annotations

import codecs
import errno
import heapq
import mimetypes
import os
import secrets
import stat
from collections.abc import Generator, Sequence
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path

from msgspec import Struct

from workbench.harness.address import path_parts
from workbench.harness.errors import HarnessError
from workbench.harness.paging import Position, page_source
from workbench.harness.space.index import MemoryTop
from workbench.harness.space.memory import names, walk
from workbench.harness.space.memory.handles import (
    called,
    file_in,
    folder_at,
    in_words,
    kind,
    look,
    not_a_folder,
    open_folder,
)
from workbench.harness.space.memory.remove import remove_tree
from workbench.harness.space.memory.values import (
    MAX_ENTRIES,
    MAX_FILE_BYTES,
    BinaryFile,
    Deleted,
    Entry,
    Folder,
    TextFile,
    WalkedFile,
    Written,
)

_CHUNK = 1024 * 1024
_UNKNOWN_TYPE = "application/octet-stream"


class Memory(Struct, frozen=True):
    """The files under one folder, which may be missing but never a link.

    Paths are texts from memory's root, as `address.path_parts` reads them. Every method raises HarnessError:
    `bad_input` for a path that breaks the rules, `not_found`, `refused` where a link or special file is in the way,
    `limit` for what is too large or a disk that is full, `unavailable` where the folder is not there. No message names
    a path of the machine. Blocking: call from a thread where that matters.
    """

    root: Path

    def read(self, path: str, offset: Position = 1, limit: int | None = None) -> TextFile | BinaryFile | Folder:
        """Read a page of a text file, the facts of a binary one, or a folder's entries.

        `offset` and `limit` count lines of a file and entries of a folder, from 1. A file of any size is read with
        bounded memory.
        """
        parts = path_parts(path)
        if not parts:
            with folder_at(self.root, ()) as folder, in_words((), "list"):
                return _list(folder, (), offset, limit)
        with folder_at(self.root, parts[:-1]) as parent, in_words(parts, "read"):
            name = names.on_disk(parent, parts[-1])
            if stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):
                folder = open_folder(parent, name)
                try:
                    return _list(folder, parts, offset, limit)
                finally:
                    os.close(folder)
            with file_in(parent, name, parts) as (handle, size):
                return _read(_File(handle, size), parts, offset, limit)

    def read_bytes_bounded(self, path: str, most: int) -> bytes:
        """Read the first `most` bytes of a regular file."""
        parts = _below_root(path, "read")
        with folder_at(self.root, parts[:-1]) as parent:
            name = names.on_disk(parent, parts[-1])
            with file_in(parent, name, parts) as (handle, _):
                return os.pread(handle, most, 0)

    def write(self, path: str, text: str) -> Written:
        """Store a text as the whole content of a file, with the folders that it needs, or leave all as it was.

        At most `MAX_FILE_BYTES`. The file is replaced at once and is on disk when this returns; a reader sees the old
        content or the new. Nothing is written where the content is the same.
        """
        parts = _below_root(path, "write")
        try:
            data = text.encode("utf-8")
        except UnicodeEncodeError:
            raise HarnessError(
                "bad_input",
                f"cannot write {called(parts)}: its content holds half of a surrogate pair, which is no text",
            ) from None
        if len(data) > MAX_FILE_BYTES:
            raise HarnessError(
                "limit", f"cannot write {called(parts)}: it has {len(data)} bytes, and {MAX_FILE_BYTES} are allowed"
            )
        with folder_at(self.root, parts[:-1], make=True) as parent, in_words(parts, "write"):
            name = names.on_disk(parent, parts[-1])
            before = look(parent, name)
            if before is not None and not stat.S_ISREG(before.st_mode):
                raise not_a_folder(parts, kind(before.st_mode))
            changed = before is None or not _holds(parent, name, parts, data)
            if changed:
                _replace(parent, name, data, None if before is None else stat.S_IMODE(before.st_mode))
        return Written("/".join(parts), len(data), changed, existed=before is not None)

    def delete(self, path: str) -> Deleted:
        """Remove a file, a folder with all that is in it, a link (not what it leads to) or a special file."""
        parts = _below_root(path, "delete")
        gone = Deleted("/".join(parts), existed=False)
        try:
            with folder_at(self.root, parts[:-1]) as parent, in_words(parts, "delete"):
                name = names.on_disk(parent, parts[-1])
                found = look(parent, name)
                if found is None:
                    return gone
                if stat.S_ISDIR(found.st_mode):
                    remove_tree(parent, name)
                else:
                    os.unlink(name, dir_fd=parent)
        except HarnessError as failure:
            if failure.code == "not_found":
                return gone
            raise
        return Deleted("/".join(parts), existed=True)

    def top(self) -> MemoryTop:
        """Say what the `<space>` block needs to know, with bounded work; never raises."""
        return walk.top(self.root)

    def walk(self, limit: int) -> Generator[WalkedFile, None, None]:
        """Give at most `limit` regular files that an address can reach, folder by folder, by name.

        Links and special files are left out, as is what cannot be read. Close the iterator when stopping early.
        """
        return walk.files(self.root, limit)


class _File(Struct, frozen=True):
    """An open file as a source of pages."""

    handle: int
    size: int

    def read(self, start: int, length: int) -> bytes:
        return os.pread(self.handle, length, start)


def _below_root(path: str, doing: str) -> tuple[str, ...]:
    parts = path_parts(path)
    if not parts:
        raise HarnessError("bad_input", f"cannot {doing} ~/memory/ itself: name a file or folder in it")
    return parts


def _list(folder: int, parts: Sequence[str], offset: Position, limit: int | None) -> Folder:
    if isinstance(offset, tuple):
        raise HarnessError("bad_input", f"{called(parts)} is a folder: options.offset counts its entries, from 1")
    end = offset - 1 + min(limit or MAX_ENTRIES, MAX_ENTRIES)
    counter = count()
    with os.scandir(folder) as found:
        first = heapq.nsmallest(end, (os.fsencode(entry.name) for entry, _ in zip(found, counter, strict=False)))
    total = next(counter)
    if offset > max(total, 1):
        raise HarnessError("bad_input", f"there is no entry {offset}: {called(parts)} has {total}")
    prefix = "".join(f"{part}/" for part in parts)
    entries: list[Entry] = []
    for name in first[offset - 1 :]:
        status = look(folder, name)
        if status is not None:
            type_ = kind(status.st_mode)
            entries.append(Entry(prefix + names.shown(name), type_, status.st_size if type_ == "file" else None))
    more = max(0, total - end)
    return Folder("/".join(parts), tuple(entries), more, end + 1 if more else None)


def _read(file: _File, parts: Sequence[str], offset: Position, limit: int | None) -> TextFile | BinaryFile:
    path = "/".join(parts)
    if not _is_text(file):
        return BinaryFile(path, file.size, _mime_type(parts[-1]))
    try:
        page = page_source(file, offset, limit)
        page.content.encode("utf-8")
    except UnicodeError:
        raise HarnessError("conflict", f"{called(parts)} changed while it was read; read it again") from None
    return TextFile(path, page.content, file.size, page.next_offset, page.total_lines)


def _mime_type(name: str) -> str:
    type_, packing = _types().guess_type(name)
    return type_ if type_ is not None and packing is None else _UNKNOWN_TYPE


@cache
def _types() -> mimetypes.MimeTypes:
    """The types that Python knows by itself: what a machine's own tables say must not change an answer."""
    return mimetypes.MimeTypes()


def _is_text(file: _File) -> bool:
    """Whether a file is strict UTF-8 without NUL, looked at in chunks up to the first that is not."""
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    try:
        for at in range(0, file.size, _CHUNK):
            chunk = file.read(at, _CHUNK)
            if b"\x00" in chunk:
                return False
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _holds(parent: int, name: bytes, parts: Sequence[str], data: bytes) -> bool:
    with file_in(parent, name, parts) as (handle, size):
        return size == len(data) and os.pread(handle, size + 1, 0) == data


def _replace(parent: int, name: bytes, data: bytes, mode: int | None) -> None:
    """Put a new file in the place of whatever has the name: written and on disk under another name, then renamed."""
    passing = f".{secrets.token_hex(8)}.partial".encode()
    handle = os.open(passing, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666, dir_fd=parent)
    try:
        try:
            if mode is not None:
                os.fchmod(handle, mode)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(handle, rest) :]
            os.fsync(handle)
        finally:
            os.close(handle)
        os.rename(passing, name, src_dir_fd=parent, dst_dir_fd=parent)
    except BaseException:
        with suppress(OSError):
            os.unlink(passing, dir_fd=parent)
        raise
    try:
        os.fsync(parent)
    except OSError as fault:
        # Some file systems cannot do this for a folder; the file itself is on disk.
        if fault.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
