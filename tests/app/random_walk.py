"""A random walk through the app on a hostile Space: `python -m tests.app.random_walk --steps 10000 --seed 7`.

Keys, clicks, resizes, themes, and a second program on the same Space. It must not crash, not hang, and lose no event.
The same seed takes the same steps; where a walk fails it says its seed, the step and the steps before.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import faulthandler
import os
import random
import sys
import tempfile
import threading
import time
import traceback
import xml.etree.ElementTree as ET
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

from textual.events import Key, MouseScrollDown, MouseScrollUp, Paste
from textual.message import Message
from textual.pilot import OutOfBounds, Pilot
from textual.worker import Worker, WorkerState

from tests.app import hostile_space
from tests.app.desk import WORD_COUNT
from tests.canaries import CANARIES
from workbench import Harness
from workbench.app.app import WorkbenchApp
from workbench.app.registry import ACTIONS
from workbench.app.transcript.log_view import LogView
from workbench.harness.errors import HarnessError

HANG_SECS = 60.0
"""A step that takes longer hangs. Nothing that the app does on the screen's own thread takes a hundredth of it."""

REMEMBERED = 40
"""How many steps are told when a walk fails."""

STACK = 12
"""How many frames of a failure are told."""

REAL_CALLS = 8
"""How many calls in the sandbox a walk asks for; each is a process."""

SIZES = ((80, 24), (120, 40), (200, 60), (60, 20), (40, 12), (20, 6), (100, 30), (160, 50), (1, 1), (300, 5))
"""Screens that it is shown on, one after the other."""

LEAVING = {"q", "ctrl+q", "ctrl+c"}
"""Keys that end the app. They are pressed too, but not as often as the others."""

MOVING = ("up", "down", "left", "right", "tab", "shift+tab", "enter", "space", "escape", "backspace", "home", "end")
"""Keys that are no actions of ours, and are pressed most."""


class WalkFailed(AssertionError):
    """Something that must not happen did; says how to see it again."""


