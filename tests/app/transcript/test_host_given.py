"""What the provider's panel says of the toolbox."""

from __future__ import annotations

from workbench.app.transcript.host_given import host_given, host_summary
from workbench.harness.machine import NO_TOOLBOX
from workbench.harness.names import TOOLBOX
from workbench.harness.views import Toolbox


def test_the_seven_by_what_they_do_and_what_is_asked() -> None:
    given = host_given(Toolbox("/w", TOOLBOX, None), {"read": {"ask": ["*.env"]}, "bash": "allow"})
    assert [(group, [tool.name for tool in tools]) for group, tools in given.groups] == [
        ("look", ["read", "grep", "find", "ls"]),
        ("change", ["write", "edit"]),
        ("run", ["bash"]),
    ]
    says = {tool.name: tool.says for tool in given.offered}
    assert says["read"] == ("runs without asking", "but asks: *.env")
    assert says["write"] == ("asks you first",)
    assert says["bash"] == ("runs without asking",)
    assert host_summary(given) == "provider: 7 toolbox tools · ask you: write edit · in /w · nothing is promoted"


def test_a_tool_that_is_denied_is_not_offered() -> None:
    offered = tuple(name for name in TOOLBOX if name != "bash")
    given = host_given(Toolbox("/w", offered, None), {"bash": "deny"})
    (bash,) = given.groups[2][1]
    assert (bash.offered, bash.says) == (False, ("denied: not offered",))
    assert "6 toolbox tools" in host_summary(given)


def test_why_nothing_can_be_used_is_said() -> None:
    given = host_given(Toolbox(None, (), "It takes your yes."), {})
    assert not given.offered
    assert {tool.says for _, tools in given.groups for tool in tools} == {("not offered now",)}
    assert host_summary(given) == "provider: nothing now · the working directory is not there"
    refused = host_given(Toolbox("/w", (), NO_TOOLBOX), {})
    assert host_summary(refused) == "provider: nothing now · the real machine is not allowed now (2, then p)"
    assert len(host_summary(refused)) <= 78, "whole at 80 columns"
