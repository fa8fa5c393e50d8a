"""The facts of the status line in words, from the longest to the shortest, and in which order they give way. Pure."""

from __future__ import annotations

from datetime import datetime

from rich.cells import cell_len

from workbench.app.clock import elapsed
from workbench.app.status.facts import Facts, Machine, RunningCall
from workbench.app.status.parts import Part
from workbench.app.talk import Talk, money_words
from workbench.harness.text import cut_bytes, fold

FOLDER_CELLS = 20
"""A folder is shown with at least so many cells of its end, or not at all."""

FOLDER_STEP = 4


def _short(text: str, limit: int = 24) -> str:
    return cut_bytes(fold(text), limit)


def line_parts(
    facts: Facts, flash: str | None, now: datetime, bad_model: str | None = None, *, away: bool = False
) -> list[Part]:
    """The facts as parts of the line, in the order in which they stand.

    `bad_model` is one that cannot answer; `away` says that the Transcript tab, where questions are answered, is not
    shown.
    """
    parts: list[Part] = []
    if facts.machine is not None:
        forms = _on_machine(facts.machine)
        # The last wording, without the folder, is only for a line that is too short for anything else.
        steps = len(forms) - (1 if facts.machine.folder is None else 2)
        parts.append(Part(forms, (24,) * steps, "bold reverse $text-warning"))
    if facts.asks:
        parts.append(Part(_asking(facts.asks, away=away), (16,), "bold $text-warning"))
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
    # Of a turn that waits for its calls, what they do says more.
    doing = "" if facts.talk.running and (facts.running or facts.asks) else facts.talk.doing
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
    # In small steps, so that little room stays empty: one that is not needed is no step.
    steps = range(cell_len(folder) - 1 & -FOLDER_STEP, FOLDER_CELLS - 1, -FOLDER_STEP)
    ends = [f"…{_end(folder, most - 1)}" for most in steps]
    return (*(f"{words} {end} " for end in (folder, *ends)), f"{words} ")


def asking_words(asks: int) -> str:
    """How many calls ask, in as few words as can be."""
    return "1 asks" if asks == 1 else f"{asks} ask"


def _asking(asks: int, *, away: bool) -> tuple[str, str]:
    """That calls ask; where they are not seen, also the key that shows them."""
    short = asking_words(asks)
    if not away:
        return f"{short} for your yes", short
    calls = "1 call asks" if asks == 1 else f"{asks} calls ask"
    return f"{calls} for your yes: press 3", f"{calls}: 3"


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
