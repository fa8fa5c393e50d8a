"""What goes into a sandboxed call and what comes out of it: plain values, no behaviour."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from msgspec import Struct

from workbench.harness.strict_json import Json

Runtime = Literal["python", "typescript", "shell"]
"""The languages a call can be written in; `shell` is for code only, there are no lambdas in it."""

Kind = Literal["lambda", "code"]
"""`lambda`: a main function is called and its value is the result. `code`: a program runs and its exit code counts."""

Change = Literal["created", "modified", "deleted"]
"""What happened to a file between the snapshots before and after a call."""

TAIL_CHARS = 2_000
"""How much of the newest output a progress note carries, in characters."""

PROGRESS_SECS = 0.25
"""The shortest time between two progress notes of one call; only the last one may come sooner."""


class Limits(Struct, frozen=True):
    """What one call may use. A use exactly at a limit is allowed.

    `timeout_secs` counts from the moment the call's own code starts. `disk_mib` and `files` bound what `/workspace`
    and `/tmp` grow by together, `stream_bytes` what is kept of stdout and of stderr, each, `result_bytes` the JSON
    text of a lambda's value in UTF-8. `processes` is how many a call that may start any can have at once, its first
    one included; a thread counts as one, except those that an interpreter has before the call's own code starts.
    """

    timeout_secs: float = 60
    memory_mib: int = 512
    disk_mib: int = 256
    files: int = 10_000
    stream_bytes: int = 65_536
    result_bytes: int = 1_048_576
    processes: int = 64


class Permissions(Struct, frozen=True):
    """What the owner lets a call do beyond the usual.

    `network`: it is in the host's network, loopback included. `processes`: it may start some; `shell` always may.
    """

    network: bool = False
    processes: bool = False


class Job(Struct, frozen=True):
    """One call: `source` in `runtime`, with `workspace` (a folder of the host) mounted as `/workspace`.

    `input` is the argument of a lambda; `code` gets none.
    """

    runtime: Runtime
    kind: Kind
    source: str
    input: Json
    workspace: Path
    limits: Limits
    may: Permissions = Permissions()

    @property
    def starts_processes(self) -> bool:
        """Whether it may have more than its one process."""
        return self.may.processes or self.runtime == "shell"


class Progress(Struct, frozen=True):
    """How far a call is: `stage` is "starting", "running" or "finishing", `tail` the newest output of both streams."""

    stage: str
    tail: str


class ChangedFile(Struct, frozen=True):
    """A file of `/workspace` that differs from before the call.

    `path` is relative to `/workspace`; bytes of a name that are no UTF-8 stand in it as `\\xNN` (then, and in names
    with a backslash, every backslash is doubled, so that two names never look the same). `shared`: another call ran in
    the same workspace meanwhile, so that the change may be the other's.
    """

    path: str
    change: Change
    shared: bool


class Outcome(Struct, frozen=True):
    """What a call that ran to its end left.

    `value` is a lambda's value, None for code. `exit_code` is the program's (128 + N when signal N ended it), 0 for a
    lambda. `truncated` says that part of a stream was cut; the text itself says how much.
    """

    value: Json
    exit_code: int
    stdout: str
    stderr: str
    truncated: bool
    changed_files: tuple[ChangedFile, ...]
    duration_ms: int
