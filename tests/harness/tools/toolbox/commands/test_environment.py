"""What a command is given of the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.harness.tools.toolbox.commands import environment


def test_only_what_is_listed_is_handed_on() -> None:
    environ = {
        b"PATH": b"/bin",
        b"LC_ALL": b"C",
        b"LANG": b"de\xff",
        b"OPENAI_API_KEY": b"secret",
        b"LC": b"no",
        b"MINE": b"yes",
        b"path": b"no",
    }
    given = environment.allowed(environ, ("MINE", "NOT_SET"))
    assert given == {b"PATH": b"/bin", b"LC_ALL": b"C", b"LANG": b"de\xff", b"MINE": b"yes"}


def program(folder: Path, name: str) -> bytes:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text("#!/bin/true\n")
    path.chmod(0o755)
    return bytes(path)


def test_the_shell_is_the_usual_one_else_bash_else_sh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = program(tmp_path / "usual", "bash")
    sh, bash = program(tmp_path / "a", "sh"), program(tmp_path / "b", "bash")
    environ = {b"PATH": b"relative:" + bytes(tmp_path / "a") + b":" + bytes(tmp_path / "b")}
    monkeypatch.setattr(environment, "USUAL_SHELL", str(tmp_path / "usual" / "bash"))
    assert environment.find_shell(environ) == usual
    (tmp_path / "usual" / "bash").unlink()
    assert environment.find_shell(environ) == bash
    (tmp_path / "b" / "bash").chmod(0o644)
    assert environment.find_shell(environ) == sh
    (tmp_path / "a" / "sh").unlink()
    assert environment.find_shell(environ) is None
