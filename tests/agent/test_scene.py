"""Scenes as data: what a file may say, and what is wrong where when it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.agent import scene as scenes
from workbench.agent.scene import Act, Say, Step
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


def test_a_scene_is_read_as_it_is_written(tmp_path: Path) -> None:
    say = '[[steps]]\ncaption = "d"\nactor = "user"\nsay = "hello"\n'
    text = f'title = "T"\nthread = "t1"\n{LAMBDA}[[files]]\npath = "a.md"\ncontent = "x"\n{STEP}message = "m"\n{say}'
    found = load(tmp_path, text)
    assert (found.title, found.thread) == ("T", "t1")
    assert found.lambdas[0].content["runtime"] == "python"
    assert (found.files[0].path, found.files[0].content) == ("a.md", "x")
    assert found.steps[0].act == Act("agent", "read", {"address": "~/tools/"}, "m")
    assert found.steps[1].act == Say("user", "hello")


def test_what_the_agent_thinks_how_fast_it_speaks_and_how_it_ends_is_read(tmp_path: Path) -> None:
    say = '[[steps]]\ncaption = "d"\nactor = "agent"\nsay = "Well"\nthinking = ["Hm.", "Oh."]\nfinish = "length"\n'
    found = load(tmp_path, f'title = "T"\npace = 0.5\n{STEP}thinking = "Let me see."\n{say}')
    assert found.pace == 0.5
    assert found.steps == (
        Step("c", Act("agent", "read", {"address": "~/tools/"}), thinking=("Let me see.",)),
        Step("d", Say("agent", "Well"), thinking=("Hm.", "Oh."), finish="length"),
    )


def test_json_holds_an_input_that_toml_cannot(tmp_path: Path) -> None:
    act = '[[steps]]\ncaption = "c"\nactor = "agent"\nname = "plan"\n'
    found = load(tmp_path, f"title = 'T'\n{act}input_json = '[null, 123456789012345678901234567890]'\n")
    assert found.steps[0].act == Act("agent", "plan", [None, 123456789012345678901234567890])


def test_an_agent_may_say_white_space_and_an_owner_may_not(tmp_path: Path) -> None:
    say = "title = 'T'\n[[steps]]\ncaption = 'c'\nactor = 'agent'\nsay = '  '\n"
    assert load(tmp_path, say).steps[0].act == Say("agent", "  ")
    for wrong in (say.replace("agent", "user"), say.replace("'  '", "''"), say.replace("'  '", "1")):
        with pytest.raises(HarnessError, match="step 1: say must be a text"):
            load(tmp_path, wrong)


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
        (f"title = 'T'\n{STEP}input_json = '{{}}'\n", "step 1", "either input or input_json"),
        ("title = 'T'\n" + STEP.replace("input = {address", "input_json = '{' #"), "step 1", "input_json is not JSON"),
        ("title = 'T'\n" + STEP.replace("input = {address", 'input_json = \'{"a": 1, "a": 2}\' #'), "step 1", "twice"),
        ("title = 'T'\n" + STEP.replace("input = {address", "input_json = 1 #"), "step 1", "input_json must be a text"),
        (f"title = 'T'\n{STEP}thinking = [1]\n", "step 1", "thinking must be a text, or a list"),
        (f"title = 'T'\n{STEP}thinking = ''\n", "step 1", "thinking must be a text, or a list"),
        (f"title = 'T'\n{STEP}finish = 'stop'\n", "step 1", "length"),
        ("title = 'T'\n" + STEP.replace("agent", "user") + "thinking = 'x'\n", "step 1", "this is the user"),
        (f"title = 'T'\npace = 6\n{STEP}", "Scene s.toml", "from 0 to 5"),
        (f"title = 'T'\npace = -1\n{STEP}", "Scene s.toml", "from 0 to 5"),
        (f"title = 'T'\npace = nan\n{STEP}", "Scene s.toml", "from 0 to 5"),
        (f"title = 'T'\npace = true\n{STEP}", "Scene s.toml", "from 0 to 5"),
        (f"title = 'T'\nx = {'9' * 5000}\n{STEP}", "Scene s.toml", "TOML"),
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


MACHINE = 'title = "T"\nsurface = "toolbox"\n'


def test_a_scene_of_the_real_machine_says_what_is_in_its_folder(tmp_path: Path) -> None:
    lines = '[[work_files]]\npath = "b.log"\nlines = { count = 3, each = "line {n}", instead = { 2 = "other {n}" } }\n'
    found = load(tmp_path, f'{MACHINE}[[work_files]]\npath = "a/b.txt"\ncontent = "x"\n{lines}{STEP}')
    assert found.surface == "toolbox"
    assert [(file.path, file.content) for file in found.work_files] == [
        ("a/b.txt", "x"),
        ("b.log", "line 1\nother 2\nline 3\n"),
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f'title = "T"\nsurface = "mouth"\n{STEP}', "surface is"),
        (f'title = "T"\n[[work_files]]\npath = "a"\n{STEP}', "work_files are for a scene whose surface"),
        (f'{MACHINE}[[work_files]]\npath = "../a"\n{STEP}', "work file 1"),
        (f'{MACHINE}[[work_files]]\npath = "a"\ncontent = "x"\nlines = {{ count = 1, each = "y" }}\n{STEP}', "either"),
        (f'{MACHINE}[[work_files]]\npath = "a"\nlines = 3\n{STEP}', "a table with count and each"),
        (f'{MACHINE}[[work_files]]\npath = "a"\nlines = {{ count = 1e9, each = "y" }}\n{STEP}', "count must be"),
        (f'{MACHINE}[[work_files]]\npath = "a"\nlines = {{ count = 1, each = "y", instead = 1 }}\n{STEP}', "by their"),
    ],
)
def test_what_is_wrong_with_its_folder_is_said(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(HarnessError, match=fault):
        load(tmp_path, text)
