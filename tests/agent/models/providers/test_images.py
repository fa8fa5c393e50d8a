"""Results that hold images, and calls that failed, as each protocol sends them."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from tests.agent.models.providers.asking import PROTOCOLS, a_model, an_ask, everything
from tests.agent.servers.fake_provider import FakeProvider
from workbench.agent.models.model import Ask
from workbench.agent.models.providers.sdk.results import BEHIND, GONE, NO_IMAGES, NO_KIND

both = pytest.mark.parametrize("protocol", PROTOCOLS)

PNG, JPEG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 3, b"\xff\xd8\xff" + b"jpeg" * 50
ONE = {"mime_type": "image/png", "cid": "cid-png", "bytes": len(PNG)}
OTHER = {"mime_type": "image/jpeg", "cid": "cid-jpeg", "bytes": len(JPEG)}
BYTES = {"cid-png": PNG, "cid-jpeg": JPEG}
TAKES = {"images": True}


def seen(*results: dict[str, Any], images: dict[str, bytes] | None = None, more: tuple[Any, ...] = ()) -> Ask:
    """A request in which calls of `read` had these results."""
    told = [{"id": f"call-{number}", "name": "read", "text": "", **result} for number, result in enumerate(results, 1)]
    messages = (
        {"role": "user", "text": "Look.", "from": [1]},
        {
            "role": "assistant",
            "calls": [{"id": result["id"], "name": "read", "input": {"path": "a.png"}} for result in told],
            "from": [2],
        },
        {"role": "tool", "results": told, "from": [3]},
        *more,
    )
    return an_ask(messages=messages, images=BYTES if images is None else images)


async def body_of(protocol: str, ask: Ask, choice: dict[str, Any] | None = None) -> dict[str, Any]:
    """The body on the socket, which is the one that is shown."""
    async with FakeProvider() as server, a_model(protocol, server, TAKES if choice is None else choice) as model:
        shown = await model.body(ask)
        server.answer("I see.")
        await everything(model, ask)
    assert server.bodies == [shown.body]
    return server.requests[0].json


def results_in(protocol: str, body: dict[str, Any]) -> list[Any]:
    """What stands for each result."""
    if protocol == "openai":
        return [message["content"] for message in body["messages"] if message["role"] == "tool"]
    blocks = [block for message in body["messages"] for block in message["content"] if message["role"] == "user"]
    return [block["content"] for block in blocks if block["type"] == "tool_result"]


def texts_in(protocol: str, body: dict[str, Any]) -> list[str]:
    """The text of each result."""
    found = results_in(protocol, body)
    return found if protocol == "openai" else [content[0]["text"] for content in found]


def anthropic_image(image: dict[str, Any]) -> dict[str, Any]:
    data = base64.b64encode(BYTES[image["cid"]]).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": image["mime_type"], "data": data}}


def openai_image(image: dict[str, Any]) -> dict[str, Any]:
    data = base64.b64encode(BYTES[image["cid"]]).decode()
    return {"type": "image_url", "image_url": {"url": f"data:{image['mime_type']};base64,{data}"}}


async def test_anthropic_has_the_image_in_its_result() -> None:
    text = "Read image file [image/png]"
    body = await body_of("anthropic", seen({"text": text, "images": [ONE, OTHER]}, {"text": "plain"}))

    assert results_in("anthropic", body) == [
        [{"type": "text", "text": text}, anthropic_image(ONE), anthropic_image(OTHER)],
        [{"type": "text", "text": "plain"}],
    ]


async def test_openai_has_the_images_in_a_message_behind_all_results() -> None:
    body = await body_of(
        "openai", seen({"text": "One", "images": [ONE]}, {"text": "plain"}, {"text": "Two", "images": [ONE, OTHER]})
    )

    assert results_in("openai", body) == ["One", "plain", "Two"]
    assert [message["role"] for message in body["messages"]][2:] == ["assistant", "tool", "tool", "tool", "user"]
    assert body["messages"][-1]["content"] == [
        {"type": "text", "text": "[The image in the result of read, call call-1:]"},
        openai_image(ONE),
        {"type": "text", "text": "[The 2 images in the result of read, call call-3:]"},
        openai_image(ONE),
        openai_image(OTHER),
    ]


@both
@pytest.mark.parametrize("choice", [{}, {"images": False}])
async def test_a_model_that_takes_no_images_reads_that_there_was_one(protocol: str, choice: dict[str, Any]) -> None:
    body = await body_of(protocol, seen({"text": "Read it.", "images": [ONE, OTHER]}, {"images": [ONE]}), choice)

    assert texts_in(protocol, body) == [f"Read it.\n{NO_IMAGES}", NO_IMAGES]
    assert NO_IMAGES == "(tool image omitted: model does not support images)"
    assert "base64" not in json.dumps(body)


@both
async def test_an_image_that_is_gone_or_of_another_kind_is_left_out_in_words(protocol: str) -> None:
    bitmap = {"mime_type": "image/bmp", "cid": "cid-png", "bytes": 3}
    ask = seen({"text": "A", "images": [ONE]}, {"text": "B", "images": [bitmap]}, images={})
    body = await body_of(protocol, ask)

    assert texts_in(protocol, body) == [f"A\n{GONE}", f"B\n{NO_KIND}"]


@both
async def test_a_result_of_nothing_but_an_image(protocol: str) -> None:
    body = await body_of(protocol, seen({"text": " ", "images": [ONE]}))

    (result,) = results_in(protocol, body)
    assert result == (BEHIND if protocol == "openai" else [anthropic_image(ONE)])


@both
async def test_a_failed_call_is_marked_where_the_protocol_can_and_its_words_stay(protocol: str) -> None:
    body = await body_of(protocol, seen({"text": "ENOENT: no such file", "is_error": True}, {"text": "fine"}))

    assert texts_in(protocol, body) == ["ENOENT: no such file", "fine"]
    if protocol == "anthropic":
        marks = [block["is_error"] for block in body["messages"][2]["content"]]
        assert marks == [True, False]


@both
@pytest.mark.parametrize("choice", [TAKES, {}])
async def test_what_was_sent_once_is_sent_again_in_the_same_bytes(protocol: str, choice: dict[str, Any]) -> None:
    first = ({"text": "A", "images": [ONE]}, {"text": "no", "is_error": True})
    later = (
        {"role": "assistant", "calls": [{"id": "call-9", "name": "read", "input": {}}], "from": [4]},
        {"role": "tool", "results": [{"id": "call-9", "name": "read", "text": "B", "images": [OTHER]}], "from": [5]},
    )
    bodies: list[dict[str, Any]] = [
        await body_of(protocol, seen(*first, images={"cid-png": PNG}), choice),
        await body_of(protocol, seen(*first, more=later), choice),
    ]

    before, now = (body["messages"] for body in bodies)
    assert json.dumps(now[: len(before)]) == json.dumps(before)
