"""The scenes that come with the workbench, and finding one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from workbench.agent.scene import Act
from workbench.demo import shipped
from workbench.harness.errors import HarnessError


def test_every_scene_of_the_workbench_loads() -> None:
    listed = shipped.scenes()
    assert "touch_expand" in [one.name for one in listed]
    for one in listed:
        found = shipped.find(one.name)
        assert found.title == one.title
        assert found.steps


def test_the_first_touch_of_the_first_scene_needs_no_sandbox() -> None:
    acts = [step.act for step in shipped.find("touch_expand").steps if isinstance(step.act, Act)]
    assert acts[0].input["tool"] == "search"
    assert {one.content["runtime"] for one in shipped.find("touch_expand").lambdas} == {"python", "typescript"}


@pytest.mark.parametrize(("name", "code"), [("none", "not_found"), ("none.toml", "bad_input"), ("/", "bad_input")])
def test_a_scene_that_is_not_there_is_refused(name: str, code: str) -> None:
    with pytest.raises(HarnessError) as caught:
        shipped.find(name)
    assert caught.value.code == code


def test_a_scene_moves_with_its_folder(tmp_path: Path) -> None:
    shutil.copytree(Path(shipped.__file__).parent / "scenes", tmp_path / "copy")
    assert shipped.find(str(tmp_path / "copy" / "touch_expand.toml")) == shipped.find("touch_expand")