class Watchdog:
    """Ends a step that hangs, with the stack of every thread on standard error."""

    def __init__(self, seconds: float, main: int) -> None:
        self._seconds = seconds
        self._main = main
        self._since: float | None = None
        self._ended = threading.Event()
        self.barked = False
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Watch until the block ends."""
        self._thread.start()
        try:
            yield
        finally:
            self._ended.set()
            self._thread.join()

    def step(self) -> None:
        """A step begins; the one before has ended."""
        self._since = time.monotonic()

    def _watch(self) -> None:
        import _thread

        while not self._ended.wait(1.0):
            since = self._since
            if since is not None and time.monotonic() - since > self._seconds:
                self.barked = True
                # Not sys.stderr, which is the app's while it runs.
                faulthandler.dump_traceback(sys.__stderr__ or 2, all_threads=True)
                _thread.interrupt_main()
                return


class Walk:
    """One walk. `folder` is an empty one, for the Space and for the user's own themes."""

    def __init__(
        self,
        folder: Path,
        seed: int,
        steps: int,
        *,
        sandbox: bool = True,
        progress: Callable[[int], None] = lambda step: None,
    ) -> None:
        self.folder = folder
        self.space = folder / "space"
        self.seed = seed
        self.steps = steps
        self.sandbox = sandbox
        self._progress = progress
        self.done: Counter[str] = Counter()
        """How many steps of each kind were taken."""
        self.sessions = 0
        """How often the app was started."""
        self._random = random.Random(seed)
        self._step = 0
        self._last: deque[str] = deque(maxlen=REMEMBERED)
        self._errors: list[str] = []
        self._said: list[tuple[str, int, str | None]] = []
        self._calls = 0
        keys = sorted({key for action in ACTIONS for key in action.keys.split(",") if key})
        self._keys = [key for key in keys if key not in LEAVING]
        self._ways: list[tuple[int, Callable[[Pilot[None]], Any]]] = [
            (40, self._press),
            (8, self._burst),
            (8, self._type),
            (24, self._click),
            (3, self._drag),
            (4, self._scroll),
            (2, self._paste),
            (3, self._resize),
            (2, self._theme),
            (1, self._palette),
            (8, self._elsewhere),
            (1, self._leave),
        ]

    async def run(self) -> None:
        """Take every step, and look whether all is well.

        Raises:
            WalkFailed: it is not.
        """
        watchdog = Watchdog(HANG_SECS, threading.get_ident())
        try:
            with watchdog.watching():
                await self._walk(watchdog)
        except (Exception, KeyboardInterrupt, asyncio.CancelledError) as error:
            if isinstance(error, KeyboardInterrupt | asyncio.CancelledError) and not watchdog.barked:
                raise
            what = f"a step hangs for over {HANG_SECS} s" if watchdog.barked else f"{type(error).__name__}: {error}"
            lasts = "\n  ".join(self._last)
            stack = "" if watchdog.barked else "".join(traceback.format_tb(error.__traceback__)[-STACK:])
            raise WalkFailed(
                f"seed {self.seed}, step {self._step}: {what}\nThe steps before, newest last:\n  {lasts}\n{stack}"
                f"Again: python -m tests.app.random_walk --seed {self.seed} --steps {self._step}"
            ) from error

    async def _walk(self, watchdog: Watchdog) -> None:
        watchdog.step()
        async with Harness.open(self.space) as harness:
            await hostile_space.fill(harness)
        hostile_space.scatter(self.space)
        while self._step < self.steps:
            async with Harness.open(self.space) as other, self._app() as (app, pilot):
                self._other = other
                while self._step < self.steps and not app._exit:
                    self._step += 1
                    watchdog.step()
                    await self._take(app, pilot)
                    self._progress(self._step)
                watchdog.step()
                if not app._exit:
                    await self._settle(app, pilot)
            self._after(app)
        watchdog.step()
        await self._audit()

    @contextlib.asynccontextmanager
    async def _app(self) -> AsyncIterator[tuple[WorkbenchApp, Pilot[None]]]:
        self.sessions += 1
        app = WorkbenchApp(self.space)
        size = self._random.choice(SIZES[:3])
        async with app.run_test(size=size, notifications=True, tooltips=True, message_hook=self._hear) as pilot:
            while not (app.opened and app.focused) and not app._exit:
                await pilot.pause(0.01)
            self._record(app.harness)
            yield app, pilot

    def _record(self, harness: Harness) -> None:
        """Write down every act that the app is told was done, or failed with an event."""
        perform = harness.perform

        async def recorded(*args: Any, **options: Any) -> Any:
            try:
                done = await perform(*args, **options)
            except HarnessError as error:
                if error.thread is not None and error.seq is not None:
                    self._said.append((error.thread, error.seq, error.code))
                raise
            self._said.append((done.thread, done.seq, None))
            return done

        async def refused(tool: str, input: Any, cwd: Path) -> Any:
            raise HarnessError("refused", "What a walk types is run nowhere but in the sandbox.")

        harness.perform = recorded  # type: ignore[method-assign]
        harness.hand = refused  # type: ignore[method-assign]

    def _hear(self, message: Message) -> None:
        if isinstance(message, Worker.StateChanged) and message.state is WorkerState.ERROR:
            error = message.worker.error
            if not isinstance(error, HarnessError):
                self._errors.append(f"worker {message.worker.name}: {type(error).__name__}: {error}")

    # Steps ------------------------------------------------------------------------------------------------------

    async def _take(self, app: WorkbenchApp, pilot: Pilot[None]) -> None:
        (way,) = self._random.choices([way for _, way in self._ways], [weight for weight, _ in self._ways])
        self.done[way.__name__.strip("_")] += 1
        with contextlib.suppress(HarnessError):  # what is refused elsewhere is refused in words, and in order
            await way(pilot)
        await pilot.pause()
        if app._exit:
            return
        self._look(app)

    def _look(self, app: WorkbenchApp) -> None:
        if app._exception is not None:
            raise app._exception
        if app.crash_report is not None:
            raise AssertionError(f"it crashed: {app.crash_report.read_text()}")
        if self._errors:
            raise AssertionError("; ".join(self._errors))
        ET.fromstring(app.export_screenshot())

    def _note(self, what: str) -> None:
        self._last.append(f"{self._step}: {what}")

    def _key(self) -> str:
        return self._random.choice(MOVING if self._random.random() < 0.45 else self._keys)

    async def _press(self, pilot: Pilot[None]) -> None:
        key = self._key()
        self._note(f"press {key}")
        await pilot.press(key)

    async def _burst(self, pilot: Pilot[None]) -> None:
        keys = [self._key() for _ in range(self._random.randint(2, 6))]
        self._note(f"press at once {' '.join(keys)}")
        for key in keys:
            pilot.app.post_message(Key(key, key if len(key) == 1 else None))

    async def _type(self, pilot: Pilot[None]) -> None:
        text = "".join(self._random.choices("abcxyz 0123{}[]\"'/:,.-_~ü你", k=self._random.randint(1, 8)))
        self._note(f"type {text!r}")
        for char in text:
            pilot.app.post_message(Key(char, char))

    async def _paste(self, pilot: Pilot[None]) -> None:
        text = self._random.choice(CANARIES)
        self._note(f"paste {text[:60]!r}")
        pilot.app.post_message(Paste(text))

    def _place(self, pilot: Pilot[None]) -> tuple[int, int]:
        width, height = pilot.app.size
        return self._random.randrange(max(width, 1)), self._random.randrange(max(height, 1))

    async def _click(self, pilot: Pilot[None]) -> None:
        offset, times = self._place(pilot), self._random.choice((1, 1, 1, 2))
        self._note(f"click {offset} × {times}")
        with contextlib.suppress(OutOfBounds):
            await pilot.click(offset=offset, times=times)

    async def _drag(self, pilot: Pilot[None]) -> None:
        begin, end = self._place(pilot), self._place(pilot)
        self._note(f"drag {begin} to {end}")
        with contextlib.suppress(OutOfBounds):
            await pilot.mouse_down(offset=begin)
            await pilot.hover(offset=end)
            await pilot.mouse_up(offset=end)

    async def _scroll(self, pilot: Pilot[None]) -> None:
        x, y = self._place(pilot)
        kind = self._random.choice((MouseScrollDown, MouseScrollUp))
        self._note(f"{kind.__name__} at {(x, y)}")
        step = 1 if kind is MouseScrollDown else -1
        pilot.app.post_message(kind(None, x, y, 0, step, 0, False, False, False, x, y))

    async def _resize(self, pilot: Pilot[None]) -> None:
        sizes = [self._random.choice(SIZES) for _ in range(self._random.randint(1, 4))]
        self._note(f"resize {sizes}")
        for size in sizes:
            await pilot.resize_terminal(*size)

    async def _theme(self, pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, WorkbenchApp)
        name = self._random.choice(sorted(app.theme_names()))
        self._note(f"theme {name}")
        app.choose_theme(name)

    async def _palette(self, pilot: Pilot[None]) -> None:
        query = self._random.choice(
            ("tool", "th", "down", "aaaa", "copy", "[/]", ACTIONS[self._step % len(ACTIONS)].name)
        )
        self._note(f"palette {query!r}")
        await pilot.press("ctrl+p")
        for char in query:
            pilot.app.post_message(Key(char, char))
        await pilot.pause()
        if self._random.random() < 0.7:
            await pilot.press("enter")

    async def _leave(self, pilot: Pilot[None]) -> None:
        key = self._random.choice(sorted(LEAVING))
        self._note(f"press {key}")
        await pilot.press(key)

    # A second program -------------------------------------------------------------------------------------------

    async def _elsewhere(self, pilot: Pilot[None]) -> None:
        way = self._random.choice(
            (self._save, self._delete, self._write, self._edit_settings, self._say, self._touch, self._call)
        )
        self.done[f"elsewhere {way.__name__.strip('_')}"] += 1
        await way()

    def _tool(self) -> str:
        return self._random.choice(
            [f"tool_{self._random.randrange(70):02}", *hostile_space.odd_inputs(), "quick", "odd", "long", "no_such"]
        )

    def _thread(self) -> str:
        return f"talk-{self._random.randrange(hostile_space.THREADS + 2)}"

    async def _save(self) -> None:
        name, text = self._tool(), self._random.choice(CANARIES)
        self._note(f"elsewhere: save {name} {text[:30]!r}")
        tool = WORD_COUNT | {"description": text[:1000] or "x", "source": f"{WORD_COUNT['source']}# {self._step}\n"}
        await self._other.perform("write", {"address": f"~/tools/{name}", "content": tool})

    async def _delete(self) -> None:
        name = self._tool()
        self._note(f"elsewhere: delete {name}")
        await self._other.perform("write", {"address": f"~/tools/{name}", "options": {"delete": True}})

    async def _write(self) -> None:
        path = self._random.choice(("notes.md", "many/file 3", "new/deep/er.txt", "large.txt", "binary"))
        self._note(f"elsewhere: write or delete {path}")
        delete = self._random.random() < 0.4
        what = {"options": {"delete": True}} if delete else {"content": self._random.choice(CANARIES)}
        await self._other.perform("write", {"address": f"~/memory/{path}", **what})

    async def _edit_settings(self) -> None:
        text = self._random.choice(
            (
                "# mine\n",
                "not toml [",
                'tools = ["search"]\n',
                'name = "[/] \\u202e odd"\nmodel = "openai:x"\nunknown = 1\n',
                'tools = ["search", "execute", "no_such"]\nswitched_off = ["quick"]\n[sandbox]\nnetwork = true\n',
                "\x00\xff",
            )
        )
        self._note(f"elsewhere: agent.toml {text!r}")
        (self.space / "agent.toml").write_text(text, "latin-1")

    async def _say(self) -> None:
        thread, text = self._thread(), self._random.choice(CANARIES)
        self._note(f"elsewhere: say {text[:30]!r} in {thread}")
        await self._other.say(text, thread=thread)

    async def _touch(self) -> None:
        name, thread = self._tool(), self._thread()
        self._note(f"elsewhere: the agent reads {name} in {thread}")
        await self._other.perform("read", {"address": f"~/tools/{name}"}, actor="agent", thread=thread)

    async def _call(self) -> None:
        if not self.sandbox or self._calls >= REAL_CALLS:
            return await self._say()
        self._calls += 1
        name = self._random.choice(("quick", "odd"))
        self._note(f"elsewhere: call {name}")
        await self._other.perform("call", {"tool": name, "options": {"timeout_secs": 20}})

    # Whether all is well ----------------------------------------------------------------------------------------

    async def _settle(self, app: WorkbenchApp, pilot: Pilot[None]) -> None:
        """Wait until the transcript has every event of its thread."""
        await pilot.resize_terminal(120, 40)
        log = app.query_one(LogView)
        deadline = time.monotonic() + HANG_SECS
        while log.rows.last != (total := self._count(app.harness, app.thread)):
            if time.monotonic() > deadline:
                raise AssertionError(f"the transcript of {app.thread} shows {log.rows.last} of {total} events")
            await pilot.pause(0.02)
        self._look(app)

    def _count(self, harness: Harness, thread: str) -> int:
        return next((each.events for each in harness.threads() if each.id == thread), 0)

    def _after(self, app: WorkbenchApp) -> None:
        if app.crash_report is not None or app._exception is not None:
            raise AssertionError(f"it ended badly: {app._exception!r}")
        if app.return_code:
            raise AssertionError(f"it ended with {app.return_code}")
        if self._errors:
            raise AssertionError("; ".join(self._errors))

    async def _audit(self) -> None:
        """Every act that was said to be done is in the log with its end, which has no gap; nothing stored is broken."""
        async with Harness.open(self.space) as harness:
            for thread in harness.threads():
                events = harness.events(thread.id)
                assert [event.seq for event in events] == list(range(1, len(events) + 1)), thread.id
                calls = Counter(event.id for event in events if event.type == "tool_call")
                ends = Counter(event.id for event in events if event.type == "tool_result")
                assert all(count == 1 for count in (calls | ends).values()), thread.id
                assert set(ends) <= set(calls), thread.id
                assert calls == ends, f"calls without an end in {thread.id}: {set(calls) - set(ends)}"
            for thread, seq, code in self._said:
                (event,) = harness.events(thread, seq - 1, seq)
                assert event.type == "tool_result", (thread, seq)
                assert (event.error or {}).get("code") == code, (thread, seq, code)
            faults = harness.fsck()
            assert faults == [], faults


def _tell(step: int) -> None:
    if step % 500 == 0:
        print(f"step {step:,}", file=sys.__stdout__, flush=True)


def main(arguments: list[str]) -> int:
    """Take a walk as the command line says; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.app.random_walk", description="A walk through the app.")
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=random.randrange(2**31))
    parser.add_argument("--no-sandbox", action="store_true", help="call no tool for real")
    options = parser.parse_args(arguments)
    print(f"seed {options.seed}, {options.steps:,} steps", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
            os.environ[name] = str(Path(folder) / name.lower())
        walk = Walk(Path(folder), options.seed, options.steps, sandbox=not options.no_sandbox, progress=_tell)
        try:
            asyncio.run(walk.run())
        except WalkFailed as failed:
            print(failed, file=sys.stderr)
            return 1
    kinds = ", ".join(f"{count} {kind}" for kind, count in walk.done.most_common())
    print(f"{options.steps:,} steps in {walk.sessions} sessions, all is well: {kinds}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
