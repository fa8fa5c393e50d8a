"""The core stands without a face, and looking at the command line's help does not load the app."""

from __future__ import annotations

import subprocess
import sys

import pytest

FACES = ("textual", "rich", "typer", "click")


@pytest.mark.parametrize(
    ("module", "absent"),
    [
        ("workbench", (*FACES, "jsonschema", "dag_cbor")),
        ("workbench.cli.main", ("textual", "rich", "jsonschema", "dag_cbor", "msgspec", "sqlite3")),
        ("workbench.harness.harness", FACES),
        ("workbench.demo.player", FACES),
        ("workbench.demo.shipped", FACES),
        ("workbench.agent.scene", (*FACES, "pydantic_ai", "openai", "anthropic")),
    ],
)
def test_an_import_does_not_bring_what_it_does_not_need(module: str, absent: tuple[str, ...]) -> None:
    script = f"import sys, {module}; print([name for name in {absent!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_the_library_is_there_under_its_two_names() -> None:
    script = "from workbench import Harness, HarnessError; print(Harness.__name__, HarnessError.__name__)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == ["Harness", "HarnessError"]
