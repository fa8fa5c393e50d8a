"""No widget is handed a bare text: what comes from outside passes `widgets/literal.py`, which takes it literally."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import workbench.app

APP = Path(workbench.app.__file__).parent
LITERAL = APP / "widgets" / "literal.py"
FILES = sorted(path for path in APP.rglob("*.py") if path != LITERAL)

TAKES_MARKUP = {
    "Static", "Label", "Button", "Checkbox", "RadioButton", "Collapsible", "Tab", "TabPane", "Option", "Select",
    "SelectionList", "Placeholder", "DiscoveryHit", "Hit",
}  # fmt: skip
"""Widgets and values of Textual's that read markup in a text that they are given first."""
METHODS = {"notify", "add_row", "add_column", "add_option", "add_leaf", "from_markup", "update"}
ATTRIBUTES = {"tooltip", "border_title", "border_subtitle"}


def faults(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Places where a text might be read as markup."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else None
            method = node.func.attr if isinstance(node.func, ast.Attribute) else None
            given = [*node.args, *(k.value for k in node.keywords if k.arg in ("label", "prompt"))]
            if name in ("Static", "Label"):
                yield node.lineno, f"{name} is not for us: use Literal"
            elif name in TAKES_MARKUP and any(_is_text(value) for value in _first(name, given)):
                yield node.lineno, f"{name} with a bare text"
            elif method in ("notify", "from_markup", "add_row", "add_column"):
                yield node.lineno, f".{method} reads markup"
            elif method in METHODS and given and _is_text(given[0]):
                yield node.lineno, f".{method} with a bare text"
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Attribute) and target.attr in ATTRIBUTES:
                    yield node.lineno, f".{target.attr} is set by the function of that name in literal.py"


def _first(name: str | None, given: list[ast.expr]) -> list[ast.expr]:
    return given[1:2] if name == "Hit" else given[:1]


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(APP)))
def test_no_text_is_read_as_markup(path: Path) -> None:
    found = [f"{path.name}:{line}: {what}" for line, what in faults(ast.parse(path.read_text("utf-8")))]
    assert found == []


def test_the_lint_finds_what_it_is_for() -> None:
    bad = 'Static(x)\nButton("[b]")\nself.app.notify(x)\nself.tooltip = x\nOption(f"{x}")\nw.border_title = "x"\n'
    assert sorted(line for line, _ in faults(ast.parse(bad))) == [1, 2, 3, 4, 5, 6]
