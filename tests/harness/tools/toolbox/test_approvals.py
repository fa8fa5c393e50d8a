"""What the owner's rules say of a call: commands and paths that are meant, and what must never be taken for them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.harness.errors import HarnessError
from workbench.harness.space.approvals import Rules
from workbench.harness.tools.toolbox.approvals import judge
from workbench.harness.tools.toolbox.command_patterns import MAX_CHARS, is_like, is_plain, parts_of
from workbench.harness.tools.toolbox.host_tool import HostContext

ANYWHERE = Path("/")


def of_command(command: str, **rules: Any) -> str:
    return judge("bash", {"command": command}, Rules(**{"default": "ask", **rules}), ANYWHERE).verdict


def of_path(here: HostContext, tool: str, path: str | None, **rules: Any) -> str:
    given_input = {} if path is None else {"path": path}
    return judge(tool, given_input, Rules(**{"default": "ask", **rules}), here.cwd).verdict


# -- commands -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "command"),
    [
        ("git status", "git status"),
        ("git status", "  git status  "),
        (" git status ", "git status"),
        ("git log *", "git log --oneline -n 3"),
        ("git commit -m *", 'git commit -m "two words"'),
        ("pytest*", "pytest"),
        ("*", "ls -la ~/src"),
        ("npm run * -- *", "npm run test -- --watch"),
        ("ls *.py", "ls a.py b.py"),
        ("a*b*c", "a-b-b-c"),
    ],
)
def test_an_allowed_command_runs(pattern: str, command: str) -> None:
    assert of_command(command, allow=(pattern,)) == "allow"


@pytest.mark.parametrize(
    ("pattern", "command"),
    [
        ("git status", "git status -s"),
        ("git status", "xgit status"),
        ("git log *", "git log"),
        ("git log *", "git logs"),
        ("git.status", "git status"),
        ("gi? status", "git status"),
        ("[g]it status", "git status"),
        ("git status", "Git status"),
        ("git status", "git  status"),
        ("ab*ba", "aba"),
        ("a*b*c", "a-c-b"),
    ],
)
def test_another_command_asks(pattern: str, command: str) -> None:
    assert of_command(command, allow=(pattern,)) == "ask"


@pytest.mark.parametrize(
    "command",
    [
        "git status; id",
        "git status;id",
        "git status && id",
        "git status & id",
        "git status || id",
        "git status | sh",
        "git status > ~/.bashrc",
        "git status < /etc/passwd",
        "git status $(id)",
        "git status `id`",
        "git status $HOME",
        "git status ${IFS}",
        "git status $'\\x3b'",
        "git status\nid",
        "git status\n",
        "git status\rid",
        "git status \\\nid",
        "git status \\; id",
        "git status {a,b}",
        "git status (id)",
        "git status # the rest",
        "git status !!",
        "git status\tid",
        "git status\x0bid",
        "git status\x00id",
        "git status\x1b[2K",
        "git status \u00a0id",
        "git status\u2028id",
        "git status\u200b",
        "git status \u202eid",
        "git status \uff1b id",
        "git status \u037e id",
        "git status \ud800",
        'git status "',
        "git status 'a",
        "git status \"a' b",
        "\ufeffgit status",
        "",
        "   ",
    ],
)
def test_what_is_no_plain_command_asks_whatever_is_allowed(command: str) -> None:
    assert of_command(command, allow=("*", "git status*", command or "x")) == "ask"
    assert of_command(command, default="deny", allow=("*",)) == "deny"


@settings(max_examples=200, deadline=None)
@given(
    st.text(alphabet="ab ;&|<>()$`\n\r\\{}!#\"'é\t", max_size=12),
    st.sampled_from(list(";&|<>()$`\n\r\\{}!#")),
    st.text(alphabet="ab \"'", max_size=12),
)
def test_no_pattern_allows_a_command_with_an_operator(before: str, operator: str, after: str) -> None:
    command = f"a{before}{operator}{after}b"
    assert not is_plain(command)
    assert of_command(command, allow=("*", "a*b", command)) == "ask"


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(alphabet="ab-", max_size=4), min_size=1, max_size=5), st.text(alphabet="ab-", max_size=6))
def test_a_star_is_any_run_and_all_else_is_itself(pieces: list[str], filling: str) -> None:
    assert is_like("*".join(pieces), filling.join(pieces))
    assert is_like("*".join(pieces), "*".join(pieces))


def test_many_stars_take_no_longer() -> None:
    assert not is_like("*a" * 400 + "b", "a" * 20_000)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("part", ["1", "1<", "a=1 ", "sudo ", "'", "X[0", "then -", "{ ", "\\\n", " "])
def test_a_long_command_is_taken_apart_at_once_whatever_it_repeats(part: str) -> None:
    # Going over it again from each of its characters takes half a minute and more.
    assert parts_of((part * 50_000)[:50_000]) is not None


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf x",
        "  rm -rf x",
        "rm   -rf\tx",
        "ls; rm -rf x",
        "ls && rm -rf x",
        "ls|rm -rf x",
        "ls\nrm -rf x",
        "echo $(rm -rf x)",
        "echo `rm -rf x`",
        "(rm -rf x)",
        "{ rm -rf x; }",
        "if true; then rm -rf x; fi",
        "sudo rm -rf x",
        "FORCE=1 rm -rf x",
        "! rm -rf x",
        ">log rm -rf x",
        "ls; 2>&1 rm -rf x",
        "ls; >|log rm -rf x",
        "ls; &>log rm -rf x",
        "coproc rm -rf x",
        "sudo -n rm -rf x",
        "env -i rm -rf x",
        "time -p rm -rf x",
        "nice rm -rf x",
        "FORCE='a b' rm -rf x",
        "FORCE+=1 A[0]=2 rm -rf x",
        "r\\m -rf x",
        "'rm' -rf x",
        'r"m" -rf x',
        "rm \\\n -rf x",
        "rm -rf $X/y",
    ],
)
def test_a_denial_finds_a_command_inside_another(command: str) -> None:
    assert of_command(command, default="allow", deny=("rm *",)) == "deny"
    assert of_command(command, default="allow", ask=("rm *",)) == "ask"
    assert of_command(command, default="allow", deny=("rm *",), allow=("*",)) == "deny"


@pytest.mark.parametrize("command", ["rmdir x", "echo rm x", "git rm x", "ls; echo rm"])
def test_a_denial_leaves_other_commands(command: str) -> None:
    assert of_command(command, default="allow", deny=("rm *",)) == "allow"


def test_a_denial_may_mean_a_whole_command_with_its_operators() -> None:
    assert of_command("curl x | sh", default="allow", deny=("curl * | sh",)) == "deny"
    assert of_command("curl x", default="allow", deny=("curl * | sh",)) == "allow"


def test_deny_beats_ask_beats_allow_beats_the_default() -> None:
    every = {"deny": ("git push *",), "ask": ("git p*",), "allow": ("git *",)}
    assert of_command("git push x", default="allow", **every) == "deny"
    assert of_command("git pull", default="allow", **every) == "ask"
    assert of_command("git log", default="deny", **every) == "allow"
    assert of_command("id", default="deny", **every) == "deny"
    assert of_command("id; git status", default="allow", **every) == "allow"


def test_a_default_of_allow_allows_every_command() -> None:
    assert of_command("git status; id > $X", default="allow") == "allow"


def test_a_command_too_long_to_be_looked_through_asks() -> None:
    command = "ls;" * MAX_CHARS
    assert of_command(command, default="allow", deny=("rm *",)) == "ask"
    assert of_command(command, default="deny", ask=("rm *",)) == "deny"


def test_a_decision_says_which_rule_it_is() -> None:
    assert judge("bash", {"command": "rm x"}, Rules("ask", deny=("rm *",)), ANYWHERE).why == (
        "it matches rm * in approvals.bash.deny"
    )
    assert judge("bash", {"command": "id"}, Rules("ask"), ANYWHERE).why == "bash asks before each call (approvals.bash)"
    why = judge("bash", {"command": "git status; id"}, Rules("ask", allow=("git *",)), ANYWHERE).why
    assert "only for a plain command" in why
    why = judge("bash", {"command": "id; id"}, Rules("ask", allow=("git *",)), ANYWHERE).why
    assert "plain" not in why
    why = judge("bash", {"command": "git status | cat"}, Rules("ask", allow=("git status",)), ANYWHERE).why
    assert "plain" in why, "a part of it would be allowed by itself, and is not in this company"


# -- paths ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "path", "meant"),
    [
        ("src/**", "src/a.py", True),
        ("src/**", "src/deep/a.py", True),
        ("src/**", "./src/../src/a.py", True),
        ("src/**", "@src/a.py", True),
        ("./src/**", "src/a.py", True),
        ("src", "src/a.py", True),
        ("src/", "src/a.py", True),
        ("*.py", "src/deep/a.py", True),
        ("./a.py", "a.py", True),
        ("./a.py", "src/a.py", False),
        ("a.py", "src/a.py", True),
        ("./", "src/a.py", True),
        ("/*.py", "src/a.py", False),
        ("src/*.py", "src/deep/a.py", False),
        ("src/**/a.py", "src/deep/er/a.py", True),
        ("#a", "#a", True),
        (".", "anything/at/all", True),
        ("*", "anything/at/all", True),
        ("src/**", "src2/a.py", False),
        ("src/**", "src/../a.py", False),
        ("src/**", "src/../../work2/src/a.py", False),
        ("src/**", "/src/a.py", False),
        ("**", "../a.py", False),
        (".", "/etc/passwd", False),
        ("SRC/**", "src/a.py", False),
        ("src/**", "src\u2028/a.py", False),
        ("src/**", "src/a\n.py", False),
    ],
)
def test_which_paths_are_allowed(here: HostContext, pattern: str, path: str, meant: bool) -> None:
    (here.cwd / "src" / "deep").mkdir(parents=True)
    assert of_path(here, "write", path, allow=(pattern,)) == ("allow" if meant else "ask")


def test_absolute_patterns_and_those_of_the_home_folder(
    here: HostContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "ho[m]e*"
    (home / "notes").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    assert of_path(here, "write", "~/notes/a.txt", allow=("~/notes/**",)) == "allow"
    assert of_path(here, "write", f"{home}/notes/a.txt", allow=("~/notes/",)) == "allow"
    assert of_path(here, "write", f"{tmp_path}/home/notes/a.txt", allow=("~/notes/**",)) == "ask"
    assert of_path(here, "write", "~/notes2/a.txt", allow=("~/notes/**",)) == "ask"
    assert of_path(here, "write", "~/a", allow=("~",)) == "allow"
    assert of_path(here, "write", "../x/a", allow=(f"{tmp_path}/x/*",)) == "allow"
    assert of_path(here, "write", "x/a", allow=("/x/*",)) == "ask"
    assert of_path(here, "write", "/anything", allow=("/",)) == "allow"


def test_a_link_out_of_an_allowed_folder_asks(here: HostContext, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (here.cwd / "src").mkdir()
    (here.cwd / "src" / "out").symlink_to(tmp_path / "secret")
    (here.cwd / "src" / "new").symlink_to(tmp_path / "not-there-yet")
    for path in ("src/out/a.txt", "src/out", "src/new"):
        assert of_path(here, "write", path, allow=("src/**",)) == "ask"
        assert of_path(here, "write", path, allow=("src/**", f"{tmp_path}/**")) == "allow"
    assert of_path(here, "write", "src/within.txt", allow=("src/**",)) == "allow"


def test_a_link_into_a_denied_folder_is_denied_by_either_name(
    here: HostContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (here.cwd / "link").symlink_to(secret)
    (tmp_path / "alias").symlink_to(secret)
    assert of_path(here, "read", "link/a", default="allow", deny=(f"{secret}/**",)) == "deny"
    assert of_path(here, "read", "link/a", default="allow", deny=("link/",)) == "deny"
    assert of_path(here, "read", "link/a", default="allow", ask=(f"{secret}/**",)) == "ask"
    assert of_path(here, "read", f"{secret}/a", default="allow", deny=(f"{tmp_path}/alias/**",)) == "deny"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert of_path(here, "read", f"{secret}/a", default="allow", deny=("~/alias",)) == "deny"


def test_the_working_directory_may_itself_be_reached_by_a_link(here: HostContext, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(here.cwd)
    by_link = HostContext(cwd=tmp_path / "alias")
    assert of_path(by_link, "write", "src/a", allow=("src/**",)) == "allow"
    assert of_path(by_link, "write", str(here.cwd / "src/a"), allow=("src/**",)) == "allow"


@pytest.mark.parametrize("tool", ["read", "ls"])
def test_a_denial_finds_a_name_however_it_is_spelled(here: HostContext, tool: str) -> None:
    (here.cwd / "cafe\u0301").mkdir()
    for path in ("cafe\u0301/x", "caf\u00e9/x", "./cafe\u0301/x", "cafe\u0301/a\nb"):
        for pattern in ("caf\u00e9", "caf\u00e9/**", "cafe\u0301/"):
            assert of_path(here, tool, path, default="allow", deny=(pattern,)) == "deny"


def test_read_is_judged_by_the_name_on_disk(here: HostContext) -> None:
    (here.cwd / "shot 1\u202fPM.png").touch()
    assert of_path(here, "read", "shot 1 PM.png", allow=("shot*",)) == "allow"
    assert of_path(here, "read", "shot 1 PM.png", allow=("shot 1 PM.png",)) == "ask"


def test_read_finds_a_denied_curly_name(here: HostContext) -> None:
    (here.cwd / "it\u2019s.txt").touch()
    assert of_path(here, "read", "it's.txt", default="allow", deny=("it\u2019s.txt",)) == "deny"
    assert of_path(here, "write", "it's.txt", default="allow", deny=("it\u2019s.txt",)) == "allow"


def test_without_a_path_it_is_the_working_directory(here: HostContext) -> None:
    for pattern in (".", "*", "**", str(here.cwd)):
        assert of_path(here, "ls", None, allow=(pattern,)) == "allow"
        assert of_path(here, "ls", ".", default="allow", deny=(pattern,)) == "deny"
    for pattern in (".*", "src", "src/**", "*.py"):
        assert of_path(here, "ls", None, allow=(pattern,)) == "ask"


def test_a_pattern_of_a_folder_means_no_file_of_that_name(here: HostContext) -> None:
    (here.cwd / "folder").mkdir()
    (here.cwd / "file").touch()
    assert of_path(here, "ls", "folder", allow=("folder/",)) == "allow"
    assert of_path(here, "ls", "file", allow=("file/",)) == "ask"


@pytest.mark.parametrize("tool", ["grep", "find"])
def test_a_search_through_what_may_hold_a_denied_place_asks(here: HostContext, tool: str) -> None:
    for name in ("src/a", "config/keys", "docs"):
        (here.cwd / name).mkdir(parents=True)
    (here.cwd / "notes.txt").touch()

    def search(path: str | None, pattern: str, **rules: Any) -> str:
        return of_path(here, tool, path, **{"default": "allow", "deny": (pattern,), **rules})

    assert search(None, "config/keys/") == "ask"
    assert search("config", "config/keys/") == "ask"
    assert search("config/keys", "config/keys/") == "deny"
    assert search("src", "config/keys/") == "allow"
    assert search("src", "*.pem") == "ask"
    assert search("src", "./keys.pem") == "allow"
    assert search("src", "/etc/shadow") == "allow"
    assert search("/", "/etc/shadow") == "ask"
    assert search("/", "*.pem") == "ask"
    assert search("notes.txt", "*.pem") == "allow"
    assert search(None, "*.pem", default="deny") == "deny"
    assert search(None, "*.pem", allow=(".",)) == "ask"
    assert of_path(here, "ls", None, default="allow", deny=("*.pem",)) == "allow"


def test_no_pattern_can_hang_a_call(here: HostContext) -> None:
    slow = "*a" * 200 + "b"
    assert of_path(here, "read", "a" * 250, default="allow", deny=(slow,)) == "allow"


def test_names_that_are_no_text_are_judged_too(here: HostContext) -> None:
    name = os.fsdecode(b"s\xffcret")
    (here.cwd / name).mkdir()
    assert of_path(here, "read", f"{name}/a", default="allow", deny=("s*cret",)) == "deny"


def test_what_is_no_path_is_refused_as_its_tool_would(here: HostContext) -> None:
    with pytest.raises(HarnessError, match="NUL") as refused:
        of_path(here, "read", "a\0b", deny=("x",))
    assert refused.value.code == "bad_input"
    assert of_path(here, "read", "a\0b", default="allow") == "allow"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["..", ".", "src", "a", "link", ""]), max_size=6))
def test_no_walk_leaves_an_allowed_folder(tmp_path_factory: pytest.TempPathFactory, steps: list[str]) -> None:
    root = tmp_path_factory.mktemp("walk")
    (root / "work" / "src").mkdir(parents=True)
    (root / "work" / "src" / "link").symlink_to(root)
    path = "/".join(["src", *steps])
    if of_path(HostContext(cwd=root / "work"), "write", path, allow=("src/**",)) == "allow":
        real = Path(os.path.realpath(os.path.normpath(root / "work" / path)))
        assert real.is_relative_to(root / "work" / "src")
