"""The line at the bottom: three voices, one at a time, always named."""

from __future__ import annotations

from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input

from workbench.app.actions import EVERYWHERE, bindings
from workbench.app.transcript.actions import COMPOSER
from workbench.app.transcript.commands import Command
from workbench.app.transcript.voices import VOICES, Voice, after, preview, voices
from workbench.app.widgets.field import Field
from workbench.app.widgets.literal import Literal
from workbench.app.widgets.wrapping import clipped
from workbench.harness.log.events import Surface
from workbench.harness.text import printable

ROWS = 2
"""Rows of what a line would do."""

FAULT_ROWS = 4
"""Rows of why a line was not done: what is said to do stands at its end."""

REMEMBERED = 200
"""Lines that up and down go through."""


class ComposerLine(Field):
    """The line itself."""

    # Textual's line cuts with the key that stops a call everywhere else; the call is what matters here.
    BINDINGS = bindings(
        *COMPOSER, *(replace(each, run=f"app.{each.run}") for each in EVERYWHERE if each.id == "app.cancel")
    )

    @property
    def composer(self) -> Composer:
        """The composer that it belongs to."""
        return next(node for node in self.ancestors if isinstance(node, Composer))

    def action_next_voice(self) -> None:
        """Speak in the next voice."""
        self.composer.next_voice()

    def action_recall(self, step: int) -> None:
        """Bring back another line of the history."""
        self.composer.recall(step)

    def action_abort(self) -> None:
        """Abort the agent's turn."""
        self.composer.post_message(Composer.Abort())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The key that leaves aborts the turn first, while one runs."""
        if action in ("abort", "leave"):
            return self.composer.can_abort == (action == "abort")
        return super().check_action(action, parameters)

    def action_leave(self) -> None:
        """Give the keys back to the tab."""
        self.composer.post_message(Composer.Left())


class Composer(Vertical):
    """Says in whose voice, takes the line, says what it would do. What was not done is never thrown away."""

    DEFAULT_CSS = """
    Composer { height: auto; border-top: solid $primary; }
    Composer > #compose-row { height: 1; }
    Composer #voice { width: auto; padding: 0 1; text-style: bold reverse; }
    Composer #compose-line { width: 1fr; }
    Composer #about { height: auto; padding: 0 1; color: $text-muted; }
    Composer #about.-fault { color: $text-error; text-style: bold; }
    """

    class Act(Message):
        """Do this, as the agent or as the user. `line` is what was written."""

        def __init__(self, command: Command, voice: Voice, line: str) -> None:
            super().__init__()
            self.command = command
            self.voice = voice
            self.line = line

    class Say(Message):
        """Say this to the agent, or as the agent. `line` is what was written."""

        def __init__(self, text: str, voice: Voice, line: str) -> None:
            super().__init__()
            self.text = text
            self.voice = voice
            self.line = line

    class Left(Message):
        """Somebody wants to leave the line."""

    class Abort(Message):
        """Somebody wants the agent to stop."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.voice: Voice = "agent"
        """Who speaks."""
        self.surface: Surface = "verbs"
        """The surface of the thread that it acts in."""
        self._missing = ""
        self._chosen = False
        self._message_words = VOICES["message"].does
        self.can_abort = False
        """Whether a turn runs that can be aborted from here."""
        self._history: list[str] = []
        self._place = 0
        self._draft = ""
        self._said = ""
        self._said_of: str | None = None

    def compose(self) -> ComposeResult:
        """The voice, the line, and what it would do."""
        with Horizontal(id="compose-row"):
            yield Literal(id="voice")
            yield ComposerLine(id="compose-line")
        yield Literal(id="about")

    def on_mount(self) -> None:
        self._show()

    def on_resize(self) -> None:
        self._show()

    @property
    def line(self) -> ComposerLine:
        """Where the line is written."""
        return self.query_one(ComposerLine)

    def next_voice(self) -> None:
        """Speak in the next voice; what is written stays."""
        self.voice, self._chosen = after(self.voice), True
        self._said = ""
        self._show()

    def tell(self, words: str, *, answers: bool) -> None:
        """Say what the voice *message* does now; where a model answers, it is the first voice, till one is chosen."""
        if answers and not self._chosen and not self.line.value:
            self.voice = "message"
        if words != self._message_words or answers:
            self._message_words = words
            self._show()

    def acts_on(self, surface: Surface, missing: str = "") -> None:
        """Which tools are at hand: those of the thread's surface; and why none of them acts now.

        Why a line was not done is said no more once that is different: it may be done now.
        """
        if (surface, missing) != (self.surface, self._missing):
            self.surface, self._missing = surface, missing
            self._said, self._said_of = "", None
            self._show()

    def recall(self, step: int) -> None:
        """Go through what was written before; behind the newest is the present draft again."""
        place = self._place + step
        if not 0 <= place <= len(self._history):
            return
        if self._place == len(self._history):
            self._draft = self.line.value
        self._place = place
        self.line.value = self._draft if place == len(self._history) else self._history[place]
        self.line.cursor_position = len(self.line.value)

    def failed(self, line: str, message: str) -> None:
        """Say why what was written was not done, and put it back where nothing else is being written."""
        if not self.line.value:
            self.line.value = line
            self.line.cursor_position = len(line)
        self._said_of = self.line.value
        self._said = message
        self._show()

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        if self.line.value != self._said_of:
            self._said, self._said_of = "", None
        self._show()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        line = event.value
        if not line.strip():
            return
        if self.voice == "message":
            self._keep(line)
            self.post_message(self.Say(line, self.voice, line))
            return
        seen = preview(self.voice, line, self.surface, self._missing)
        if seen.said is not None:
            self._keep(line)
            self.post_message(self.Say(seen.said, self.voice, line))
            return
        if seen.command is None:
            self._said, self._said_of = seen.says, line
            self._show()
            return
        self._keep(line)
        self.post_message(self.Act(seen.command, self.voice, line))

    def _keep(self, line: str) -> None:
        if not self._history or self._history[-1] != line:
            self._history = [*self._history[-REMEMBERED + 1 :], line]
        self._place, self._draft = len(self._history), ""
        self.line.value = ""

    def _show(self) -> None:
        words = voices(self.surface, self._missing)[self.voice]
        self.query_one("#voice", Literal).show(f"{words.name} · ctrl+t")
        self.line.placeholder = words.example
        about = self.query_one("#about", Literal)
        seen = preview(self.voice, self.line.value, self.surface, self._missing)
        about.set_class(bool(self._said), "-fault")
        says = self._message_words if self.voice == "message" else seen.says
        text, most = (f"✗ {self._said}", FAULT_ROWS) if self._said else (says, ROWS)
        # As wide as the composer but for the padding; before that is known, not broken.
        width = self.size.width - 2
        about.show("\n".join(clipped(printable(text), width, most)) if width > 0 else text)
