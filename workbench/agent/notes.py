"""What a turn tells while it goes on, which is not in the log: pieces as they come, and waits."""

from __future__ import annotations

from msgspec import Struct

from workbench.agent.models.model import ModelFault, Piece
from workbench.harness.log.events import RequestSent


class Requested(Struct, frozen=True):
    """A request was recorded and goes out now."""

    sent: RequestSent


class Streamed(Struct, frozen=True):
    """A piece of the answer came."""

    piece: Piece


class Answered(Struct, frozen=True):
    """The answer is whole, and stands in the log before its calls run; what was streamed of it is not needed now."""

    sent: RequestSent


class Waiting(Struct, frozen=True):
    """The model failed and is asked again after a while; what was streamed of that answer is void."""

    fault: ModelFault
    secs: float


Note = Requested | Streamed | Answered | Waiting
