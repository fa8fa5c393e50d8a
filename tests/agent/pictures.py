"""Requests that were recorded with an image in them."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from workbench import Harness
from workbench.harness.log.payloads import dumps
from workbench.harness.text import size

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 12
"""Bytes for an image; what is in them is nobody's business here."""

BASE64_BYTES = (len(PNG) + 2) // 3 * 4


def keep(harness: Harness, data: bytes = PNG) -> str:
    """Put an image among the blocks of a Space, as a call that gives one does; its CID."""
    return harness._space.store.put_block(data, "raw")


def looked_at(*cids: str, bytes: int = len(PNG)) -> tuple[dict[str, Any], ...]:
    """The messages of a conversation in which an image was read."""
    images = [{"mime_type": "image/png", "cid": cid, "bytes": bytes} for cid in cids]
    return (
        {"role": "user", "text": "look", "from": [1]},
        {"role": "assistant", "calls": [{"id": "call-1", "name": "read", "input": {"path": "a.png"}}], "from": [2]},
        {"role": "tool", "results": [{"id": "call-1", "name": "read", "text": "Read.", "images": images}], "from": [3]},
    )


async def recorded(harness: Harness, thread: str, *cids: str, model: str = "openai:some") -> int:
    """Record that such a conversation was sent to a model; the event that says so."""
    run = await harness.start_run(thread)
    await harness.say("look", "user", thread)
    messages = looked_at(*cids)
    plain = harness.request(thread)
    sizes = {**plain.bytes, "messages": size(dumps(list(messages)))}
    sent = await harness.send(thread, run, model, structs.replace(plain, messages=messages, bytes=sizes))
    await harness.end_run(thread, run)
    return sent.seq
