"""How TypeScript calls are confined and started."""

from __future__ import annotations

import resource

from workbench.harness.tools.lambdas import bootstrap, interpreters, seccomp
from workbench.harness.tools.lambdas.bubblewrap import Profile
from workbench.harness.tools.lambdas.values import Job

MIB = 1024 * 1024
_DENO = f"{bootstrap.FOLDER}/deno"

# What the engine reserves without using it, and counts as data: a range for machine code, once for the program and
# once for each worker. One worker can run; the memory really used is watched apart from this.
_FLOOR_MIB = 540
_WORKER_MIB = 560


def profile(job: Job) -> Profile:
    """The confinement of `job`. Raises HarnessError `unavailable` where Deno or a system call filter is missing."""
    interpreter = interpreters.deno()
    boot = f"{bootstrap.FOLDER}/boot.js"
    memory = job.limits.memory_mib
    command = (
        *(_DENO, "run", "--quiet", "--no-prompt", "--no-config", "--no-lock", "--no-remote", "--no-npm"),
        # It would be written to a folder that is gone after the call.
        "--no-code-cache",
        f"--v8-flags=--max-old-space-size={memory}",
        "--allow-env",
        "--allow-read=/workspace,/tmp",
        f"--allow-write=/workspace,/tmp,{bootstrap.RESULT}",
        *(("--allow-net",) if job.may.network else ()),
        *(("--allow-run",) if job.starts_processes else ()),
        boot,
    )
    # Its own list, and whom the host trusts besides.
    trust = {"DENO_TLS_CA_STORE": "mozilla,system"} if job.may.network else {}
    return Profile(
        command=command,
        seccomp=seccomp.program(processes=job.starts_processes, network=job.may.network),
        resident_mib=memory,
        programs=((interpreter.path, _DENO),),
        files=((boot, bootstrap.program("boot.js")), (f"{bootstrap.FOLDER}/main.ts", job.source.encode())),
        environment={"DENO_DIR": "/tmp/.deno", "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1", **trust},
        resources={resource.RLIMIT_DATA: (_FLOOR_MIB + memory + _WORKER_MIB) * MIB},
        network=job.may.network,
        processes=job.starts_processes,
    )
