"""What of a long conversation still fits a request. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workbench.harness.log.payloads import dumps

LEAST_BYTES = 4 * 1024
"""What messages get in any case, however small a model's context is."""


IMAGE_BYTES = 4_800
"""What an image takes of that: 1,600 tokens of 3 bytes, as providers count one as large as they look at."""


def left_out(messages: Sequence[dict[str, Any]], room: int) -> int:
    """How many of the first messages a request goes without, so that the others have at most `room` bytes of JSON.

    An image, of which a message holds only where it is, counts as `IMAGE_BYTES`.
    A call and its results go together, and the newest of them stays even where it is too large. When there is no more
    room half of it is cleared at once, and the cut depends only on what came before it: so it stays where it is while
    the conversation goes on, and with it the beginning that a provider has in its cache.
    """
    room = max(room, LEAST_BYTES)
    # A unit is what stays or goes together: everything up to the next message that is no result.
    if not messages:
        return 0
    starts = [place for place, message in enumerate(messages) if message["role"] != "tool"]
    ends = [*starts[1:], len(messages)]
    sizes = [sum(map(_size, messages[start:end])) for start, end in zip(starts, ends, strict=True)]
    first, total = 0, 0
    for last, size in enumerate(sizes):
        total += size
        if total > room:
            while first < last and total > room // 2:
                total -= sizes[first]
                first += 1
    return starts[first]


def _size(message: dict[str, Any]) -> int:
    images = sum(len(result.get("images", ())) for result in message.get("results", ()))
    return len(dumps(message).encode("utf-8")) + images * IMAGE_BYTES
