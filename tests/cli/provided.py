"""The command line with a model that is the server of a test."""

from __future__ import annotations

import asyncio
import json
from typing import Literal

from tests.agent.servers.fake_provider import FakeProvider
from tests.cli.command import Ran, Workbench


class Provided:
    """A Space whose model is `<provider>:fake` at the server, with prices that are easily summed."""

    def __init__(
        self, cli: Workbench, server: FakeProvider, provider: Literal["openai", "anthropic"] = "openai"
    ) -> None:
        self.cli = cli
        self.model = f"{provider}:fake"
        base = server.openai_base if provider == "openai" else server.anthropic_base
        table = {"base_url": base, "price": {"input": 1_000_000.0, "output": 2_000_000.0}}
        for act in (
            ("write", "~/self", "--content", json.dumps({"models": {self.model: table}, "model": self.model})),
            ("approve", "models"),
            ("approve", "model"),
        ):
            assert cli.run(*act).code == 0

    async def does(self, *arguments: str) -> Ran:
        """Run a command beside the server."""
        return await asyncio.to_thread(self.cli.run, *arguments)

    async def run(self, *arguments: str) -> Ran:
        """Run a turn beside the server."""
        return await self.does("run", *arguments)
