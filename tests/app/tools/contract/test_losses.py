"""What the chosen model's provider is not sent of a contract."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.desk import at_desk, elsewhere, save
from workbench.app.tools.contract.losses import provider_of


@pytest.mark.parametrize(
    ("model", "models", "provider"),
    [
        (None, {}, None),
        ("scripted:a.toml", {}, None),
        ("replay:demo", {}, None),
        ("openai:gpt-5", {}, "openai"),
        ("anthropic:claude", {"anthropic:claude": {"context": 1}}, "anthropic"),
        ("local", {"local": {"model": "openai:qwen3"}}, "openai"),
        ("local", {}, None),
        ("local", {"local": 3}, None),
    ],
)
def test_whose_a_model_is(model: str | None, models: dict[str, object], provider: str | None) -> None:
    assert provider_of(model, models) == provider


async def test_losses_are_named_for_the_provider_of_the_chosen_model(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "oneOf": [{"required": ["a"]}]}
    async with elsewhere(tmp_path) as harness:
        await save(harness, "either", input=schema)
        await save(harness, "plain")
    async with at_desk(tmp_path, model="openai:gpt-5") as desk:
        await desk.select("either")
        await desk.sees("what openai is sent  1 loss", "openai:", "oneOf")
        await desk.select("plain")
        await desk.sees("openai: sent whole")


async def test_without_a_model_nothing_is_said_of_providers(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "plain")
    async with at_desk(tmp_path) as desk:
        await desk.select("plain")
        assert "sent whole" not in desk.screen()
