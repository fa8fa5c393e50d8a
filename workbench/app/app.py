"""The app: it holds the Space open, tells the tabs what happens, and does acts for them."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, assert_never, cast

from rich.console import Console, RenderableType
from textual import work
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.command import CommandPalette, Provider
from textual.containers import Vertical
from textual.css.query import NoMatches
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.widget import Widget
from textual.widgets import ContentSwitcher
from textual.worker import Worker, WorkerCancelled, WorkerFailed, WorkerState

from workbench import crash
from workbench.app import clipboard
from workbench.app.actions import EVERYWHERE, Action, bindings
from workbench.app.acts import Acts
from workbench.app.demo_bar import DemoBar
from workbench.app.driver import TerminalDriver
from workbench.app.help import Help
from workbench.app.key_footer import KeyFooter
from workbench.app.palette import THEME_PREFIX, WorkbenchCommands
from workbench.app.seams import Change, Tab, Then
from workbench.app.space.tab import SpaceTab
from workbench.app.status import StatusLine
from workbench.app.theme_picker import ThemePicker
from workbench.app.tools.tab import ToolsTab
from workbench.app.transcript.tab import TranscriptTab
from workbench.app.widgets.literal import Literal, parts, toast
from workbench.app.widgets.question import Answer, Question
from workbench.app.widgets.strip import Place, TabStrip
from workbench.harness.errors import HarnessError
from workbench.harness.harness import Harness
from workbench.harness.identity import WORKSHOP
from workbench.harness.log.events import Event
from workbench.harness.text import fold
from workbench.harness.watch import Appended, Changed, Note, Progressed, Unreadable

if TYPE_CHECKING:
    from workbench.demo.player import Player

FIRST_THREAD = "main"
"""The conversation that a Space without any begins with."""

TICK_SECS = 0.1
"""Notes are gathered for this long before the tabs are told, so that a flood costs one painting."""

TWICE_SECS = 2.0
"""Two presses of ctrl+c within this time leave at once."""

CLOSE_SECS = 5.0
"""How long closing the Space may take; whoever leaves gets out in any case."""

SAID_FAULTS = 3
"""How many faults one toast says in words; the others are counted."""

PLACES = (Place("tools", "Tools", "1"), Place("space", "Space", "2"), Place("transcript", "Transcript", "3"))
"""The tabs, in order; each one's widget carries the id of its place."""


WIDTHS = [(0, "-narrow"), (100, "-wide"), (160, "-vast")]
"""From how many columns on which layout is used; the style sheets name them."""


