"""A row of a form as lines on the screen. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len

from workbench.app.tools.call.form.gathering import FieldProblem
from workbench.app.tools.call.form.node import Node, Origin, State
from workbench.app.tools.call.form.rows import Row, is_open
from workbench.app.tools.call.form.shape import PICK_KINDS, TEXT_KINDS
from workbench.app.tools.call.form.words import compact
from workbench.app.widgets.lines.line import Line, Piece
from workbench.app.widgets.wrapping import fit, wrap
from workbench.harness.text import fold, printable

TAG = 9
"""Cells at the right for the state of a field."""

MIN_NAME = 10
QUIET_LINES = 2
"""Lines about a field that is not the present one."""

MAX_ABOUT = 30
"""Lines about the present one."""

SHOWN_TEXT = 400
"""Characters of a value that are looked at for its row."""

_CONTROLS = {10: "⏎", 9: "⇥"}


@dataclass(frozen=True, slots=True)
class Setting:
    """What the lines of a row depend on beside the row."""

    names: int
    """Cells of the column with the names."""
    problems: Mapping[int, Sequence[FieldProblem]] = field(default_factory=dict)
    """By the identity of the field."""
    inside: Mapping[int, int] = field(default_factory=dict)
    """How many problems are inside of a field."""
    strict: bool = False
    """Whether what is missing is a problem already: somebody tried to run it."""


def name_width(rows: Sequence[Row], width: int) -> int:
    """Cells for the names: what they need, at most two fifths of the width."""
    longest = max((2 * row.depth + len(row.node.key) + 3 for row in rows if row.what == "field"), default=0)
    return max(min(longest, width * 2 // 5), MIN_NAME)


def lines_of(row: Row, width: int, setting: Setting, *, here: bool) -> list[Line]:
    """A row as it is painted; `here` where the cursor is, with all that is said of the field."""
    if row.what == "add":
        return [[(" " * (2 * row.depth), ""), (fit(add_words(row.node), width - 2 * row.depth), "agent")]]
    lines: list[Line] = [_first_line(row, width, setting, here=here)]
    indent = " " * min(2 * row.depth + 2, width // 2)
    room = max(width - len(indent) - 1, 8)
    for problem in faults_at(row.node, setting):
        words = f"✗ {printable(fold(problem.message))}"
        lines += [[(indent, ""), (text, "bad")] for text in wrap(words, room)]
    within = setting.inside.get(id(row.node), 0)
    if within and not is_open(row.node, row.depth):
        lines.append([(indent, ""), (f"✗ {within} {'problem' if within == 1 else 'problems'} inside", "bad")])
    if here or not _says_little(row.node):
        lines += [[(indent, ""), *line] for line in _about(row.node, room, here=here)]
    return lines


def _says_little(node: Node) -> bool:
    """Whether what would stand below it stands beside it or above it already."""
    shape, content = node.shape, node.content
    if shape.description or shape.reason or content.shape.description:
        return False
    if node.is_item:
        return True
    return content.kind == "object" and not is_foreign(node) and len(shape.notes) == 1


def faults_at(node: Node, setting: Setting) -> list[FieldProblem]:
    """What is wrong at a field, and is to be shown there."""
    problems = setting.problems.get(id(node), ())
    return [problem for problem in problems if setting.strict or not problem.missing]


def add_words(node: Node) -> str:
    """What the row says with which something is added."""
    if node.kind == "object":
        return "+ add a key"
    return "+ add an item" if node.members else "+ add the first item"


def name_of(node: Node) -> str:
    """What a field is called: its key, or the number of an item."""
    if node.parent is None:
        return "input"
    if node.is_item:
        return f"{node.steps[-1]}"
    return one_line(node.key) if node.key else '""'


def one_line(text: str) -> str:
    """Foreign text on one line, with its line breaks and tabs to be seen."""
    return printable(text).translate(_CONTROLS)


def value_place(row: Row, width: int, setting: Setting) -> tuple[int, int]:
    """Where the text of a field stands in its first line, and how many cells it has."""
    left = setting.names + 1
    if row.node.kind == "choice":
        left += cell_len(_form_label(row.node, width)) + 1
    return left, max(width - left - TAG - 1, 4)


def shown_text(node: Node) -> str:
    """The value of a field on one line."""
    content = node.content
    if node.state is State.NULL:
        return "null"
    if content.kind in {"object", "array"}:
        return _contents(node)
    if node.state is State.ABSENT and content.kind != "const":
        return ""
    if content.kind in PICK_KINDS:
        if content.kind == "boolean":
            return "true" if content.chosen else "false"
        return one_line(content.shape.options[content.chosen].label)
    text = content.text[:SHOWN_TEXT]
    if content.kind == "string" and (not text or text != text.strip()):
        text = compact(text)
    if content.kind == "json":
        text = fold(text)
    return one_line(text)


def is_foreign(node: Node) -> bool:
    """Whether it is a key that the schema says nothing of."""
    around = node.around
    return not node.known and around is not None and around.kind == "object" and not around.shape.takes_keys


def tag_of(node: Node) -> Piece:
    """The state of a field in a word."""
    if node.state is State.NULL:
        return "null", "quiet"
    content = node.content
    if node.state is State.ABSENT:
        return ("required", "heading") if node.required or not node.known else ("absent", "later")
    if node.is_default:
        return "default", "quiet"
    if content.kind == "const" and content.origin is Origin.ALONE:
        return "fixed", "quiet"
    if not node.known and node.parent is not None and not node.is_item:
        return "added", "quiet"
    if content.json:
        return "JSON", "quiet"
    return "", ""


def _first_line(row: Row, width: int, setting: Setting, *, here: bool) -> Line:
    node = row.node
    star = " *" if node.required and not node.is_item else ""
    indent = "  " * row.depth
    name = fit(name_of(node), max(setting.names - len(indent) - len(star) - 1, 3))
    left: list[Piece] = [(indent, ""), (name, "strong" if node.required else ""), (star, "heading")]
    used = len(indent) + cell_len(name) + len(star)
    left.append((" " * max(setting.names + 1 - used, 1), ""))
    if node.kind == "choice":
        left += [(_form_label(node, width), "agent"), (" ", "")]
    _, room = value_place(row, width, setting)
    tag, look = ("✗", "bad") if faults_at(node, setting) else tag_of(node)
    if here and node.is_item:
        tag, look = "▲ ▼ ✕", "agent"
    elif here and node.removable:
        tag, look = "✕", "agent"
    return [*left, *_value(node, room), (" ", ""), (tag.rjust(TAG), look)]


def _value(node: Node, room: int) -> list[Piece]:
    content = node.content
    text = shown_text(node)
    if content.kind in TEXT_KINDS or content.kind == "json":
        look = "boxnull" if node.state is State.NULL else "box"
        shown = fit(text, room - 1)
        return [("▏" + shown + " " * max(room - 1 - cell_len(shown), 0), look)]
    if content.kind in {"boolean", "enum"}:
        shown = fit(text or "choose", room - 4)
        chosen = node.state is not State.ABSENT
        pieces: list[Piece] = [("‹ ", "agent"), (shown, "" if chosen else "later"), (" ›", "agent")]
        return [*pieces, (" " * max(room - 4 - cell_len(shown), 0), "")]
    shown = fit(text, room)
    look = "quiet" if node.state is State.ABSENT else ""
    return [(shown + " " * max(room - cell_len(shown), 0), look)]


def _contents(node: Node) -> str:
    content = node.content
    mark = "▾" if is_open(node, 0) else "▸"
    if content.kind == "array":
        count = len(content.members or ())
        if node.state is State.ABSENT:
            return f"{mark} no items"
        return f"{mark} {count} {'item' if count == 1 else 'items'}" if count else f"{mark} empty"
    total = len(content.members) if content.members is not None else len(content.shape.properties)
    fields = f"{total} {'field' if total == 1 else 'fields'}" if total else "no fields yet"
    if node.state is State.ABSENT:
        return f"{mark} {fields}"
    filled = sum(member.state is not State.ABSENT for member in content.members or ())
    return f"{mark} {filled} of {fields}" if total else f"{mark} empty"


def _form_label(node: Node, width: int) -> str:
    shape = node.shape
    return f"‹{fit(one_line(shape.branches[node.branch].label), max(width // 5, 8))}›"


def _about(node: Node, room: int, *, here: bool) -> list[Line]:
    shape, content = node.shape, node.content
    notes = " · ".join(
        shape.notes if content is node or node.kind != "choice" else (*shape.notes, *content.shape.notes)
    )
    description = shape.description or content.shape.description
    text = one_line(fold(notes))
    said = one_line(fold(description))
    if is_foreign(node):
        text = f"not in the schema · {text}"
    lines: list[Line] = []
    words = wrap(f"{text}  {said}" if said else text, room)
    limit = MAX_ABOUT if here else QUIET_LINES
    cut = words[:limit]
    if len(words) > limit:
        cut[-1] = f"{wrap(cut[-1], room - 2)[0]} …"
    left = len(text)
    for line in cut:
        head = line[: max(left, 0)]
        lines.append([(head, "note"), (line[len(head) :], "quiet")])
        left -= len(line) + 1
    if here:
        further = [remark for remark in shape.remarks if remark not in shape.reason]
        for remark in (*([shape.reason] if shape.reason else []), *further):
            lines += [[(line, "warn")] for line in wrap(f"! {one_line(fold(remark))}", room)]
    elif shape.reason:
        lines.append([(fit(f"! {one_line(fold(shape.reason))}", room), "warn")])
    return lines
