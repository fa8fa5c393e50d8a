"""Looking ahead in another process: the same answer as looking oneself, and no answer where there can be none."""

from __future__ import annotations

import sys

import pytest

from workbench.harness.tools.lambdas import ahead
from workbench.harness.tools.lambdas.probe import look


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "_begun", [])
    monkeypatch.setattr(ahead, "_found", [])


@pytest.mark.sandbox
async def test_another_process_finds_what_this_one_finds() -> None:
    ahead.begin()
    ahead.begin()
    assert len(ahead._begun) == 1
    found = await ahead.found()
    assert found is not None
    own = await look()
    assert (found.python, found.typescript, found.shell, found.processes) == (
        (own.python, own.typescript, own.shell, own.processes)
    )
    assert [(check.name, check.ok) for check in found.checks] == [(check.name, check.ok) for check in own.checks]
    assert await ahead.found() is found, "asked for again it is known"


async def test_without_a_beginning_there_is_no_answer() -> None:
    assert await ahead.found() is None


@pytest.mark.parametrize("program", ["/nowhere/python", "/bin/false", "/bin/echo"])
async def test_whatever_goes_wrong_there_is_no_answer(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", program)
    ahead.begin()
    assert await ahead.found() is None