class WorkbenchApp(App[None]):
    """The workbench on one Space."""

    CSS_PATH = "app.tcss"
    TITLE = "workbench"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {WorkbenchCommands}
    BINDINGS: ClassVar[list[BindingType]] = bindings(*EVERYWHERE)
    HORIZONTAL_BREAKPOINTS = WIDTHS

    def __init__(
        self,
        space: Path,
        *,
        thread: str | None = None,
        player_factory: Callable[[Harness], Player] | None = None,
        open_space: Callable[[Path], contextlib.AbstractAsyncContextManager[Harness]] = Harness.open,
    ) -> None:
        """`thread` is the conversation to look at first: the newest one when it is left out.

        `player_factory` makes a demo's player for the open Space.
        """
        super().__init__()
        self.space_path = space
        self.player: Player | None = None
        self.crash_report: Path | None = None
        self._open_space = open_space
        self._player_factory = player_factory
        self._thread = thread or FIRST_THREAD
        self._thread_is_given = thread is not None
        self._harness: Harness | None = None
        self._space_worker: Worker[None] | None = None
        self._acts = Acts(self, lambda error: self.say_error(error.message))
        self._pending: list[Note] = []
        self._tick_planned = False
        self._lost = False
        self._faults: set[str] = set()
        self._ending: int | None = None
        self._shown = False
        self._demo_ready = False
        self._focused: dict[str, Widget] = {}
        self._interrupted = float("-inf")
        self._refused = False
        self._themes = ThemePicker(self)

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

    def leave(self, code: int) -> None:
        """Leave without asking, with this exit code; from a signal, which may come before the app is there."""
        self._ending = code
        if self.is_running:
            self.exit(return_code=code)

    def on_mount(self) -> None:
        if self._ending is not None:
            self.exit(return_code=self._ending)
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
                self._harness = harness
                if self._player_factory is not None:
                    self.player = self._player_factory(harness)
                if not self._thread_is_given:
                    talks = [thread.id for thread in harness.threads() if thread.id != WORKSHOP]
                    self._thread = next(iter(talks), FIRST_THREAD)
                # Followed before anything is drawn, so that nothing can happen in between unseen.
                self._follow(harness)
                await asyncio.sleep(0)
                await self._show_tabs(harness)
                if self.player is not None:
                    self._prepare_demo(self.player)
                await asyncio.Event().wait()
        except HarnessError as error:
            if self._harness is not None:
                raise
            await self._refuse(error)

    async def _refuse(self, error: HarnessError) -> None:
        self._refused = True
        words = parts(
            (f"{self.space_path} was not opened.\n\n", "bold $text-error"),
            error.message,
            ("\n\nPress q to leave.", "$text-muted"),
        )
        self.query_one("#opening-words", Literal).show(words)

    async def _show_tabs(self, harness: Harness) -> None:
        tabs: tuple[Widget, ...] = (ToolsTab(), SpaceTab(), TranscriptTab())
        for place, tab in zip(PLACES, tabs, strict=True):
            tab.id = place.id
        strip = TabStrip(PLACES, id="places")
        switcher = ContentSwitcher(*tabs, id="tabs", initial=PLACES[0].id)
        bar = [DemoBar(self.player)] if self.player is not None else []
        await self.query_one("#opening").remove()
        await self.mount(strip, switcher, *bar, StatusLine(), KeyFooter(show_command_palette=False))
        strip.say(fold(at_home(harness.root)))
        self._look()
        self.action_show_tab("transcript" if bar else "tools")
        self._shown = True

    @work(group="space", name="follow the Space", exit_on_error=False)
    async def _follow(self, harness: Harness) -> None:
        # The tasks that read the log end with the Harness, which the other worker closes.
        while True:
            try:
                async for note in harness.subscribe():
                    self._pending.append(note)
                    self._plan_tick()
                return
            except HarnessError as error:
                if error.code != "limit":
                    raise
                # More happened than could be followed. From here on again; what was missed is looked up by the tabs.
                self._lost = True
                self._plan_tick()

    def _plan_tick(self) -> None:
        if not self._tick_planned:
            self._tick_planned = True
            self.set_timer(TICK_SECS, self._tell, name="tell the tabs")

    def _tell(self) -> None:
        if not self._shown:
            self.set_timer(TICK_SECS, self._tell, name="tell the tabs")
            return
        self._tick_planned = False
        notes, self._pending = self._pending, []
        lost, self._lost = self._lost, False
        change = gathered(notes, lost=lost)
        self._say_faults(change.faults)
        for tab in self._tabs():
            try:
                tab.space_changed(change)
            except HarnessError as error:
                self.say_error(error.message)
        if change.events or change.settings or change.memory or change.tools or change.faults:
            self._look()

    def _say_faults(self, faults: tuple[str, ...]) -> None:
        """Say each fault once; the status line goes on counting them."""
        new = [fault for fault in dict.fromkeys(faults) if fault not in self._faults]
        if not new:
            return
        self._faults.update(new)
        rest = f"\nand {len(new) - SAID_FAULTS} more." if len(new) > SAID_FAULTS else ""
        self.say_error("\n".join(new[:SAID_FAULTS]) + rest)

    def _look(self) -> None:
        if self._harness is not None:
            # None of them is there any more while the app closes, and what is told then concerns nobody.
            for line in self.query(StatusLine):
                line.look(self._harness, self._thread, len(self._faults))

    def _tabs(self) -> list[Tab]:
        return [cast("Tab", tab) for tab in self.query("#tabs > *")]

    # What tabs may use ------------------------------------------------------------------------------------------

    @property
    def opened(self) -> bool:
        """Whether the Space is open."""
        return self._harness is not None

    @property
    def harness(self) -> Harness:
        """The open Space."""
        assert self._harness is not None, "tabs are mounted only when the Space is open"
        return self._harness

    @property
    def demo_ready(self) -> bool:
        """Whether a demo's next step can be played."""
        return self._demo_ready

    @property
    def thread(self) -> str:
        """The conversation thread that everything is shown for."""
        return self._thread

    @property
    def shows_scene(self) -> bool:
        """Whether a demo's scene is shown."""
        return self.player is not None

    def set_thread(self, thread: str) -> None:
        """Look at another thread."""
        self._thread = thread
        for tab in self._tabs():
            changed = getattr(tab, "thread_changed", None)
            if changed is not None:
                changed()
        self._look()

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

    def cancel_act(self, ticket: str | None = None) -> bool:
        """Stop a running act. See `Workbench.cancel_act`."""
        return self._acts.cancel(ticket)

    def say(self, text: str) -> None:
        """Tell the person something in passing."""
        toast(self, text)

    def say_error(self, text: str) -> None:
        """Tell the person what went wrong."""
        toast(self, text, error=True)

    def copy(self, text: str, what: str) -> None:
        """Copy through the terminal, and say so."""
        sequence = clipboard.osc52(text, os.environ)
        size = len(text.encode("utf-8", "replace"))
        if sequence is None:
            self.say_error(
                f"{what} was not copied: {size:,} bytes, and a terminal takes at most {clipboard.MAX_BYTES:,}."
            )
            return
        if self.is_web or self._driver is None:
            self.copy_to_clipboard(text)
        else:
            self._driver.write(sequence)
        self.say(f"Copied {what} ({size:,} bytes), if your terminal allows it.")

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
        try:
            return self.query_one("#tabs", ContentSwitcher).current or "tools"
        except NoMatches:
            return "app"

    def on_tab_strip_picked(self, event: TabStrip.Picked) -> None:
        if any(place.id == event.place for place in PLACES):
            self.action_show_tab(event.place)

    def action_show_tab(self, place: str) -> None:
        """Show a tab, with what was focused in it."""
        if not self.opened or not self.query(f"#tabs > #{place}"):
            return
        switcher = self.query_one("#tabs", ContentSwitcher)
        here = switcher.current
        if here and self.focused is not None and here != place:
            self._focused[here] = self.focused
        switcher.current = place
        self.query_one("#places", TabStrip).mark(place)
        before = self._focused.get(place)
        if before is not None and before.is_attached and before.display:
            before.focus()
        elif here != place or self.focused is None:
            self.call_after_refresh(self._focus_first, place)

    def _focus_first(self, place: str) -> None:
        tab = self.query_one(f"#{place}")
        for widget in self.screen.focus_chain:
            if tab in widget.ancestors:
                widget.focus()
                return

    def action_next_tab(self, step: int) -> None:
        """Go some tabs on, round at the end."""
        ids = [place.id for place in PLACES]
        if self.place in ids:
            self.action_show_tab(ids[(ids.index(self.place) + step) % len(ids)])

    def action_help(self) -> None:
        """Show the keys of this tab."""
        if not isinstance(self.screen, Help):
            self.push_screen(Help(self.place))

    def action_cancel_latest(self) -> None:
        """Stop the newest act."""
        if not self.cancel_act():
            self.say("Nothing of yours is running.")

    async def action_quit(self) -> None:
        """Leave; ask first when that would lose or stop something."""
        if self._refused:
            self.exit(return_code=1)
            return
        lost = self._would_lose()
        if lost and not isinstance(self.screen, Question):
            answers = (Answer("q", "Quit", "quit"),)
            self.push_screen(Question("Quit?", lost, answers), lambda value: self.exit() if value == "quit" else None)
        else:
            self.exit()

    def action_interrupt(self) -> None:
        """Leave at the second press."""
        now = time.monotonic()
        if now - self._interrupted < TWICE_SECS:
            self.exit(return_code=1 if self._refused else 0)
        self._interrupted = now
        self.say("Press ctrl+c again to leave.")

    def _would_lose(self) -> str:
        reasons: list[str] = []
        unsaved = [name for tab in self._tabs() for name in getattr(tab, "unsaved", ())]
        if unsaved:
            reasons.append(f"Not saved: {', '.join(unsaved[:5])}{' …' if len(unsaved) > 5 else ''}.")
        if len(self._acts):
            reasons.append(f"Still running, and would be cancelled: {len(self._acts)}.")
        return "\n".join(reasons)

    def can_run(self, action: Action) -> bool:
        """Whether the palette should offer an action."""
        if action.where == "app":
            return self.check_action(action.run, ()) is True
        tab = next(iter(self.query(f"#tabs > #{action.where}")), None)
        return tab is not None and tab.check_action(action.run.partition("(")[0], ()) is True

    async def run_from_palette(self, action: Action) -> None:
        """Do what an action says, on its own tab."""
        if action.where == "app":
            await self.run_action(action.run, self)
            return
        self.action_show_tab(action.where)
        await self.run_action(action.run, self.query_one(f"#{action.where}"))

    # A demo -----------------------------------------------------------------------------------------------------

    @work(group="acts", name="put the scene in place", exit_on_error=False)
    async def _prepare_demo(self, player: Player) -> None:
        try:
            await player.prepare()
        except Exception as error:  # whatever it is, the bar must not go on saying that something is under way
            self.query_one(DemoBar).failed(error)
            raise
        self.query_one(DemoBar).ready()
        self._demo_ready = True
        self.refresh_bindings()

    def action_demo_step(self) -> None:
        """Play the next step of the scene."""
        if self.player is None or not self._demo_ready:
            return
        if self.player.done:
            self.say("The scene is over. Everything that it left is real: look around.")
            return
        self._demo_ready = False
        self.query_one(DemoBar).playing()
        self._play(self.player)

    @work(group="acts", name="play a step of the scene", exit_on_error=False)
    async def _play(self, player: Player) -> None:
        try:
            played = await player.step()
            self.query_one(DemoBar).played(played)
        except Exception as error:  # as above
            self.query_one(DemoBar).failed(error)
            raise
        finally:
            self._demo_ready = True

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the demo's key only in a demo."""
        return self.player is not None if action == "demo_step" else True

    # Themes -----------------------------------------------------------------------------------------------------

    def on_ready(self) -> None:
        self._themes.try_all()
        self._say_theme_faults()
        self._follow_themes()

    @work(group="themes", name="follow the themes' files", exit_on_error=False)
    async def _follow_themes(self) -> None:
        await self._themes.follow(self._say_theme_faults)

    def _say_theme_faults(self) -> None:
        if self._themes.faults:
            self.say_error("Themes that cannot be used:\n" + "\n".join(self._themes.faults[:5]))
            self._themes.faults.clear()

    def theme_names(self) -> list[str]:
        """The themes to choose from."""
        return self._themes.names

    def choose_theme(self, name: str) -> None:
        """Show everything in a theme, from now on."""
        self._themes.choose(name)

    def on_command_palette_option_highlighted(self, event: CommandPalette.OptionHighlighted) -> None:
        text = str(event.highlighted_event.option.prompt).partition("\n")[0]
        if text.startswith(THEME_PREFIX):
            self._themes.preview(text.removeprefix(THEME_PREFIX))
        else:
            self._themes.settle()

    def on_command_palette_closed(self, event: CommandPalette.Closed) -> None:
        if not event.option_selected:
            self._themes.settle()

    # Failures ---------------------------------------------------------------------------------------------------

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            error = event.worker.error
            if isinstance(error, HarnessError):
                self.say_error(error.message)
                return
            report = crash.write_report(error)
            where = f" The report is in {report}." if report else ""
            self.say_error(
                f"The workbench itself failed ({event.worker.name}): {type(error).__name__}: {error}.{where}"
            )

    def panic(self, *renderables: RenderableType) -> None:
        """End with exit code 1 and a crash report; nothing of it goes to the terminal."""
        words = Console(file=io.StringIO(), width=120, color_system=None)
        words.print(*renderables, markup=False)
        text = cast("io.StringIO", words.file).getvalue()
        self.crash_report = crash.write_report(self._exception or RuntimeError(text))
        self._return_code = 1
        self._close_messages_no_wait()

    def _fatal_error(self) -> None:
        # Textual's own report prints every local variable to the terminal; ours goes to a file, and main says where.
        error = self._exception
        if isinstance(error, WorkerFailed):
            error = error.error
        if error is not None:
            self.crash_report = crash.write_report(error)
        self._close_messages_no_wait()


def gathered(notes: list[Note], *, lost: bool = False) -> Change:
    """Notes as one change: events in order, of each call only its newest progress.

    When notes were `lost`, anything may be different.
    """
    events: list[Event] = []
    progress: dict[str, Progressed] = {}
    faults: list[str] = []
    what: set[str] = {"settings", "memory", "tools"} if lost else set()
    for note in notes:
        match note:
            case Appended(event):
                events.append(event)
            case Progressed():
                progress[note.call] = note
            case Changed():
                what.add(note.what)
            case Unreadable():
                faults.append(f"{note.where}: {note.why}")
            case _:
                assert_never(note)
    return Change(
        tuple(events),
        tuple(progress.values()),
        "settings" in what,
        "memory" in what,
        "tools" in what,
        tuple(faults),
        lost,
    )


def at_home(path: Path) -> str:
    """A folder as people name it: `~` for their own."""
    with contextlib.suppress(ValueError, RuntimeError):
        return str(Path("~") / path.relative_to(Path.home()))
    return str(path)
