"""Acting in a thread, in few words, for tests that read like a conversation."""

from __future__ import annotations

from typing import Any

import pytest

from workbench import Harness, HarnessError
from workbench.harness.door.doing import Done


class Play:
    """Acts in a thread, as its agent and as its owner, in few words."""

    def __init__(self, harness: Harness, thread: str = "demo") -> None:
        self.harness = harness
        self.thread = thread

    async def agent(self, name: str, input: Any, message: str | None = None) -> Any:
        """Act as the agent; what it is answered."""
        return (await self.harness.perform(name, input, "agent", self.thread, message)).result

    async def owner(self, name: str, input: Any) -> Any:
        """Act as the owner in the same thread; the result."""
        return (await self.harness.perform(name, input, "user", self.thread)).result

    async def fails(self, name: str, input: Any, actor: str = "user") -> HarnessError:
        """Act, and be refused; the error."""
        with pytest.raises(HarnessError) as caught:
            await self.harness.perform(name, input, actor, self.thread)
        return caught.value

    async def save(self, name: str, actor: str = "user", **content: Any) -> Done:
        """Save a lambda in the workshop, or as the agent."""
        body = {"description": f"Does {name}.", "runtime": "python", "source": "def main(input):\n    return input\n"}
        where = None if actor == "user" else self.thread
        return await self.harness.perform(
            "write", {"address": f"~/tools/{name}", "content": body | content}, actor, where
        )

    def promoted(self) -> list[str]:
        """The names of the promoted tools."""
        return [tool.name for tool in self.harness.promoted(self.thread).promoted]

    def withheld(self) -> dict[str, str]:
        """The withheld names with their reasons."""
        return {tool.name: tool.reason for tool in self.harness.promoted(self.thread).withheld}

    def provider(self) -> list[str]:
        """The names of the tools of the next request."""
        return [tool["name"] for tool in self.harness.request(self.thread).tools]
