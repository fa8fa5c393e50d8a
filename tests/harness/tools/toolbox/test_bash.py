"""`bash`: what comes back for every way a command can end, and that its description keeps its word."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.harness.tools.toolbox.commands.processes import Heard, Mark
from tests.harness.tools.toolbox.using import use
from tests.people import ordinary_user
from workbench.harness.errors import HarnessError
from workbench.harness.tools.definition import schema_of
from workbench.harness.tools.toolbox import bash as running
from workbench.harness.tools.toolbox import saved
from workbench.harness.tools.toolbox.bash import BASH, render_call, render_result
from workbench.harness.tools.toolbox.commands import environment
from workbench.harness.tools.toolbox.drawn import Output, Span, Words
from workbench.harness.tools.toolbox.host_tool import HostContext, Result, Signal, ToolAnswer
from workbench.harness.tools.toolbox.limits import (
    MAX_BYTES,
    MAX_COMMAND_BYTES,
    MAX_LINES,
    MAX_SAVED_BYTES,
    MAX_TIMEOUT_SECS,
    QUIET_SECS,
    UPDATE_SECS,
)

NOTICE = re.compile(r"\n\n\[(Showing [^\n]*)\. Full output: (/\S+/bash-[0-9a-f]{16}\.log)\]")


async def bash(ctx: HostContext, command: str, **options: Any) -> ToolAnswer:
    timeout = {"timeout": options.pop("timeout")} if "timeout" in options else {}
    return await use(BASH, {"command": command, **timeout}, ctx, **options)


async def failure(ctx: HostContext, command: str, **options: Any) -> tuple[str, str]:
    with pytest.raises(HarnessError) as caught:
        await bash(ctx, command, **options)
    return caught.value.code, caught.value.message


def lines_to(last: int) -> str:
    return "".join(f"{number}\n" for number in range(1, last + 1))


def cut_of(text: str) -> tuple[str, str, Path]:
    """What is shown of an output that was cut, its notice, and the file."""
    found = NOTICE.search(text)
    assert found is not None, text[-300:]
    return text[: found.start()], found[1], Path(found[2])


# How it ends.


async def test_t19_how_it_ended(here: HostContext) -> None:
    assert await bash(here, "true") == ToolAnswer.of("(no output)")
    assert await failure(here, "exit 1") == ("failed", "(no output)\n\nCommand exited with code 1")
    assert await failure(here, "echo a; echo b >&2; exit 3") == ("failed", "a\nb\n\n\nCommand exited with code 3")


@pytest.mark.parametrize(("name", "code"), [("KILL", 137), ("TERM", 143), ("SEGV", 139)])
async def test_a_command_that_a_signal_ended_failed(here: HostContext, name: str, code: int) -> None:
    """Reported bug 5."""
    words = f"Command exited with code {code} (killed by SIG{name})"
    assert await failure(here, f"echo x; kill -{name} $$") == ("failed", f"x\n\n\n{words}")
    assert await failure(here, f"kill -{name} $$") == ("failed", f"(no output)\n\n{words}")


async def test_a_command_that_did_not_end_in_time(here: HostContext) -> None:
    assert await failure(here, "echo x; sleep 9", timeout=0.4) == (
        "timeout",
        "x\n\n\nCommand timed out after 0.4 seconds",
    )
    assert await failure(here, "sleep 9", timeout=0.05) == ("timeout", "Command timed out after 0.05 seconds")


async def test_a_whole_number_of_seconds_is_said_as_one(here: HostContext) -> None:
    assert (await failure(here, "sleep 9", timeout=1))[1] == "Command timed out after 1 seconds"


@pytest.mark.parametrize("seconds", [0, -1, -0.5, float("nan"), float("inf"), float("-inf")])
async def test_t21_a_timeout_is_a_number_of_seconds(here: HostContext, seconds: float) -> None:
    words = "Invalid timeout: must be a finite number of seconds"
    assert await failure(here, ": >ran", timeout=seconds) == ("bad_input", words)
    assert not (here.cwd / "ran").exists()


async def test_t21_a_timeout_has_a_maximum(here: HostContext) -> None:
    """Reported bug 7: a longer one was over at once."""
    words = "Invalid timeout: maximum is 2147483.647 seconds"
    assert await failure(here, ": >ran", timeout=3_000_000) == ("bad_input", words)
    assert not (here.cwd / "ran").exists()
    assert (await bash(here, "echo x", timeout=2_147_483.647)).text == "x\n"


async def test_t21_aborted_before_the_start_it_never_runs(here: HostContext) -> None:
    signal, heard = Signal(), Heard()
    signal.abort()
    assert await failure(here, ": >ran", signal=signal, updates=heard, timeout=0) == ("cancelled", "Command aborted")
    assert not (here.cwd / "ran").exists()
    assert heard.updates == []


async def test_t21_a_notice_stands_before_the_exit_code(here: HostContext) -> None:
    code, text = await failure(here, "seq 1 2500; exit 1")
    assert code == "failed"
    shown, notice, file = cut_of(text)
    assert notice == "Showing lines 501-2500 of 2500"
    assert shown.split("\n") == [str(number) for number in range(501, 2_501)]
    assert text.endswith(f" Full output: {file}]\n\nCommand exited with code 1")
    assert file.read_text() == lines_to(2_500)


async def test_the_working_directory_is_missing(here: HostContext) -> None:
    gone = HostContext(cwd=here.cwd / "gone")
    words = f"Working directory does not exist: {gone.cwd}\nCannot execute bash commands."
    assert await failure(gone, "echo x") == ("not_found", words)


async def test_the_working_directory_is_none(here: HostContext) -> None:
    (here.cwd / "file").write_text("x")
    place = here.cwd / "file"
    assert await failure(HostContext(cwd=place), "echo x") == (
        "refused",
        f"Working directory cannot be used: {place} (ENOTDIR: Not a directory)",
    )


async def test_there_is_no_shell(here: HostContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "USUAL_SHELL", "/nowhere/bash")
    monkeypatch.setenv("PATH", "/nowhere")
    code, text = await failure(here, "echo x")
    assert code == "unavailable"
    assert text.startswith("spawn sh ENOENT: ")


async def test_the_shell_cannot_be_started(here: HostContext, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = here.cwd / "bash"
    broken.write_text("#!/nowhere/interpreter\n")
    broken.chmod(0o755)
    monkeypatch.setattr(environment, "USUAL_SHELL", str(broken))
    assert await failure(here, "echo x") == ("unavailable", f"spawn {broken} ENOENT: No such file or directory")


async def test_commands_that_no_shell_can_be_given(here: HostContext) -> None:
    code, text = await failure(here, "#" * (MAX_COMMAND_BYTES + 1))
    assert code == "bad_input"
    assert "131,072 bytes; at most 131,071" in text
    assert (await bash(here, "#" * MAX_COMMAND_BYTES)).text == "(no output)"
    assert await failure(here, "echo \0") == ("bad_input", "A command holds no NUL character.")
    assert (await failure(here, "echo \ud800"))[0] == "bad_input"


async def test_a_command_that_begins_like_an_option_is_a_command(here: HostContext) -> None:
    code, text = await failure(here, "-x echo")
    assert code == "failed"
    assert "command not found" in text
    assert text.endswith("Command exited with code 127")


# What it printed.


@pytest.mark.parametrize("newline", ["", "; echo"])
async def test_t20_a_long_last_line(here: HostContext, newline: str) -> None:
    """Reported bug 6: with a newline after it as well as without."""
    answer = await bash(here, f"head -c 60000 /dev/zero | tr '\\0' x{newline}")
    shown, notice, file = cut_of(answer.text)
    assert shown == "x" * MAX_BYTES
    assert notice == "Showing last 50.0KB of line 1 (line is 58.6KB)"
    assert answer.details is not None
    assert answer.details["truncation"]["lastLinePartial"] is True
    assert answer.details["fullOutputPath"] == str(file)
    assert file.stat().st_size == 60_000 + (1 if newline else 0)


@pytest.mark.parametrize("newline", ["", "; echo"])
async def test_a_line_of_250_kb(here: HostContext, newline: str) -> None:
    """Reported bugs 6 and 22."""
    answer = await bash(here, f"head -c 256000 /dev/zero | tr '\\0' y{newline}")
    shown, notice, _ = cut_of(answer.text)
    assert shown == "y" * MAX_BYTES
    assert notice == "Showing last 50.0KB of line 1 (line is 250.0KB)"


async def test_too_many_lines_are_saved_too_and_counted_as_lines(here: HostContext) -> None:
    """Reported bugs 3 and 4."""
    answer = await bash(here, "seq 1 4000")
    shown, notice, file = cut_of(answer.text)
    assert notice == "Showing lines 2001-4000 of 4000"
    assert shown.startswith("2001\n")
    assert shown.endswith("\n4000")
    assert len(file.read_text().splitlines()) == 4_000


async def test_too_many_bytes_of_whole_lines(here: HostContext) -> None:
    answer = await bash(here, "for i in $(seq 100 699); do printf '%s%096d\\n' $i 0; done")
    shown, notice, _ = cut_of(answer.text)
    assert notice == "Showing lines 89-600 of 600 (50.0KB limit)"
    assert len(shown.encode()) == 512 * 100 - 1
    assert shown.startswith("188")


PEAKS = """
import asyncio, re
from pathlib import Path
from workbench.harness.tools.toolbox.bash import BASH, Parameters
from workbench.harness.tools.toolbox.host_tool import HostContext, Signal
async def peak_kib(command):
    params, ctx = Parameters(command=command), HostContext(cwd=Path("/"))
    answer = await BASH.execute("call-1", params, Signal(), lambda update: None, ctx)
    return answer.text, int(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])
