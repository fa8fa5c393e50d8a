"""Lines of the composer in a thread of the toolbox surface."""

from __future__ import annotations

import re
from typing import Any

import pytest

from workbench.app.transcript.host_commands import FORMS, parse
from workbench.app.transcript.voices import VOICES, preview, voices
from workbench.harness.errors import HarnessError
from workbench.harness.names import TOOLBOX


@pytest.mark.parametrize(
    ("line", "name", "input"),
    [
        ("ls", "ls", {}),
        ("ls src dir", "ls", {"path": "src dir"}),
        ("read a b.txt", "read", {"path": "a b.txt"}),
        ('read {"path": "a", "limit": 3}', "read", {"path": "a", "limit": 3}),
        ("bash git status; id", "bash", {"command": "git status; id"}),
        ("bash { echo a; }", "bash", {"command": "{ echo a; }"}),
        ('bash {"command": "ls", "timeout": 3}', "bash", {"command": "ls", "timeout": 3}),
        ("grep def main", "grep", {"pattern": "def main"}),
        ("find *.py", "find", {"pattern": "*.py"}),
        ("write a.txt  two words", "write", {"path": "a.txt", "content": " two words"}),
        ('edit {"path": "a", "edits": []}', "edit", {"path": "a", "edits": []}),
    ],
)
def test_a_line_as_an_act(line: str, name: str, input: Any) -> None:
    command = parse(line)
    assert (command.name, command.input) == (name, input)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "Write an act"),
        ("call search {}", "call is none of the tools here (read, write, edit, bash, grep, find, ls)"),
        ("hello there", "switch the voice to message"),
        ("read", "read needs more: read PATH"),
        ("write a", "write needs more: write PATH TEXT"),
        ("edit a", 'edit needs more: edit {"path"'),
        ("grep {", "the input of grep"),
    ],
)
def test_what_is_no_act_is_told(line: str, says: str) -> None:
    with pytest.raises(HarnessError, match=re.escape(says)):
        parse(line)


def test_every_tool_has_a_form_and_the_preview_is_its_own_line() -> None:
    assert set(FORMS) == set(TOOLBOX)
    seen = preview("user", "bash ls -la", "toolbox")
    assert (seen.says, seen.command and seen.command.name) == ("enter: $ ls -la · by you", "bash")
    assert preview("agent", "bash {}", "verbs").command is not None
    assert "none of the tools here" in preview("agent", "call x", "toolbox").says
    assert preview("agent", "say hello", "toolbox").said == "hello"


def test_the_voices_say_that_they_act_on_the_real_machine() -> None:
    assert voices("verbs") is VOICES
    off = voices("toolbox", "not allowed now")
    assert all("acts on the real machine" not in words.does for words in off.values())
    assert all("nothing acts: not allowed now" in off[voice].does for voice in ("user", "agent"))
    assert (
        "nothing acts: not allowed now · enter: $ ls" in preview("user", "bash ls", "toolbox", "not allowed now").says
    )
    assert all("real machine" in voices("toolbox")[voice].does for voice in ("user", "agent"))
