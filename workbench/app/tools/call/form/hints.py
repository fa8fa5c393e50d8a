"""What a form says of itself, in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.app.tools.call.form.draft import FormDraft
from workbench.app.tools.call.form.gathering import FieldProblem
from workbench.app.tools.call.form.node import State
from workbench.app.tools.call.form.painting import one_line
from workbench.app.tools.call.form.rows import Row, is_open
from workbench.app.tools.call.form.shape import PICK_KINDS
from workbench.harness.text import fold


def hint(row: Row | None, *, editing: bool) -> str:
    """What can be done at a row, in a few words."""
    if row is None:
        return ""
    if editing:
        return "enter keeps it · esc as before · ctrl+u leaves it out"
    if row.what == "add":
        return "enter adds one"
    node = row.node
    content = node.content
    if node.kind == "choice":
        return "← → another form · enter lists them all"
    if content.kind in PICK_KINDS:
        if content.kind == "const":
            return "space sends it · del leaves it out" if not node.required else "there is one value only"
        return (
            "space changes it · enter lists all" if content.kind == "enum" else "space changes it · del leaves it out"
        )
    if content.kind in {"object", "array"}:
        folds = "← folds" if is_open(node, row.depth) else "→ unfolds"
        if content.kind == "array" or content.shape.takes_keys:
            return f"{folds} · ctrl+g adds · ctrl+e as JSON"
        return (
            f"{folds} · ctrl+g sends it · ctrl+e as JSON" if node.state is State.ABSENT else f"{folds} · ctrl+e as JSON"
        )
    if node.is_item:
        return "type to fill in · ctrl+d removes · alt+↑↓ moves"
    if content.kind == "json":
        return "type JSON · ctrl+e for an editor"
    if content.shape.multiline or "\n" in content.text:
        return "type to fill in · enter for an editor"
    if node.touched:
        return "type to replace · enter to edit · del clears"
    if node.state is State.VALUE:
        return "type to replace · enter to edit · del leaves it out"
    return "type to fill in · tab next · * required"


def standing(problems: Sequence[FieldProblem], *, strict: bool, held: str = "") -> tuple[str, str]:
    """How far the form is, and the look of it. `held` is what beside the form keeps it from being sent."""
    wrong = sum(strict or not problem.missing for problem in problems)
    missing = len(problems) - wrong
    if wrong:
        return f"✗ {wrong} {'problem' if wrong == 1 else 'problems'}", "bold $text-error"
    if missing:
        return f"{missing} to fill in", "$text-warning"
    if held:
        return held, "bold $text-error"
    return "✓ ready", "$text-success"


def notices(draft: FormDraft, rest: Sequence[FieldProblem]) -> list[tuple[str, str]]:
    """What is to be known of the form as a whole: each line with its look."""
    root = draft.root
    shape = root.shape
    said: list[tuple[str, str]] = []
    if root.kind == "json" and not root.json and shape.reason:
        said.append((f"{shape.reason} · write the input as JSON", "$text-warning"))
    elif root.json:
        said.append(("this input is edited as JSON: it is not of the form that the schema draws", "$text-warning"))
    elif root.kind == "json":
        declared = "no parameters: the input is {}" if shape.closed else "no parameters declared"
        said.append((f"{declared} · enter opens an editor for JSON", "$text-muted"))
    said += [(remark, "$text-warning") for remark in shape.remarks if remark not in shape.reason]
    said += [(f"✗ {problem.message}", "$text-error") for problem in rest]
    return [(one_line(fold(words)), look) for words, look in said]
