"""Keys that are typed ahead wait until the one before has done everything, so that none goes to the wrong place.

Textual hands a key to the widget that has the focus when the key arrives. Whoever types `3` and then `i` quickly, or
pastes, or has a slow terminal between, would have the second key handed to the tab that the first one leaves.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget

from workbench.harness.text import printable

CHECK_SECS = 0.05
"""While keys wait it is looked this often whether the widget that is waited for is still there."""

PATIENCE_CHECKS = 20
"""After this many looks the next key goes on in any case: whatever handles the one before takes its time."""


WAIT_SECS = 2.0
"""How long keys wait at most for what somebody asked them to wait for."""

LEAVING = ("ctrl+c", "ctrl+q")
"""Keys that never wait for what is to be there first."""


class KeysInTurn(App[None]):
    """Handles one key, or pasted text, after the other."""

    def __init__(self) -> None:
        super().__init__()
        self._typed: deque[events.Event] = deque()
        self._turn = 0
        # Who handles the key that is under way.
        self._asked: MessagePump | None = None
        self._before: tuple[Screen[object] | None, Widget | None] = (None, None)
        self._checks: Timer | None = None
        self._patience = 0
        self._held = True
        self._wait: Timer | None = None

    async def on_event(self, event: events.Event) -> None:
        """Let what is typed wait for its turn; everything else is handled as ever."""
        if not isinstance(event, events.Key | events.Paste):
            await super().on_event(event)
        elif not self.screen_stack:
            return  # the app is closing, and nothing is there that the key could be for
        elif event.is_forwarded:
            await super().on_event(event)
        elif self._waits and not (isinstance(event, events.Key) and event.key in LEAVING):
            self._typed.append(event)
        elif self._asked is None:
            await self._begin(event)
        else:
            self._typed.append(event)
            if self._checks is None:
                self._patience = PATIENCE_CHECKS
                self._checks = self.set_interval(CHECK_SECS, self._check, name="keys that wait")

    async def take_keys(self) -> None:
        """From now on keys are handled; until then they waited, because what they are for was not there yet."""
        self._held = False
        await self._go_on()

    def keys_wait(self) -> None:
        """What the last key asked for is not there yet: the next ones wait for `keys_go_on`, though not for long."""
        if self._wait is None:
            self._wait = self.set_timer(WAIT_SECS, self._waited, name="keys that wait for something")

    def keys_go_on(self) -> None:
        """It is there, and has the focus or was given it; it may still have to be drawn."""
        if self._wait is not None:
            self.call_later(self._drawn)

    async def _drawn(self) -> None:
        if not (self.screen_stack and self.screen.call_after_refresh(self._waited)):
            await self._waited()

    async def _waited(self) -> None:
        if self._wait is not None:
            self._wait.stop()
            self._wait = None
            await self._go_on()

    @property
    def _waits(self) -> bool:
        return self._held or self._wait is not None

    async def _go_on(self) -> None:
        if self._typed and not self._waits and self._asked is None and self.screen_stack:
            await self._begin(self._typed.popleft())

    async def _begin(self, event: events.Event) -> None:
        self._turn += 1
        self._before = self._has_keys()
        self._asked = target = self.focused or self.screen
        if isinstance(event, events.Paste) and not type(target).__module__.startswith("workbench."):
            # Ours know what they show; a line of Textual's, the palette's, would send it to the terminal as it is.
            event.text = printable(event.text)
        await super().on_event(event)
        self._ask(self._turn, target)

    def _ask(self, turn: int, node: DOMNode | None, then: Callable[[int], None] | None = None) -> None:
        """Wait until a node has handled all that it has now, then its parent, up to the app: so a key bubbles."""
        if turn != self._turn:
            return
        self._asked = node or self
        if isinstance(node, Widget):
            if not node.call_later(self._ask, turn, node.parent, then):
                self._ask(turn, None, then)
        elif not self.call_later(then or self._answered, turn):
            self._asked = None

    def _answered(self, turn: int) -> None:
        # The key's binding was run right before this. What it posted, such as that something was chosen, bubbles now;
        # and moving the focus is something that the app then does later.
        if turn == self._turn:
            self._ask(turn, self._before[1], self._settle)

    def _settle(self, turn: int) -> None:
        """The key is handled. What it gave the keys to may still have to be drawn, and to hand them on."""
        if turn != self._turn:
            return
        if self.screen_stack and self._has_keys() != self._before:
            self._asked = self.screen
            if self.screen.call_after_refresh(self._end, turn):
                return
        self.call_next(self._end, turn)

    async def _end(self, turn: int) -> None:
        if turn != self._turn:
            return
        self._asked = None
        self._patience = PATIENCE_CHECKS
        if self._typed and self.screen_stack and not self._waits:
            await self._begin(self._typed.popleft())
        elif self._checks is not None:
            self._checks.stop()
            self._checks = None

    async def _check(self) -> None:
        self._patience -= 1
        if self._patience <= 0 or self._asked is None or not self._asked.is_running:
            await self._end(self._turn)

    def _has_keys(self) -> tuple[Screen[object] | None, Widget | None]:
        return (self.screen, self.focused) if self.screen_stack else (None, None)
