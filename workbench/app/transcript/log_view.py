"""The log of a thread on the screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from workbench.app.clock import elapsed
from workbench.app.seams import workbench
from workbench.app.transcript.marks import Mark
from workbench.app.transcript.model import ThreadRows
from workbench.app.transcript.rows import Row
from workbench.app.widgets.line_view import Line, LineView
from workbench.app.widgets.wrapping import cells, fit, wrap
from workbench.harness.text import printable
from workbench.harness.watch import Progressed

WHO_CELLS = 8
TAIL_LINES = 3
"""Lines of a running call's output that are shown while it runs."""


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call without a result: is its process there, and what did it last say."""

    interrupted: bool
    progress: Progressed | None = None


class LogView(LineView):
    """Events as rows. A call, its result and what it promoted are one item."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, follow=True)
        self._rows = ThreadRows("")
        self._marks: Mapping[tuple[int, str], Mark] = {}
        self._open_calls: Mapping[str, OpenCall] = {}
        self._at: int | None = None

    @property
    def rows(self) -> ThreadRows:
        """The rows that are shown."""
        return self._rows

    def show(self, rows: ThreadRows) -> None:
        """Show another thread, from its end."""
        self._rows = rows
        self._marks, self._open_calls, self._at = {}, {}, None
        self.following = True
        self.reset(rows.last)

    def grew(self, changed: Sequence[int]) -> None:
        """Rows were read: those at `changed` are there or different."""
        self.update_items(self._rows.last, changed)

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
        if workbench(self).shows_scene:
            return ("Nothing has happened in this thread yet. f8 plays the next step.",)
        return (
            "Nothing has happened in this thread. Every act stands here: who, what, and how it ended.",
            "",
            "Press i and play the agent, for example:",
            '  call search {"query": "notes"}',
            "The first call answers with the contract, and promotes the tool. ctrl+t changes the voice.",
        )

    def look_of(self, index: int) -> str:
        """Grey behind the moment that is looked at."""
        return "later" if self._at is not None and index >= self._at else ""

    def estimate(self, index: int, width: int) -> int:
        """Two lines for what was not read yet."""
        row = self._rows.rows[index]
        if row is None:
            return 2
        if self._rows.folded(index):
            return 0
        room = max(width - self._indent, 8)
        lines = sum(max(1, -(-cells(line) // room)) for line in f"{row.what} {row.text}".split("\n"))
        if row.kind == "call":
            said = row.outcome
            lines += (
                1 if said is None or said.tone == "ok" else max(1, -(-(len(said.word) + cells(said.says) + 5) // room))
            )
        return lines + (row.touches is not None and (row.seq, row.touches) in self._marks)

    def lines_of(self, index: int, width: int) -> Sequence[Line]:
        """The row, its result beneath it, and what it promoted beneath that."""
        row = self._rows.rows[index]
        if self._rows.folded(index):
            return ()
        number = f"{index + 1:>{self._digits}} "
        if row is None:
            return [[(fit(f"{number}…", width), "quiet")], [("", "")]]
        room = max(width - self._indent, 8)
        margin = " " * self._indent
        head = [(number, "quiet"), (f"{row.who:<{WHO_CELLS}}", "agent" if row.by_agent else "strong")]
        lines: list[Line] = []
        for place, text in enumerate(wrap(_body(row), room)):
            lines.append(
                [*(head if place == 0 else [(margin, "")]), *_emphasised(text, row.what if place == 0 else "")]
            )
        if row.kind == "call":
            lines += [[(margin, ""), *line] for line in self._outcome_lines(row, room)]
        mark = self._marks.get((row.seq, row.touches)) if row.touches is not None else None
        if mark is not None:
            look = "mark" if mark.promoted else "bad"
            lines += [[(margin, ""), (line, look)] for line in wrap(printable(mark.text), room)]
        return lines

    @property
    def _digits(self) -> int:
        return max(len(str(self._rows.last)), 3)

    @property
    def _indent(self) -> int:
        return self._digits + 1 + WHO_CELLS

    def _outcome_lines(self, row: Row, room: int) -> list[Line]:
        if row.outcome is None:
            return self._open_lines(row, room)
        look = {"ok": "good", "failed": "bad"}.get(row.outcome.tone, "strong")
        word = row.outcome.word
        says = f" · {row.outcome.says}" if row.outcome.says else ""
        lines: list[Line] = []
        # What went well is told on one line; what did not is told whole, because it says what to do.
        broken = [fit(word + says, room - 2)] if row.outcome.tone == "ok" else wrap(word + says, room - 2)
        for place, text in enumerate(broken):
            hook = "└ " if place == 0 else "  "
            if place == 0 and text.startswith(word):
                lines.append([(hook, "quiet"), (word, look), (text[len(word) :], "quiet")])
            else:
                lines.append([(hook, "quiet"), (text, "quiet")])
        return lines

    def _open_lines(self, row: Row, room: int) -> list[Line]:
        state = self._open_calls.get(row.call or "")
        if state is not None and state.interrupted:
            text = "interrupted · its process is gone; it may or may not have taken effect"
            return [
                [("└ " if place == 0 else "  ", "quiet"), (line, "bad")]
                for place, line in enumerate(wrap(text, room - 2))
            ]
        seconds = elapsed(row.time, datetime.now(UTC))
        stage = printable(state.progress.stage) if state is not None and state.progress is not None else ""
        said = f"running {seconds} s" + (f" · {stage}" if stage else "")
        lines: list[Line] = [[("└ ", "quiet"), (fit(said.replace("\n", " "), room - 2), "strong")]]
        if state is not None and state.progress is not None:
            tail = printable(state.progress.tail).replace("\t", "    ").rstrip("\n").split("\n")[-TAIL_LINES:]
            lines += [[("  │ ", "quiet"), (fit(line, room - 4), "quiet")] for line in tail if line]
        return lines


def _body(row: Row) -> str:
    body = f"{row.what} {row.text}".strip() if row.what else row.text
    return f"{body}  ↵" if row.more else body


def _emphasised(text: str, verb: str) -> Line:
    if verb and text.startswith(verb):
        return [(verb, "strong"), (text[len(verb) :], "")]
    return [(text, "")]
