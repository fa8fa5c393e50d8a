"""A call of this app that is under way: what it is, how long it takes, what it says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textual.content import Content

from workbench.app.seams import Change
from workbench.app.widgets.literal import parts
from workbench.harness.identity import WORKSHOP
from workbench.harness.log.events import ToolCall


@dataclass(slots=True)
class RunningCall:
    """One running call. `tool` is the key of its tool, `began` a reading of `time.monotonic`.

    `limit` are the seconds that it may take, None without one. `cwd` is where it acts on the real machine, None where
    it does not; such a call is known by this `process` of ours.
    """

    tool: str
    message: str
    input: Any
    began: float
    limit: int | None
    cwd: str | None = None
    process: str = ""
    ticket: str = ""
    call: str | None = None
    stage: str = ""
    tail: str = ""
    stopping: bool = False

    def follow(self, change: Change) -> bool:
        """Take what happened; whether there is other output to show."""
        for event in change.events:
            if isinstance(event, ToolCall) and self._is_ours(event):
                self.call = event.id
        heard = False
        for note in change.progress:
            if note.call == self.call:
                heard = heard or note.tail != self.tail
                self.stage, self.tail = note.stage, note.tail
        return heard

    def _is_ours(self, event: ToolCall) -> bool:
        if self.cwd is None:
            return event.message == self.message
        by_us = event.actor == "user" and event.process == self.process
        return by_us and event.binding == self.tool and event.thread == WORKSHOP

    def took(self, now: float) -> str:
        """How long it has taken, of how long it may take."""
        of = f" of {self.limit} s" if self.limit is not None else ""
        return f"{now - self.began:.0f} s{of}"

    def words(self, now: float) -> Content:
        """The status line while it runs."""
        if self.stopping:
            return parts(("■ stopping …", "bold $text-warning"), (f"  {self.took(now)}", "$text-muted"))
        stage = f" · {self.stage}" if self.stage else ""
        return parts(("▶ running", "bold $text-success"), f"  {self.took(now)}", (stage, "$text-muted"))
