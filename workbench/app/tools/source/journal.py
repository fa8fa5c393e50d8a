"""Unsaved edits, kept on this machine until they are saved or discarded, so that no crash takes them.

Each workbench writes one file of its own in the owner's state folder, beside a lock that it holds for its life. What
the file of a dead one has is taken over by the next that starts; of two that start at once, by one of them.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from workbench.app.tools.source.drafts import PARTS, Draft, Texts
from workbench.harness.errors import HarnessError
from workbench.harness.names import lambda_name_fault
from workbench.harness.space.agent_file import write_atomically
from workbench.harness.store.locks import ProcessLock, alive, sweep

MAX_BYTES = 64 * 1024 * 1024
"""A longer file is not ours."""

FORM = 1
"""What the files say of their form."""

_OURS = re.compile(r"(process-[0-9a-f]{16})(?:\.[0-9]+)?\.json\Z")


@dataclass(frozen=True, slots=True)
class Kept:
    """A draft and when it was edited last. What it began as is not kept: the Space has every version."""

    draft: Draft
    time: str


@dataclass(frozen=True, slots=True)
class Adopted:
    """What dead workbenches left: drafts, and in words whatever could not be read or waits for the next time."""

    kept: tuple[Kept, ...] = ()
    faults: tuple[str, ...] = ()


class Journal:
    """The file of this process. Its methods may be called from any thread."""

    def __init__(self, folder: Path) -> None:
        """Begin one in a folder, making it.

        Raises:
            HarnessError: `unavailable` when nothing can be kept there.
        """
        self._folder = folder
        self._writing = threading.Lock()
        self._last = 0
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = ProcessLock(folder)
            sweep(folder)
        except OSError as error:
            raise HarnessError(
                "unavailable",
                f"Unsaved edits cannot be kept for after a crash: {folder} cannot be written ({error.strerror}).",
            ) from error
        self._path = folder / f"{self._lock.process}.json"

    def keep(self, number: int, kept: Iterable[Kept]) -> None:
        """Have the file hold exactly these drafts. An earlier state, of a lower number, does not replace a later one.

        Raises:
            HarnessError: `unavailable` when it cannot be written; what it held before stays.
        """
        with self._writing:
            if number <= self._last:
                return
            self._write(self._path, list(kept))
            self._last = number

    def adopt(self) -> Adopted:
        """Take over the drafts of workbenches that are gone; the newest one of each tool.

        They stand in the file of this process before those of the others are removed.
        """
        kept: list[Kept] = []
        faults: list[str] = []
        taken: list[tuple[Path, str]] = []
        for number, path in enumerate(sorted(self._folder.glob("process-*.json"))):
            match = _OURS.match(path.name)
            if match is None or alive(self._folder, match[1]):
                continue
            mine = self._path.with_name(f"{self._lock.process}.{number}.json")
            try:
                # Whoever renames it first has it.
                os.rename(path, mine)
            except OSError:
                continue
            try:
                kept += _read(mine)
                taken.append((mine, match[1]))
            except (HarnessError, OSError) as error:
                faults.append(self._put_aside(mine, path.name, error))
        newest: dict[str, Kept] = {}
        for each in sorted(kept, key=lambda each: each.time):
            newest[each.draft.name] = each
        rest = [each for each in kept if newest[each.draft.name] is not each]
        try:
            if taken:
                self._write(self._path, list(newest.values()))
                self._leave(rest, taken)
        except HarnessError as error:
            faults.append(error.message)
        faults += [
            f"Other unsaved edits of {each.draft.name}, from {each.time}, are kept too. They come when the workbench "
            "is started after these are saved or discarded."
            for each in rest
        ]
        return Adopted(tuple(newest.values()), tuple(faults))

    def close(self) -> None:
        """End: what the file holds is for the next one that starts."""
        self._lock.release()

    def _leave(self, rest: list[Kept], taken: list[tuple[Path, str]]) -> None:
        """Remove the files that were taken over, but for what of them still has to wait."""
        owner = taken[0][1]
        if rest:
            self._write(self._path.with_name(f"{owner}.json"), rest)
        for path, _ in taken:
            with contextlib.suppress(OSError):
                path.unlink()

    def _put_aside(self, path: Path, name: str, error: HarnessError | OSError) -> str:
        aside = path.with_name(f"unreadable-{name}")
        with contextlib.suppress(OSError):
            os.rename(path, aside)
        why = error.message if isinstance(error, HarnessError) else str(error.strerror)
        return f"A file of unsaved edits cannot be used: {why} It is kept as {aside}."

    def _write(self, path: Path, kept: list[Kept]) -> None:
        try:
            if not kept:
                path.unlink(missing_ok=True)
                return
            text = json.dumps({"form": FORM, "drafts": [_as_json(each) for each in kept]})
            if len(text) > MAX_BYTES:
                raise HarnessError(
                    "unavailable", f"Your unsaved edits are over {MAX_BYTES:,} bytes and not kept for after a crash."
                )
            write_atomically(path, text)
        except OSError as error:
            raise HarnessError(
                "unavailable", f"Your unsaved edits are not kept for after a crash: {error.strerror}."
            ) from error


def _as_json(kept: Kept) -> dict[str, Any]:
    draft = kept.draft
    return {
        "name": draft.name,
        "base_cid": draft.base_cid,
        "time": kept.time,
        **{part: draft.texts[part] for part in PARTS},
    }


def _read(path: Path) -> list[Kept]:
    """The drafts of a file.

    Raises:
        HarnessError: it is no file of ours.
        OSError: it cannot be read.
    """
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    about = os.fstat(fd)
    if not stat.S_ISREG(about.st_mode) or about.st_size > MAX_BYTES:
        os.close(fd)
        raise HarnessError("corrupt", f"it is no file, or over {MAX_BYTES:,} bytes.")
    with os.fdopen(fd, "rb") as file:
        data = file.read(MAX_BYTES + 1)
    try:
        value: Any = json.loads(data)
    except (ValueError, RecursionError):
        raise HarnessError("corrupt", "it is not JSON.") from None
    drafts = cast("dict[str, Any]", value).get("drafts") if isinstance(value, dict) else None
    if not isinstance(drafts, list) or cast("dict[str, Any]", value).get("form") != FORM:
        raise HarnessError("corrupt", "it does not have the form of this version of the workbench.")
    return [_kept(each) for each in cast("list[Any]", drafts)]


def _kept(value: Any) -> Kept:
    given = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    texts = [given.get(key) for key in ("name", "time", *PARTS)]
    if not all(isinstance(text, str) for text in texts) or lambda_name_fault(str(given["name"])) is not None:
        raise HarnessError("corrupt", "one of its drafts lacks a name or a text.")
    name, time, *parts = cast("list[str]", texts)
    base = given.get("base_cid")
    draft = Draft(name, Texts(*parts), base if isinstance(base, str) else None, Texts())
    return Kept(draft, time)
