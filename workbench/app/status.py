"""The status line: always there, always true, in whatever width there is."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len
from textual.content import Content

from workbench.app.clock import elapsed
from workbench.app.talk import Talk, money_words
from workbench.app.tools.directory import at_home
from workbench.app.widgets.literal import Literal, literal
from workbench.harness.errors import HarnessError
from workbench.harness.harness import Harness
from workbench.harness.log.events import ToolCall
from workbench.harness.text import cut_bytes, fold
from workbench.harness.views import View

FLASH_SECS = 2.5
"""How long a promotion stands out."""

RUNNING_SECS = 1.0
"""While something runs it is looked this often whether it still does: a process that was killed says nothing."""

SEPARATOR = " · "


class Part(Struct, frozen=True):
    """One fact: its wordings from the longest to the shortest, and how dear each step to a shorter one is.

    Where room is short the cheapest step of all parts is taken first. An empty last wording lets the part go. Wordings
    without a price are taken only where the part by itself is longer than the line.
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
    for index, part in enumerate(parts):
        while chosen[index] + 1 < len(part.forms) and cell_len(part.forms[chosen[index]]) > width:
            chosen[index] += 1
    return line().truncate(width, ellipsis=True)


class RunningCall(Struct, frozen=True):
    """A call that runs: its name, where, and since when, as the log writes times."""

    call: str
    name: str
    thread: str
    since: str


class Machine(Struct, frozen=True):
    """That the agent acts on the real machine, and in which folder; None where the owner does not allow it now."""

    folder: str | None


class Facts(Struct, frozen=True):
    """Everything that the status line says.

    `widened` names what the sandbox allows beyond its defaults. `promotion_fault` says why the thread's promotions
    cannot be read; `promoted` is then what was known of them last. `unreadable` counts what could not be read or
    watched since the app began. `talk` is what the thread's turn does, and what the thread took. `machine` is said of a
    thread of the toolbox surface: where the agent acts on the real machine; `offered` counts the tools that it has
    there. `asks` counts the calls that wait for the owner's yes.
    `waiting` counts the settings that a yes would have act: not those with a no, nor what this version cannot do.
    """

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
    unreadable: int = 0
    promotion_fault: str | None = None
    widened: tuple[str, ...] = ()
    talk: Talk = Talk()
    machine: Machine | None = None
    offered: int = 0
    asks: int = 0

    @classmethod
    def of(cls, harness: Harness, view: View, talk: Talk, before: Facts | None = None, unreadable: int = 0) -> Facts:
        """Look them up. `before` is what was known; `unreadable` is counted by the app.

        Raises:
            HarnessError: the Space cannot be read now.
        """
        state, index, promotion = view.settings, view.index, view.promotion
        promoted, withheld = tuple(tool.name for tool in promotion.promoted), len(promotion.withheld)
        if view.thread_fault is not None:
            known = before if before is not None and before.thread == view.thread else None
            promoted, withheld = (known.promoted, known.withheld) if known else ((), 0)
        return cls(
            agent=state.settings.name,
            model=talk.model,
            thread=view.thread,
            index_bytes=index.bytes,
            index_budget=index.budget,
            stage=index.stage,
            verbs=len(view.verbs),
            promoted=promoted,
            withheld=withheld,
            running=running_calls(harness),
            faults=len(state.faults),
            waiting=sum(each.built and not each.denied for each in state.waiting),
            readonly=harness.readonly,
            unreadable=unreadable,
            promotion_fault=view.thread_fault,
            widened=tuple(note.id.removeprefix("sandbox.") for note in view.sandbox if note.acts),
            talk=talk,
            machine=_machine(view),
            offered=len(promotion.provider_tools),
            asks=len(harness.asked()),
        )


def _machine(view: View) -> Machine | None:
    """What is said of the real machine in a thread."""
    if view.surface != "toolbox":
        return None
    allowed = view.toolbox.missing is None and view.toolbox.workdir is not None
    return Machine(at_home(view.toolbox.workdir) if allowed and view.toolbox.workdir else None)


