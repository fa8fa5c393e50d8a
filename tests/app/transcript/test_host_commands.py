"""Lines of the composer in a thread of the toolbox surface."""

from __future__ import annotations

import re
from typing import Any

import pytest

from workbench.app.transcript.host_calls import refusal
from workbench.app.transcript.host_commands import FORMS, MORE, parse
from workbench.app.transcript.voices import VOICES, preview, voices
from workbench.harness.errors import HarnessError
from workbench.harness.names import TOOLBOX
from workbench.harness.tools.definition import schema_of
from workbench.harness.tools.toolbox.registry import TOOLS


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
        ("read", 'read needs more: read PATH; from a line on: read {"path"'),
        ("grep", 'in one file: grep {"pattern"'),
        ("write a", "write needs more: write PATH TEXT"),
        ("edit a", 'edit takes JSON: edit {"path"'),
        ("grep {", "the input of grep"),
    ],
)
def test_what_is_no_act_is_told(line: str, says: str) -> None:
    with pytest.raises(HarnessError, match=re.escape(says)):
        parse(line)


def test_every_tool_has_a_form_and_the_preview_is_its_own_line() -> None:
    assert set(FORMS) == set(TOOLBOX)
    seen = preview("user", "bash ls -la", "toolbox")
    assert (seen.says, seen.command and seen.command.name) == (
        'enter: $ ls -la · by you · with a limit: bash {"command": "…", "timeout": 60}',
        "bash",
    )
    assert preview("agent", "bash {}", "verbs").command is not None
    assert "none of the tools here" in preview("agent", "call x", "toolbox").says
    assert preview("agent", "say hello", "toolbox").said == "hello"


@pytest.mark.parametrize("name", TOOLBOX)
def test_where_a_tool_takes_more_than_a_short_form_says_it_is_said_how_as_json_that_it_takes(name: str) -> None:
    tool = TOOLS[name]
    if name not in MORE:
        assert set(schema_of(tool.parameters)["properties"]) == {"path", {"write": "content", "edit": "edits"}[name]}
        return
    written = MORE[name].partition(": ")[2]
    assert MORE[name] in preview("user", f"{name} two words", "toolbox").says
    assert len(parse(written).input) == 2
    assert not refusal(name, parse(written).input)
    assert MORE[name] not in preview("user", written, "toolbox").says


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('bash {"command": 5}', "bash will refuse it: command:"),
        ("bash {}", "bash will refuse it: command:"),
        ('read {"path": "a", "offset": "x"}', "read will refuse it: offset:"),
        ('write {"path": "x"}', "write will refuse it: content:"),
        ('edit {"path": "x"}', "edit will refuse it: edits:"),
        ('ls {"path": 1}', "ls will refuse it: path:"),
        ("find {}", "find will refuse it: pattern:"),
        ('grep {"pattern": "x", "ignoreCase": 1}', "grep will refuse it: ignoreCase:"),
    ],
)
def test_what_a_tool_would_refuse_is_said_before_it_is_sent_and_can_be_sent(line: str, says: str) -> None:
    seen = preview("agent", line, "toolbox")
    assert says in seen.says
    assert seen.command is not None


def test_the_voices_say_that_they_act_on_the_real_machine() -> None:
    assert voices("verbs") is VOICES
    off = voices("toolbox", "not allowed now")
    assert all("acts on the real machine" not in words.does for words in off.values())
    assert all("nothing acts: not allowed now" in off[voice].does for voice in ("user", "agent"))
    assert (
        "nothing acts: not allowed now · enter: $ ls" in preview("user", "bash ls", "toolbox", "not allowed now").says
    )
    assert all("real machine" in voices("toolbox")[voice].does for voice in ("user", "agent"))
