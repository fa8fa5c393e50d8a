"""The files of executors."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.app.tools.source import executors
from workbench.app.tools.source.executors import executor_file, executor_module, mark_of, read_executor


@pytest.mark.parametrize(
    ("binding", "module"),
    [
        ("search", "workbench.harness.tools.builtins.search"),
        ("execute", "workbench.harness.tools.builtins.execute"),
        ("verb:read", "workbench.harness.verbs.read"),
        ("verb:delegate", "workbench.harness.verbs.delegate"),
    ],
)
def test_a_binding_of_ours_has_its_installed_file(binding: str, module: str) -> None:
    found = executor_file(binding)
    assert found is not None
    assert found[0] == module
    executor = read_executor(*found)
    assert executor.text == found[1].read_text("utf-8")
    assert executor.mark == mark_of(found[1])


@pytest.mark.parametrize(
    "binding", ["", "web_search", "verb:nothing", "mcp:a/b", "../../x", "verb:a.b", "verb:", "x:y"]
)
def test_other_bindings_have_none(binding: str) -> None:
    assert executor_file(binding) is None


def test_what_is_not_ours_names_no_module() -> None:
    assert executor_module("mcp:server/tool") is None
    assert executor_module("verb:../x") is None


def test_a_file_that_is_gone_is_said(tmp_path: Path) -> None:
    executor = read_executor("a.module", tmp_path / "gone.py")
    assert "cannot be read now" in executor.text
    assert executor.mark == ()


def test_a_patched_file_has_another_mark_and_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "copies_of_executors"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "search.py").write_text("BEFORE = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(executors.PACKAGES, "", "copies_of_executors")
    found = executor_file("search")
    assert found == ("copies_of_executors.search", package / "search.py")
    before = read_executor(*found)
    (package / "search.py").write_text("AFTER = 1, 2\n")
    assert mark_of(found[1]) != before.mark
    assert read_executor(*found).text == "AFTER = 1, 2\n"
