"""What the faces are shown of a Space: frozen values, looked up once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from workbench.harness.log.events import RequestEnded, RequestSent, Surface, ToolCall
from workbench.harness.log.promotion import Promotion, Touches, promote
from workbench.harness.paging import Position
from workbench.harness.space.agent_file import SettingsState
from workbench.harness.space.index import MemoryTop, SpaceIndex
from workbench.harness.space.library import StoredTool
from workbench.harness.space.memory import BinaryFile, Folder, Memory, TextFile
from workbench.harness.tools.callables import ToolState
from workbench.harness.tools.widened import SandboxNote


class MemoryView:
    """Memory as a face may look at it; writing goes through the door."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def read(self, path: str, offset: Position = 1, limit: int | None = None) -> TextFile | BinaryFile | Folder:
        """A page of a text file, the facts of a binary one, or the entries of a folder."""
        return self._memory.read(path, offset, limit)

    def head(self, path: str, most: int) -> bytes:
        """The first bytes of a file, whatever they are."""
        return self._memory.read_bytes_bounded(path, most)

    def top(self) -> MemoryTop:
        """Memory's top level, as the index tells it."""
        return self._memory.top()


Does = Literal["acts", "asks", "waits"]
"""What a call without a result does: it acts, it asks the owner and waits for the answer, or it waits its turn."""


class Running(Struct, frozen=True):
    """A call without a result. `interrupted` says that its process is gone and the next act will settle it.

    Of one whose process is there, `does` is what it does, and `since` since when, as the log writes times.
    """

    call: ToolCall
    interrupted: bool
    does: Does
    since: str


class SentRequest(Struct, frozen=True):
    """A request that a provider was sent, and how it ended; None while it has not, or where its process is gone."""

    sent: RequestSent
    ended: RequestEnded | None = None


class Toolbox(Struct, frozen=True):
    """The real machine, as the agent may reach it: the working directory, the tools that it is offered, in their order.

    `missing` says why it may not; None where it may.
    """

    workdir: str | None
    tools: tuple[str, ...]
    missing: str | None


class View(Struct, frozen=True):
    """The present, as the faces show it: settings, every tool by name and in order, the index, and a thread's fold.

    `sandbox` says where the owner widened the sandbox. `saved_since` are the promoted lambdas that were saved again
    since they were touched. `surface` is the thread's, `toolbox` where that of the real machine leads.
    `thread_fault` says why the thread cannot be read; nothing is promoted then as far as one can tell.
    """

    thread: str
    settings: SettingsState
    verbs: tuple[StoredTool, ...]
    tools: Mapping[str, ToolState]
    index: SpaceIndex
    promotion: Promotion
    saved_since: frozenset[str] = frozenset()
    thread_fault: str | None = None
    sandbox: tuple[SandboxNote, ...] = ()
    surface: Surface = "verbs"
    toolbox: Toolbox = Toolbox(None, (), None)


NOTHING_PROMOTED = promote(Touches(), lambda name: None, lambda name: "unknown")
"""The verbs alone."""
