"""`agent.toml`: read, patched with the owner's comments kept, and remembered while it was good."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.space.settings import (
    BY_PATH,
    MAX_FILE_BYTES,
    TABLES,
    Reading,
    Settings,
    Waiting,
    acting,
    read_values,
    secret_in,
    secret_in_text,
)

FILE = "agent.toml"

NO_WORKDIR = (
    'surface is "toolbox", and no workdir acts that says where: until one does, new threads are of the verbs surface. '
    "Set workdir to a folder, and say yes to it on this machine."
)

FIRST_TEXT = """\
# The settings of this Space. Everything here is optional; a comment stays where you put it.
# Grants act at once. A value that lets the agent do more than its default does, such as sandbox.network or a model,
# waits for your yes on this machine: workbench approve.

name = "agent"

# Without this list every builtin, every lambda and publish is granted. Narrow it by naming what you want:
# tools = ["search", "execute"]
"""


class SettingsState(Struct, frozen=True):
    """What acts now and why. `known` is False where no good settings were ever seen: then nothing is callable."""

    settings: Settings
    waiting: tuple[Waiting, ...]
    approved: tuple[Waiting, ...]
    faults: tuple[str, ...]
    known: bool
    values: Mapping[str, Any] | None
    """What the file says, by key path, for the log to notice a change by hand; None while it is broken."""


class OwnerFolders:
    """The owner's own folders on this machine: yeses in the config folder, last good settings in the state folder."""

    def __init__(self, config: Path, state: Path) -> None:
        self.config = config
        self.state = state

    @classmethod
    def of_this_user(cls) -> OwnerFolders:
        """Where this system keeps a user's configuration and state, honouring XDG's variables."""
        import platformdirs

        return cls(Path(platformdirs.user_config_dir("workbench")), Path(platformdirs.user_state_dir("workbench")))

    def answers_file(self, space: Path) -> Path:
        """The owner's yeses and noes for one Space."""
        return self.config / "answers" / f"{_slug(space)}.json"

    def last_good_file(self, space: Path) -> Path:
        """The last good settings of one Space."""
        return self.state / "settings" / f"{_slug(space)}.toml"

    def drafts_folder(self, space: Path) -> Path:
        """Where faces keep the unsaved edits of one Space."""
        return self.state / "drafts" / _slug(space)


