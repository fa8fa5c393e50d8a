"""Where in which scene file we are: for reading what stands there, and for messages on what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn, cast

from msgspec import Struct

from workbench.harness.errors import HarnessError


class Place(Struct, frozen=True):
    """A scene file, and the part of it that is being read."""

    file: str
    part: str = ""

    def __str__(self) -> str:
        return f"Scene {self.file}, {self.part}" if self.part else f"Scene {self.file}"

    def at(self, part: str) -> Place:
        """The same file, and another part of it."""
        return Place(self.file, part)

    def refuse(self, fault: str) -> NoReturn:
        """Say what is wrong here. Raises HarnessError `bad_input`, always."""
        raise HarnessError("bad_input", f"{self}: {fault}.")

    def only(self, table: Mapping[str, Any], allowed: set[str]) -> None:
        """See that a table has no other keys."""
        unknown = sorted(set(table) - allowed)
        if unknown:
            self.refuse(f"unknown keys {', '.join(unknown)}; there can be {', '.join(sorted(allowed))}")

    def text(self, table: Mapping[str, Any], key: str, absent: str | None = None) -> str:
        """A text; one that has to be there, and to say something, where nothing stands for it."""
        value = table.get(key, absent)
        if not isinstance(value, str) or (absent is None and not value.strip()):
            self.refuse(f"{key} must be a text" + ("" if key in table else ", and it is missing"))
        return value

    def texts(self, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
        """A text, or several in a list; none where the key is absent."""
        value = table.get(key, [])
        listed: object = [value] if isinstance(value, str) else value
        if not isinstance(listed, list) or not all(
            isinstance(one, str) and one for one in cast("list[object]", listed)
        ):
            self.refuse(f"{key} must be a text, or a list of texts, none of them empty")
        return tuple(cast("list[str]", listed))

    def number(self, table: Mapping[str, Any], key: str, most: float) -> float:
        """A number from 0 to `most`; 0 where the key is absent."""
        value = table.get(key, 0)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
            self.refuse(f"{key} must be a number from 0 to {most:g}")
        return float(value)

    def tables(self, table: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
        """A list of tables; empty where the key is absent."""
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in cast("list[Any]", value)):
            self.refuse(f"{key} must be a list of tables; begin each with [[{key}]]")
        return cast("list[Mapping[str, Any]]", value)

    def beside(self, folder: Path, name: str, most: int) -> str:
        """The text of a file beside the scene; never one from elsewhere, since scenes are passed around."""
        path = folder / name
        if Path(name).is_absolute() or not path.resolve().is_relative_to(folder.resolve()):
            self.refuse(f"{name} is not beside the scene; only files in its own folder are read")
        return self.content(path, most)

    def content(self, path: Path, most: int) -> str:
        """The text of a file of at most so many bytes."""
        try:
            if not path.is_file():
                self.refuse(f"there is no file {path}")
            with path.open("rb") as file:
                data = file.read(most + 1)
        except (OSError, ValueError) as error:
            self.refuse(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}")
        if len(data) > most:
            self.refuse(f"{path} has over {most} bytes")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            self.refuse(f"{path} is not UTF-8 (byte {error.start})")
