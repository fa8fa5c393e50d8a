"""The agent's plan as a checklist."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content

from workbench.app.widgets.literal import Literal, literal, parts, title
from workbench.harness.log.plan import Plan, PlanStep, StepStatus
from workbench.harness.text import fold

SIGNS: dict[StepStatus, tuple[str, str, str]] = {
    "pending": ("○", "to do", "$text-muted"),
    "running": ("▶", "now", "bold $text-accent"),
    "done": ("✓", "done", "$text-success"),
    "failed": ("✗", "failed", "bold $text-error"),
    "skipped": ("–", "skipped", "$text-muted"),
}
"""The sign of each status, its word, and how both look."""

STOPPED = ("■", "stopped here", "bold $text-warning")
"""The same of a step that was running when the turn ended."""

AT: tuple[StepStatus, ...] = ("running", "failed", "pending")
"""Of which step is said, where there is room for one, that the plan is at it: the first of these there is."""

LABEL_CHARS = 200
"""Characters of a step that are shown."""


class PlanPanel(VerticalScroll):
    """A line a step."""

    can_focus = False
    DEFAULT_CSS = """
    PlanPanel { display: none; width: 1fr; height: auto; max-height: 45%; border-top: solid $primary;
        border-left: solid $primary; border-title-color: $text-primary; padding: 0; scrollbar-size-vertical: 1; }
    PlanPanel > Literal { width: 1fr; height: auto; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: tuple[Plan, bool] | None = None

    def compose(self) -> ComposeResult:
        """The steps."""
        yield Literal(id="plan-steps")

    def show(self, plan: Plan, *, stopped: bool = False) -> None:
        """Show a plan; `stopped` says that nobody works on it any more."""
        if (plan, stopped) == self._shown:
            return
        self._shown = (plan, stopped)
        title(self, f"plan · {progress(plan)}")
        lines = [literal(f" {fold(plan.title)[:LABEL_CHARS]}", "bold")] if plan.title.strip() else []
        lines += [_step(step, stopped) for step in plan.steps]
        self.query_one(Literal).show(Content("\n").join(lines))


def progress(plan: Plan) -> str:
    """How far it is: `2 of 5`."""
    return f"{plan.done} of {len(plan.steps)}"


def plan_line(plan: Plan, *, stopped: bool = False) -> Content:
    """The plan on a line, where there is no room for a panel: how far it is, and the step that it is at."""
    step = next(
        (step for status in ("running", "failed", "pending") for step in plan.steps if step.status == status), None
    )
    said = parts((f"plan {progress(plan)}", "bold"), f" · {fold(plan.title)[:60]}" if plan.title.strip() else "")
    return parts(said, " ·", _step(step, stopped)) if step is not None else said


def _step(step: PlanStep, stopped: bool) -> Content:
    sign, word, style = STOPPED if stopped and step.status == "running" else SIGNS[step.status]
    return parts(" ", (f"{sign} {word}", style), f" {fold(step.label)[:LABEL_CHARS]}")
