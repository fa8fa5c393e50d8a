"""What a thread's next request is made of, gathered from Space and Log as they are now; `request` puts it together."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from workbench.harness.errors import HarnessError
from workbench.harness.log.promotion import Promotion, promote
from workbench.harness.log.reading import Reading
from workbench.harness.machine import Machine
from workbench.harness.space.index import IndexTool, SpaceIndex, TriggersTop
from workbench.harness.space.index import build as build_index
from workbench.harness.space.library import StoredTool
from workbench.harness.space.settings import DEFAULT_PROMPT, TOOLBOX_PROMPT
from workbench.harness.space.space import Space
from workbench.harness.tools.callables import Callables, ToolState
from workbench.harness.verbs.documents import tool_of

if TYPE_CHECKING:
    from workbench.harness.request import Request

NO_WORKDIR = "(none is set now)"
"""Stands for the working directory in what is put together while the settings name none."""

TODAY = (
    "Put together now for that moment: the messages are those of then; the system text, the tools' contracts and what "
    "is callable are of today."
)


class NextRequest:
    """The next request of any thread of a Space, and its parts. Nothing of it is kept: it is looked up each time."""

    def __init__(
        self, space: Space, log: Reading, callables: Callables, verbs: Mapping[str, StoredTool], machine: Machine
    ) -> None:
        self._space = space
        self._log = log
        self._callables = callables
        self._verbs = verbs
        self._machine = machine

    def of(self, thread: str, at: int | None = None, context_tokens: int | None = None) -> Request:
        """The next request of a thread, for a model of that context; with `at`, that of an earlier moment.

        Raises:
            HarnessError: `unavailable` for a thread that acts on the real machine while it may not.
        """
        from workbench.harness import request

        if at is not None:
            sent = self._log.sent_at(thread, at)
            if sent is not None:
                return request.recorded(sent, self._log.part)
        on_machine = self._log.surface_of(thread) == "toolbox"
        if on_machine and at is None and (missing := self._machine.missing()) is not None:
            raise HarnessError("unavailable", missing)
        promotion = self.promotion(thread, at)
        tools = {tool.name: tool for tool in host_tools()} if on_machine else {}
        return request.build(
            self._system(thread) if at is None else self._system_of_now(thread),
            [
                tool
                for name in promotion.provider_tools
                if (tool := tools.get(name) if on_machine else self._tool(name)) is not None
            ],
            self._log.lineage(thread, at),
            self._log.live.state_of,
            note=TODAY if at is not None else None,
            context_tokens=context_tokens,
        )

    # Its tools --------------------------------------------------------------------------------------------------

    def promotion(self, thread: str, at: int | None = None, states: Mapping[str, ToolState] | None = None) -> Promotion:
        """The tools that the provider is given, those that promotion gave it, and those that are withheld.

        `states` are those of the tools now, where they are known already.
        """
        if self._log.surface_of(thread) == "toolbox":
            # Nothing is touched there, nothing promoted.
            return Promotion(self._machine.names(), (), ())
        now = states if states is not None else {state.name: state for state in self._callables.states()}

        def cid(name: str) -> str | None:
            state = now.get(name)
            return state.cid if state is not None and state.callable else None

        def reason(name: str) -> str:
            return (now.get(name) or self._callables.state(name)).reason or "unknown"

        return promote(self._log.touches(thread, at), cid, reason)

    def saved_since(self, thread: str, promotion: Promotion) -> frozenset[str]:
        """The promoted lambdas whose present version is younger than the answer to the call that touched them."""
        if not promotion.promoted:
            return frozenset()
        touches = {touch.name: touch for touch in self._log.touches(thread).touches}
        found: set[str] = set()
        for name in (tool.name for tool in promotion.promoted):
            touch = touches.get(name)
            answered = self._log.answered(touch) if touch is not None else None
            with contextlib.suppress(HarnessError):
                tool = self._tool(name)
                if answered and tool is not None and tool.document.kind == "lambda" and tool.time > answered:
                    then = [version.cid for version in self._space.library.versions(name) if version.time <= answered]
                    # Whoever brought back the version of then is where the touch was.
                    if then[-1:] != [tool.cid]:
                        found.add(name)
        return frozenset(found)

    def offered(self, thread: str) -> list[str]:
        """The names that could be called now in a thread, besides the verbs."""
        if self._log.surface_of(thread) == "toolbox":
            return list(self._machine.names())
        return [state.name for state in self._callables.states() if state.callable]

    def _tool(self, name: str) -> StoredTool | None:
        return self._verbs.get(name) or self._callables.tool(name)

    # Its system text --------------------------------------------------------------------------------------------

    def index(self, states: Sequence[ToolState]) -> SpaceIndex:
        """The `<space>` block over these tools."""
        tools = [
            IndexTool(state.name, state.summary, authored=state.kind == "lambda", builtin=state.kind == "builtin")
            for state in states
            if state.callable
        ]
        return build_index(tools, self._space.memory.top(), TriggersTop((), 0))

    def _system(self, thread: str) -> str:
        """The system text: that of the live run's requests while nothing that could be called then went away."""
        live = self._log.live.run_of(thread)
        sent = self._log.last_sent(thread) if live is not None else None
        if live is not None and sent is not None and sent.run == live.run:
            with contextlib.suppress(HarnessError):
                then: list[str] = json.loads(self._log.part(sent.callables))
                if set(then) <= set(self.offered(thread)):
                    return self._log.part(sent.system)
        return self._system_of_now(thread)

    def _system_of_now(self, thread: str) -> str:
        from workbench.harness.request import system_text, toolbox_text

        settings = self._space.agent_file.state().settings
        if self._log.surface_of(thread) == "toolbox":
            prompt = TOOLBOX_PROMPT if settings.prompt == DEFAULT_PROMPT else settings.prompt
            return toolbox_text(prompt, str(self._machine.workdir() or NO_WORKDIR))
        return system_text(settings.prompt, self.index(self._callables.states()).text)


def host_tools() -> list[StoredTool]:
    """The seven tools of the toolbox, whether or not the agent may use them."""
    from workbench.harness.tools.toolbox.registry import TOOLS

    return [tool_of(tool) for tool in TOOLS.values()]
