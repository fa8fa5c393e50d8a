"""Events to touched tools, and touched tools to what a provider is given. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from workbench.harness.address import touched_tool
from workbench.harness.log.events import Event, ToolCall
from workbench.harness.names import VERBS
from workbench.harness.strict_json import as_object


class Touch(Struct, frozen=True):
    """The first time the agent named a tool in a thread: in which event, and in which of its messages."""

    name: str
    thread: str
    seq: int
    message: str


class Touches(Struct, frozen=True):
    """The fold: touched tools in order of first touch."""

    touches: tuple[Touch, ...] = ()
    toolbox: frozenset[str] = frozenset()
    """Threads of the toolbox surface, in which nothing is touched."""

    def get(self, name: str) -> Touch | None:
        """The touch of a tool, if there is one."""
        return next((touch for touch in self.touches if touch.name == name), None)

    def as_of(self, thread: str, seq: int) -> Touches:
        """What was touched up to an event of a thread, with it included; what its past touched stays."""
        return Touches(
            tuple(touch for touch in self.touches if touch.thread != thread or touch.seq <= seq), self.toolbox
        )

    def before(self, name: str, message: str) -> bool:
        """Whether an earlier message than this one touched the tool.

        The calls of one message were all written on the same knowledge, so a touch among them counts for the next.
        """
        touch = self.get(name)
        return touch is not None and touch.message != message


def named_tool(name: str, input: Any) -> str | None:
    """The tool that an act names, or None: by address, by `call`, or as itself. Any text can be a name here."""
    if name not in VERBS:
        return name
    body = as_object(input)
    if body is None:
        return None
    if name == "call":
        tool = body.get("tool")
        return tool if isinstance(tool, str) and tool not in VERBS and tool else None
    if name == "read":
        return touched_tool(body.get("address"))
    if name == "write":
        if (as_object(body.get("options")) or {}).get("delete"):
            return None
        return touched_tool(body.get("address"))
    return None


def fold(state: Touches, events: Iterable[Event]) -> Touches:
    """Carry the fold on over more events. Only the agent's calls count; what came of them plays no part."""
    seen = {touch.name for touch in state.touches}
    found = list(state.touches)
    toolbox = set(state.toolbox)
    for event in events:
        if event.surface == "toolbox":
            toolbox.add(event.thread)
        if not isinstance(event, ToolCall) or event.actor != "agent" or event.thread in toolbox:
            continue
        name = named_tool(event.name, event.input)
        if name is not None and name not in seen:
            seen.add(name)
            found.append(Touch(name, event.thread, event.seq, event.message))
    return Touches(tuple(found), frozenset(toolbox))


class Promoted(Struct, frozen=True):
    """A tool that the provider is given; `seq` is the event that promoted it."""

    name: str
    seq: int
    cid: str


class Withheld(Struct, frozen=True):
    """A tool that was touched and is not callable, with the reason."""

    name: str
    seq: int
    reason: str


class Promotion(Struct, frozen=True):
    """What the provider gets (the verbs, then the promoted in order of touch), and what is withheld from it."""

    provider_tools: tuple[str, ...]
    promoted: tuple[Promoted, ...]
    withheld: tuple[Withheld, ...]


def promote(touches: Touches, callable_cid: Callable[[str], str | None], reason: Callable[[str], str]) -> Promotion:
    """Intersect what was touched with what may be called.

    This is the wall that keeps a hallucinated name out of the provider's list: `callable_cid` answers None for every
    name that is not callable now, and such a name is withheld, whatever the log says.
    """
    promoted: list[Promoted] = []
    withheld: list[Withheld] = []
    for touch in touches.touches:
        cid = callable_cid(touch.name)
        if cid is None:
            withheld.append(Withheld(touch.name, touch.seq, reason(touch.name)))
        else:
            promoted.append(Promoted(touch.name, touch.seq, cid))
    names = (*VERBS, *(tool.name for tool in promoted))
    return Promotion(names, tuple(promoted), tuple(withheld))
