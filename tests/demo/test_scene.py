"""Scenes as data: what a file may say, and what is wrong where when it does not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from workbench.demo import scene as scenes
from workbench.demo.scene import Act, Say
from workbench.harness.errors import HarnessError

STEP = '[[steps]]\ncaption = "c"\nactor = "agent"\nname = "read"\ninput = {address = "~/tools/"}\n'
LAMBDA = '[[lambdas]]\nname = "one"\nsource = "one.py"\ncontract = "one.json"\n'


def load(folder: Path, text: str) -> scenes.Scene:
    """Load a scene of this text, beside the files of one lambda."""
    (folder / "one.py").write_text("def main(input):\n    return 1\n")
    (folder / "one.json").write_text('{"description": "One."}')
    (folder / "bad.json").write_text('{"description": ""}')
    (folder / "torn.json").write_text("{")
    (folder / "s.toml").write_text(text)
    return scenes.load(folder / "s.toml")


def test_every_scene_of_the_workbench_loads() -> None:
    listed = scenes.scenes()
    assert "touch_expand" in [one.name for one in listed]
    for one in listed:
        found = scenes.find(one.name)
        assert found.title == one.title
        assert found.steps


def test_the_first_touch_of_the_first_scene_needs_no_sandbox() -> None:
    acts = [step.act for step in scenes.find("touch_expand").steps if isinstance(step.act, Act)]
    assert acts[0].input["tool"] == "search"
    assert {one.content["runtime"] for one in scenes.find("touch_expand").lambdas} == {"python", "typescript"}


def test_a_scene_is_read_as_it_is_written(tmp_path: Path) -> None:
    say = '[[steps]]\ncaption = "d"\nactor = "user"\nsay = "hello"\n'
    text = f'title = "T"\nthread = "t1"\n{LAMBDA}[[files]]\npath = "a.md"\ncontent = "x"\n{STEP}message = "m"\n{say}'
    found = load(tmp_path, text)
    assert (found.title, found.thread) == ("T", "t1")
    assert found.lambdas[0].content["runtime"] == "python"
    assert (found.files[0].path, found.files[0].content) == ("a.md", "x")
    assert found.steps[0].act == Act("agent", "read", {"address": "~/tools/"}, "m")
    assert found.steps[1].act == Say("user", "hello")


@pytest.mark.parametrize(
    ("text", "where", "fault"),
    [
        ("title = ", "Scene s.toml", "TOML"),
        ("title = 'T'\n", "Scene s.toml", "no steps"),
        (STEP, "Scene s.toml", "title"),
        (f"title = 'T'\ntitel = 1\n{STEP}", "Scene s.toml", "titel"),
        (f"title = 'T'\nthread = 'a b'\n{STEP}", "Scene s.toml", "thread"),
        (f"title = 'T'\nsteps = 1\n#{STEP}".split("#")[0], "Scene s.toml", "steps"),
        (f"title = 'T'\n{STEP}[[steps]]\nactor = 'agent'\n", "step 2", "caption"),
        (f"title = 'T'\n{STEP}result = 'made up'\n", "step 1", "result"),
        ("title = 'T'\n" + STEP.replace("agent", "system"), "step 1", "system"),
        ("title = 'T'\n" + STEP.replace("input", "say"), "step 1", "either"),
        ("title = 'T'\n[[steps]]\ncaption = 'c'\nactor = 'agent'\nname = 'read'\n", "step 1", "input = {}"),
        ("title = 'T'\n[[steps]]\ncaption = 'c'\nactor = 'agent'\n", "step 1", "either"),
        ("title = 'T'\n" + STEP.replace('"~/tools/"', "2026-01-01"), "step 1", "input"),
        ("title = 'T'\n" + STEP.replace('"~/tools/"', "nan"), "step 1", "input"),
        (f"title = 'T'\n{LAMBDA}{LAMBDA}{STEP}", "Scene s.toml", "same name"),
        (f"title = 'T'\n{LAMBDA.replace('one.py', 'gone.py')}{STEP}", "lambda one", "gone.py"),
        (f"title = 'T'\n{LAMBDA.replace('one.py', 'one.rb')}{STEP}", "lambda one", ".ts"),
        (f"title = 'T'\n{LAMBDA.replace('one.json', 'bad.json')}{STEP}", "lambda one", "description"),
        (f"title = 'T'\n{LAMBDA.replace('one.json', 'torn.json')}{STEP}", "lambda one", "line 1"),
        (f"title = 'T'\n{LAMBDA.replace('one.json', '../one.json')}{STEP}", "lambda one", "beside"),
        (f"title = 'T'\n{LAMBDA.replace('one.py', '/etc/one.py')}{STEP}", "lambda one", "beside"),
        ("title = 'T'\n" + LAMBDA.replace('"one"', '"bash"') + STEP, "lambda bash", "reserved"),
        (f"title = 'T'\n[[lambdas]]\nname = 'one'\n{STEP}", "lambda one", "source"),
        (f"title = 'T'\n[[files]]\ncontent = 'x'\n{STEP}", "file 1", "path"),
    ],
)
def test_what_is_wrong_is_named_with_file_step_and_fault(tmp_path: Path, text: str, where: str, fault: str) -> None:
    with pytest.raises(HarnessError) as caught:
        load(tmp_path, text)
    assert "Scene s.toml" in caught.value.message
    assert where in caught.value.message
    assert fault in caught.value.message


@pytest.mark.parametrize(("name", "code"), [("none", "not_found"), ("none.toml", "bad_input"), ("/", "bad_input")])
def test_a_scene_that_is_not_there_is_refused(name: str, code: str) -> None:
    with pytest.raises(HarnessError) as caught:
        scenes.find(name)
    assert caught.value.code == code


def test_a_scene_moves_with_its_folder(tmp_path: Path) -> None:
    shutil.copytree(Path(scenes.__file__).parent / "scenes", tmp_path / "copy")
    assert scenes.find(str(tmp_path / "copy" / "touch_expand.toml")) == scenes.find("touch_expand")
