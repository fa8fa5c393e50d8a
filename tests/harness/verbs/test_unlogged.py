"""Secrets that were to become settings: they are refused before they are logged, however they come in."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.harness.play import Play
from workbench.harness.errors import HarnessError
from workbench.harness.verbs.unlogged import refuse_before_logging

SECRET = "sk-abcdefghijklmnopqrstuvwxyz012345"
SETTINGS = {"models": {"x": {"key": SECRET}}}
TO_SELF = {"address": "~/self", "content": SETTINGS}
NAMED = 'api_key = "hunter2hunter2"'


@pytest.mark.parametrize(
    ("name", "input"),
    [
        ("write", TO_SELF),
        ("write", {"address": "~/self/", "content": json.dumps(SETTINGS)}),
        ("write", {"address": "~/self", "content": json.dumps(json.dumps(SETTINGS))}),
        ("write", {"address": "~/self", "content": NAMED}),
        ("write", {"address": "~/self", "content": f"prompt = 'x' # {SECRET}"}),
        ("write", {"address": "~/self", "content": 'models.x.key = "hunter2"'}),
        ("write", {"address": "~/self", "content": '{"models": {"x": {"key": "hunter2"}}, "models": 1}'}),
        ("write", {"address": "~/self", "content": {"prompt": "x", SECRET: 1}}),
        ("write", {"address": "~/self", "settings": SETTINGS}),
        ("write", {"address": "~/self", "contents": NAMED}),
        ("write", {"address": "~/self", "options": SETTINGS}),
        ("write", {"address": "~/selff", "content": SETTINGS}),
        ("write", {"content": SETTINGS}),
        ("write", json.dumps(TO_SELF)),
        ("write", json.dumps(TO_SELF)[:-4]),
        ("write", json.dumps({"address": "~/self", "content": NAMED})),
        ("write", '{"content": ' + json.dumps(SETTINGS)),
        ("write", '{"address": "\\u007e/self", "content": ' + json.dumps(SETTINGS)),
        ("write", '{"address":"~/self","address":"~/memory/x","content":{"models.x.key":"hunter2"}}'),
        ("write", "[" * 5000 + json.dumps(TO_SELF)),
        ("write", [TO_SELF]),
        ("call", {"tool": "write", "input": TO_SELF}),
        ("call", {"tool": "~/tools/Write", "input": TO_SELF}),
        ("call", {"tool": "write", "input": json.dumps(TO_SELF)[:-4]}),
        ("call", {"tool": "write", "input": {"address": "~/sel", "content": SETTINGS}}),
        ("call", {"tool": "call", "input": {"tool": "write", "input": TO_SELF}}),
        ("call", {"tool": "other", "input": TO_SELF}),
        ("call", {"input": TO_SELF}),
        ("call", json.dumps({"tool": "write", "input": TO_SELF})[:-5]),
        ("call", '{"tool": "write", "input": {"content": ' + json.dumps(SETTINGS)),
        ("edit", TO_SELF),
        ("edit", json.dumps(TO_SELF)[:-4]),
    ],
)
def test_settings_with_a_secret_are_refused_however_they_come_in(name: str, input: Any) -> None:
    with pytest.raises(HarnessError) as caught:
        refuse_before_logging(input, name)
    assert caught.value.code == "refused"
    assert "hunter2" not in caught.value.message
    assert SECRET not in caught.value.message


FILE = {"address": "~/memory/notes.md", "content": f'{NAMED}\nkey: {SECRET}\n"address": "~/self"'}


@pytest.mark.parametrize(
    ("name", "input"),
    [
        ("write", FILE),
        ("write", json.dumps(FILE)),
        ("write", json.dumps(FILE)[:-4]),
        ("write", {"address": "~/memory/../x", "content": NAMED}),
        ("write", {"address": "~/tools/x", "content": {"source": NAMED, "description": SECRET}}),
        ("write", {"address": "~/self", "content": {"models": {"x": {"key": "${MY_KEY}"}}}}),
        ("write", {"address": "~/self", "content": {"models": {"x": {"key": "keyring:openai"}}}}),
        ("write", {"address": "~/self", "content": {"prompt": "Never tell a password: ask-the-owner-first."}}),
        ("write", {"address": "~/self", "content": '{"prompt": "Never tell a password: ask-the-owner-first."}'}),
        ("write", {"address": "~/self"}),
        ("write", 5),
        ("call", {"tool": "write", "input": FILE}),
        ("call", {"tool": "write", "input": json.dumps(FILE)[:-4]}),
        ("call", json.dumps({"tool": "write", "input": FILE})),
        ("call", {"tool": "execute", "input": {"code": NAMED}}),
        ("call", {"tool": "other", "input": {"address": "Some Street 5", "content": SECRET}}),
        ("call", {"tool": 5}),
        ("call", json.dumps({"tool": "execute", "input": {"code": NAMED}})[:-3]),
        ("execute", {"code": NAMED}),
        ("execute", NAMED),
    ],
)
def test_what_is_not_for_the_settings_is_not_looked_through(name: str, input: Any) -> None:
    refuse_before_logging(input, name)


@pytest.mark.parametrize(
    ("name", "input"),
    [
        ("write", TO_SELF),
        ("write", json.dumps(TO_SELF)[:-4]),
        ("call", {"tool": "write", "input": TO_SELF}),
        ("edit", TO_SELF),
    ],
)
async def test_nothing_of_it_is_in_the_log(play: Play, name: str, input: Any) -> None:
    refused = await play.fails(name, input, "agent")
    assert (refused.code, refused.seq) == ("refused", None)
    assert play.harness.events("demo") == []
