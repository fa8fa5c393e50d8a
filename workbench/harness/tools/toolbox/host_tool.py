"""What a tool of the toolbox is: what the model reads and what then happens, in one value."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.tools.definition import ToolDefinition
from workbench.harness.tools.toolbox.drawn import Drawn, Line

ABORTED = "Operation aborted"
"""What an aborted call says, where its tool has nothing to add."""


class TextBlock(Struct, frozen=True):
    """Text of an answer."""

    text: str


class ImageBlock(Struct, frozen=True):
    """An image of an answer: the bytes of a PNG, JPEG, GIF or WebP file, and their size in pixels."""

    data: bytes
    mime_type: str
    width: int
    height: int


class ToolAnswer(Struct, frozen=True):
    """What a tool gives back, or says while it runs.

    `content` is for the model, in order. `details` is for people and the log, never for the model: JSON, with the names
    of the wire (`totalLines`), None where there is nothing to say.
    """

    content: tuple[TextBlock | ImageBlock, ...]
    details: Mapping[str, Any] | None = None

    @classmethod
    def of(cls, text: str, details: Mapping[str, Any] | None = None) -> ToolAnswer:
        """An answer that is one text."""
        return cls((TextBlock(text),), details)

    @property
    def text(self) -> str:
        """The text blocks of it."""
        return "\n".join(block.text for block in self.content if isinstance(block, TextBlock))


class Signal:
    """Tells an executor that its call was aborted. It may be asked, and told, from any thread."""

    def __init__(self) -> None:
        self._aborted = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: dict[object, Callable[[], None]] = {}

    @property
    def aborted(self) -> bool:
        """Whether the call was aborted."""
        return self._aborted.is_set()

    def check(self, words: str = ABORTED) -> None:
        """Raise HarnessError `cancelled`, with these words, if the call was aborted."""
        if self.aborted:
            raise HarnessError("cancelled", words)

    def abort(self) -> None:
        """Abort the call. A second time does nothing.

        Everybody who waits for it is told, also when telling one of them fails; the first failure is raised then.
        """
        with self._lock:
            if self._aborted.is_set():
                return
            self._aborted.set()
            callbacks = list(self._callbacks.values())
            self._callbacks.clear()
        failures: list[Exception] = []
        for callback in callbacks:
            try:
                callback()
            except Exception as error:
                failures.append(error)
        if failures:
            raise failures[0]

    def on_abort(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Have this called once when the call is aborted, at once if it is already; the answer takes that back."""
        key = object()
        with self._lock:
            if not self._aborted.is_set():
                self._callbacks[key] = callback
                return lambda: self._forget(key)
        callback()
        return lambda: None

    def _forget(self, key: object) -> None:
        with self._lock:
            self._callbacks.pop(key, None)


class HostContext(Struct, frozen=True, kw_only=True):
    """Where a call acts and for whom.

    `cwd` is the working directory, absolute. `model` is the id of the model that called, None where a person did;
    `takes_images` says whether it sees images, None where that is not known. `env_names` are the variables that `bash`
    hands on beyond its own list. `guarded` are folders, with links resolved, into which `write` and `edit` do not
    write: the Space, and where the owner's answers are kept.
    """

    cwd: Path
    model: str | None = None
    takes_images: bool | None = None
    env_names: tuple[str, ...] = ()
    guarded: tuple[Path, ...] = ()


OnUpdate = Callable[[ToolAnswer], None]
"""Told what an answer would be so far: always the whole of it, never only what is new. Called on the event loop."""

Execute = Callable[[str, Any, Signal, OnUpdate, HostContext], Awaitable[ToolAnswer]]
"""`execute(call_id, params, signal, on_update, ctx)`: `params` is a value of the tool's `parameters`.

It fails by raising HarnessError, whose message is what the model then reads; what it returns is a success.
"""


class Result(Struct, frozen=True):
    """How a call ended, as the log has it: blocks as JSON and details, or the words of its error."""

    content: tuple[Mapping[str, Any], ...] = ()
    details: Mapping[str, Any] | None = None
    error: str | None = None

    @property
    def text(self) -> str:
        """The text of it: of the blocks, or the error's."""
        if self.error is not None:
            return self.error
        return "\n".join(str(block.get("text", "")) for block in self.content if block.get("type") == "text")


class HostTool(ToolDefinition, frozen=True, kw_only=True):
    """One of the toolbox. `label` is its name for people.

    `prepare_arguments` repairs what models habitually get wrong, before the input is held against the schema; it is
    given a copy. `render_call` gives a call in one line, from the input as it was sent. `render_result` gives a result
    to be drawn, from that input, the result, and the directory that the call acted in. Both stand any input.
    """

    label: str
    execute: Execute
    prepare_arguments: Callable[[Any], Any] | None = None
    render_call: Callable[[Any], Line] | None = None
    render_result: Callable[[Any, Result, Path], tuple[Drawn, ...]] | None = None
