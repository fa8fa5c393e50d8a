"""What is typed for a setting, and what becomes of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.app.space.editing import rules_text, several_lines, typed, value_of
from workbench.app.space.setting_words import SETTINGS, Choosing, Counting, Naming, Ruling, Switching
from workbench.app.space.settings_rows import Setting
from workbench.harness.errors import HarnessError
from workbench.harness.space.settings import BY_PATH, KEYS


def setting(path: str, said: Any = None) -> Setting:
    key = BY_PATH[path]
    return Setting(key, key.default, "default" if said is None else "agent.toml", said)


def value(path: str, text: str, said: Any = None) -> Any:
    return value_of(setting(path, said), SETTINGS[path].editing, text)


SAMPLES = (True, "x", "toolbox", "allow", "/home/me", 300, 1000, 65536, {"a": {}}, ["a"])
"""Of every kind of value one that goes beyond a default."""


def test_every_setting_has_words_and_an_editor() -> None:
    assert list(SETTINGS) == [key.path for key in KEYS]
    for key in KEYS:
        words = SETTINGS[key.path]
        assert words.about.endswith(".")
        widens = not all(key.free(sample) for sample in SAMPLES if key.fits(sample))
        assert (words.yes is not None) == widens, f"{key.path}: what a yes to it means is said where one is asked for"


def test_the_bounds_of_numbers_are_those_of_the_settings() -> None:
    for key in KEYS:
        editing = SETTINGS[key.path].editing
        if isinstance(editing, Counting):
            assert [key.fits(editing.least + step) for step in (-1, 0)] == [False, True]
            assert [key.fits(editing.most + step) for step in (0, 1)] == [True, False]
        elif isinstance(editing, Choosing):
            assert all(key.fits(choice) for choice, _ in editing.choices)
        elif isinstance(editing, Ruling):
            assert all(key.fits(word) for word, _ in editing.words)
        elif isinstance(editing, Switching):
            assert [key.fits(flag) for flag in (True, False)] == [True, True]


@pytest.mark.parametrize(
    ("path", "text", "becomes"),
    [
        ("name", " ada ", "ada"),
        ("prompt", "One.\n\nTwo.\n", "One.\n\nTwo.\n"),
        ("tools", "search, execute", ["search", "execute"]),
        ("tools", "", []),
        ("switched_off", "b a\nb", ["b", "a"]),
        ("switched_off", '["A B", "C"]', ["A B", "C"]),
        ("bash.env", "HTTP_PROXY, LANG", ["HTTP_PROXY", "LANG"]),
        ("workdir", " ~/project ", "~/project"),
        ("approvals.bash", "allow", "allow"),
        ("approvals.bash", '"deny"', "deny"),
        (
            "approvals.bash",
            '{"default": "ask", "allow": ["git status"], "deny": []}',
            {"default": "ask", "allow": ["git status"]},
        ),
        ("approvals.read", 'default = "allow"\nask = ["*.env"]\n', {"default": "allow", "ask": ["*.env"]}),
        ("turn.max_steps", "1,000", 1000),
        ("turn.max_tokens", "4_096", 4096),
        ("models", '{"x": {"url": "http://a"}}', {"x": {"url": "http://a"}}),
    ],
)
def test_what_was_typed_becomes_a_value(path: str, text: str, becomes: Any) -> None:
    assert value(path, text) == becomes


@pytest.mark.parametrize(
    ("path", "text", "says"),
    [
        ("name", "  ", "it is empty"),
        ("tools", "search serch", "serch cannot be granted"),
        ("turn.max_steps", "fifty", "“fifty” is no whole number"),
        ("turn.max_steps", "1001", "from 1 to 1,000"),
        ("turn.max_steps", "9" * 400, "from 1 to 1,000"),
        ("sandbox.timeout_secs", "0", "from 1 to 300"),
        ("turn.max_steps", "5.5", "no whole number"),
        ("models", "[]", "must be a table"),
        ("models", "{", "models"),
        ("bash.env", "[1]", "must be a list of names"),
        ("bash.env", "A-B", "must be a list of names"),
        ("workdir", "project", 'must be a folder, such as "/home/me/project"'),
        ("approvals.bash", "maybe", "is a word, or a table as JSON or TOML"),
        ("approvals.bash", '{"default": "maybe"}', 'must be "ask", "allow" or "deny"'),
        ("approvals.write", '{"allow": ["../x"]}', "without .. in it"),
        ("approvals.write", "{", "approvals.write"),
        ("model", "sk-abcdefghijklmnopqrstuvwxyz012345", "looks like a secret"),
        ("models", '{"x": {"api_key": "hunter2"}}', "models.x.api_key looks like a secret"),
    ],
)
def test_what_cannot_be_is_refused_in_words(path: str, text: str, says: str) -> None:
    with pytest.raises(HarnessError) as refused:
        value(path, text)
    assert says in refused.value.message


def test_a_name_that_stands_there_already_may_stay() -> None:
    assert value("tools", "serch search", ["serch"]) == ["serch", "search"]


NAMES = st.lists(st.text(min_size=1, max_size=12).filter(lambda text: text.isprintable()), unique=True, max_size=5)


@given(NAMES)
def test_a_list_comes_back_as_it_was_typed(names: list[str]) -> None:
    assert value("switched_off", typed(Naming(), names)) == names


@pytest.mark.parametrize("path", list(SETTINGS))
def test_a_default_can_be_typed_again(path: str) -> None:
    editing, default = SETTINGS[path].editing, setting(path).default
    if not default or isinstance(editing, Switching):
        return
    assert value(path, typed(editing, default)) == default


@pytest.mark.parametrize("said", ["ask", {"deny": ["*.env"]}, {"default": "deny", "allow": ["src/"]}])
def test_rules_begin_with_all_that_may_stand_in_them(said: Any) -> None:
    text = rules_text(said)
    assert all(f'"{name}"' in text for name in ("allow", "ask", "deny"))
    assert value("approvals.write", text) == (said if isinstance(said, dict) else {"default": said})


def test_prompt_and_tables_take_several_lines() -> None:
    assert [path for path in SETTINGS if several_lines(SETTINGS[path].editing)] == [
        "prompt", "models", "mcp",
    ]  # fmt: skip
