"""What the tabs and the app know of each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from msgspec import Struct
from textual.widget import Widget

from workbench.harness.door.doing import Done
from workbench.harness.errors import HarnessError
from workbench.harness.harness import Harness
from workbench.harness.log.events import Event
from workbench.harness.views import View
from workbench.harness.watch import Progressed

if TYPE_CHECKING:
    from workbench.app.turns import Turns


class Change(Struct, frozen=True):
    """What happened in the Space since the last tick, whoever did it.

    `events` are the appended events in order, `progress` the newest note of each running call of this process;
    `settings`, `memory` and `tools` say that something of that part may be different now. `faults` says, in words, what
    could not be read or watched. `lost` says that more happened than could be followed: the log may be longer by events
    that are not in `events`.
    """

    events: tuple[Event, ...] = ()
    progress: tuple[Progressed, ...] = ()
    settings: bool = False
    memory: bool = False
    tools: bool = False
    faults: tuple[str, ...] = ()
    lost: bool = False


class Tab(Protocol):
    """A tab of the app. It reads the Space through `self.app.harness` and is told when something changed."""

    def space_changed(self, change: Change) -> None:
        """Show what is so now. Called on the UI thread, also while the tab is hidden; must return quickly."""
        ...


Then = Callable[[Done | None, HarnessError | None], None]
"""What to do when an act has ended, on the UI thread: exactly one of the two is given."""


class Workbench(Protocol):
    """What a tab may use of the app."""

    @property
    def harness(self) -> Harness:
        """The open Space. Tabs are mounted only once it is open."""
        ...

    @property
    def view(self) -> View:
        """What is so now, looked up once for everything that shows it.

        Raises:
            HarnessError: the Space cannot be read now.
        """
        ...

    @property
    def thread(self) -> str:
        """The conversation thread that everything is shown for."""
        ...

    @property
    def place(self) -> str:
        """Which tab is shown."""
        ...

    @property
    def turns(self) -> Turns:
        """The turns of the agent that this app runs, and who answers in them."""
        ...

    @property
    def shows_scene(self) -> bool:
        """Whether a demo's scene is shown."""
        ...

    @property
    def scene_goes_on(self) -> bool:
        """Whether a step of a demo's scene is still to come, which f8 plays."""
        ...

    def set_thread(self, thread: str) -> None:
        """Look at another conversation thread; every tab is told by `thread_changed`, where it has that method."""
        ...

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
        """Do an act through the door, in a worker; answers a ticket for `cancel_act`.

        `then` is called once when it ended, failed or was cancelled (`cancelled`). Without `then` a failure is shown
        as a toast, so that none is lost.
        """
        ...

    def hand(self, tool: str, input: Any, cwd: Path, *, then: Then | None = None) -> str:
        """Use, as the owner, a tool of the toolbox in a folder of this machine; for the rest as `act`."""
        ...

    def cancel_act(self, ticket: str | None = None) -> bool:
        """Stop a running act of this app, the latest one without a ticket; whether there was one."""
        ...

    @property
    def act_messages(self) -> Mapping[str, bool]:
        """The messages of its running acts, and of each whether `cancel_act` stops it without a ticket."""
        ...

    def say(self, text: str) -> None:
        """Tell the person something in passing. Literal text."""
        ...

    def say_error(self, text: str) -> None:
        """Tell the person what went wrong. Literal text; stays longer."""
        ...

    def show_tool(self, name: str) -> None:
        """Go to the Tools tab with this tool selected."""
        ...

    def copy(self, text: str, what: str) -> None:
        """Copy through the terminal and say that `what` was copied, or why not."""
        ...

    def keys_wait(self) -> None:
        """Have the keys wait until `keys_go_on`: what the last one asked for is not there yet."""
        ...

    def keys_go_on(self) -> None:
        """Have the keys go on, for what has the focus now."""
        ...


def workbench(widget: Widget) -> Workbench:
    """The app that a widget is part of, as what tabs may use of it."""
    return cast("Workbench", widget.app)
