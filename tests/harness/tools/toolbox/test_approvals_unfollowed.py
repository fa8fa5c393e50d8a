"""What the owner's rules say of a path that the system does not follow: nobody knows where it leads."""

from __future__ import annotations

import errno
import os

import pytest

from workbench.harness.space.approvals import Rules, Verdict
from workbench.harness.tools.toolbox.approvals import judge
from workbench.harness.tools.toolbox.host_tool import HostContext


def of_path(here: HostContext, tool: str, path: str, *, default: Verdict = "ask", **patterns: tuple[str, ...]) -> str:
    """The verdict on one path."""
    return judge(tool, {"path": path}, Rules(default, **patterns), here.cwd).verdict


@pytest.fixture
def unknown(here: HostContext) -> HostContext:
    """A working directory with paths in it that the system does not follow."""
    (here.cwd / "loop").symlink_to("loop")
    (here.cwd / "c0").symlink_to("file")
    for number in range(1, 45):
        (here.cwd / f"c{number}").symlink_to(f"c{number - 1}")
    (here.cwd / "d0").symlink_to("d" * 300)
    (here.cwd / "e0").symlink_to("/".join(["e" * 200] * 20))
    return here


@pytest.mark.parametrize("path", ["loop", "loop/x", "c44", "c44/x", "d0", "e0/" + "f" * 200])
@pytest.mark.parametrize("tool", ["read", "write", "edit", "ls"])
def test_what_the_system_does_not_follow_asks_and_is_never_allowed(unknown: HostContext, tool: str, path: str) -> None:
    for default in ("ask", "allow"):
        assert of_path(unknown, tool, path, default=default, allow=("**",), deny=("secret",)) == "ask"
        assert of_path(unknown, tool, path, default=default, deny=("/**",)) == "deny"
    assert of_path(unknown, tool, path, default="deny", allow=("**",)) == "deny"
    assert of_path(unknown, tool, path, default="allow") == "allow"
    for pattern in (f"{unknown.cwd}/loop/**", f"{unknown.cwd}/c44", "loop/x"):
        assert of_path(unknown, tool, "file", default="allow", deny=(pattern,)) == "allow"
    assert of_path(unknown, "grep", ".", default="allow", deny=("loop/x",)) == "ask"


@pytest.mark.parametrize("path", ["x", "/x", "loop/y"])
def test_a_link_that_may_not_be_read_asks(here: HostContext, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    def unreadable(path: str) -> str:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(os, "readlink", unreadable)
    for tool in ("read", "write", "edit", "ls", "grep", "find"):
        assert of_path(here, tool, path, allow=("**",), deny=("secret", "~/.ssh", "/etc/shadow")) == "ask"
        assert of_path(here, tool, path, allow=("**",), deny=(path,)) == "deny"
