"""What was given to each tool, kept by version of its contract as long as the app runs."""

from __future__ import annotations

from dataclasses import dataclass, field

from workbench.app.tools.call.given import Typed


@dataclass(slots=True)
class Kept:
    """Inputs by name and CID, the newest version with an input by name, limits by name."""

    _inputs: dict[tuple[str, str | None], Typed] = field(default_factory=dict)
    _newest: dict[str, str | None] = field(default_factory=dict)
    _limits: dict[str, str] = field(default_factory=dict)

    def keep(self, name: str, cid: str | None, typed: Typed, limit: str) -> None:
        """Keep what stands in the input of a version, and the limit that stands beside it."""
        self._inputs[name, cid] = typed
        self._newest[name] = cid
        self._limits[name] = limit

    def of(self, name: str, cid: str | None) -> tuple[Typed | None, bool]:
        """The input for a version, and whether it was given for another version of the same tool."""
        if name not in self._newest:
            return None, False
        newest = self._newest[name]
        return self._inputs[name, newest], newest != cid

    def limit(self, name: str) -> str:
        """The limit that was given, empty where none was."""
        return self._limits.get(name, "")
