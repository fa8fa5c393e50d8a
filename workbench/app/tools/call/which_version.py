"""Which version of a tool is meant: what is said of it above the input, and what is asked before it runs."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.app.tools.shown import Shown
from workbench.app.widgets.question import Answer, Question
from workbench.harness.space.schema import Problem


def version_note(shown: Shown, unsaved: bool) -> str:
    """Which version runs, where that is not plain: the stored one does, or there is none."""
    if shown.tool is None:
        return shown.fault or "It is not saved yet, so it cannot be called; ctrl+r offers to save it first."
    return f"Runs the saved version, not your unsaved edits: {shown.cid}. ctrl+r asks." if unsaved else ""


def kept_note(problems: Sequence[Problem]) -> str:
    """What the present contract makes of the input that was kept from the version before."""
    if not problems:
        return "The contract changed; your input was kept, and it is accepted."
    first = f"{problems[0].path}: {problems[0].message}"
    more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
    return f"The contract changed and no longer accepts your input. {first}{more}"


def which_version(shown: Shown) -> Question:
    """Asks, where there are unsaved edits: `save` them and run that, or run what is `stored`, if anything is."""
    words = f"The edits of {shown.name} are not saved."
    answers = [Answer("s", "save and run", "save")]
    if shown.tool is not None:
        words += f" Run now, it would be the stored version {shown.cid}."
        answers.append(Answer("r", "run the stored version", "stored"))
    return Question("Which version?", words, tuple(answers))
