"""The log of a thread on the screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from workbench.app.seams import workbench
from workbench.app.transcript.composer import ComposerLine
from workbench.app.transcript.live_items import LiveItems
from workbench.app.transcript.marks import Mark
from workbench.app.transcript.model import ThreadRows
from workbench.app.transcript.row_lines import OpenCall, body_lines, outcome_lines, request_lines
from workbench.app.transcript.rows import Row
from workbench.app.widgets.drawn_view import DrawnLooks
from workbench.app.widgets.lines.line import Line
from workbench.app.widgets.wrapping import cells, fit, wrap
from workbench.harness.text import printable

if TYPE_CHECKING:
    from workbench.app.live import Live

WHO_CELLS = 8
QUEUED = "waits for the next request"
"""What is said beneath a message that the agent could not see yet."""


class LogView(DrawnLooks):
    """Events as rows. A call, its result and what it promoted are one item; what is streamed stands behind them."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, follow=True)
        self._rows = ThreadRows("")
        self._marks: Mapping[tuple[int, str], Mark] = {}
        self._open_calls: Mapping[str, OpenCall] = {}
        self._at: int | None = None
        self._live = LiveItems()
        self._shown = 0
        self._queue: int | None = None

    @property
    def live(self) -> LiveItems:
        """What is streamed."""
        return self._live

    @property
    def rows(self) -> ThreadRows:
        """The rows that are shown."""
        return self._rows

    def show(self, rows: ThreadRows) -> None:
        """Show another thread, from its end."""
        self._rows = rows
        self._marks, self._open_calls, self._at, self._queue = {}, {}, None, None
        self._live, self._shown = LiveItems(), rows.last
        self.following = True
        self.reset(rows.last)

    def grew(self, changed: Sequence[int]) -> None:
        """Rows were read: those at `changed` are there or different."""
        anew = self._shown if self._rows.last != self._shown else None
        self._shown = self._rows.last
        self.update_items(self._shown + len(self._live), changed, anew=anew)

    def stream(self, live: Live | None, fault: str | None) -> None:
        """Show what a turn does now and what is streamed of it, or why it did not begin."""
        changed = self._live.show(live, fault)
        total = self._shown + len(self._live)
        if total > self._shown or total != self.items:
            # The head says how long it takes, so it is always another one.
            head = (self._shown,) if total > self._shown else ()
            self.update_items(total, head, anew=None if changed is None else self._shown + changed)

    def tick(self) -> None:
        """The time that the turn takes goes on."""
        if len(self._live):
            self.update_items(self.items, (self._shown,))

    def toggle_thinking(self) -> None:
        """Show what is thought, or no more."""
        self._live.toggle()
        self.update_items(self._shown + len(self._live), (), anew=self._shown)

    def queue(self, behind: int | None) -> None:
        """Messages of the owner behind an event wait for the next request; with None, none does."""
        if behind != self._queue:
            before, self._queue = self._queue, behind
            low = min(each for each in (before, behind) if each is not None)
            self.grew([index for index in range(low, self._rows.last) if self._speaks(index)])

    def mark(self, marks: Mapping[tuple[int, str], Mark]) -> None:
        """What was promoted and withheld by which event."""
        if marks != self._marks:
            different = {seq for seq, _ in marks.keys() ^ self._marks.keys()}
            different |= {key[0] for key in marks.keys() & self._marks.keys() if marks[key] != self._marks[key]}
            self._marks = marks
            self.grew(sorted(seq - 1 for seq in different if 1 <= seq <= self._rows.last))

    def run(self, running: Mapping[str, OpenCall]) -> None:
        """What the calls without a result are doing."""
        different = {call for call in running.keys() | self._open_calls.keys()}
        self._open_calls = running
        seqs = (self._rows.call_seq(call) for call in different)
        self.grew(sorted(seq - 1 for seq in seqs if seq is not None))

    def as_of(self, seq: int | None) -> None:
        """Show everything behind an event as not having happened yet."""
        self._at = seq
        self.refresh()

    def nothing(self) -> Sequence[str]:
        """What would be here."""
        if workbench(self).scene_goes_on:
            return ("Nothing has happened in this thread yet. f8 plays the next step.",)
        bench = workbench(self)
        # In the composer the key would be a letter of what is said.
        writes = isinstance(self.screen.focused, ComposerLine)
        if bench.harness.surface(self._rows.thread) == "toolbox":
            return (
                "Nothing has happened in this thread. It acts on the real machine: everything stands here.",
                "",
                f"{'Use' if writes else 'Press i and use'} a tool of the seven, for example:",
                "  ls    read README.md    grep TODO    bash git status",
                "What the agent writes, edits or runs asks you first. ctrl+t changes who acts.",
            )
        if bench.turns.model is not None:
            say = "Say something" if writes else "Press i and say something"
            return (
                "Nothing has happened in this thread. Everything stands here: who, what, and how it ended.",
                "",
                f"{say}: {printable(bench.turns.model)} answers, and you see each thing it does.",
                "ctrl+t changes the voice: you can act yourself, or play the agent.",
            )
        return (
            "Nothing has happened in this thread. Every act stands here: who, what, and how it ended.",
            "",
            f"{'Play' if writes else 'Press i and play'} the agent, for example:",
            '  call search {"query": "notes"}',
            "The first call answers with the contract, and promotes the tool. ctrl+t changes the voice.",
        )

    def near(self, index: int | None, step: int) -> int | None:
        """As of any list; of what is streamed only the head can be reached."""
        found = super().near(index, step)
        if found is None or found <= self._shown:
            return found
        return self._shown if step < 0 or index is None or index < self._shown else None

    def reached(self, index: int) -> int:
        """Of what is streamed, its head."""
        return min(index, self._shown)

    def look_of(self, index: int) -> str:
        """Grey behind the moment that is looked at."""
        return "later" if self._at is not None and index >= self._at else ""

    def estimate(self, index: int, width: int) -> int:
        """Two lines for what was not read yet."""
        room = max(width - self._indent, 8)
        if index >= self._shown:
            return self._live.estimate(index - self._shown, room)
        row = self._rows.rows[index]
        if row is None:
            return 2
        if self._rows.folded(index):
            return 0
        if row.kind == "request":
            return 1
        lines = sum(max(1, -(-cells(line) // room)) for line in f"{row.what} {row.text}".split("\n"))
        lines += (row.thinking > 0) + bool(row.broke_off) + self._waits(index)
        if row.kind == "call":
            said = row.outcome
            lines += bool(row.asked and said is not None) + (
                1 if said is None or said.tone == "ok" else max(1, -(-(len(said.word) + cells(said.says) + 5) // room))
            )
        return lines + (row.touches is not None and (row.seq, row.touches) in self._marks)

    def lines_of(self, index: int, width: int) -> Sequence[Line]:
        """The row, its result beneath it, and what it promoted beneath that."""
        room = max(width - self._indent, 8)
        if index >= self._shown:
            return self._live_lines(index - self._shown, room)
        row = self._rows.rows[index]
        if self._rows.folded(index):
            return ()
        number = f"{index + 1:>{self._digits}} "
        if row is None:
            return [[(fit(f"{number}…", width), "quiet")], [("", "")]]
        margin = (" " * self._indent, "")
        who = "quiet" if row.kind in ("request", "run") else "agent" if row.by_agent else "strong"
        head = [(number, "quiet"), (f"{row.who:<{WHO_CELLS}}", who)]
        body = self._request_lines(row, room) if row.kind == "request" else body_lines(row, room)
        lines: list[Line] = [[*(head if place == 0 else [margin]), *line] for place, line in enumerate(body)]
        if row.kind == "call":
            state = self._open_calls.get(row.call or "")
            lines += [[margin, *line] for line in outcome_lines(row, state, room)]
        if self._waits(index):
            lines.append([margin, ("└ ", "quiet"), (fit(QUEUED, room - 2), "mark")])
        mark = self._marks.get((row.seq, row.touches)) if row.touches is not None else None
        if mark is not None:
            look = "mark" if mark.promoted else "bad"
            lines += [[margin, (line, look)] for line in wrap(printable(mark.text), room)]
        return lines

    def _request_lines(self, row: Row, room: int) -> list[Line]:
        lives = self._queue is not None and row.seq >= self._rows.last_request
        return request_lines(row, self._rows.request_number(row.seq), room, lives=lives)

    def _live_lines(self, place: int, room: int) -> list[Line]:
        margin = " " * (self._digits + 1)
        head = (f"{margin}{'agent':<{WHO_CELLS}}", "agent") if place == 0 else (" " * self._indent, "")
        lines = self._live.lines(place, room)
        return [[head if at == 0 else (" " * self._indent, ""), line] for at, line in enumerate(lines)]

    def _speaks(self, index: int) -> bool:
        row = self._rows.rows[index]
        return row is not None and row.kind == "message" and not row.by_agent

    def _waits(self, index: int) -> bool:
        return self._queue is not None and index >= self._queue and self._speaks(index)

    @property
    def _digits(self) -> int:
        return max(len(str(self._rows.last)), 3)

    @property
    def _indent(self) -> int:
        return self._digits + 1 + WHO_CELLS
