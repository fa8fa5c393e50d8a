"""Globs: what they match, and that ripgrep's rules let all of it pass."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.ripgrep.globs import filter_rules, for_files, for_names
from workbench.harness.tools.toolbox.ripgrep.locate import ripgrep

ROOT = Path("/root/of it")


@pytest.mark.parametrize(
    ("pattern", "path", "matched"),
    [
        ("*.ts", "a/b.ts", True),
        ("*.ts", "a/b.tsx", False),
        ("a*b", "a/b", False),
        ("a/**/b", "a/b", True),
        ("a/**/b", "x/a/y/z/b", True),
        ("a/**", "a", False),
        ("a/**", "a/b/c", True),
        ("**/a", "a", True),
        ("**", "a/b", True),
        ("a**b", "a/b", False),
        ("a**b", "axxb", True),
        ("[a-c]x", "bx", True),
        ("[^a]x", "bx", True),
        ("[!/]x", "a/x", False),
        ("[]]x", "]x", True),
        ("[a-]x", "-x", True),
        ("{a,b/{c,d}}", "b/d", True),
        ("{a,b/{c,d}}", "b", False),
        ("{**/x,y}", "q/x", True),
        (r"\*", "*", True),
        (r"\*", "a", False),
        ("./a", "a", True),
        ("./a", "b/a", False),
        ("././/a", "a", True),
        ("/root/of it/a*", "ab", True),
        ("/root/of it/a*", "b/ab", False),
        ("/root/of it/a*", "AB", True),
        ("/root/*/b", "b", True),
        (".*", ".x", True),
        ("*", ".x", True),
        ("a+b", "a+b", True),
        ("a+b", "aab", False),
    ],
)
def test_for_names(pattern: str, path: str, matched: bool) -> None:
    assert for_names(pattern, ROOT).matcher()(path) is matched


@pytest.mark.parametrize(
    ("pattern", "path", "matched"),
    [
        ("*.ts", "a/b.ts", True),
        ("src/*.ts", "src/a.ts", True),
        ("src/*.ts", "x/src/a.ts", False),
        ("**/src/*.ts", "x/src/a.ts", True),
        ("/a.ts", "a.ts", True),
        ("/a.ts", "x/a.ts", False),
        ("src/", "x/src/y/a", True),
        ("SRC/*", "src/a", False),
    ],
)
def test_for_files(pattern: str, path: str, matched: bool) -> None:
    assert for_files(pattern, ROOT).matcher()(path) is matched


def test_what_would_take_for_ever_does_not() -> None:
    assert not for_names("*a" * 200 + "b", ROOT).matcher()("a" * 4000)
    assert not for_names("/".join(["**", "*a*"] * 20), ROOT).matcher()("a/" * 2000)


def test_too_many_choices_leave_it_to_the_matcher() -> None:
    glob = for_names("{a,b,c}" * 8, ROOT)
    assert glob.rules is None
    assert glob.matcher()("abcabcab")


def test_git_is_left_out_unless_it_is_named() -> None:
    assert filter_rules(None, "") == ".git/\n"
    assert filter_rules(None, "**/.git/config") == ""
    assert filter_rules(None, "!.git") == ""
    assert filter_rules(None, ".gitignore") == ".git/\n"


@pytest.mark.parametrize("pattern", ["a\0b", "[b-a]", "{a", "[", "x\\", "..", "a/../b"])
def test_what_is_no_glob(pattern: str) -> None:
    if pattern == "a\0b":
        assert not for_names(pattern, ROOT).matcher()("ab")
        return
    with pytest.raises(HarnessError) as refused:
        for_names(pattern, ROOT)
    assert refused.value.code == "bad_input"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    root = tmp_path_factory.mktemp("tree")
    names = ["a", "b", "ab", "A", "-b", "a b", "\u00e9", "#", "!a", "a.b", "[a]", "a\\b"]
    paths = [*names, *(f"d/{name}" for name in names), *(f"d/ab.d/{name}" for name in names)]
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).touch()
    return root, paths


pieces = st.sampled_from(
    [
        "a",
        "b",
        "A",
        "*",
        "?",
        "**/",
        "/",
        "[ab]",
        "[!a]",
        "{a,b}",
        "{a,d/*}",
        "\u00e9",
        "d/",
        "\\[",
        "#",
        "!",
        " ",
        "-",
        ".",
    ]
)


@settings(max_examples=40, deadline=None)
@given(st.lists(pieces, min_size=1, max_size=5).map("".join))
def test_rules_let_pass_all_that_is_matched(tree: tuple[Path, list[str]], pattern: str) -> None:
    root, paths = tree
    try:
        glob = for_names(pattern, root)
    except HarnessError:
        return
    rules = filter_rules(glob, pattern)
    listed = subprocess.run(
        [ripgrep(), "--files", "--null", "--no-config", "--hidden", "--ignore-file=/dev/stdin"],
        cwd=root,
        input=rules.encode(),
        capture_output=True,
        check=False,
    )
    assert listed.stderr == b""
    passed = set(listed.stdout.decode().split("\0"))
    matches = glob.matcher()
    wanted = {path for path in paths if matches(path)} if not glob.folders else set()
    assert wanted <= passed
    if glob.exact and glob.rules is not None and not glob.folders:
        assert passed - {""} == wanted
