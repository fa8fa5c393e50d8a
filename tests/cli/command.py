"""The command line as a process, in few words."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import workbench

ROOT = Path(workbench.__file__).resolve().parent.parent
LAMBDAS = ROOT / "workbench" / "demo" / "scenes" / "lambdas"

SLOW = """
import pathlib, time

def main(input):
    pathlib.Path("/workspace/started").write_text("yes")
    deadline = time.monotonic() + 50
    while time.monotonic() < deadline and not pathlib.Path("/workspace/go").exists():
        time.sleep(0.01)
    return {"went": True}
"""
"""A lambda that says that it runs, and then waits for the file `go`."""


@dataclass(frozen=True)
class Ran:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON value that it printed, and nothing else."""
        assert self.out.count("\n") == 1, self
        assert self.out.isascii(), self
        return json.loads(self.out)

    @property
    def result(self) -> Any:
        """The result of an act that succeeded, printed as JSON."""
        assert self.code == 0, self
        return self.json["result"]


class Workbench:
    """`workbench --space …`, each time as a process of its own."""

    def __init__(self, space: Path, env: Mapping[str, str] | None = None) -> None:
        self.space = space
        self.env = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep),
            **(env or {}),
        }

    def command(self, *arguments: str | bytes, space: bool = True) -> list[str | bytes]:
        """The whole command."""
        where = ["--space", str(self.space)] if space else []
        return [sys.executable, "-m", "workbench", *where, *arguments]

    def run(
        self,
        *arguments: str | bytes,
        input: str | bytes = b"",
        env: Mapping[str, str] | None = None,
        space: bool = True,
        cwd: Path | None = None,
    ) -> Ran:
        """Run it to its end."""
        data = input.encode() if isinstance(input, str) else input
        done = subprocess.run(
            self.command(*arguments, space=space),
            input=data,
            capture_output=True,
            env={**self.env, **(env or {})},
            cwd=cwd,
            timeout=60,
            check=False,
        )
        ran = Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
        assert "Traceback" not in ran.err, ran.err
        return ran

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start it and go on; for use in a `with`."""
        return subprocess.Popen(
            self.command(*arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.env,
            text=True,
        )

    def events(self, thread: str) -> list[dict[str, Any]]:
        """The events of a thread."""
        return [json.loads(line) for line in self.run("log", thread, "--json").out.splitlines()]

    def save(self, name: str, source: str, runtime: str = "python", **content: Any) -> None:
        """Save a lambda."""
        body = {"description": f"Does {name}.", "runtime": runtime, "source": source, **content}
        ran = self.run("write", f"~/tools/{name}", "--file", "-", input=json.dumps(body))
        assert ran.code == 0, ran


def until(condition: Callable[[], object], what: str, seconds: float = 30) -> None:
    """Wait until something is so; fail in words when it takes too long."""
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        pause.wait(0.01)


def descendants(pid: int) -> set[int]:
    """The processes that stand below one now."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
    found: set[int] = set()
    while more := {child for child, parent in parents.items() if parent in {pid, *found}} - found:
        found |= more
    return found


def alive(pid: int) -> bool:
    """Whether a process is there and not only waiting to be collected."""
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def end(process: subprocess.Popen[str], signum: signal.Signals) -> Ran:
    """Send a signal and wait for the end."""
    process.send_signal(signum)
    out, err = process.communicate(timeout=30)
    return Ran(process.returncode, out, err)
