"""The ABI of Python lambdas: what is a value, what is not, and what happens to output."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.sandbox

VALUES = [
    ("None", None),
    ("pass", None),
    ("True", True),
    ("10 ** 40", 10**40),
    ("-0.5", -0.5),
    ("'ä 🙂 \\x00'", "ä 🙂 \x00"),
    ("(1, [2, {'a': ()}])", [1, [2, {"a": []}]]),
    ("{'b': 1, 'a': 2}", {"b": 1, "a": 2}),
    ("__import__('collections').Counter('aab')", {"a": 2, "b": 1}),
    ("__import__('collections').namedtuple('P', 'x y')(1, 2)", [1, 2]),
    ("nest(127)", None),
]

NEST = """
def nest(depth):
    value = 1
    for _ in range(depth + 1):
        value = [value]
    return value
"""


@pytest.mark.parametrize(("expression", "expected"), VALUES)
async def test_a_value_arrives_as_json(call, expression, expected):
    body = "pass" if expression == "pass" else f"return {expression}"
    outcome = await call("python", f"{NEST}\ndef main(input):\n    {body}\n")
    if expression.startswith("nest"):
        assert str(outcome.value).count("[") == 128
    else:
        assert outcome.value == expected
        assert type(outcome.value) is type(expected)
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (0, "", "")


NOT_JSON = [
    ("float('nan')", "$ is nan"),
    ("{'a': [1, float('inf')]}", "$.a[1] is inf"),
    ("b'bytes'", "type bytes"),
    ("{'x': {1, 2}}", "$.x is a value of the type set"),
    ("{1: 2}", "the key 1; keys must be text"),
    ("{None: 2}", "keys must be text"),
    ("print", "type builtin_function_or_method"),
    ("object()", "type object"),
    ("'\\ud800'", "lone surrogate"),
    ("{'\\udfff': 1}", "lone surrogate"),
    ("nest(128)", "deeper than 128"),
    ("loop()", "contains itself"),
    ("10 ** 400", "not JSON"),
    ("10 ** 5000", "not JSON"),
]


@pytest.mark.parametrize(("expression", "says"), NOT_JSON)
async def test_what_is_not_json_fails_and_says_where(failure, expression, says):
    loop = "def loop():\n    value = []\n    value.append(value)\n    return value\n"
    error = await failure("python", f"{NEST}{loop}\ndef main(input):\n    return {expression}\n")
    assert error.code == "failed"
    assert "is not JSON" in error.message
    assert says in error.message


FAILURES = [
    ("def main(input):\n    raise ValueError('boo')", "ValueError: boo"),
    ("def main(input):\n    import sys; sys.exit(0)", "exited (code 0) before it returned a value"),
    ("def main(input):\n    import os; os._exit(0)", "exited (code 0) before it returned a value"),
    ("def main(input):\n    import os; os._exit(7)", "exited (code 7)"),
    ("raise SystemExit(3)", "exited (code 3)"),
    ("def main(input):\n    import ctypes; ctypes.string_at(0)", "killed by SIGSEGV"),
    ("def main(input):\n    import os; os.kill(os.getpid(), 9)", "killed by SIGKILL"),
    ("def other(input): pass", "defines no function `main(input)`"),
    ("main = 5", "defines no function `main(input)`"),
    ("def main(): pass", "TypeError"),
    ("def main(input)\n    pass", "SyntaxError"),
    ("import requests", "No module named 'requests'"),
    ("def main(input):\n    return main(input)", "RecursionError"),
]


@pytest.mark.parametrize(("source", "says"), FAILURES)
async def test_a_lambda_that_ends_without_a_value_fails(failure, source, says):
    error = await failure("python", source)
    assert error.code == "failed"
    assert says in error.message


async def test_a_failure_carries_the_lines_of_the_source_and_none_of_ours(failure):
    error = await failure(
        "python", "def main(input):\n    print('about to')\n    return 1 / input['zero']\n", {"zero": 0}
    )
    assert 'File "/lambda/main.py", line 3, in main' in error.message
    assert "return 1 / input['zero']" in error.message
    assert "boot" not in error.message


async def test_an_async_main_is_awaited(call):
    source = """
import asyncio
async def main(input):
    first = await asyncio.to_thread(sum, input["numbers"])
    await asyncio.gather(asyncio.sleep(0), asyncio.sleep(0))
    return first
"""
    assert (await call("python", source, {"numbers": [1, 2, 3]})).value == 6


async def test_a_call_is_over_with_its_value_whatever_it_left_running(call):
    source = """
