"""The parts of a request as a list, in the provider's order."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from workbench.app.transcript.rows import one_line
from workbench.app.transcript.wire.words import share
from workbench.app.widgets.lines.line import Line
from workbench.app.widgets.lines.view import LineView
from workbench.app.widgets.wrapping import fit
from workbench.harness import strict_json
from workbench.harness.log.payloads import dumps

if TYPE_CHECKING:
    from workbench.agent.wire import Part, Wire

KIND_CELLS = 9
BYTES_CELLS = 12
SHARE_CELLS = 6
KEPT_CELLS = 9


class PartList(LineView):
    """A line a part: what it is, its bytes, its share, and whether the request before began with it too."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._wire: Wire | None = None

    def show(self, wire: Wire) -> None:
        """Show the parts of a request, from the first one that is not as before."""
        self._wire = wire
        self.reset(len(wire.parts))
        kept = wire.kept
        first = kept.parts if kept is not None and kept.parts < len(wire.parts) else 0
        if wire.parts:
            self.move_to(first)

    @property
    def part(self) -> Part | None:
        """The part at the cursor."""
        if self._wire is None or self.cursor is None or self.cursor >= len(self._wire.parts):
            return None
        return self._wire.parts[self.cursor]

    def nothing(self) -> Sequence[str]:
        """What will be here."""
        return ("The request is being put together…",)

    def estimate(self, index: int, width: int) -> int:
        """One line each."""
        return 1

    def lines_of(self, index: int, width: int) -> Sequence[Line]:
        """The line of a part."""
        wire = self._wire
        if wire is None:
            return [[("", "")]]
        part = wire.parts[index]
        room = max(width - KIND_CELLS - BYTES_CELLS - SHARE_CELLS - KEPT_CELLS - 2, 8)
        before = wire.parts[index - 1].kind if index else None
        kind = part.kind if part.kind != before else ""
        kept = "" if wire.kept is None else "kept" if index < wire.kept.parts else "new"
        return [
            [
                (f"{kind:<{KIND_CELLS}}", "heading"),
                (f"{fit(_words(part, wire, index), room):<{room}}", ""),
                (f"{f'{part.all_bytes:,} B':>{BYTES_CELLS}}", "strong"),
                (f"{share(part.all_bytes, wire.total):>{SHARE_CELLS}}", "quiet"),
                (f"  {kept}", "mark" if kept == "new" else "quiet"),
            ]
        ]


def _words(part: Part, wire: Wire, index: int) -> str:
    if part.kind == "system":
        return "the system text"
    if part.kind == "tools":
        return one_line(part.name, 80)[0]
    number = sum(each.kind == "messages" for each in wire.parts[: index + 1])
    return f"{number} {part.name} · {one_line(gist(part.text), 160)[0]}"


def gist(message: str) -> str:
    """What a message says, calls or answers, out of its JSON."""
    body = strict_json.as_object(json.loads(message)) or {}
    said = [str(body.get("text") or "")]
    said += [f"calls {call.get('name')} {dumps(call.get('input'))}" for call in _listed(body, "calls")]
    said += [_answer(result) for result in _listed(body, "results")]
    return " ".join(part for part in said if part)


def _answer(result: dict[str, Any]) -> str:
    pictures = len(_listed(result, "images"))
    seen = f" [{pictures} image{'' if pictures == 1 else 's'}]" if pictures else ""
    failed = " failed" if result.get("is_error") else ""
    return f"{result.get('name')}{failed} →{seen} {result.get('text')}"


def _listed(body: dict[str, Any], key: str) -> list[dict[str, Any]]:
    return [each for each in body.get(key, ()) if isinstance(each, dict)]