def running_calls(harness: Harness) -> tuple[RunningCall, ...]:
    """The calls that run, in any process; those whose process is gone do not.

    Raises:
        HarnessError: the log cannot be read now.
    """
    return tuple(
        RunningCall(each.call.id, named(each.call), each.call.thread, each.call.time)
        for each in harness.running()
        if not each.interrupted
    )


def named(call: ToolCall) -> str:
    """What a running call is shown as: the tool behind `call`, else the verb."""
    if call.name == "call" and isinstance(call.input, dict) and isinstance(call.input.get("tool"), str):
        return call.input["tool"]
    return call.name


def _short(text: str, limit: int = 24) -> str:
    return cut_bytes(fold(text), limit)


def line_parts(facts: Facts, flash: str | None, now: datetime, bad_model: str | None = None) -> list[Part]:
    """The facts as parts of the line, in the order in which they stand. `bad_model` is one that cannot answer."""
    parts: list[Part] = []
    if facts.machine is not None:
        parts.append(Part(_on_machine(facts.machine), (24,), "bold reverse $text-warning"))
    if facts.asks:
        asking = "1 asks" if facts.asks == 1 else f"{facts.asks} ask"
        parts.append(Part((f"{asking} for your yes", asking), (16,), "bold $text-warning"))
    if facts.readonly:
        parts.append(Part(("READ-ONLY",), (), "bold $text-warning"))
    if flash:
        parts.append(Part((f" ▲ {flash} promoted ", f" ▲ {_short(flash)} "), (90,), "bold reverse $text-accent"))
    parts.append(Part((_short(facts.agent, 32), _short(facts.agent, 12), ""), (20, 60), "bold"))
    model = _short(facts.model, 40) if facts.model else "no model"
    if facts.model and facts.model == bad_model:
        parts.append(Part((f"✗ {model}", f"✗ {_short(model, 14)}", "✗ model"), (30, 55), "bold $text-error"))
    else:
        parts.append(Part((model, _short(model, 14), ""), (30, 55), "" if facts.model else "$text-muted"))
    thread = facts.thread
    parts.append(
        Part((f"thread {thread}", thread, _short(thread, 16), _short(thread, 10), ""), (2, 22, 50, 75), "$text-primary")
    )
    if facts.machine is None:
        parts.append(_index(facts))
    parts.append(_tools(facts))
    if facts.withheld:
        parts.append(Part((f"{facts.withheld} withheld", ""), (10,), "$text-muted"))
    doing = "" if facts.talk.running and facts.running else facts.talk.doing
    if doing:
        short = _short(doing, 16)
        parts.append(Part((f"● {doing}", f"● {short}"), (26,), "bold $text-success"))
    if facts.running:
        parts.append(Part(_running(facts.running, now), (25, 47), "bold $text-success"))
    spent = _spent(facts.talk)
    if spent:
        parts.append(Part(spent, (3, 23, 52), "$text-muted"))
    if facts.widened:
        words = ", ".join(facts.widened)
        parts.append(Part((f"! sandbox: {words}", f"! {words}", "! sandbox"), (12, 44), "bold $text-warning"))
    if facts.faults:
        parts.append(Part((_count(facts.faults, "fault"),), (), "bold $text-error"))
    if facts.unreadable:
        parts.append(Part((f"{facts.unreadable} unreadable", f"✗ {facts.unreadable}"), (48,), "bold $text-error"))
    if facts.waiting:
        parts.append(Part((f"{facts.waiting} waiting for a yes", f"{facts.waiting} waiting"), (15,), "$text-warning"))
    return parts


def _index(facts: Facts) -> Part:
    """How full the index is."""
    gauge = f"{facts.index_bytes:,} / {facts.index_budget:,} B"
    stage = "" if facts.stage == "full" else f" {facts.stage}"
    forms = (
        f"index {_bar(facts.index_bytes, facts.index_budget)} {gauge}{stage}",
        f"index {gauge}{stage}",
        f"{facts.index_bytes:,}/{facts.index_budget:,} B{stage}",
    )
    return Part(forms, (1, 40), "$text-warning" if stage else "")


