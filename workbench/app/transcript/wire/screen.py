"""The screen of the wire: the request at an event, part by part, or as the very body that goes out."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical

from workbench.app.actions import bindings
from workbench.app.key_footer import KeyFooter
from workbench.app.seams import workbench
from workbench.app.transcript.wire.actions import WIRE
from workbench.app.transcript.wire.part_list import PartList
from workbench.app.transcript.wire.words import head
from workbench.app.widgets.columns import Columns
from workbench.app.widgets.lines.view import LineView
from workbench.app.widgets.literal import Literal, subtitle, title
from workbench.app.widgets.modal import Modal
from workbench.app.widgets.text_view import TextLine, TextView, lines_of_text
from workbench.harness.errors import HarnessError

if TYPE_CHECKING:
    from workbench.agent.models.model import Body, Model
    from workbench.agent.wire import Part, Wire


PROVIDERS = ("openai", "anthropic")
"""Models that send something."""


class WireScreen(Modal[None]):
    """Covers everything. Looking writes nothing and sends nothing."""

    BINDINGS = bindings(*WIRE)
    DEFAULT_CSS = """
    WireScreen { background: $background; }
    WireScreen > #wire { height: 1fr; border-top: heavy $accent; border-title-color: $text-primary;
        background: $surface; }
    WireScreen #wire-head { height: auto; max-height: 45%; padding: 0 1; }
    WireScreen PartList { height: 1fr; border-top: solid $primary; border-title-color: $text-primary; }
    WireScreen #wire-text { height: 1fr; border-top: solid $primary; border-title-color: $text-primary; }
    WireScreen PartList:focus, WireScreen #wire-text:focus { border-top: heavy $accent; }
    WireScreen.-body PartList { display: none; }
    """

    def __init__(self, thread: str, seq: int | None) -> None:
        """`seq` is the event that it is looked at from; None is now, the next request."""
        super().__init__()
        self._thread = thread
        self._seq = seq
        self._wire: Wire | None = None
        self._body: Body | None = None
        self._shown: Part | None = None

    def compose(self) -> ComposeResult:
        """What is said of it, its parts, and the text of one."""
        with Vertical(id="wire") as box:
            title(box, self._title())
            yield Literal("…", id="wire-head")
            yield PartList(id="wire-parts")
            yield TextView(id="wire-text")
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one(PartList).focus()
        # Painted before what may take a moment with a long thread.
        self.call_after_refresh(self._begin)

    @property
    def parts(self) -> PartList:
        """The list."""
        return self.query_one(PartList)

    @property
    def text(self) -> TextView:
        """The text of the part, or the body."""
        return self.query_one("#wire-text", TextView)

    def _title(self) -> str:
        return f"wire · {self._thread} · {f'event {self._seq}' if self._seq is not None else 'the next request'}"

    def _begin(self) -> None:
        self.run_worker(self._load(), name="the wire", group="wire", exclusive=True, exit_on_error=False)

    async def _load(self) -> None:
        title(self.query_one("#wire"), self._title())
        from workbench.agent.wire import wire_of

        harness, turns = workbench(self).harness, workbench(self).turns
        model: Model | None = None
        try:
            wire = wire_of(harness, self._thread, self._seq)
            id = wire.model if wire.sent is not None else turns.model
            losses, unknown = (), ""
            if id is not None:
                try:
                    model = await turns.opened(id)
                except HarnessError as error:
                    unknown = error.message
                else:
                    losses = model.project(wire.request.tools).losses
                    if id != wire.model:
                        # Another one answers in this session than the settings say.
                        wire = wire_of(harness, self._thread, self._seq, model)
            self._wire = wire
            self.query_one("#wire-head", Literal).show(Columns(head(wire, losses, unknown)))
            self.parts.show(wire)
            # What is said above it takes its room first.
            self.call_after_refresh(lambda: self.parts.move_to(self.parts.cursor))
            if self.has_class("-body"):
                await self._load_body(wire, model, unknown)
            else:
                self._show_part(self.parts.part)
        except HarnessError as error:
            self.query_one("#wire-head", Literal).show(f"✗ {error.message}")
        finally:
            if model is not None:
                await model.close()

    async def _load_body(self, wire: Wire, model: Model | None, unknown: str) -> None:
        """The body, caught where the adapter would send it."""
        if model is None:
            self._say(unknown or "No model is set, so there is no body.")
            return
        if model.provider not in PROVIDERS:
            self._say(f"{model.id} sends nothing: its answers are known before it is asked.")
            return
        self._say(f"Opening {model.id}…")
        from workbench.agent.body import body_of, shown

        try:
            body = await body_of(workbench(self).harness, self._thread, wire.request, model)
        except HarnessError as error:
            self._say(error.message)
            return
        self._body = body
        text, cut = await asyncio.to_thread(shown, body.body)
        lines = await asyncio.to_thread(lines_of_text, text)
        self.text.show(tuple(lines))
        less = f", and not all of {'an image' if cut == 1 else f'{cut:,} images'}" if cut else ""
        title(self.text, f"exact body · {body.method} {body.url} · {len(body.body):,} B · no header is shown{less}")

    def _say(self, text: str) -> None:
        self._body = None
        title(self.text, "exact body")
        self.text.show((TextLine(f"{text} m goes back to the parts.", "quiet"),))

    def _show_part(self, part: Part | None) -> None:
        if part is None or part is self._shown:
            return
        self._shown = part
        pictures = f" + {part.images:,} B of images" if part.images else ""
        title(self.text, f"{part.kind} · {part.name} · {part.bytes:,} B{pictures}")
        subtitle(self.text, part.cid or "not recorded")
        self.text.show(tuple(lines_of_text(readable(part))))

    @on(LineView.Moved)
    def _moved(self, message: LineView.Moved) -> None:
        message.stop()
        if message.view is self.parts and not self.has_class("-body"):
            self._show_part(self.parts.part)

    @on(LineView.Opened)
    def _opened(self, message: LineView.Opened) -> None:
        message.stop()
        self.text.focus()

    def action_close(self) -> None:
        """Back to the list, else to the log."""
        if self.text.has_focus and not self.has_class("-body"):
            self.parts.focus()
        else:
            self.leave(None)

    def action_body(self) -> None:
        """The parts, or the body."""
        self.toggle_class("-body")
        self._shown = self._body = None
        subtitle(self.text, "")
        if self.has_class("-body"):
            self.text.focus()
        else:
            self.parts.focus()
        self._begin()

    def action_step(self, step: int) -> None:
        """The request at another event; behind the newest one it is the next request."""
        last = next((each.events for each in workbench(self).harness.threads() if each.id == self._thread), 0)
        to = (self._seq if self._seq is not None else last + 1) + step
        if 1 <= to <= last + 1:
            self._seq = to if to <= last else None
            self._shown = None
            self._begin()

    def action_copy_part(self) -> None:
        """Copy the body, or the part."""
        part = self.parts.part
        if self._body is not None:
            workbench(self).copy(self._body.body.decode("utf-8", "replace"), "the body")
        elif part is not None and not self.has_class("-body"):
            workbench(self).copy(part.text, f"the part {part.name}")


def readable(part: Part) -> str:
    """A part's text with JSON laid out; the bytes that are told are those of the text as it is sent."""
    if part.kind == "system":
        return part.text
    try:
        return json.dumps(json.loads(part.text), ensure_ascii=False, indent=2)
    except ValueError:
        return part.text
