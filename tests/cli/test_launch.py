"""When the command line asks for the app and for nothing else."""

from __future__ import annotations

import pytest

from workbench.cli.launch import AppAlone, app_alone


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        ([], AppAlone()),
        (["--space", "x"], AppAlone("x")),
        (["--model", "scripted:a.toml"], AppAlone(None, "scripted:a.toml")),
        (["--space", "x", "--model", "m"], AppAlone("x", "m")),
        (["--model", "m", "--space", "x"], AppAlone("x", "m")),
        (["--space", "x", "--space", "y"], None),
        (["--space", ""], None),
        (["--space", "--json"], None),
        (["--model"], None),
        (["--space", "x", "tools"], None),
        (["tools"], None),
        (["--help"], None),
    ],
)
def test_the_app_is_opened_without_the_commands_where_nothing_else_is_asked(
    arguments: list[str], asked: AppAlone | None
) -> None:
    assert app_alone(arguments) == asked
