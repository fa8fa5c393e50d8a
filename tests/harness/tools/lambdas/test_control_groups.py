"""Where a control group that counts processes can be made, and that it holds."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.tools.lambdas import control_groups
from workbench.harness.tools.lambdas.control_groups import ControlGroup, candidates

V1 = "39 31 0:36 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids\n"
V2 = "41 31 0:38 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw\n"


@pytest.mark.parametrize(
    ("mounts", "membership", "expected"),
    [
        (V1, "8:pids:/\n0::/\n", ["/sys/fs/cgroup/pids"]),
        (V1, "8:pids:/a/b\n0::/x\n", ["/sys/fs/cgroup/pids/a/b", "/sys/fs/cgroup/pids/a", "/sys/fs/cgroup/pids"]),
        (V2, "0::/user.slice\n", ["/sys/fs/cgroup/user.slice", "/sys/fs/cgroup"]),
        (V2.replace(" / ", " /docker/x ", 1), "0::/docker/x/in\n", ["/sys/fs/cgroup/in", "/sys/fs/cgroup"]),
        (V2.replace(" / ", " /docker/x ", 1), "0::/elsewhere\n", ["/sys/fs/cgroup"]),
        (V2, "0::/../..\n", ["/sys/fs/cgroup"]),
        ("39 31 0:36 / /a\\040b rw - cgroup cgroup rw,cpu,pids\n", "8:cpu,pids:/\n", ["/a b"]),
        ("39 31 0:36 / /cpu rw - cgroup cgroup rw,cpu\n", "7:cpu:/\n", []),
        ("36 25 0:31 / /proc rw - proc proc rw\nnonsense\n", "", []),
    ],
)
def test_they_are_looked_for_from_the_own_one_upwards(mounts: str, membership: str, expected: list[str]) -> None:
    assert [str(path) for path in candidates(mounts, membership)] == expected


def test_of_the_unified_hierarchy_only_what_hands_the_controller_down(tmp_path: Path, monkeypatch) -> None:
    for name, handed_down in (("a", "cpu pids"), ("b", "cpu"), ("c", "")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "cgroup.subtree_control").write_text(handed_down)
    places = [tmp_path / name for name in ("c", "b", "a", "none")]
    monkeypatch.setattr(control_groups, "candidates", lambda mounts, membership: places)
    assert control_groups.homes() == [tmp_path / "a"]


def test_where_none_counts_it_says_which_were_tried(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(control_groups, "homes", lambda: [tmp_path, tmp_path / "none"])
    with pytest.raises(HarnessError) as caught:
        ControlGroup()
    assert caught.value.code == "unavailable"
    assert f"{tmp_path}: it does not count processes" in caught.value.message
    assert "none: No such file" in caught.value.message
    assert list(tmp_path.iterdir()) == []


def made() -> ControlGroup:
    try:
        return ControlGroup()
    except HarnessError as error:
        pytest.skip(error.message)


def test_a_group_takes_a_process_in_and_goes_away() -> None:
    group = made()
    (path,) = [entry for home in control_groups.homes() for entry in home.glob(f"workbench-{os.getpid()}-*")]
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as cat:
        group.take_in(cat.pid, 3)
        assert (path / "cgroup.procs").read_text().split() == [str(cat.pid)]
        assert (path / "pids.max").read_text() == "3\n"
    group.take_in(cat.pid, 3)  # gone, which is no error
    group.close()
    assert not path.exists()


def test_what_a_workbench_that_is_gone_left_is_taken_away(monkeypatch, tmp_path: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    (tmp_path / f"workbench-{ended.pid}-00ff").mkdir()
    (tmp_path / f"workbench-{os.getpid()}-00ff").mkdir()
    (tmp_path / "workbench-of-somebody").mkdir()
    monkeypatch.setattr(control_groups, "homes", lambda: [tmp_path])
    control_groups.sweep()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"workbench-{os.getpid()}-00ff",
        "workbench-of-somebody",
    ]
