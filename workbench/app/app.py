"""The app: it holds the Space open, shows the tabs, and does acts for them."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, work
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.command import CommandPalette, Provider
from textual.containers import Vertical
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.geometry import Size
from textual.worker import Worker, WorkerCancelled, WorkerFailed

from workbench.app import clipboard
from workbench.app.actions import EVERYWHERE, bindings
from workbench.app.acts import Acts
from workbench.app.arriving import Arriving
from workbench.app.driver import TerminalDriver
from workbench.app.given_model import GivenModel
from workbench.app.job import has_a_shell
from workbench.app.keys_in_turn import KeysInTurn
from workbench.app.leaving import Leaving, selected
from workbench.app.places import PLACES, Places
from workbench.app.room import KeepsRoom, cramped
from workbench.app.seams import Then
from workbench.app.status.line import StatusLine
from workbench.app.telling import Telling
from workbench.app.themed import ThemedApp
from workbench.app.tools.directory import at_home
from workbench.app.tools.tab import ToolsTab
from workbench.app.turns import Turns
from workbench.app.view import Present
from workbench.app.widgets.literal import Literal, parts
from workbench.app.widgets.strip import TabStrip
from workbench.harness.errors import HarnessError
from workbench.harness.harness import Harness
from workbench.harness.identity import WORKSHOP
from workbench.harness.text import fold
from workbench.harness.views import View

if TYPE_CHECKING:
    from workbench.app.scene import SceneShow
    from workbench.demo.player import Player

FIRST_THREAD = "main"
"""The conversation that a Space without any begins with."""

CLOSE_SECS = 5.0
"""How long closing the Space may take; whoever leaves gets out in any case."""

WIDTHS = [(0, "-narrow"), (100, "-wide"), (160, "-vast")]
"""From how many columns on which layout is used; the style sheets name them."""


class WorkbenchApp(KeysInTurn, KeepsRoom, ThemedApp):
    """The workbench on one Space."""

    CSS_PATH = "app.tcss"
    TITLE = "workbench"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {lambda: _commands()}
    BINDINGS: ClassVar[list[BindingType]] = bindings(*EVERYWHERE)
    HORIZONTAL_BREAKPOINTS = WIDTHS

    def __init__(
        self,
        space: Path,
        *,
        thread: str | None = None,
        model: str | None = None,
        player_factory: Callable[[Harness], Player] | None = None,
        open_space: Callable[[Path], contextlib.AbstractAsyncContextManager[Harness]] = Harness.open,
    ) -> None:
        """`thread` is the conversation to look at first: the newest one when it is left out.

        `model` is what answers in this session, in place of the settings' one.
        `player_factory` makes a demo's player for the open Space.
        """
        super().__init__()
        self.space_path = space
        self.telling = Telling(self)
        self.arriving = Arriving(self)
        self.leaving = Leaving(self)
        self.scene: SceneShow | None = None
        self._open_space = open_space
        self._player_factory = player_factory
        self._thread = thread or FIRST_THREAD
        self._thread_is_given = thread is not None
        self._harness: Harness | None = None
        self._space_worker: Worker[None] | None = None
        self._present: Present | None = None
        self._acts = Acts(self, lambda error: self.say_error(error.message), self.passed)
        self.turns = Turns(self, model)
        """The turns of the agent that this app runs, and who answers in them."""
        self.given_model = GivenModel(self)
        self._places = Places(self)

    def get_driver_class(self) -> type[Driver]:
        """Textual's choice, but for a terminal our own."""
        usual = super().get_driver_class()
        return TerminalDriver if usual is LinuxDriver else usual

    # Opening and closing ----------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """A word while the Space opens; the tabs come when it is open."""
        with Vertical(id="opening"):
            yield Literal(
                parts(("Opening ", "$text-muted"), (str(self.space_path), "bold"), (" …", "$text-muted")),
                id="opening-words",
            )

    def on_mount(self) -> None:
        if self.leaving.ending is not None:
            self.exit(return_code=self.leaving.ending)
            return
        self._space_worker = self._hold_space()

    async def on_unmount(self) -> None:
        if self._space_worker is not None:
            with contextlib.suppress(WorkerFailed, WorkerCancelled, TimeoutError):
                async with asyncio.timeout(CLOSE_SECS):
                    await self._space_worker.wait()

    @work(group="space", name="hold the Space open")
    async def _hold_space(self) -> None:
        # One task opens and closes: what is opened in a task must be closed in it.
        try:
            async with contextlib.AsyncExitStack() as stack:
                harness = await stack.enter_async_context(self._open_space(self.space_path))
                stack.push_async_callback(self._acts.stop)
                stack.push_async_callback(self.turns.stop)
                # Somebody who can be asked is here, until the app is left.
                stack.enter_context(harness.attended())
                self._harness, self._present = harness, Present(harness)
                if self._player_factory is not None:
                    from workbench.app.scene import SceneShow

                    self.scene = SceneShow(self, self._player_factory(harness))
                if not self._thread_is_given:
                    talks = [thread.id for thread in harness.threads() if thread.id != WORKSHOP]
                    self._thread = next(iter(talks), FIRST_THREAD)
                # Followed before anything is drawn, so that nothing can happen in between unseen.
                self._follow(harness)
                await asyncio.sleep(0)
                await self.arriving.show_first(harness)
                if self.scene is not None:
                    self.scene.begin()
                await asyncio.Event().wait()
        except HarnessError as error:
            if self._harness is not None:
                raise
            self._refuse(error)

    @work(group="space", name="follow the Space", exit_on_error=False)
    async def _follow(self, harness: Harness) -> None:
        # The tasks that read the log end with the Harness, which the other worker closes.
        await self.telling.follow(harness)

    def _refuse(self, error: HarnessError) -> None:
        self.leaving.refused = True
        self.call_next(self.take_keys)
        gc.enable()
        words = parts(
            (f"{self.space_path} was not opened.\n\n", "bold $text-error"),
            error.message,
            ("\n\nPress q to leave.", "$text-muted"),
        )
        self.query_one("#opening-words", Literal).show(words)

    def on_resize(self, event: events.Resize) -> None:
        self.say_where(event.size)

    def say_where(self, size: Size) -> None:
        """Say, beside the tabs, which Space this is; or that the window is too small for all of it."""
        for strip in self.query("#places").results(TabStrip):
            strip.say(cramped(size) or fold(at_home(self.harness.root)))

    # What tabs may use ------------------------------------------------------------------------------------------

    @property
    def opened(self) -> bool:
        """Whether the Space is open."""
        return self._harness is not None

    @property
    def complete(self) -> bool:
        """Whether everything is there: a moment after the first tab was painted."""
        return self.arriving.complete

    @property
    def harness(self) -> Harness:
        """The open Space."""
        assert self._harness is not None, "tabs are mounted only when the Space is open"
        return self._harness

    @property
    def view(self) -> View:
        """What is so now. See `Workbench.view`."""
        assert self._present is not None, "tabs are mounted only when the Space is open"
        return self._present.of(self._thread)

    def passed(self) -> None:
        """Something happened: what was so may be so no more."""
        if self._present is not None:
            self._present.passed()

    @property
    def thread(self) -> str:
        """The conversation thread that everything is shown for."""
        return self._thread

    @property
    def shows_scene(self) -> bool:
        """Whether a demo's scene is shown."""
        return self.scene is not None

    @property
    def scene_goes_on(self) -> bool:
        """Whether a step of the scene is still to come."""
        return self.scene is not None and not self.scene.player.done

    @property
    def demo_ready(self) -> bool:
        """Whether a demo's next step can be played."""
        return self.scene is not None and self.scene.ready

    def set_thread(self, thread: str) -> None:
        """Look at another thread."""
        self._thread = thread
        for tab in self.telling.tabs():
            changed = getattr(tab, "thread_changed", None)
            if changed is not None:
                changed()
        self.telling.look()

    def act(
        self,
        name: str,
        input: Any,
        *,
        actor: str = "user",
        thread: str | None = None,
        message: str | None = None,
        then: Then | None = None,
    ) -> str:
        """Do an act in a worker of its own. See `Workbench.act`."""
        return self._acts.start(self.harness, name, input, actor, thread, message, then)

    def hand(self, tool: str, input: Any, cwd: Path, *, then: Then | None = None) -> str:
        """Use a tool of the toolbox in a worker of its own. See `Workbench.hand`."""
        return self._acts.hand(self.harness, tool, input, cwd, then)

    def cancel_act(self, ticket: str | None = None) -> bool:
        """Stop a running act. See `Workbench.cancel_act`."""
        return self._acts.cancel(ticket)

    @property
    def act_messages(self) -> Mapping[str, bool]:
        """In which messages this app acts. See `Workbench.act_messages`."""
        return self._acts.messages

    @property
    def acts_running(self) -> int:
        """How many acts of this app have not ended."""
        return len(self._acts)

    def copy(self, text: str, what: str) -> None:
        """Copy through the terminal, and say so."""
        size = len(text.encode("utf-8", "replace"))
        if clipboard.osc52(text, os.environ) is None:
            self.say_error(
                f"{what} was not copied: {size:,} bytes, and a terminal takes at most {clipboard.MAX_BYTES:,}."
            )
            return
        self.copy_to_clipboard(text)
        self.say(f"Copied {what} ({size:,} bytes), if your terminal allows it.")

    def copy_to_clipboard(self, text: str) -> None:
        """Hand text to the terminal: also what is selected and copied in a field or with the mouse."""
        self._clipboard = text
        sequence = clipboard.osc52(text, os.environ)
        if self.is_web:
            super().copy_to_clipboard(text)
        elif sequence is not None and self._driver is not None:
            self._driver.write(sequence)

    def show_tool(self, name: str) -> None:
        """Go to a tool."""
        self.action_show_tab("tools")
        self.query_one("#tools", ToolsTab).show(name)

    def show_thread(self, thread: str) -> None:
        """Go to a thread."""
        self.set_thread(thread)
        self.action_show_tab("transcript")

    # Actions ----------------------------------------------------------------------------------------------------

    @property
    def place(self) -> str:
        """Which tab is shown."""
        return self._places.present

    def on_tab_strip_picked(self, event: TabStrip.Picked) -> None:
        if any(place.id == event.place for place in PLACES):
            self.action_show_tab(event.place)

    def on_status_line_asks(self, event: StatusLine.Asks) -> None:
        self._places.ask(event.count)

    def action_show_tab(self, place: str) -> None:
        """Show a tab, with what was focused in it."""
        self._places.show(place)

    def action_next_tab(self, step: int) -> None:
        """Go some tabs on, round at the end."""
        self._places.step(step)

    def action_help(self) -> None:
        """Say what every key does for what has the focus."""
        from workbench.app.help import Help

        if not isinstance(self.screen, Help | CommandPalette):
            self.push_screen(Help(self.place, self.screen))

    # A dialog keeps the app's bindings from working in it; these two are looked for behind them.
    key_f1 = action_help
    key_question_mark = action_help

    def action_cancel_latest(self) -> None:
        """Stop the newest act."""
        if not self.cancel_act():
            turn = "A turn of the agent runs: esc in its transcript aborts it."
            self.say(turn if len(self.turns) else "Nothing of yours is running.")

    async def action_quit(self) -> None:
        """Leave; ask first when that would lose or stop something."""
        self.leaving.quit()

    def action_interrupt(self) -> None:
        """Leave at the second press; where something is selected, leave the key to what copies it."""
        if selected(self.screen):
            raise SkipAction
        self.leaving.interrupt()

    def action_suspend(self) -> None:
        """Leave the terminal to the shell until it brings the app back."""
        if self.is_headless or self.is_web or not has_a_shell():
            self.say("There is no shell here that could bring the workbench back.")
        else:
            self.action_suspend_process()

    def action_demo_step(self) -> None:
        """Play the next step of the scene."""
        if self.scene is not None:
            self.scene.step()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the demo's key as long as it plays something."""
        return self.scene_goes_on if action == "demo_step" else True


def _commands() -> type[Provider]:
    from workbench.app.palette import WorkbenchCommands

    return WorkbenchCommands