class AgentFile:
    """The settings file of one Space, with what this machine's owner said of it."""

    def __init__(
        self, space: Path, folders: OwnerFolders, noted: Callable[[], Mapping[str, Any] | None] = lambda: None
    ) -> None:
        """`noted` gives what the Space itself remembers of its settings, for a file that went away."""
        self._noted = noted
        self._space = space.resolve()
        self._path = space / FILE
        self._answers = folders.answers_file(self._space)
        self._last_good = folders.last_good_file(self._space)
        self._seen: tuple[object, SettingsState] | None = None
        self._good: str | None = None

    def create(self) -> None:
        """Write the first settings file where there is none and never was one."""
        if not self._path.exists() and self._good_text() is None:
            self.write(FIRST_TEXT)

    def state(self) -> SettingsState:
        """Read what acts now. Cheap while neither file changed."""
        mark = (_mark(self._path), _mark(self._answers))
        if self._seen is None or self._seen[0] != mark:
            self._seen = (mark, self._read())
        return self._seen[1]

    def text(self) -> str | None:
        """The file as it stands, to be looked at; None where there is none. Raises HarnessError as reading it does."""
        return _read_text(self._path)

    def _read(self) -> SettingsState:
        try:
            text = _read_text(self._path)
            reading = parse(text)
        except HarnessError as error:
            return self._last_good_state(error.message)
        self._remember(text)
        return self._state(reading, (), reading.values)

    def _state(self, reading: Reading, faults: tuple[str, ...], values: Mapping[str, Any] | None) -> SettingsState:
        said = self._said()
        now = acting(reading, lambda path, value: said.get(_question(path, value)))
        faults = (*faults, *reading.faults)
        if now.settings.surface == "toolbox" and now.settings.workdir is None:
            faults = (*faults, NO_WORKDIR)
        return SettingsState(now.settings, now.waiting, now.approved, faults, known=True, values=values)

    def _last_good_state(self, fault: str) -> SettingsState:
        fault = f"{FILE} cannot be used: {fault}"
        try:
            reading = parse(self._good_text())
        except HarnessError:
            closed = Settings(tools=())
            return SettingsState(closed, (), (), (f"{fault} Until it is mended nothing is callable.",), False, None)
        return self._state(reading, (f"{fault} The last good settings stay.",), None)

    def _remember(self, text: str | None) -> None:
        self._good = text
        with contextlib.suppress(OSError, HarnessError):
            if text is not None and _read_text(self._last_good) != text:
                write_atomically(self._last_good, text)

    def _good_text(self) -> str | None:
        """The last settings that were good: of this process, of an earlier one, or as the Space remembers them."""
        if self._good is None:
            with contextlib.suppress(HarnessError):
                self._good = _read_text(self._last_good)
        if self._good is None:
            noted = self._noted()
            self._good = None if noted is None else _as_text(noted)
        return self._good

    # The owner's answers ----------------------------------------------------------------------------------------

    def answer(self, waiting: Waiting, approved: bool) -> None:
        """Keep the owner's yes or no to a value on this machine. Raises HarnessError `unavailable` when it cannot."""
        bound = waiting.value if waiting.question is None else waiting.question
        said = self._said() | {_question(waiting.id, bound): approved}
        try:
            write_atomically(self._answers, json.dumps(said, indent=2, sort_keys=True) + "\n")
        except OSError as error:
            raise HarnessError(
                "unavailable", f"Your answer could not be kept in your config folder: {error.strerror}."
            ) from error
        self._seen = None

    def _said(self) -> dict[str, bool]:
        try:
            said: Any = json.loads(self._answers.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        if not isinstance(said, dict):
            return {}
        return {k: v for k, v in cast("dict[str, Any]", said).items() if isinstance(v, bool)}

    # Writing ----------------------------------------------------------------------------------------------------

    def patched(self, patch: Mapping[str, Any]) -> str:
        """The file's text with a patch applied: comments kept, `null` takes a key away.

        Raises:
            HarnessError: `bad_input` for an unknown key, a value that a key cannot have, or a literal secret.
        """
        import tomlkit
        from tomlkit.exceptions import TOMLKitError

        flat = flatten(patch)
        refuse_secrets(flat)
        text = _read_text(self._path)
        if text is None:
            # Gone: what it said last still acts, and a patch must not widen that by beginning anew.
            text = self._good_text() or ""
        try:
            parse(text)
        except HarnessError as error:
            raise HarnessError(
                error.code,
                f"{FILE} is broken, and a patch cannot mend it: {error.message} Mend the file by hand first.",
            ) from error
        try:
            document = tomlkit.parse(text)
            for path, value in flat.items():
                *parents, name = path.split(".")
                table: Any = document
                for parent in parents:
                    if parent not in table and value is not None:
                        table[parent] = tomlkit.table()
                    table = table.get(parent, {})
                if value is not None:
                    if not _edited_list(table.get(name), value):
                        table[name] = value
                elif name in table:
                    del table[name]
            new = tomlkit.dumps(document)
        except (TOMLKitError, TypeError, ValueError, AttributeError) as error:
            raise HarnessError("bad_input", f"The settings could not be changed that way: {error}.") from error
        parse(new)
        return new

    def write(self, text: str) -> None:
        """Replace the file as a whole. Raises HarnessError `unavailable` when it cannot be written."""
        try:
            write_atomically(self._path, text, mode=0o644)
        except OSError as error:
            raise HarnessError("unavailable", f"{FILE} could not be written: {error.strerror}.") from error
        self._seen = None


NO_SECRETS = (
    "A Space is copied and shared: write ${NAME} to take it from the environment, or keyring:NAME. Nothing was written."
)


def parse(text: str | None) -> Reading:
    """Read the text of a settings file.

    Raises:
        HarnessError: `bad_input`, with line and column, when it is no TOML or a setting has a value that it cannot
            have; `refused` when a secret stands in it, in whatever key or comment.
    """
    if text is None:
        raise HarnessError("not_found", "there is no such file.")
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise HarnessError("bad_input", f"it is not TOML: {error}.") from error
    refuse_secrets(table)
    if secret_in_text(text):
        raise HarnessError("refused", f"a comment of it looks like a secret itself. {NO_SECRETS}")
    return read_values(table)


def _as_text(values: Mapping[str, Any]) -> str:
    """Settings by key path, as the text of a file."""
    import tomlkit

    document = tomlkit.document()
    for path, value in values.items():
        *parents, name = path.split(".")
        table: Any = document
        for parent in parents:
            table = table.setdefault(parent, tomlkit.table())
        table[name] = value
    return tomlkit.dumps(document)


def _edited_list(old: Any, new: Any) -> bool:
    """Turn a list in the file into another one item by item, so that comments between the others stay.

    False where that does not do: what is there is no list, or the items that stay would change their order.
    """
    if not isinstance(old, list) or not isinstance(new, list):
        return False
    items, wanted = cast("list[Any]", old), cast("list[Any]", new)
    kept = [item for item in items if item in wanted]
    if len(set(map(str, wanted))) != len(wanted) or len(set(map(str, items))) != len(items):
        return False
    if kept != wanted[: len(kept)]:
        return False
    for item in [item for item in items if item not in wanted]:
        items.remove(item)
    for item in wanted[len(kept) :]:
        items.append(item)
    return True


def flatten(patch: Mapping[str, Any]) -> dict[str, Any]:
    """A patch by key path; tables may be nested or dotted. Raises HarnessError `bad_input` for unknown keys."""
    flat: dict[str, Any] = {}

    def walk(table: Mapping[str, Any], prefix: str) -> None:
        for name, value in table.items():
            path = f"{prefix}{name}"
            if path in BY_PATH:
                flat[path] = value
            elif path in TABLES and isinstance(value, Mapping):
                walk(cast("Mapping[str, Any]", value), f"{path}.")
            elif path in TABLES and value is None:
                flat.update({known: None for known in BY_PATH if known.startswith(f"{path}.")})
            else:
                raise HarnessError("bad_input", f"There is no setting {path}. Settings are: {', '.join(BY_PATH)}.")

    walk(patch, "")
    return flat


def refuse_secrets(patch: Mapping[str, Any]) -> None:
    """Raise HarnessError `refused` when a patch carries a secret itself, so that it never reaches file or log."""
    where = secret_in(patch)
    if where:
        raise HarnessError("refused", f"{where} looks like a secret itself. {NO_SECRETS}")


def write_atomically(path: Path, text: str, mode: int = 0o600) -> None:
    """Replace a file so that a reader sees the old text or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fd, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(fd, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _read_text(path: Path) -> str | None:
    """The text of a small regular file; None where there is none."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise HarnessError("refused", f"{path.name} cannot be read: {error.strerror}.") from error
    about = os.fstat(fd)
    if not stat.S_ISREG(about.st_mode):
        os.close(fd)
        raise HarnessError("refused", f"{path.name} is not a file.")
    with os.fdopen(fd, "rb") as file:
        if about.st_size > MAX_FILE_BYTES:
            raise HarnessError("limit", f"{path.name} has {about.st_size} bytes; at most {MAX_FILE_BYTES} are read.")
        data = file.read(MAX_FILE_BYTES + 1)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise HarnessError("bad_input", f"{path.name} is not UTF-8 (byte {error.start}).") from error


def _mark(path: Path) -> object:
    try:
        about = os.stat(path, follow_symlinks=False)
    except OSError:
        return None
    return (about.st_mtime_ns, about.st_ctime_ns, about.st_size, about.st_ino)


def _question(path: str, value: Any) -> str:
    return f"{path} = {json.dumps(value, sort_keys=True, default=str)}"


def _slug(space: Path) -> str:
    name = "".join(c if c.isalnum() else "-" for c in space.name)[:40]
    return f"{name}-{hashlib.sha256(os.fsencode(space)).hexdigest()[:16]}"
