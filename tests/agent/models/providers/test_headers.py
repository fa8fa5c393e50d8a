"""What goes out in the headers: what is listed, and a key only where the owner has set one."""

from __future__ import annotations

import httpx2
import pytest

from tests.agent.models.providers.asking import PROTOCOLS, a_model, everything
from tests.agent.servers.fake_provider import FakeProvider
from workbench.agent.models.model import Choice
from workbench.agent.models.providers.anthropic import Anthropic
from workbench.agent.models.providers.openai import OpenAI

both = pytest.mark.parametrize("protocol", PROTOCOLS)

USUAL = {"host", "accept", "accept-encoding", "content-type", "content-length", "user-agent"}
ENVIRONMENT = {
    "OPENAI_API_KEY": "not for others",
    "OPENAI_ADMIN_KEY": "not for others",
    "OPENAI_ORG_ID": "not for others",
    "OPENAI_PROJECT_ID": "not for others",
    "OPENAI_BASE_URL": "http://elsewhere.invalid",
    "ANTHROPIC_API_KEY": "not for others",
    "ANTHROPIC_AUTH_TOKEN": "not for others",
    "ANTHROPIC_BASE_URL": "http://elsewhere.invalid",
}
CUSTOM = (
    "X-Corp: not for others\nAuthorization: Bearer not for others\nx-api-key: not for others\nHost: not.for.others\n"
    "Cookie: not=for others\nUser-Agent: not for others\nContent-Type: not for others\n"
    "Proxy-Authorization: not for others"
)


@both
@pytest.mark.parametrize("key", [None, "${MY_KEY}"])
async def test_nothing_of_the_environment_reaches_another_address(
    protocol: str, key: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    for name in ("OPENAI_CUSTOM_HEADERS", "ANTHROPIC_CUSTOM_HEADERS"):
        monkeypatch.setenv(name, CUSTOM)
    monkeypatch.setenv("MY_KEY", "sk-mine")

    async with FakeProvider() as server, a_model(protocol, server, {"key": key}) as model:
        server.answer("Hi")
        await everything(model)

    (received,) = server.requests
    assert "not for others" not in str(received.headers)
    assert "not=for others" not in str(received.headers)
    own = {"anthropic-version"} if protocol == "anthropic" else set[str]()
    assert set(received.headers) == USUAL | own | ({"authorization"} if key else set())
    assert received.headers.get("authorization") == ("Bearer sk-mine" if key else None)
    assert received.headers["host"] == f"127.0.0.1:{server.port}"
    assert received.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("base_url", "own"),
    [
        (None, True),
        ("https://api.openai.com/v1", True),
        ("https://API.openai.com:443/other", True),
        ("http://api.openai.com/v1", False),
        ("https://api.openai.com:8443/v1", False),
        ("http://api.openai.com:443/v1", False),
        ("https://api.openai.com.example/v1", False),
        ("https://example/api.openai.com", False),
    ],
)
async def test_the_usual_key_goes_to_the_providers_own_address_only(
    base_url: str | None, own: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-usual")
    sent: list[httpx2.Request] = []

    async def take(_: object, request: httpx2.Request) -> httpx2.Response:
        sent.append(request)
        return httpx2.Response(400, json={})

    monkeypatch.setattr(httpx2.AsyncHTTPTransport, "handle_async_request", take)
    model = OpenAI("m", "gpt-5", Choice(base_url=base_url))
    with pytest.raises(Exception, match="400"):
        await everything(model)
    await model.close()

    assert sent[0].headers.get("authorization") == ("Bearer sk-usual" if own else None)


async def test_anthropics_own_address_is_https_at_its_usual_port() -> None:
    plain = Anthropic("m", "claude", Choice(base_url="http://api.anthropic.com"))
    own = Anthropic("m", "claude", Choice(base_url="https://api.anthropic.com/"))

    assert not plain._way.own  # pyright: ignore[reportPrivateUsage]
    assert own._way.own  # pyright: ignore[reportPrivateUsage]
