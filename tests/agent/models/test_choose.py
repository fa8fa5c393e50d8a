"""From a name to a model, with what the settings say of it, and the words for what is wrong."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from workbench.agent.models.choose import choose, takes_images
from workbench.agent.models.model import Ask, Model, Price
from workbench.harness.errors import HarnessError
from workbench.harness.space.settings import Settings

HELLO = Ask("", (), ({"role": "user", "text": "Hi", "from": [1]},))


def with_models(**models: Any) -> Settings:
    return Settings(models=models)


def refused(id: str | None, settings: Settings | None = None) -> HarnessError:
    with pytest.raises(HarnessError) as caught:
        choose(id, settings or Settings())
    return caught.value


async def body_of(model: Model) -> tuple[str, dict[str, Any]]:
    body = await model.body(HELLO)
    await model.close()
    assert body is not None
    return body.url, json.loads(body.body)


@pytest.mark.parametrize("id", [None, "", "  "])
def test_without_a_model_it_is_said_how_to_get_one(id: str | None) -> None:
    error = refused(id)

    assert error.code == "unavailable"
    for word in ("model = ", "--model", "play the agent"):
        assert word in error.message


@pytest.mark.parametrize(
    ("id", "provider", "url"),
    [
        ("openai:gpt-5", "openai", "https://api.openai.com/v1/chat/completions"),
        ("anthropic:claude-x", "anthropic", "https://api.anthropic.com/v1/messages"),
    ],
)
async def test_a_provider_and_a_name(id: str, provider: str, url: str) -> None:
    model = choose(id, Settings())

    assert (model.id, model.provider, model.context_tokens, model.price) == (id, provider, None, Price())
    address, body = await body_of(model)
    assert (address, body["model"]) == (url, id.partition(":")[2])


async def test_a_name_may_have_a_colon() -> None:
    model = choose("openai:qwen3:8b", Settings())

    assert (await body_of(model))[1]["model"] == "qwen3:8b"


async def test_the_settings_of_a_model_are_its_own() -> None:
    table = {
        "base_url": "http://127.0.0.1:11434/v1/",
        "key": "${NOT_SET_ANYWHERE}",
        "context": 128_000,
        "max_tokens": 900,
        "price": {"input": 1.25, "output": 10, "cache_read": 0.125},
        "options": {"temperature": 0},
    }
    model = choose("openai:gpt-5", with_models(**{"openai:gpt-5": table, "openai:other": {"max_tokens": 1}}))

    assert model.context_tokens == 128_000
    assert model.price == Price(1.25, 10.0, 0.125)
    address, body = await body_of(model)
    assert address == "http://127.0.0.1:11434/v1/chat/completions"
    assert (body["temperature"], body["max_tokens"]) == (0, 900)


async def test_an_alias_has_a_name_and_settings_of_its_own() -> None:
    settings = with_models(
        **{
            "local": {"model": "openai:qwen3", "base_url": "http://127.0.0.1:8080/v1", "max_tokens": 7},
            "openai:qwen3": {"max_tokens": 900, "context": 4096},
        }
    )
    model = choose("local", settings)

    assert (model.id, model.provider, model.context_tokens) == ("local", "openai", 4096)
    address, body = await body_of(model)
    assert address == "http://127.0.0.1:8080/v1/chat/completions"
    assert (body["model"], body["max_tokens"]) == ("qwen3", 7)


LOCAL = {"base_url": "http://127.0.0.1:8080/v1"}


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
@pytest.mark.parametrize(
    ("table", "takes"),
    [
        ({}, True),
        (LOCAL, None),
        ({"images": False}, False),
        (LOCAL | {"images": True}, True),
        (LOCAL | {"images": False}, False),
        ({"base_url": "own"}, True),
    ],
)
def test_which_model_is_sent_images(kind: str, table: dict[str, Any], takes: bool | None) -> None:
    own = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}[kind]
    said = table | ({"base_url": own} if table.get("base_url") == "own" else {})
    settings = with_models(**{f"{kind}:x": said, "other": {"model": f"{kind}:x"}})

    for id in (f"{kind}:x", "other"):
        assert choose(id, settings).takes_images is takes
        assert takes_images(id, settings) is takes


@pytest.mark.parametrize("id", [None, "", "scripted:nowhere.toml", "replay:demo", "nonsense", "broken", "waits"])
def test_of_a_model_that_sends_nothing_or_is_none_it_is_not_known(id: str | None) -> None:
    settings = Settings(models={"broken": {"model": "openai:x", "images": 3}, "waits": {}}, models_waiting=("waits",))

    assert takes_images(id, settings) is None


def test_a_scene_is_found_beside_the_scenes(tmp_path: Path) -> None:
    with pytest.raises(HarnessError) as caught:
        choose("scripted:nowhere.toml", Settings(), scene_root=tmp_path)

    assert "nowhere.toml" in caught.value.message


@pytest.mark.parametrize("id", ["gpt-5", "openai:", "openai: ", "google:gemini", ":x", "scripted:", "replay:", "local"])
def test_what_names_no_model(id: str) -> None:
    error = refused(id, with_models(quick={"model": "openai:x"}, odd={"context": 1}))

    assert error.code == "bad_input"
    assert "anthropic:NAME" in error.message
    assert error.message.endswith("Of your settings: quick.")


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("fast", "models.local must be a table"),
        ({"colour": 1}, "Unknown setting models.local.colour. A model has: model, base_url, key, context"),
        ({"base_url": "localhost:8080"}, "models.local.base_url must be an address"),
        ({"base_url": "ftp://x/v1"}, "models.local.base_url must be an address"),
        ({"base_url": "http://me:secret@x/v1"}, "without a user"),
        ({"base_url": "http://x/v1?key=secret"}, "a query"),
        ({"base_url": "http://x:99999/v1"}, "models.local.base_url must be an address"),
        ({"base_url": 5}, "models.local.base_url must be an address"),
        ({"base_url": "http://h ost/v1"}, "models.local.base_url must be an address"),
        ({"base_url": "http://x/v1 "}, "models.local.base_url must be an address"),
        ({"base_url": "http://x/v\n1"}, "models.local.base_url must be an address"),
        ({"base_url": "http://x\u3000y/v1"}, "models.local.base_url must be an address"),
        ({"base_url": "https://api.openai.com\\@x/v1"}, "models.local.base_url must be an address"),
        ({"base_url": "http://x/v1\\y"}, "models.local.base_url must be an address"),
        ({"base_url": "http://h%20ost/v1"}, "models.local.base_url must be an address"),
        ({"base_url": "http:///v1"}, "models.local.base_url must be an address"),
        ({"key": 5}, "models.local.key must be ${NAME} or keyring:NAME"),
        ({"key": "sk-secret"}, "The setting models.local.key: A key is never written down"),
        ({"context": 0}, "models.local.context must be a whole number of tokens"),
        ({"context": True}, "models.local.context must be a whole number of tokens"),
        ({"max_tokens": 1.5}, "models.local.max_tokens must be a whole number of tokens"),
        ({"images": 1}, "models.local.images must be true or false"),
        ({"images": "yes"}, "models.local.images must be true or false"),
        ({"price": 3}, "models.local.price must be a table"),
        ({"price": {"in": 3}}, "Unknown setting models.local.price.in. A price has: input, output, cache_read"),
        ({"price": {"input": -1}}, "models.local.price.input must be a number of at least 0"),
        ({"price": {"input": "1"}}, "models.local.price.input must be a number of at least 0"),
        ({"options": []}, "models.local.options must be a table"),
        ({"options": {"stream": False}}, "models.local.options cannot hold stream"),
        ({"model": 3}, "models.local.model must be the name of a model"),
        ({"model": "local"}, "models.local.model must be the name of a model"),
        ({"model": "other"}, "models.local.model must be the model itself, not another alias"),
    ],
)
def test_a_wrong_setting_is_named(table: Any, words: str) -> None:
    base = {"model": "openai:x"} | table if isinstance(table, dict) else table
    error = refused("local", with_models(local=base, other={"model": "openai:y"}))

    assert error.code == "bad_input"
    assert words in error.message
    assert "secret" not in error.message


@pytest.mark.parametrize(
    "url",
    ["http://localhost:1/v1", "http://[::1]:8080/v1", "https://a_b.c-d.example/v1", "http://bücher.example/v1"],
)
def test_addresses_that_are_ones(url: str) -> None:
    choose("local", with_models(local={"model": "openai:x", "base_url": url})).project([])


@pytest.mark.parametrize("unfit", ["\ud800", "\x00", "\x1b[31m", "\n", "\x7f", "\x9b", "\u2028"], ids=ascii)
@pytest.mark.parametrize("kind", ["openai", "anthropic", "scripted", "replay", "odd"])
def test_a_name_without_characters_that_steer_a_screen(kind: str, unfit: str) -> None:
    for settings, id in ((Settings(), f"{kind}:a{unfit}b"), (with_models(local={"model": f"{kind}:{unfit}"}), "local")):
        error = refused(id, settings)

        assert error.code == "bad_input"
        assert f"cannot hold the character U+{ord(unfit[0]):04X}" in error.message
        assert error.message.isprintable()


@pytest.mark.parametrize("id", ["openai:llama3", "local", "far"])
def test_a_model_whose_settings_wait_is_not_asked(id: str) -> None:
    settings = Settings(models={"far": {"model": "openai:llama3"}}, models_waiting=("openai:llama3", "local"))
    error = refused(id, settings)

    assert error.code == "unavailable"
    waits = "openai:llama3" if id == "far" else id
    assert error.message == f"The settings of {waits} wait for your yes on this machine: workbench approve models."


def test_a_model_that_does_not_wait_can_be_asked_meanwhile() -> None:
    assert choose("openai:gpt-5", Settings(models_waiting=("openai:llama3",))).id == "openai:gpt-5"


@pytest.mark.parametrize("missing", ["pydantic_ai", "openai"])
def test_without_the_extra_it_is_said_what_to_install(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr("workbench.agent.models.extra.find_spec", lambda name: None if name == missing else find(name))

    error = refused("openai:gpt-5")

    assert error.code == "unavailable"
    assert missing in error.message
    assert "pip install 'harness-workbench[models]'" in error.message
