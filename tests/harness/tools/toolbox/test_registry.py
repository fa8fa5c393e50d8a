"""What the seven tools have in common."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

from workbench.harness.names import TOOLBOX_BINDING
from workbench.harness.tools import toolbox
from workbench.harness.tools.toolbox.host_tool import HostTool
from workbench.harness.tools.toolbox.registry import TOOLS

ELSEWHERE = {"sniff.SNIFFED_BYTES", "command_patterns.MAX_CHARS", "supervisor.END_SECS"}
"""Numbers of which no tool tells, and that of a program which imports nothing of the workbench."""


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_every_module_has_the_same_form(tool: HostTool) -> None:
    module = import_module(f"{toolbox.__name__}.{tool.name}")
    assert getattr(module, tool.name.upper()) is tool
    assert tool.binding == TOOLBOX_BINDING + tool.name
    assert module.Parameters is tool.parameters
    assert module.execute is tool.execute
    assert module.DESCRIPTION is tool.description
    assert module.render_call is tool.render_call
    assert module.render_result is tool.render_result


def test_every_limit_stands_in_one_place() -> None:
    """A number with a public name stands in `limits`, and nowhere else."""
    found: set[str] = set()
    for path in Path(toolbox.__path__[0]).rglob("*.py"):
        if path.name == "limits.py":
            continue
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                if name.isupper() and name[0] != "_" and _is_number(node.value):
                    found.add(f"{path.stem}.{name}")
    assert found == ELSEWHERE


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_number(node.left) and _is_number(node.right)
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)