import threading
def main(input):
    threading.Thread(target=threading.Event().wait).start()
    return "over"
"""
    assert (await call("python", source)).value == "over"


async def test_input_arrives_whole_and_exact(call):
    argument = {"text": "ä\u2028🙂\x00", "number": 2**60 + 1, "deep": [[[{}]]], "long": "x" * 3_000_000}
    source = "def main(input):\n    return [len(input.pop('long')), input, list(input)]\n"
    length, rest, order = (await call("python", source, argument)).value
    assert length == 3_000_000
    assert rest == {key: argument[key] for key in ("text", "number", "deep")}
    assert order == ["text", "number", "deep"]


async def test_what_is_printed_is_kept_apart_from_the_value(call):
    source = """
import sys
def main(input):
    print('V5\\n{"a":1}')
    print("to stderr \\ud800", file=sys.stderr)
    print("broken \\ud800")
    return {"ok": 1}
"""
    outcome = await call("python", source)
    assert outcome.value == {"ok": 1}
    assert outcome.stdout == 'V5\n{"a":1}\nbroken \\ud800\n'
    assert outcome.stderr == "to stderr \\ud800\n"


async def test_a_large_program_a_large_value_and_long_logs_are_all_intact(call):
    padding = "#" + "x" * 1023 + "\n"
    head = "def main(input):\n    print('y' * 300_000)\n    return 'z' * (1024 * 1024 - 2)\n"
    source = head + padding * ((256 * 1024 - len(head)) // len(padding))
    outcome = await call("python", source)
    assert len(outcome.value) == 1024 * 1024 - 2
    assert outcome.truncated
    assert "234,465 bytes cut here: 300,001 were printed, 65,536 are kept" in outcome.stdout


async def test_one_byte_over_a_mebibyte_is_refused_with_both_figures(failure):
    error = await failure("python", "def main(input):\n    return 'z' * (1024 * 1024 - 1)\n")
    assert error.code == "limit"
    assert "1,048,577 bytes" in error.message
    assert "1,048,576" in error.message


async def test_a_value_that_holds_itself_many_times_is_refused_early(failure):
    source = (
        "def main(input):\n    value = []\n    for _ in range(100):\n        value = [value] * 10\n    return value\n"
    )
    assert (await failure("python", source, timeout_secs=30)).code == "limit"


async def test_characters_count_as_their_bytes(call):
    outcome = await call("python", "def main(input):\n    return '🙂' * 250_000\n")
    assert len(outcome.value) == 250_000


async def test_classes_and_types_work_as_in_a_module(call):
    source = """
from __future__ import annotations
import dataclasses, pickle
@dataclasses.dataclass
class Point:
    x: int = 1
def main(input):
    return [dataclasses.asdict(pickle.loads(pickle.dumps(Point()))), __name__ == "__main__"]
"""
    assert (await call("python", source)).value == [{"x": 1}, False]


async def test_only_the_standard_library_can_be_imported(call):
    source = """
import importlib.util, sys
def main(input):
    import json, sqlite3, ssl, ctypes, zoneinfo, decimal, lzma
    return [importlib.util.find_spec(name) is not None for name in ("pip", "textual", "pytest")] + [
        any("-packages" in path for path in sys.path)]
"""
    assert (await call("python", source)).value == [False] * 4


async def test_code_is_a_program_whose_exit_code_counts(call):
    source = (
        "import sys, threading\nprint(__name__)\nthreading.Thread(target=print, args=('last',)).start()\nsys.exit(3)"
    )
    outcome = await call("python", source, kind="code")
    assert (outcome.exit_code, outcome.stdout, outcome.value) == (3, "__main__\nlast\n", None)


async def test_code_that_raises_ends_with_one_and_its_traceback(call):
    outcome = await call("python", "print('a')\n1 / 0\n", kind="code")
    assert outcome.exit_code == 1
    assert outcome.stderr.splitlines()[0] == "Traceback (most recent call last):"
    assert outcome.stderr.splitlines()[-1] == "ZeroDivisionError: division by zero"
    assert "boot" not in outcome.stderr


async def test_code_past_its_time_fails_with_the_last_output(failure):
    error = await failure("python", "print('so far')\nwhile True: pass", kind="code", timeout_secs=0.3)
    assert error.code == "timeout"
    assert "0.3 seconds" in error.message
    assert error.message.endswith("so far\n")
