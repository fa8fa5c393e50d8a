"""Progress notes: never closer together than allowed, none of the news lost. The test itself is the clock."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from workbench.harness.tools.lambdas.progress import Reporter
from workbench.harness.tools.lambdas.values import PROGRESS_SECS, Progress


@dataclass
class Timer:
    at: float
    callback: Callable[[], None]
    called_off: bool = False

    def cancel(self) -> None:
        self.called_off = True


@dataclass
class Clock:
    """Time that goes on when it is told to."""

    now: float = 0.0
    timers: list[Timer] = field(default_factory=list)

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, callback: Callable[[], None], /) -> Timer:
        self.timers.append(Timer(self.now + delay, callback))
        return self.timers[-1]

    def go_on(self, secs: float) -> None:
        end = self.now + secs
        while due := [timer for timer in self.timers if timer.at <= end]:
            timer = min(due, key=lambda one: one.at)
            self.timers.remove(timer)
            self.now = max(self.now, timer.at)
            if not timer.called_off:
                timer.callback()
        self.now = end


class Watched:
    """A reporter, with what it told and when."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.news = ""
        self.notes: list[tuple[float, Progress]] = []
        self.reporter = Reporter(lambda note: self.notes.append((self.clock.now, note)), lambda: self.news, self.clock)

    def happens(self, news: str) -> None:
        self.news = news
        self.reporter.changed()

    @property
    def told(self) -> list[tuple[float, str, str]]:
        return [(at, note.stage, note.tail) for at, note in self.notes]


def test_the_first_news_is_told_at_once_and_what_follows_after_the_pause() -> None:
    watched = Watched()
    watched.reporter.stage("starting")
    watched.clock.go_on(0.1)
    watched.reporter.stage("running")
    watched.happens("a")
    watched.clock.go_on(1)
    watched.happens("ab")
    assert watched.told == [(0, "starting", ""), (PROGRESS_SECS, "running", "a"), (1.1, "running", "ab")]


def test_the_last_note_waits_for_nothing_and_no_other_follows() -> None:
    watched = Watched()
    watched.happens("a")
    watched.happens("ab")
    watched.reporter.finish()
    watched.happens("abc")
    watched.clock.go_on(9)
    assert watched.told == [(0, "starting", "a"), (0, "finishing", "ab")]


def test_stopped_nothing_is_told() -> None:
    watched = Watched()
    watched.happens("a")
    watched.happens("ab")
    watched.reporter.stop()
    watched.clock.go_on(9)
    assert watched.told == [(0, "starting", "a")]


@given(st.lists(st.floats(0, 0.6), max_size=60))
def test_news_at_any_moments_are_told_in_time_and_not_too_often(pauses: list[float]) -> None:
    watched = Watched()
    for number, pause in enumerate(pauses):
        watched.clock.go_on(pause)
        watched.happens(str(number))
    watched.clock.go_on(PROGRESS_SECS + 1e-9)
    times = [at for at, _ in watched.notes]
    assert all(later - earlier > PROGRESS_SECS - 1e-9 for earlier, later in itertools.pairwise(times))
    assert [note.tail for _, note in watched.notes[-1:]] == [str(len(pauses) - 1)] * bool(pauses)
    assert len(watched.notes) <= watched.clock.now / PROGRESS_SECS + 1
