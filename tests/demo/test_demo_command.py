"""`workbench demo` as a process."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import LAMBDAS, Workbench

NOT_THE_SAME = {"time", "id", "duration_ms", "process", "message", "space"}
"""What differs between two plays: times, ids, durations. The words of a message stand under the same key as its id."""


@pytest.fixture
def cli(tmp_path: Path) -> Workbench:
    """The command line with its own user folders."""
    folders = {f"XDG_{name}_HOME": str(tmp_path / name.lower()) for name in ("CONFIG", "STATE", "DATA", "CACHE")}
    return Workbench(tmp_path / "unused", folders)


def stable(value: Any) -> Any:
    """A value without what differs between two plays."""
    if isinstance(value, dict):
        return {key: stable(field) for key, field in value.items() if key not in NOT_THE_SAME}
    return [stable(item) for item in value] if isinstance(value, list) else value


def test_scenes_are_listed(cli: Workbench) -> None:
    listed = cli.run("demo", "--list", "--json", space=False).json["scenes"]
    assert listed[0] == {"name": "touch_expand", "title": "Touch-expand: how a tool unfolds"}
    assert "touch_expand" in cli.run("demo", "--list", space=False).out


@pytest.mark.sandbox
def test_two_plays_are_the_same_and_what_is_kept_agrees(cli: Workbench, tmp_path: Path) -> None:
    plays = [
        cli.run("demo", "--headless", "--json", "--keep", str(tmp_path / str(n)), space=False).json for n in (1, 2)
    ]
    assert stable(plays[0]) == stable(plays[1])
    assert list(plays[0]) == ["scene", "thread", "steps", "events", "promoted", "space"]
    assert plays[0]["space"] == str(tmp_path / "1")
    for step in plays[0]["steps"]:
        assert list(step)[:2] == ["caption", "act"]
        assert ("result" in step) != ("error" in step)
    kept = Workbench(tmp_path / "1", cli.env)
    assert kept.run("promoted", "demo", "--json").json == plays[0]["promoted"]
    assert kept.events("demo") == plays[0]["events"]
    assert kept.run("fsck").code == 0


@pytest.mark.sandbox
def test_for_people_it_tells_the_story(cli: Workbench) -> None:
    ran = cli.run("demo", "--headless", space=False)
    assert ran.code == 0
    assert ran.err == ""
    for words in (
        "1. The owner asks",
        "call → contract (untouched)",
        "+ search is now a tool of the provider",
        "- word_count is no tool of the provider any more",
        "x bash is withheld (unknown)",
    ):
        assert words in ran.out


def test_a_folder_with_something_in_it_is_refused(cli: Workbench, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    ran = cli.run("demo", "--headless", "--keep", str(tmp_path / "mine"), space=False)
    assert ran.code == 1
    assert "not empty" in ran.err
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["letter.txt"]
    ran = cli.run("demo", "--headless", "--keep", str(tmp_path / "mine" / "letter.txt"), space=False)
    assert (ran.code, ran.out) == (1, "")


def test_a_throwaway_space_leaves_nothing(cli: Workbench, tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    assert cli.run("demo", "--headless", "--json", space=False, env={"TMPDIR": str(temporary)}).code == 0
    assert list(temporary.iterdir()) == []
    left = [path for folder in ("config", "state", "data") for path in (tmp_path / folder).rglob("*") if path.is_file()]
    assert left == []


@pytest.mark.sandbox
def test_a_changed_source_in_a_copied_scene_gives_another_output(cli: Workbench, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(LAMBDAS.parent, folder)
    source = folder / "lambdas" / "word_count.py"
    source.write_text(source.read_text().replace('"words": len(words)', '"words": 41 + 1'))
    play = cli.run("demo", str(folder / "touch_expand.toml"), "--headless", "--json", space=False).json
    outputs = [step["result"]["output"] for step in play["steps"] if "output" in step.get("result", {})]
    assert [output["words"] for output in outputs if "distinct" in output] == [42, 42]


def test_a_fault_of_a_scene_is_said(cli: Workbench, tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text("title = 'T'\n[[steps]]\ncaption = 'c'\nactor = 'owner'\nsay = 'x'\n")
    ran = cli.run("demo", "s.toml", "--headless", space=False, cwd=tmp_path)
    assert (ran.code, ran.out) == (1, "")
    assert "s.toml, step 1" in ran.err


def test_a_kept_space_keeps_no_yes_that_only_the_scene_was_lent(cli: Workbench, tmp_path: Path) -> None:
    kept = Workbench(tmp_path / "kept", cli.env)
    play = cli.run("demo", "page_by_page", "--headless", "--json", "--keep", str(kept.space), space=False).json
    assert [event["binding"] for event in play["events"] if event["type"] == "tool_call"] == [
        "toolbox:ls",
        "toolbox:read",
        "toolbox:read",
        "toolbox:grep",
    ]
    assert kept.run("tools", "--json").json["toolbox"]["missing"] is not None
    assert {waiting["id"] for waiting in kept.run("approve", "--json").json["waiting"]} == {"surface", "workdir"}
