"""What of a settings file acts, what waits, and what is refused."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.space.agent_file import AgentFile, OwnerFolders
from workbench.harness.space.settings import DEFAULTS, acting, read_values, secret_in


def file_in(tmp_path: Path, text: str | None = None) -> AgentFile:
    space = tmp_path / "space"
    space.mkdir(exist_ok=True)
    if text is not None:
        (space / "agent.toml").write_text(text)
    return AgentFile(space, OwnerFolders(tmp_path / "config", tmp_path / "state"))


@pytest.mark.parametrize(
    ("table", "field", "value"),
    [
        ({"tools": ["search"]}, "tools", ("search",)),
        ({"tools": []}, "tools", ()),
        ({"switched_off": ["a"]}, "switched_off", ("a",)),
        ({"name": "x"}, "name", "x"),
        ({"touch_expand": {"first_call": "run"}}, "first_call", "run"),
        ({"sandbox": {"timeout_secs": 10}}, "timeout_secs", 10),
        ({"sandbox": {"network": False}}, "network", False),
        ({"web": {"read": False}}, "web_read", False),
        ({"turn": {"max_steps": 5}}, "max_steps", 5),
    ],
)
def test_what_narrows_acts_at_once(table: dict[str, Any], field: str, value: Any) -> None:
    now = acting(read_values(table))
    assert getattr(now.settings, field) == value
    assert now.waiting == ()


@pytest.mark.parametrize(
    ("table", "path", "field"),
    [
        ({"sandbox": {"network": True}}, "sandbox.network", "network"),
        ({"sandbox": {"processes": True}}, "sandbox.processes", "processes"),
        ({"sandbox": {"timeout_secs": 300}}, "sandbox.timeout_secs", "timeout_secs"),
        ({"sandbox": {"memory_mib": 4096}}, "sandbox.memory_mib", "memory_mib"),
        ({"surface": "toolbox"}, "surface", "surface"),
        ({"model": "openai:x"}, "model", "model"),
        ({"models": {"x": {"url": "http://127.0.0.1"}}}, "models", "models"),
        ({"turn": {"max_steps": 51}}, "turn.max_steps", "max_steps"),
        ({"mcp": {"s": {"command": "x"}}}, "mcp", "mcp"),
    ],
)
def test_what_widens_waits_and_the_default_acts(table: dict[str, Any], path: str, field: str) -> None:
    now = acting(read_values(table))
    assert getattr(now.settings, field) == getattr(DEFAULTS, field)
    assert [waiting.id for waiting in now.waiting] == [path]


def test_a_yes_is_for_one_value_on_one_machine(tmp_path: Path) -> None:
    file = file_in(tmp_path, 'model = "openai:a"\n')
    (waiting,) = file.state().waiting
    file.answer(waiting, True)
    assert file.state().settings.model == "openai:a"
    (tmp_path / "space" / "agent.toml").write_text('model = "openai:b"\n')
    assert file.state().settings.model is None
    assert [setting.value for setting in file.state().waiting] == ["openai:b"]
    elsewhere = AgentFile(tmp_path / "space", OwnerFolders(tmp_path / "other", tmp_path / "state"))
    assert elsewhere.state().settings.model is None


def test_models_whose_settings_wait_are_named(tmp_path: Path) -> None:
    table = '[models."openai:llama3"]\nbase_url = "http://127.0.0.1:11434/v1"\n[models.local]\nmodel = "openai:x"\n'
    file = file_in(tmp_path, table)
    (waiting,) = file.state().waiting
    assert file.state().settings.models_waiting == ("openai:llama3", "local")
    file.answer(waiting, True)
    assert file.state().settings.models_waiting == ()
    assert set(file.state().settings.models) == {"openai:llama3", "local"}
    (tmp_path / "space" / "agent.toml").write_text(table + "context = 8192\n")
    (changed,) = file.state().waiting
    assert file.state().settings.models_waiting == ("openai:llama3", "local")
    file.answer(changed, False)
    assert file.state().settings.models_waiting == ("openai:llama3", "local")
    assert file.state().settings.models == {}


def test_no_yes_makes_this_version_do_what_it_cannot(tmp_path: Path) -> None:
    file = file_in(tmp_path, '[web]\nsearxng = "https://s.example"\n')
    (waiting,) = file.state().waiting
    file.answer(waiting, True)
    assert file.state().settings.searxng is None
    assert [setting.id for setting in file.state().waiting] == ["web.searxng"]


SANDBOX = [
    # the key, a value that narrows, one that widens, the first one below and above what it may be
    ("network", False, True, 0, 1),
    ("processes", False, True, "off", "on"),
    ("memory_mib", 64, 65536, 63, 65537),
    ("timeout_secs", 1, 300, 0, 301),
    ("disk_mib", 1, 65536, 0, 65537),
]


@pytest.mark.parametrize(("key", "narrow", "wide"), [row[:3] for row in SANDBOX])
def test_what_narrows_the_sandbox_acts_and_what_widens_it_after_a_yes(
    tmp_path: Path, key: str, narrow: Any, wide: Any
) -> None:
    def acts() -> Any:
        return getattr(file.state().settings, key)

    default = getattr(DEFAULTS, key)
    file = file_in(tmp_path, f"[sandbox]\n{key} = {str(narrow).lower()}\n")
    assert (acts(), file.state().waiting) == (narrow, ())
    file = file_in(tmp_path, f"[sandbox]\n{key} = {str(wide).lower()}\n")
    assert acts() == default
    (waiting,) = file.state().waiting
    assert (waiting.id, waiting.value, waiting.default, waiting.built) == (f"sandbox.{key}", wide, default, True)
    file.answer(waiting, True)
    assert acts() == wide
    file.answer(waiting, False)
    assert acts() == default


@pytest.mark.parametrize(
    ("key", "value", "narrow"), [(row[0], value, row[1]) for row in SANDBOX for value in (*row[3:], 1.5)]
)
def test_what_the_sandbox_cannot_have_is_refused_with_what_it_can(
    tmp_path: Path, key: str, value: Any, narrow: Any
) -> None:
    with pytest.raises(HarnessError) as refused:
        file_in(tmp_path, "").patched({f"sandbox.{key}": value})
    assert refused.value.code == "bad_input"
    assert f"sandbox.{key} must be " in refused.value.message
    assert ("true or false" if narrow is False else f"from {narrow} to ") in refused.value.message


@pytest.mark.parametrize(
    "broken",
    [
        "tools = [",
        'tools = "search"',
        "tools = [1]",
        "[sandbox]\nnetwork = 1",
        "[touch_expand]\nfirst_call = 'x'",
        "a=1\na=2",
    ],
)
def test_a_broken_file_leaves_the_last_good_settings(tmp_path: Path, broken: str) -> None:
    file = file_in(tmp_path, 'tools = ["search"]\n')
    assert file.state().settings.tools == ("search",)
    (tmp_path / "space" / "agent.toml").write_text(broken)
    assert file.state().settings.tools == ("search",)
    assert "last good settings stay" in file.state().faults[0]
    assert file.state().values is None
    # Also for a process that never saw the good one.
    again = file_in(tmp_path)
    assert again.state().settings.tools == ("search",)


def test_a_file_that_went_away_widens_nothing(tmp_path: Path) -> None:
    file = file_in(tmp_path, "tools = []\n")
    assert file.state().settings.tools == ()
    (tmp_path / "space" / "agent.toml").unlink()
    file.create()
    assert file.state().settings.tools == ()


def test_a_patch_of_a_file_that_went_away_widens_nothing(tmp_path: Path) -> None:
    file = file_in(tmp_path, "# mine\ntools = []\n")
    file.state()
    (tmp_path / "space" / "agent.toml").unlink()
    assert file.patched({"name": "z"}) == '# mine\ntools = []\nname = "z"\n'


def test_a_folder_or_a_pipe_in_its_place_is_a_fault(tmp_path: Path) -> None:
    file = file_in(tmp_path, "tools = []\n")
    file.state()
    path = tmp_path / "space" / "agent.toml"
    path.unlink()
    path.mkdir()
    assert file.state().settings.tools == ()
    assert "not a file" in file.state().faults[0]
    path.rmdir()
    os.mkfifo(path)
    assert file.state().settings.tools == ()


def test_with_no_good_settings_ever_nothing_is_callable(tmp_path: Path) -> None:
    state = file_in(tmp_path, "tools = [").state()
    assert state.settings.tools == ()
    assert not state.known
    assert "nothing is callable" in state.faults[0]


def test_unknown_names_are_shown_and_the_rest_acts(tmp_path: Path) -> None:
    state = file_in(tmp_path, 'tools = ["search", "bash"]\ncolour = "red"\n[sandbox]\nx = 1\n').state()
    assert state.settings.tools == ("search", "bash")
    assert len(state.faults) == 3
    assert any("bash" in fault for fault in state.faults)


def test_a_patch_keeps_the_owners_comments(tmp_path: Path) -> None:
    text = '# mine\nname = "a"  # and this\n\n[sandbox]\n# about time\ntimeout_secs = 5\n'
    file = file_in(tmp_path, text)
    patched = file.patched({"tools": ["search"], "sandbox.timeout_secs": None, "touch_expand": {"first_call": "run"}})
    for kept in ("# mine", "# and this", "# about time", 'tools = ["search"]', 'first_call = "run"'):
        assert kept in patched
    assert "timeout_secs" not in patched
    assert file_in(tmp_path).state().settings.tools is None, "patched() writes nothing"


LISTED = 'tools = [   # mine\n  "search",   # finds\n  "execute",  # runs\n  # no more\n]  # end\n'


@pytest.mark.parametrize(
    ("tools", "text"),
    [
        (["execute"], LISTED.replace('  "search",   # finds\n', "")),
        (["search"], LISTED.replace('  "execute",  # runs\n', "")),
        (["search", "execute", "publish"], LISTED.replace("  # no more\n", '  # no more\n  "publish"\n')),
        (["search", "execute"], LISTED),
        (["execute", "search"], 'tools = ["execute", "search"]  # end\n'),
        (None, ""),
    ],
)
def test_a_list_is_edited_item_by_item_with_the_comments_between_them(
    tmp_path: Path, tools: list[str] | None, text: str
) -> None:
    before, after = 'name = "a" # x\n', "\n[sandbox]\n# about time\ntimeout_secs = 5\n"
    file = file_in(tmp_path, before + LISTED + after)
    assert file.patched({"tools": tools}) == before + text + after


def test_a_list_that_is_made_and_taken_away_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    text = '# mine\nname = "a"\n# last\n\n[sandbox]\ntimeout_secs = 5\n'
    file = file_in(tmp_path, text)
    file.write(file.patched({"tools": ["search"]}))
    assert file.state().settings.tools == ("search",)
    assert file.patched({"tools": None}) == text


def test_the_text_of_the_file_can_be_looked_at_also_while_it_is_broken(tmp_path: Path) -> None:
    assert file_in(tmp_path).text() is None
    assert file_in(tmp_path, "tools = [").text() == "tools = ["


@pytest.mark.parametrize(
    "patch",
    [
        {"colour": 1},
        {"sandbox": {"x": 1}},
        {"tools": "search"},
        {"name": 5},
        {"sandbox": {"timeout_secs": 301}},
        {"sandbox": 1},
    ],
)
def test_a_patch_that_cannot_be_is_refused(tmp_path: Path, patch: dict[str, Any]) -> None:
    with pytest.raises(HarnessError) as refused:
        file_in(tmp_path, "").patched(patch)
    assert refused.value.code == "bad_input"


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"models": {"x": {"api_key": "hunter2"}}}, True),
        ({"models": {"x": {"api_key": "${OPENAI_API_KEY}"}}}, False),
        ({"models": {"x": {"api_key": "keyring:openai"}}}, False),
        ({"prompt": "use sk-abcdefghijklmnopqrstuvwxyz012345"}, True),
        ({"prompt": "an ordinary prompt about keys and tokens"}, False),
        ({"mcp": {"s": {"env": {"GITHUB_TOKEN": "ghp_abcdefghijklmnopqrstuvwxyz0123456789"}}}}, True),
        ({"mcp": {"s": {"args": ["--token", "xoxb-1234567890-abc"]}}}, True),
        ({"turn": {"max_tokens": 5}}, False),
    ],
)
def test_a_secret_is_told_from_a_reference_to_one(value: Any, found: bool) -> None:
    assert (secret_in(value) is not None) is found


@pytest.mark.parametrize(
    "text",
    [
        'name = "sk-abcdefghijklmnopqrstuvwxyz012345"\n',
        'api_key = "sk-abcdefghijklmnopqrstuvwxyz012345"\n',
        'api_key = "hunter2hunter2"\n',
        '[unknown.deep]\ntoken = "sk-abcdefghijklmnopqrstuvwxyz012345"\n',
        "# sk-abcdefghijklmnopqrstuvwxyz012345\n",
    ],
)
def test_a_secret_written_by_hand_is_a_fault_and_reaches_nothing(tmp_path: Path, text: str) -> None:
    state = file_in(tmp_path, text).state()
    assert state.values is None
    assert "secret" in state.faults[0]
    assert "sk-" not in state.faults[0]
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize("value", ["2020-01-01", "nan", "inf", "12:00:00", "[2020-01-01]", "{x = -inf}"])
def test_a_value_that_json_does_not_have_is_a_fault(tmp_path: Path, value: str) -> None:
    state = file_in(tmp_path, f"[models.a]\nx = {value}\n").state()
    assert state.values is None
    assert "models" in state.faults[0]


def test_a_yes_can_be_taken_back(tmp_path: Path) -> None:
    file = file_in(tmp_path, 'model = "openai:a"\n')
    file.answer(file.state().waiting[0], True)
    (approved,) = file.state().approved
    file.answer(approved, False)
    assert file.state().settings.model is None
    assert file.state().waiting[0].denied


def test_a_patch_of_a_broken_file_names_it_and_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(HarnessError) as refused:
        file_in(tmp_path, "tools = [").patched({"name": "x"})
    assert "agent.toml" in refused.value.message
    assert "by hand" in refused.value.message


def test_a_link_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.toml").write_text("tools = ['search', 'execute']\n")
    space = tmp_path / "space"
    space.mkdir()
    (space / "agent.toml").symlink_to(tmp_path / "elsewhere.toml")
    assert not file_in(tmp_path).state().known


LOCAL = '[models.local]\nmodel = "openai:llama3"\nbase_url = "http://127.0.0.1:11434/v1"\n'


@pytest.mark.parametrize(
    ("then", "acts"),
    [
        (f'model = "local"\n{LOCAL}', True),
        (f'model = "local"\n# a comment\n{LOCAL}context = 8192\n', True),
        ('model = "local"\n', False),
        (f'model = "local"\n{LOCAL}'.replace("11434", "11435"), False),
        (f'model = "local"\n{LOCAL}'.replace("llama3", "gpt"), False),
        (f'model = "local"\n{LOCAL}key = "${{OTHER}}"\n', False),
        (f'model = "local"\n{LOCAL}[models."openai:llama3"]\nkey = "${{K}}"\n', False),
    ],
    ids=["the same", "its context", "no table", "another address", "another model", "a key", "a key of its target"],
)
def test_a_yes_to_a_model_is_one_to_where_it_is_sent(tmp_path: Path, then: str, acts: bool) -> None:
    file = file_in(tmp_path, f'model = "local"\n{LOCAL}')
    for setting in file.state().waiting:
        file.answer(setting, True)
    assert file.state().settings.model == "local"
    (tmp_path / "space" / "agent.toml").write_text(then)
    state = file.state()
    assert (state.settings.model == "local") == acts
    assert ("model" in [setting.id for setting in state.waiting]) == (not acts)
