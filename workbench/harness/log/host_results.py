"""Results of tools that act on the real machine, as the log has them: text and images. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from workbench.harness.strict_json import as_object


def is_host_result(output: Any) -> bool:
    """Whether an output is one of the toolbox: content in blocks, and no status, which every verb's has."""
    body = as_object(output)
    return body is not None and "status" not in body and isinstance(body.get("content"), list)


def text_of(output: Any) -> str:
    """The text of it."""
    return "\n".join(str(block.get("text", "")) for block in _blocks(output) if block.get("type") == "text")


def images_of(output: Any) -> list[dict[str, Any]]:
    """Its images, as messages of a request carry them: `{mime_type, cid, bytes}`."""
    return [
        {"mime_type": str(block.get("mimeType")), "cid": str(block.get("cid")), "bytes": block.get("bytes")}
        for block in _blocks(output)
        if block.get("type") == "image"
    ]


def described(output: Any) -> str:
    """The text of it, with a line for each image."""
    pictures = [f"[{image['mime_type']}, {image['bytes']} bytes, {image['cid']}]" for image in images_of(output)]
    return "\n".join([text_of(output), *pictures])


def gist_of(output: Any) -> str:
    """What of it a single line tells: the notice that it ends with, which says where to go on, else its beginning."""
    text = text_of(output).strip()
    last = text.rpartition("\n")[2]
    return last if last.startswith("[") and last.endswith("]") else text[:500]


def _blocks(output: Any) -> list[Mapping[str, Any]]:
    listed: Any = (as_object(output) or {}).get("content")
    blocks = cast("list[Any]", listed) if isinstance(listed, list) else []
    return [block for one in blocks if (block := as_object(one)) is not None]
