"""The status line: always there, always true, in whatever width there is."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from workbench.app.widgets.literal import Literal, literal
from workbench.harness.errors import HarnessError
from workbench.harness.harness import Harness
from workbench.harness.log.events import ToolCall
from workbench.harness.text import cut_bytes, fold

FLASH_SECS = 2.5
"""How long a promotion stands out."""

SEPARATOR = " · "


@dataclass(frozen=True, slots=True)
class Part:
    """One fact: its wordings from the longest to the shortest, and how dear each step to a shorter one is.

    Where room is short the cheapest step of all parts is taken first. An empty last wording lets the part go.
    """

    forms: tuple[str, ...]
    costs: tuple[int, ...] = ()
    style: str = ""


def fit(parts: Sequence[Part], width: int) -> Content:
    """Put the parts on one line of at most `width` cells, taking the cheapest steps until it fits."""
    chosen = [0] * len(parts)
    steps = sorted((cost, index) for index, part in enumerate(parts) for cost in part.costs)

    def line() -> Content:
        shown = [
            literal(part.forms[form], part.style) for part, form in zip(parts, chosen, strict=True) if part.forms[form]
        ]
        return literal(SEPARATOR, "$text-disabled").join(shown)

    for _, index in steps:
        if line().cell_length <= width:
            break
        chosen[index] += 1
    return line().truncate(width, ellipsis=True)


@dataclass(frozen=True, slots=True)
class RunningCall:
    """A call that runs: its name, where, and since when on this machine's monotonic clock."""

    call: str
    name: str
    thread: str
    since: float


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that the status line says."""

    agent: str
    model: str | None
    thread: str
    index_bytes: int
    index_budget: int
    stage: str
    verbs: int
    promoted: tuple[str, ...]
    withheld: int
    running: tuple[RunningCall, ...]
    faults: int
    waiting: int
    readonly: bool

    @classmethod
    def of(cls, harness: Harness, thread: str, before: Facts | None = None) -> Facts:
        """Look them up. Calls that were seen running before keep the time at which they were first seen.

        Raises:
            HarnessError: the Space cannot be read now.
        """
        state = harness.settings()
        index = harness.index()
        promotion = harness.promoted(thread)
        seen = {call.call: call for call in before.running} if before else {}
        running = tuple(
            seen.get(each.call.id) or RunningCall(each.call.id, named(each.call), each.call.thread, time.monotonic())
            for each in harness.running()
            if not each.interrupted
        )
        return cls(
            agent=state.settings.name,
            model=state.settings.model,
            thread=thread,
            index_bytes=index.bytes,
            index_budget=index.budget,
            stage=index.stage,
            verbs=len(harness.verbs()),
            promoted=tuple(tool.name for tool in promotion.promoted),
            withheld=len(promotion.withheld),
            running=running,
            faults=len(state.faults),
            waiting=len(state.waiting),
            readonly=harness.readonly,
        )


def named(call: ToolCall) -> str:
    """What a running call is shown as: the tool behind `call`, else the verb."""
    if call.name == "call" and isinstance(call.input, dict) and isinstance(call.input.get("tool"), str):
        return call.input["tool"]
    return call.name


def _short(text: str, limit: int = 24) -> str:
    return cut_bytes(fold(text), limit)


def line_parts(facts: Facts, flash: str | None, now: float) -> list[Part]:
    """The facts as parts of the line, in the order in which they stand."""
    parts: list[Part] = []
    if facts.readonly:
        parts.append(Part(("READ-ONLY",), (), "bold $text-warning"))
    if flash:
        parts.append(Part((f" ▲ {flash} promoted ", f" ▲ {_short(flash)} "), (90,), "bold reverse $text-accent"))
    parts.append(Part((_short(facts.agent, 32), _short(facts.agent, 12), ""), (20, 60), "bold"))
    model = _short(facts.model, 40) if facts.model else "no model"
    parts.append(Part((model, _short(model, 14), ""), (30, 55), "" if facts.model else "$text-muted"))
    thread = facts.thread
    parts.append(
        Part((f"thread {thread}", thread, _short(thread, 16), _short(thread, 10), ""), (2, 22, 50, 75), "$text-primary")
    )
    gauge = f"{facts.index_bytes:,} / {facts.index_budget:,} B"
    stage = "" if facts.stage == "full" else f" {facts.stage}"
    parts.append(
        Part(
            (
                f"index {_bar(facts.index_bytes, facts.index_budget)} {gauge}{stage}",
                f"index {gauge}{stage}",
                f"{facts.index_bytes:,}/{facts.index_budget:,} B{stage}",
            ),
            (1, 40),
            "$text-warning" if stage else "",
        )
    )
    count = len(facts.promoted)
    tools = (f"{facts.verbs} verbs + {count} promoted", f"{facts.verbs} + {count} tools", "")
    parts.append(Part(tools, (45, 70), "$text-accent" if count else ""))
    if facts.withheld:
        parts.append(Part((f"{facts.withheld} withheld", ""), (10,), "$text-muted"))
    if facts.running:
        parts.append(Part(_running(facts.running, now), (25, 47), "bold $text-success"))
    if facts.faults:
        parts.append(Part((_count(facts.faults, "fault"),), (), "bold $text-error"))
    if facts.waiting:
        parts.append(Part((f"{facts.waiting} waiting for a yes", f"{facts.waiting} waiting"), (15,), "$text-warning"))
    return parts


def _running(calls: tuple[RunningCall, ...], now: float) -> tuple[str, ...]:
    oldest = max(now - call.since for call in calls)
    clock = f"{int(oldest)} s" if oldest < 60 else f"{int(oldest) // 60}:{int(oldest) % 60:02d}"
    if len(calls) == 1:
        return (f"▶ {_short(calls[0].name, 32)} {clock}", f"▶ {_short(calls[0].name, 12)} {clock}", f"▶ {clock}")
    return (f"▶ {len(calls)} running {clock}", f"▶ {len(calls)} {clock}", f"▶{len(calls)}")


def _bar(part: int, whole: int, cells: int = 8) -> str:
    filled = min(cells, round(cells * part / whole)) if whole else 0
    return "▰" * filled + "▱" * (cells - filled)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class StatusLine(Literal):
    """The line. It ticks only while something runs or flashes, and repaints itself alone."""

    DEFAULT_CSS = """
    StatusLine { height: 1; width: 1fr; padding: 0 1; background: $panel; color: $foreground; text-wrap: nowrap;
        text-overflow: ellipsis; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.facts: Facts | None = None
        self._flash: tuple[str, float] | None = None
        self._fault: str | None = None

    def on_mount(self) -> None:
        self.set_interval(0.5, self._tick)

    def on_resize(self) -> None:
        self.redraw()

    def look(self, harness: Harness, thread: str) -> None:
        """Look the facts up again, and flash what was promoted since, if it is the same thread."""
        before = self.facts
        try:
            self.facts = Facts.of(harness, thread, before)
            self._fault = None
        except HarnessError as error:
            self._fault = error.message
        else:
            if before is not None and before.thread == thread:
                new = [name for name in self.facts.promoted if name not in before.promoted]
                if new:
                    self._flash = (", ".join(new), time.monotonic() + FLASH_SECS)
        self.redraw()

    def redraw(self) -> None:
        """Paint what is known, for the present width."""
        width = max(self.size.width, 1)
        if self._fault is not None:
            self.show(literal(fold(self._fault), "$text-error").truncate(width, ellipsis=True), layout=False)
        elif self.facts is not None:
            now = time.monotonic()
            if self._flash and self._flash[1] <= now:
                self._flash = None
            self.show(fit(line_parts(self.facts, self._flash and self._flash[0], now), width), layout=False)

    def _tick(self) -> None:
        if self._flash or (self.facts and self.facts.running):
            self.redraw()
