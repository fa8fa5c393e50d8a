"""What there is to say of a request beside its parts: what it keeps of the one before, what it cost. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.agent.images import Images
    from workbench.agent.wire import Wire


def fields(wire: Wire) -> dict[str, Any]:
    """For machines: only what there is; nothing for the first request of a thread that was not sent."""
    from msgspec import to_builtins

    said: dict[str, Any] = {}
    if wire.kept is not None and wire.previous is not None:
        said["kept"] = {
            "bytes": wire.kept.bytes,
            "of": wire.kept.of,
            "why": wire.kept.why,
            "previous": {"thread": wire.previous.thread, "seq": wire.previous.seq},
        }
    said |= image_fields(wire.images)
    if wire.notes:
        said["untold"] = list(wire.notes)
    if wire.new_tools:
        said["new_tools"] = to_builtins(wire.new_tools)
        said["unsent"] = {"tools": wire.unsent_tools, "bytes": wire.unsent_bytes}
    if wire.sent is not None:
        said["order"] = list(wire.order)
        said["parts"] = [
            {"kind": part.kind, "name": part.name, "bytes": part.bytes, "cid": part.cid}
            | ({"image_bytes": part.images} if part.images else {})
            for part in wire.parts
        ]
    if wire.ended is not None:
        said["finish"] = wire.ended.finish
        said["usage"] = to_builtins(wire.usage) if wire.usage is not None else None
        said["cost"] = wire.ended.cost
        said["first_ms"], said["duration_ms"] = wire.ended.first_ms, wire.ended.duration_ms
    return said


def lines(wire: Wire) -> list[str]:
    """For people, a line each."""
    said: list[str] = []
    if wire.kept is not None and wire.previous is not None:
        kept, before = wire.kept, wire.previous
        where = f"event {before.seq}" if before.thread == wire.thread else f"event {before.seq} of {before.thread}"
        much = f"all {kept.of:,}" if kept.whole else f"{kept.bytes:,} of {kept.of:,}"
        said.append(f"Keeps {much} bytes of the request before it ({where}): {kept.why}.")
    said += image_lines(wire.images)
    said += wire.notes
    for tool in wire.new_tools:
        since = f", touched in event {tool.seq}" if tool.seq is not None else ""
        said.append(f"{tool.name} is declared since then{since}: {tool.bytes:,} bytes.")
    if wire.new_tools and wire.unsent_tools:
        more = "1 more tool" if wire.unsent_tools == 1 else f"{wire.unsent_tools:,} more tools"
        said.append(f"Spared: {more} that can be called, {wire.unsent_bytes:,} bytes of contracts.")
    if wire.ended is not None:
        said.append(_ended(wire))
    return said


def image_fields(images: Images | None) -> dict[str, Any]:
    """The images of a request, for machines; nothing where it has none."""
    if images is None:
        return {}
    why = {"why": images.why} if images.why else {}
    return {"images": {"count": images.count, "bytes": images.bytes, "sent": images.sent} | why}


def image_lines(images: Images | None) -> list[str]:
    """The images of a request, for people, in a line."""
    if images is None:
        return []
    many = "1 image" if images.count == 1 else f"{images.count:,} images"
    if images.sent:
        return [f"With {many}, which {'has' if images.count == 1 else 'have'} {images.bytes:,} bytes more in the body."]
    return [f"Without {many}: {images.why}."]


def _ended(wire: Wire) -> str:
    ended, usage = wire.ended, wire.usage
    assert ended is not None
    parts = [f"Answered: {ended.finish}" if ended.error is None else f"Not answered: {ended.error['message']}"]
    if usage is not None:
        cached = f" ({usage.cache_read:,} of them from the provider's cache)" if usage.cache_read is not None else ""
        parts += [f"{usage.input:,} tokens in{cached}"] if usage.input is not None else []
        parts += [f"{usage.output:,} tokens out"] if usage.output is not None else []
    if ended.cost is not None:
        parts.append(f"cost {ended.cost:.4f}")
    first = f", the first word after {ended.first_ms / 1000:.1f} s" if ended.first_ms is not None else ""
    return f"{', '.join(parts)}; {ended.duration_ms / 1000:.1f} s{first}."
