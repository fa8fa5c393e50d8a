"""What a turn does now, and what is streamed of it, as it came. Nothing here draws."""

from __future__ import annotations

import time
from typing import Literal

from msgspec import Struct

from workbench.agent.models.model import Calling, Piece, Text, Thinking
from workbench.agent.notes import Answered, Note, Requested, Streamed
from workbench.harness.log.events import RequestSent

Doing = Literal["opening", "asking", "thinking", "answering", "calling", "running", "waiting", "stopping"]

PIECE_CHARS = 16_000
"""A longer piece is kept in several, so that it can be drawn a part at a time."""

HEAD_CHARS = 400
"""What is kept of a call's arguments while they are written; the log has them whole in a moment."""

_WORDS: dict[Doing, str] = {
    "opening": "opening",
    "asking": "asking",
    "thinking": "thinking",
    "answering": "answering",
    "calling": "writing a call",
    "running": "running its calls",
    "waiting": "waiting",
    "stopping": "stopping",
}


class Writing(Struct):
    """A call that is being written: its tool, the beginning of its arguments, and how many characters they have."""

    name: str
    head: str = ""
    chars: int = 0


class Live:
    """A turn that runs. `answer` counts the answers that were begun: what is streamed is of the newest."""

    def __init__(self, thread: str, model: str) -> None:
        self.thread = thread
        self.model = model
        self.begun = False
        self.asked_again = False
        """Whether something was said since it was last asked."""
        self.doing: Doing = "opening"
        self.since = time.monotonic()
        self.answer = 0
        self.request: str | None = None
        """The id of the request that is answered."""
        self.text: list[str] = []
        self.thinking: list[str] = []
        self.thought = 0
        """How many characters were thought."""
        self.calls: dict[int, Writing] = {}
        self.wait_reason = ""
        self.wait_until = 0.0

    def stop(self) -> None:
        """It is being aborted."""
        self._now("stopping")

    def note(self, note: Note) -> None:
        """Take in what the turn says of itself."""
        match note:
            case Streamed(piece):
                self._streamed(piece)
            case Requested(sent):
                self._begin(sent)
            case Answered():
                self._now("running")
            case _:
                self._void()
                self.wait_reason = note.fault.message
                self.wait_until = time.monotonic() + note.secs
                self._now("waiting")

    @property
    def words(self) -> str:
        """What it does, in a few words: `answering 12 s`."""
        if self.doing == "waiting":
            return f"waiting {self.left} s to ask again"
        if self.doing == "opening":
            return f"opening {self.model}"
        spent = int(time.monotonic() - self.since)
        return f"{_WORDS[self.doing]} {spent} s" if spent else _WORDS[self.doing]

    @property
    def left(self) -> int:
        """Whole seconds until the model is asked again."""
        return max(0, round(self.wait_until - time.monotonic()))

    def _begin(self, sent: RequestSent) -> None:
        self._void()
        self.request = sent.request
        self._now("asking")

    def _void(self) -> None:
        self.answer += 1
        self.text, self.thinking, self.calls, self.thought = [], [], {}, 0
        self.request = None

    def _streamed(self, piece: Piece) -> None:
        match piece:
            case Text(text) if text:
                self.text += _cut(text)
                self._now("answering")
            case Thinking(text) if text:
                self.thinking += _cut(text)
                self.thought += len(text)
                self._now("thinking")
            case Calling(index, name, text):
                call = self.calls.setdefault(index, Writing(name))
                if len(call.head) < HEAD_CHARS:
                    call.head += text[:HEAD_CHARS]
                call.chars += len(text)
                self._now("calling")
            case _:
                pass

    def _now(self, doing: Doing) -> None:
        if doing != self.doing and self.doing != "stopping":
            self.doing, self.since = doing, time.monotonic()


def _cut(text: str) -> list[str]:
    if len(text) <= PIECE_CHARS:
        return [text]
    return [text[at : at + PIECE_CHARS] for at in range(0, len(text), PIECE_CHARS)]