_, before = asyncio.run(peak_kib("seq 1 3000"))
text, after = asyncio.run(peak_kib("yes 0123456789012345678 | head -c 200000000"))
path = text.rpartition("Full output: ")[2].rstrip("]")
print((after - before) // 1024, Path(path).stat().st_size, text.rpartition("[")[2])
"""


def test_200_mb_are_followed_in_bounded_memory() -> None:
    """In a process of its own, whose peak tells what it held."""
    done = subprocess.run([sys.executable, "-c", PEAKS], capture_output=True, text=True, check=True, timeout=100)
    grown_mib, saved_bytes, notice = done.stdout.split(" ", 2)
    assert int(grown_mib) < 20
    assert int(saved_bytes) == 200_000_000
    assert notice.startswith("Showing lines 9998001-10000000 of 10000000. Full output: ")
    assert not Path(notice.strip().rpartition(" ")[2].rstrip("]")).exists(), "it went with its workbench"


async def test_binary_output_is_text_that_the_log_can_hold(here: HostContext) -> None:
    (here.cwd / "b").write_bytes(bytes(range(256)) * 10)
    answer = await bash(here, "cat b; printf '\\xff\\xe2\\x82'")
    assert answer.text == (bytes(range(256)) * 10 + b"\xff\xe2\x82").decode("utf-8", "replace")
    json.dumps(answer.text).encode("utf-8")


async def test_nothing_is_taken_out_of_it(here: HostContext) -> None:
    answer = await bash(here, "printf 'a\\r\\n\\033[31mred\\033[0m\\0\\t\\n\\n'")
    assert answer.text == "a\r\n\x1b[31mred\x1b[0m\0\t\n\n"


async def test_a_character_that_is_written_in_two_halves_is_one(here: HostContext) -> None:
    answer = await bash(here, "printf '\\xe2\\x82'; sleep 0.05; printf '\\xac'")
    assert answer.text == "€"


async def test_the_file_is_for_its_owner_alone(here: HostContext) -> None:
    """Reported bug 8."""
    file = cut_of((await bash(here, "umask 0; seq 1 3000")).text)[2]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    with ordinary_user(), pytest.raises(PermissionError):
        file.read_bytes()


async def test_the_file_is_there_as_soon_as_a_limit_is_passed(here: HostContext) -> None:
    signal, heard = Signal(), Heard()
    running = asyncio.create_task(bash(here, "seq 1 3000; echo ready; sleep 9", signal=signal, updates=heard))
    await heard.until("ready")
    details = heard.updates[-1].details
    assert details is not None
    assert await asyncio.to_thread(Path(details["fullOutputPath"]).read_text) == lines_to(3_000) + "ready\n"
    assert details["truncation"]["truncatedBy"] == "lines"
    signal.abort()
    with pytest.raises(HarnessError, match=r"Full output: [^\n]*\]\n\nCommand aborted$"):
        await running


async def test_the_notice_has_one_line_whatever_the_temporary_folder_is_called(
    here: HostContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = here.cwd / "a\n\nb]\x1b[2J"
    odd.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(odd))
    monkeypatch.setattr(saved._Own, "folder", None)
    answer = await bash(here, "seq 1 3000")
    cut, notice, file = cut_of(answer.text)
    assert file.read_text() == lines_to(3_000)
    result = Result(content=({"type": "text", "text": answer.text},), details=answer.details)
    words = Words(f"[{notice}. Full output: {file}]")
    assert render_result({}, result, here.cwd) == (Output(cut), words)


# While it runs.


async def test_t22_updates(here: HostContext) -> None:
    heard = Heard()
    loop = asyncio.get_running_loop()
    began = loop.time()
    answer = await bash(here, "for i in $(seq 1 20); do echo $i; sleep 0.03; done", updates=heard)
    texts = [update.text for update in heard.updates]
    assert heard.updates[0] == ToolAnswer(())
    assert 4 <= len(texts) <= (loop.time() - began) / UPDATE_SECS + 3
    assert all(later.startswith(former) and later != former for former, later in itertools.pairwise(texts))
    assert texts[-1] == answer.text == lines_to(20)


async def test_a_silent_command_has_the_first_update_only(here: HostContext) -> None:
    heard = Heard()
    await bash(here, "sleep 0.15", updates=heard)
    assert heard.updates == [ToolAnswer(())]


async def test_many_writes_are_few_updates_and_the_last_has_all(here: HostContext) -> None:
    heard = Heard()
    loop = asyncio.get_running_loop()
    began = loop.time()
    answer = await bash(here, "for i in {1..5000}; do echo $i; done", updates=heard)
    assert len(heard.updates) <= (loop.time() - began) / UPDATE_SECS + 3
    assert heard.updates[-1].text == cut_of(answer.text)[0]
    assert heard.updates[-1].details == answer.details


async def test_a_working_directory_on_a_disk_that_is_gone_holds_no_call(
    here: HostContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, let_go = threading.Event(), threading.Event()

    def hanging(*given: Any) -> None:
        begun.set()
        let_go.wait(10)

    monkeypatch.setattr(running, "_start", hanging)
    signal = Signal()
    call = asyncio.ensure_future(use(BASH, {"command": "true"}, here, signal=signal))
    assert await asyncio.to_thread(begun.wait, 10)
    signal.abort()
    with pytest.raises(HarnessError, match="Command aborted"):
        await call
    let_go.set()


# What the description says.


def promised(words: str) -> None:
    """The description says so, with the numbers of the limits."""
    assert words in BASH.description


async def test_says_stdout_and_stderr_in_their_order(here: HostContext) -> None:
    promised("Run a command with bash in the working directory.")
    promised("its stdout and stderr together, in the order in which they came")
    answer = await bash(here, "pwd; echo 1; echo 2 >&2; echo 3; echo ${BASH_VERSION:+bash}")
    assert answer.text == f"{here.cwd}\n1\n2\n3\nbash\n"


async def test_says_that_an_exit_code_is_an_error_with_the_output(here: HostContext) -> None:
    promised("An exit code other than 0 is an error, which has the output too.")
    assert await failure(here, "echo x; false") == ("failed", "x\n\n\nCommand exited with code 1")


async def test_says_what_it_truncates(here: HostContext) -> None:
    promised(f"truncated to its last {MAX_LINES} lines or {MAX_BYTES // 1024}KB (whichever is hit first)")
    assert len(cut_of((await bash(here, f"seq 1 {MAX_LINES + 1}")).text)[0].split("\n")) == MAX_LINES
    assert (await bash(here, f"seq 1 {MAX_LINES}")).details is None
    assert len(cut_of((await bash(here, f"head -c {MAX_BYTES + 1} /dev/zero")).text)[0]) == MAX_BYTES
    assert (await bash(here, f"head -c {MAX_BYTES} /dev/zero")).details is None


async def test_says_where_the_full_output_is(here: HostContext) -> None:
    promised("the full output is saved to a file that the answer names")
    promised(f"up to {MAX_SAVED_BYTES // 1024**3}GB of it; look into that with read or grep")
    promised("It is kept until the workbench ends.")
    first = cut_of((await bash(here, "seq 1 3000")).text)[2]
    assert cut_of((await bash(here, "seq 2 3001")).text)[2] != first
    assert first.read_text().startswith("1\n")


async def test_says_that_there_is_no_time_limit_but_the_one_given(here: HostContext) -> None:
    promised("There is no time limit unless you give timeout, in seconds")
    assert "timeout" not in schema_of(BASH.parameters).get("required", [])
    assert (await failure(here, "sleep 9", timeout=0.1))[0] == "timeout"
    promised(f"in seconds, at most {MAX_TIMEOUT_SECS}:")
    assert (await bash(here, "true", timeout=MAX_TIMEOUT_SECS)).text == "(no output)"
    assert (await failure(here, "true", timeout=MAX_TIMEOUT_SECS + 1))[0] == "bad_input"


async def test_says_how_long_a_command_may_be(here: HostContext) -> None:
    promised(f"A command has at most {MAX_COMMAND_BYTES:,} bytes: write a longer one to a file and run that.")
    assert (await bash(here, ":".ljust(MAX_COMMAND_BYTES))).text == "(no output)"
    code, text = await failure(here, ":".ljust(MAX_COMMAND_BYTES + 1))
    assert (code, f"at most {MAX_COMMAND_BYTES:,}" in text, "Write it to a file" in text) == ("bad_input", True, True)


async def test_says_that_stdin_is_empty(here: HostContext) -> None:
    promised("stdin is empty, so nothing can be asked")
    assert (await bash(here, "cat; read -r answer || echo no answer")).text == "no answer\n"


async def test_says_that_every_command_begins_anew(here: HostContext) -> None:
    promised("Every command has a new shell in the working directory: cd, variables and functions do not last")
    await bash(here, "cd /; export A=1; f() { :; }")
    assert (await bash(here, "pwd; echo [$A]; type f 2>&1 | grep -c 'not found'")).text == f"{here.cwd}\n[]\n1\n"
    assert (await bash(here, "cd / && pwd")).text == "/\n"


async def test_says_that_nothing_outlives_it(here: HostContext) -> None:
    promised("Nothing that a command starts outlives it")
    promised(f"they have printed nothing for {QUIET_SECS} seconds, also with nohup or setsid")
    promised("A server that is to stay cannot be started this way")
    mark = Mark()
    await bash(here, f"nohup sleep {mark} & setsid sleep {mark} & sleep {mark} &")
    assert mark.running() == []
    late = await bash(here, "(sleep 3; echo late) & echo now")
    assert late.text == "now\n"


async def test_says_what_of_the_environment_it_has(here: HostContext, monkeypatch: pytest.MonkeyPatch) -> None:
    promised("PATH, HOME, USER, SHELL, LANG, TERM, TZ, TMPDIR and LC_*, and what the owner's setting bash.env names")
    promised("bash.env names; no other variables.")
    assert "secret" not in BASH.description
    # A plain C locale has Python set one of them for itself.
    for name in [name for name in os.environ if name.startswith("LC_")]:
        monkeypatch.delenv(name)
    for name in ("HOME", "USER", "SHELL", "LANG", "TERM", "TZ", "TMPDIR", "LC_TIME", "MINE", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, f"value of {name}")
    ctx = msgspec.structs.replace(here, env_names=("MINE",))
    # Not `env`: the shell adds some of its own.
    given = (await bash(ctx, "tr '\\0' '\\n' </proc/$$/environ | sort")).text.splitlines()
    names = ["HOME", "LANG", "LC_TIME", "MINE", "SHELL", "TERM", "TMPDIR", "TZ", "USER"]
    assert given == sorted([*(f"{name}=value of {name}" for name in names), f"PATH={os.environ['PATH']}"])


def test_every_sentence_of_the_description_is_kept_by_a_test() -> None:
    """Reads this file: in each sentence there are words that a test above keeps."""
    written = re.findall(r'promised\(f?"(.*)"\)', Path(__file__).read_text())
    kept = [re.split(r"\{.*?\}", words) for words in written if words != "(.*)"]
    for sentence in re.split(r"(?<=\.) ", BASH.description):
        assert any(all(part in sentence for part in parts) for parts in kept), sentence


def test_what_the_model_is_told_of_its_parameters() -> None:
    schema = schema_of(BASH.parameters)
    assert {name: body["type"] for name, body in schema["properties"].items()} == {
        "command": "string",
        "timeout": "number",
    }
    assert schema["required"] == ["command"]
    assert (BASH.execution_mode, BASH.binding, BASH.label) == ("sequential", "toolbox:bash", "Bash")


# How it is drawn.


@pytest.mark.parametrize(
    ("input", "text"),
    [
        ({"command": "ls -l"}, "$ ls -l"),
        ({"command": "\n ls\ncd x\n", "timeout": 5}, "$ ls … (at most 5 s)"),
        ({"command": "ls", "timeout": 0.5}, "$ ls (at most 0.5 s)"),
        ({"command": "ls", "timeout": "5"}, "$ ls"),
        ({"command": "ls", "timeout": True}, "$ ls"),
        ({"command": 7}, "$ "),
        ({}, "$ "),
        (None, "$ "),
        ("ls", "$ "),
    ],
)
def test_a_call_is_drawn_as_its_first_line(input: Any, text: str) -> None:
    line = render_call(input)
    assert "".join(span.text for span in line) == text
    assert line[1].style == "command"
    assert line[0] == Span("$ ", "dim")


SHOWING = "[Showing lines 2-3 of 3. Full output: /tmp/f]"


@pytest.mark.parametrize(
    ("error", "drawn"),
    [
        ("a\n\n\nCommand exited with code 3", (Output("a\n"), Words("Command exited with code 3", "error"))),
        ("Command aborted", (Words("Command aborted", "error"),)),
        (
            "(no output)\n\nCommand exited with code 1",
            (Words("(no output)"), Words("Command exited with code 1", "error")),
        ),
        (
            f"b\nc\n\n{SHOWING}\n\nCommand timed out after 2 seconds",
            (Output("b\nc"), Words(SHOWING), Words("Command timed out after 2 seconds", "error")),
        ),
        ("Invalid timeout: must be", (Words("Invalid timeout: must be", "error"),)),
    ],
)
def test_a_failure_is_drawn_as_its_output_and_words(error: str, drawn: Any) -> None:
    assert render_result({}, Result(error=error), Path("/")) == drawn


def test_a_success_is_drawn_as_its_output_and_its_notice() -> None:
    def drawn(text: str, details: dict[str, Any] | None = None) -> Any:
        return render_result({}, Result(content=({"type": "text", "text": text},), details=details), Path("/"))

    assert drawn("a\n") == (Output("a\n"),)
    assert drawn("(no output)") == (Words("(no output)"),)
    assert drawn(f"b\nc\n\n{SHOWING}", {"truncation": {}}) == (Output("b\nc"), Words(SHOWING))
    assert drawn(f"printed\n\n{SHOWING}") == (Output(f"printed\n\n{SHOWING}"),)
    assert drawn("x\n\nCommand aborted") == (Output("x\n\nCommand aborted"),)
    assert render_result({}, Result(), Path("/")) == ()
