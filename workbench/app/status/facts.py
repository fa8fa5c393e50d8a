"""The facts that the status line tells, looked up in the Space."""

from __future__ import annotations

from msgspec import Struct

from workbench.app.talk import Talk
from workbench.app.tools.directory import at_home
from workbench.harness.harness import Harness
from workbench.harness.log.events import ToolCall
from workbench.harness.views import View


class RunningCall(Struct, frozen=True):
    """A call that acts: its name, where, and since when it does, as the log writes times."""

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
    """The calls that act, in any process; those that ask or wait their turn, and whose process is gone, do not.

    Raises:
        HarnessError: the log cannot be read now.
    """
    return tuple(
        RunningCall(each.call.id, named(each.call), each.call.thread, each.since)
        for each in harness.running()
        if not each.interrupted and each.does == "acts"
    )


def named(call: ToolCall) -> str:
    """What a running call is shown as: the tool behind `call`, else the verb."""
    if call.name == "call" and isinstance(call.input, dict) and isinstance(call.input.get("tool"), str):
        return call.input["tool"]
    return call.name
