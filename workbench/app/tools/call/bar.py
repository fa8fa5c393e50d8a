"""The bar below the input: run, stop, the seconds a call may take, and which face the input has."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Button, Input

from workbench.app.tools.call.limit import asked_seconds
from workbench.app.widgets.field import Field
from workbench.app.widgets.literal import Literal, OneLine, literal, parts
from workbench.harness.errors import HarnessError
from workbench.harness.space.settings import MAX_TIMEOUT_SECS


class RunBar(Horizontal):
    """One line that is always there. `limit` is the owner's setting until somebody types another number."""

    DEFAULT_CSS = """
    RunBar { height: 1; background: $panel; }
    RunBar Button { min-width: 6; margin: 0 1 0 0; }
    RunBar .word { width: auto; height: 1; color: $text-muted; }
    RunBar #limit { width: 6; }
    RunBar.-no-limit #limit, RunBar.-no-limit .word { display: none; }
    RunBar #cancel { display: none; }
    RunBar.-running #cancel { display: block; }
    RunBar.-running #run { display: none; }
    """

    class Run(Message):
        """Somebody wants it to run."""

    class Typed(Message):
        """There are other seconds."""

    class Stop(Message):
        """Somebody wants it to stop."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._setting = 0

    def compose(self) -> ComposeResult:
        """Buttons, the limit, the face."""
        yield Button(literal("▶ Run ctrl+r"), id="run", compact=True, variant="primary")
        yield Button(literal("■ Cancel esc"), id="cancel", compact=True, variant="error")
        yield Literal("limit", classes="word")
        yield Field(id="limit", max_length=3)
        yield Literal("s", classes="word", id="rule")
        yield OneLine(id="faces")

    @property
    def _limit(self) -> Field:
        return self.query_one("#limit", Field)

    @property
    def has_limit(self) -> bool:
        """Whether the tool runs against a clock."""
        return not self.has_class("-no-limit")

    @property
    def asked(self) -> str:
        """The seconds that somebody typed, empty while the setting stands there."""
        return "" if self._limit.value == str(self._setting) else self._limit.value

    @property
    def fault(self) -> str:
        """What is wrong with the seconds, in a few words; empty where nothing is."""
        try:
            if self.has_limit:
                asked_seconds(self._limit.value, self._setting)
        except HarnessError:
            return f"1 to {MAX_TIMEOUT_SECS}"
        return ""

    def about(self, asked: str, setting: int, has_limit: bool) -> None:
        """Be about a tool: the seconds that were typed for it, the owner's setting, whether it has a limit."""
        self._setting = setting
        self._limit.value = asked or str(setting)
        self.set_class(not has_limit, "-no-limit")

    def setting_is(self, setting: int) -> None:
        """The owner's setting is another one; what somebody typed stays."""
        asked, self._setting = self.asked, setting
        self._limit.value = asked or str(setting)

    def seconds(self) -> int | None:
        """The seconds to ask for, None where the setting holds or there is no limit.

        Raises:
            HarnessError: `bad_input` with the rule; the field has the keys then.
        """
        if not self.has_limit:
            return None
        try:
            return asked_seconds(self._limit.value, self._setting)
        except HarnessError:
            self.focus_limit()
            raise

    def focus_limit(self) -> None:
        """Go to the seconds."""
        if self.has_limit:
            self._limit.focus()

    def show_running(self, running: bool) -> None:
        """Offer to stop, or to run."""
        self.set_class(running, "-running")

    def say_stop(self, by_key: bool) -> None:
        """Name the key of the button that stops, as long as it does just that."""
        label = literal("■ Cancel esc" if by_key else "■ Cancel")
        button = self.query_one("#cancel", Button)
        if button.label != label:
            button.label = label

    def say(self, faces: str) -> None:
        """Say which face the input has."""
        self.query_one("#faces", OneLine).show(literal(faces))

    @on(Button.Pressed, "#run")
    @on(Input.Submitted, "#limit")
    def _run(self, event: Button.Pressed | Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Run())

    @on(Button.Pressed, "#cancel")
    def _stop(self, event: Button.Pressed) -> None:
        event.stop()
        self.post_message(self.Stop())

    @on(Input.Changed, "#limit")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        fault = self.fault
        self.query_one("#rule", Literal).show(parts("s ", (f"✗ {fault} ", "bold $text-error")) if fault else "s")
        self.post_message(self.Typed())