def _tools(facts: Facts) -> Part:
    """The tools that the provider is given, or why that is not known."""
    if facts.promotion_fault is not None:
        why = (f"✗ promotions: {fold(facts.promotion_fault)}", f"✗ promotions: {_short(facts.promotion_fault, 32)}")
        return Part((*why, "✗ promotions"), (5, 42), "bold $text-error")
    if facts.machine is not None:
        return Part((_count(facts.offered, "tool"), ""), (70,))
    count = len(facts.promoted)
    tools = (f"{facts.verbs} verbs + {count} promoted", f"{facts.verbs} + {count} tools", "")
    return Part(tools, (45, 70), "$text-accent" if count else "")


def _spent(talk: Talk) -> tuple[str, ...]:
    """What the thread took, from the longest wording to none."""
    tokens, cost = talk.spent.tokens, talk.spent.cost
    if not tokens and cost is None:
        return ()
    money = money_words(cost)
    short = f"{tokens / 1000:.1f}k tok" if tokens >= 1000 else f"{tokens} tok"
    long = f"{tokens:,} tokens · {money}" if money else f"{tokens:,} tokens"
    return (long, f"{short} {money}".rstrip(), money or short, "")


def _on_machine(machine: Machine) -> tuple[str, ...]:
    """The words that stay whatever room there is; of a folder, its end says most."""
    words = " REAL MACHINE"
    if machine.folder is None:
        return (f"{words}, not allowed now ", f"{words}: off ")
    folder = fold(machine.folder)
    ends = [folder if cell_len(folder) <= most else f"…{_end(folder, most - 1)}" for most in (44, 22)]
    return (*(f"{words} {end} " for end in (folder, *ends)), f"{words} ")


def _end(text: str, cells: int) -> str:
    """As much of the end of a text as so many cells take."""
    while cell_len(text) > cells:
        text = text[1:]
    return text


def _running(calls: tuple[RunningCall, ...], now: datetime) -> tuple[str, ...]:
    oldest = max(elapsed(call.since, now) for call in calls)
    clock = f"{oldest} s" if oldest < 60 else f"{oldest // 60}:{oldest % 60:02d}"
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
        self._harness: Harness | None = None
        self._talk: Callable[[], Talk] = Talk
        self._looked = float("-inf")
        self._bad_model: str | None = None

    def on_mount(self) -> None:
        self.set_interval(0.5, self._tick)

    def on_resize(self) -> None:
        self.redraw()

    def look(self, harness: Harness, view: Callable[[], View], talk: Callable[[], Talk], unreadable: int = 0) -> None:
        """Look the facts up again, and flash what was promoted since, if it is the same thread."""
        before = self.facts
        self._harness, self._talk, self._looked = harness, talk, time.monotonic()
        try:
            self.facts = Facts.of(harness, view(), talk(), before, unreadable)
            self._fault = None
        except HarnessError as error:
            self._fault = error.message
        else:
            if before is not None and before.thread == self.facts.thread:
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
            if self._flash and self._flash[1] <= time.monotonic():
                self._flash = None
            parts = line_parts(self.facts, self._flash and self._flash[0], datetime.now(UTC), self._bad_model)
            self.show(fit(parts, width), layout=False)

    def _tick(self) -> None:
        facts = self.facts
        running = facts is not None and bool(facts.running)
        talking = facts is not None and bool(facts.talk.doing)
        if running and time.monotonic() - self._looked >= RUNNING_SECS:
            self._look_at_running()
        if talking:
            self.look_at_turn()
        if self._flash or running:
            self.redraw()

    def mark_model(self, bad: str | None) -> None:
        """Mark a model as one that cannot answer, wherever it is the one to; with None, none is."""
        if bad != self._bad_model:
            self._bad_model = bad
            self.redraw()

    def look_at_turn(self) -> None:
        """Look up what the turn does, and say it."""
        if self.facts is None or self._harness is None:
            return
        try:
            talk = self._talk()
        except HarnessError as error:
            self._fault = error.message
        else:
            self.facts = replace(self.facts, talk=talk, model=talk.model)
        self.redraw()

    def _look_at_running(self) -> None:
        self._looked = time.monotonic()
        if self.facts is None or self._harness is None:
            return
        try:
            asks = len(self._harness.asked())
            self.facts = replace(self.facts, running=running_calls(self._harness), asks=asks)
            self._fault = None
        except HarnessError as error:
            self._fault = error.message
