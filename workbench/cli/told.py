"""A turn while it happens: for people its words and, beside them, what it does; for machines a JSON value a line."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from workbench.agent.models.model import Answer, Calling, Piece, Text, Thinking
from workbench.agent.notes import Answered, Note, Requested, Streamed, Waiting
from workbench.agent.turn import TurnEnd
from workbench.cli import output, render
from workbench.harness.errors import HarnessError
from workbench.harness.log.events import Event, Message, RequestEnded, RequestSent, Run
from workbench.harness.log.payloads import as_json

if TYPE_CHECKING:
    from workbench.harness.harness import Harness
    from workbench.harness.log.promotion import Promotion


class Screen(Protocol):
    """Where a turn is shown."""

    def piece(self, piece: Piece) -> None:
        """More of an answer came."""
        ...

    def event(self, event: Event) -> None:
        """An event entered the log."""
        ...

    def waiting(self, note: Waiting) -> None:
        """The model failed and will be asked again."""
        ...

    def answered(self) -> None:
        """An answer is whole, or void: what comes next is another one."""
        ...

    def promoted(self, before: Promotion, now: Promotion) -> None:
        """What the provider is given changed."""
        ...


class Machine:
    """One JSON value a line."""

    def piece(self, piece: Piece) -> None:
        """`{"type": "piece", "kind": …}`."""
        match piece:
            case Text(text):
                self._value("piece", kind="text", text=text)
            case Thinking(text):
                self._value("piece", kind="thinking", text=text)
            case Calling(index, name, text):
                self._value("piece", kind="calling", index=index, name=name, text=text)
            case Answer():
                return

    def event(self, event: Event) -> None:
        """The event, as `log --json` prints it."""
        output.out_value(as_json(event))
        output.flush()

    def waiting(self, note: Waiting) -> None:
        """`{"type": "waiting", …}`: what was streamed of that answer is void."""
        self._value("waiting", code=note.fault.code, message=note.fault.message, secs=note.secs)

    def answered(self) -> None:
        """Nothing: its events say so."""

    def promoted(self, before: Promotion, now: Promotion) -> None:
        """Nothing: it follows from the events."""

    @staticmethod
    def _value(type: str, **fields: Any) -> None:
        output.out_value({"type": type, **fields})
        output.flush()


class People:
    """What the agent says on standard output, everything else on lines of standard error."""

    def __init__(self, said: str | None) -> None:
        """`said` is what the owner typed, which needs no telling."""
        self._said = said
        self._in_a_line = False
        self._thinks = False

    def piece(self, piece: Piece) -> None:
        """The text as it comes; of thoughts only that there are some."""
        if isinstance(piece, Text) and piece.text:
            output.out_piece(piece.text)
            self._in_a_line = not piece.text.endswith("\n")
        elif isinstance(piece, Thinking) and not self._thinks:
            self._thinks = True
            self._aside("thinking…")

    def event(self, event: Event) -> None:
        """Calls, results, and what others say meanwhile, each on a line."""
        match event:
            case RequestSent() | RequestEnded() | Run() | Message(role="assistant"):
                return
            case Message(actor="user") if event.text == self._said:
                self._said = None
            case _:
                detail = render.detail(event)
                self._aside(render.event(event) + (f"  {detail}" if detail else ""))

    def waiting(self, note: Waiting) -> None:
        """Why, and for how long."""
        self._aside(f"! {note.fault.message} What it said of this answer is void; asked again in {note.secs:.1f} s.")

    def answered(self) -> None:
        """The line of an answer ends with it."""
        if self._in_a_line:
            output.out_line("")
            output.flush()
        self._in_a_line = self._thinks = False

    def promoted(self, before: Promotion, now: Promotion) -> None:
        """What came and what went, a line each."""
        for line in render.promotion_changes(before, now):
            self._aside(line)

    def _aside(self, text: str) -> None:
        if self._in_a_line:
            output.out_line("")
            self._in_a_line = False
        output.err_line(text.replace("\n", " "))


class Teller:
    """Hears of a turn and shows it, its events in between in the order of the log.

    It never raises at whoever tells it: where the output takes no more, `lost` says why and the turn is stopped.
    """

    def __init__(self, harness: Harness, thread: str, screen: Screen, stop: Callable[[], object]) -> None:
        """What the log holds by now is not shown."""
        self.lost: output.OutputLost | None = None
        self._harness = harness
        self._thread = thread
        self._screen = screen
        self._stop = stop
        self._notes = harness.subscribe()
        self._last = next((one.events for one in harness.threads() if one.id == thread), 0)
        self._promotion = harness.promoted(thread)

    def told(self, note: Note) -> None:
        """Something of the turn that is not in the log."""
        self._guarded(lambda: self._show(note))

    async def follow(self) -> None:
        """Show events as they come, whoever appends them, until this is cancelled."""
        try:
            while self.lost is None:
                await anext(self._notes)
                self.catch_up()
        except StopAsyncIteration:
            return
        finally:
            self._notes.close()

    def catch_up(self) -> None:
        """Show what the log has by now."""
        self._guarded(self._events)

    def _guarded(self, show: Callable[[], None]) -> None:
        if self.lost is not None:
            return
        try:
            # An event that cannot be read ends no turn: `fsck` names it.
            with contextlib.suppress(HarnessError):
                show()
        except output.OutputLost as lost:
            self.lost = lost
            self._stop()

    def _show(self, note: Note) -> None:
        match note:
            case Streamed(piece):
                self._screen.piece(piece)
                return
            case Waiting():
                self._screen.answered()
                self._screen.waiting(note)
            case Answered():
                self._screen.answered()
            case Requested():
                pass
        self._events()

    def _events(self) -> None:
        for event in self._harness.events(self._thread, after=self._last):
            self._last = event.seq
            self._screen.event(event)
            if not isinstance(event, Message | Run | RequestEnded):
                before, self._promotion = self._promotion, self._harness.promoted(self._thread, event.seq)
                if before != self._promotion:
                    self._screen.promoted(before, self._promotion)


def summary(end: TurnEnd) -> str:
    """What a turn took, on a line."""
    usage = end.usage
    parts = [f"{end.requests} request{'' if end.requests == 1 else 's'}"]
    if usage.input is not None:
        cached = f" ({usage.cache_read:,} of them from its cache)" if usage.cache_read else ""
        parts.append(f"{usage.input:,} tokens in{cached}")
    if usage.output is not None:
        parts.append(f"{usage.output:,} tokens out")
    if end.cost is not None:
        parts.append(f"cost {end.cost:.4f}")
    return f"{end.reason}: {', '.join(parts)}"


async def stopped(task: asyncio.Task[None]) -> None:
    """Stop a follower and wait until it has."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
