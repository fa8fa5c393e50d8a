"""The images that the messages of a request name. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from msgspec import Struct

from workbench.harness.text import base64_size


class Images(Struct, frozen=True):
    """The images of a request: how many, and the bytes that they have in a body, which is base64.

    `sent` says whether they go out; `why` in words why they do not, empty where they do.
    """

    count: int
    bytes: int
    sent: bool
    why: str = ""


def images_in(messages: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Every image that a result names, as `{mime_type, cid, bytes}`, as often as it is named."""
    for message in messages:
        for result in cast("Iterable[Mapping[str, Any]]", message.get("results", ())):
            yield from result.get("images") or ()


def base64_bytes(messages: Iterable[Mapping[str, Any]]) -> int:
    """What the images of messages have in a body."""
    return sum(base64_size(int(image.get("bytes") or 0)) for image in images_in(messages))


def images_of(messages: Iterable[Mapping[str, Any]], model: str | None, takes: bool | None) -> Images | None:
    """The images of a request for a model that takes images, or none, or nobody said; None where it has none."""
    messages = tuple(messages)
    count = sum(1 for _ in images_in(messages))
    if not count:
        return None
    return Images(count, base64_bytes(messages), takes is True, "" if takes else _why(model, takes))


def _why(model: str | None, takes: bool | None) -> str:
    if model is None:
        return "no model is set"
    kind = model.partition(":")[0]
    if kind in ("scripted", "replay"):
        return f"{model} is sent nothing"
    setting = f'models."{model}".images'
    if takes is False:
        return f"the setting {setting} is false"
    return f"whether {model} takes images is not known; {setting} = true in the settings has them sent"
