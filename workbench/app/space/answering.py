"""Answering, as the owner, what waits for a yes on this machine."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from textual.widget import Widget

from workbench.app.seams import workbench
from workbench.app.space.waiting import acts_meanwhile, meaning, value_text
from workbench.app.space.yes_question import YesQuestion
from workbench.app.widgets.question import Answer, Question
from workbench.harness.errors import HarnessError
from workbench.harness.space.settings import Waiting
from workbench.harness.text import fold


def answer(widget: Widget, setting: str, approved: bool, seen: Waiting | None) -> None:
    """Say yes or no to a setting as it was `seen`, in a worker; what came of it is said."""

    async def act() -> None:
        try:
            await workbench(widget).harness.approve(setting, approved, seen)
        except HarnessError as error:
            workbench(widget).say_error(error.message)
        else:
            workbench(widget).say(f"{'Yes' if approved else 'No'} to {setting}, on this machine.")

    widget.run_worker(act(), name="answer a setting", group="space-answers", exit_on_error=False)


def _said(widget: Widget) -> Mapping[str, Any] | None:
    """What the settings file says now."""
    with contextlib.suppress(HarnessError):
        return workbench(widget).view.settings.values
    return None


def ask(widget: Widget, waiting: Waiting, *, given: bool) -> None:
    """Ask the owner about a setting that waits, or about a yes that was `given`."""
    value = f"{waiting.id} = {value_text(waiting.value)}"
    default = f"Without it {value_text(acts_meanwhile(waiting))} acts."
    words = "\n\n".join(text for text in (value, fold(meaning(waiting, _said(widget))), default) if text)
    if not waiting.built:
        widget.app.push_screen(Question("Not in this version", f"{words}\n\nIt waits until a version can do it.", ()))
        return
    heading = "Your yes was given" if given else "Your yes?"
    no = Answer("x", "Take the yes back" if given else "No", "no")
    answers = (no,) if given else (Answer("a", "Yes, on this machine", "yes"), no)

    def answered(value: str | None) -> None:
        if value is not None:
            answer(widget, waiting.id, value == "yes", waiting)

    widget.app.push_screen(YesQuestion(heading, words, answers), answered)
