"""What comes of a running command: told while it runs, kept whole where it is long, put in words at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from workbench.harness.tools.endings import to_the_end
from workbench.harness.tools.toolbox.commands.output import Output
from workbench.harness.tools.toolbox.host_tool import OnUpdate, ToolAnswer
from workbench.harness.tools.toolbox.limits import UPDATE_SECS
from workbench.harness.tools.toolbox.saved import SavedOutput


class Following:
    """Takes the output of one command. Used on the event loop; files are written beside it."""

    def __init__(self, on_update: OnUpdate) -> None:
        self._loop = asyncio.get_running_loop()
        self._on_update = on_update
        self._output = Output()
        self._saved = SavedOutput()
        # The beginning, until it is known whether a file is wanted.
        self._begun: list[bytes] | None = []
        self._updated_at = -UPDATE_SECS
        self._timer: asyncio.TimerHandle | None = None

    async def take(self, data: bytes) -> None:
        """Add a piece of the output. When it returns it has been written, also if it is cancelled meanwhile."""
        self._output.take(data)
        if self._begun is None:
            await self._save(data)
        else:
            self._begun.append(data)
            await self._save_begun()
        self._told()

    async def close(self) -> None:
        """Nothing comes any more: what is pending is told."""
        self._output.finish()
        await self._save_begun()
        await asyncio.to_thread(self._saved.close)
        if self._timer is not None:
            self._timer.cancel()
            self._update()

    def text(self, left: Sequence[int] = ()) -> str:
        """The output as it is given, with the notices below it; empty where there is nothing to say.

        `left` are processes that could not be ended.
        """
        cut = self._output.shown()
        parts = [cut.content]
        if cut.truncated:
            parts.append(self._output.notice(cut, self._saved.where))
        if left:
            parts.append(f"[Could not be ended: {', '.join(map(str, left))}. They belong to another user, or hang.]")
        return "\n\n".join(part for part in parts if part)

    def details(self) -> dict[str, Any] | None:
        """What people and the log are told of an output that was cut."""
        cut = self._output.shown()
        if not cut.truncated:
            return None
        path = self._saved.path
        return {"truncation": cut.details(), **({"fullOutputPath": path} if path is not None else {})}

    async def _save_begun(self) -> None:
        if self._begun is not None and self._output.passed:
            begun = b"".join(self._begun)
            self._begun = None
            await self._save(begun)

    async def _save(self, data: bytes) -> None:
        await to_the_end(asyncio.to_thread(self._saved.add, data))

    def _told(self) -> None:
        """Tell of what came: at once if the last time is long enough ago, else when it will be."""
        if self._timer is not None:
            return
        wait = self._updated_at + UPDATE_SECS - self._loop.time()
        if wait <= 0:
            self._update()
        else:
            self._timer = self._loop.call_later(wait, self._update)

    def _update(self) -> None:
        self._timer = None
        self._updated_at = self._loop.time()
        self._on_update(ToolAnswer.of(self._output.shown().content, self.details()))
