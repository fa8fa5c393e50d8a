"""Every setting as a row: what acts and what decides it; faults with the line they are about."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.app.space.settings_rows import Setting, about, fault_lines, setting_row, settings_of
from workbench.harness.space.agent_file import AgentFile, OwnerFolders


def file_in(tmp_path: Path, text: str) -> AgentFile:
    space = tmp_path / "space"
    space.mkdir(exist_ok=True)
    (space / "agent.toml").write_text(text, "utf-8")
    return AgentFile(space, OwnerFolders(tmp_path / "config", tmp_path / "state"))


def one(file: AgentFile, path: str) -> Setting:
    return next(setting for setting in settings_of(file.state()) if setting.path == path)


def shown(setting: Setting) -> tuple[str, str]:
    row = setting_row(setting)
    return row.head[1][0], row.tail[0]


def test_where_a_value_comes_from(tmp_path: Path) -> None:
    file = file_in(tmp_path, 'name = "ada"\nmodel = "x:y"\n')
    assert shown(one(file, "name")) == ('"ada"', "agent.toml")
    assert shown(one(file, "turn.max_steps")) == ("50", "default")
    assert shown(one(file, "tools")) == ("no list: everything", "default")
    assert shown(one(file, "model")) == ("none", "waits for your yes")
    assert setting_row(one(file, "model")).notes[0][0] == '"x:y" stands in agent.toml'
    assert "a says yes" in about(one(file, "model"))[-1]
    file.answer(file.state().waiting[0], True)
    assert shown(one(file, "model")) == ('"x:y"', "agent.toml, by your yes")
    assert "x takes the yes back" in about(one(file, "model"))[-1]
    file.answer(file.state().approved[0], False)
    assert shown(one(file, "model")) == ("none", "you said no")


def test_a_broken_file_leaves_the_last_good_settings_and_that_is_said(tmp_path: Path) -> None:
    file = file_in(tmp_path, 'name = "ada"\ntools = []\n')
    file.state()
    broken = file_in(tmp_path, "tools = [\n")
    assert shown(one(broken, "name")) == ('"ada"', "last good settings")
    assert shown(one(broken, "tools")) == ("[]", "last good settings")
    never = AgentFile(tmp_path / "space", OwnerFolders(tmp_path / "other", tmp_path / "elsewhere"))
    assert shown(one(never, "tools")) == ("[]", "nothing good known")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('name = "a"\ntools = [/]\n', "line 2: tools = [/]"),
        ('name = "a"\ntools = [\n', "line 3: "),
        ('name = "a"\n\n[sandbox]\ntimeout_secs = 900\n', "line 4: timeout_secs = 900"),
        ("colour = 1\n", "line 1: colour = 1"),
        ('# x\ntools = ["bash"]\n', 'line 2: tools = ["bash"]'),
        ("sandbox.memory_mib = 1\n", "line 1: sandbox.memory_mib = 1"),
    ],
)
def test_a_fault_comes_with_the_line_it_is_about(tmp_path: Path, text: str, line: str) -> None:
    faults = file_in(tmp_path, text).state().faults
    assert f"    {line}" in fault_lines(faults, text)


def test_a_line_with_a_secret_is_not_shown(tmp_path: Path) -> None:
    text = 'name = "a"\n[models.x]\napi_key = "sk-abcdefghijklmnopqrstuvwxyz012345"\n'
    said = "\n".join(fault_lines(file_in(tmp_path, text).state().faults, text))
    assert "line 3" in said
    assert "sk-" not in said


def test_without_a_text_the_fault_alone_is_said() -> None:
    assert fault_lines(("It is [/] gone.",), None) == ("✗ It is [/] gone.",)
