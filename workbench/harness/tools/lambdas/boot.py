# pyright: basic
# (A bare interpreter runs it: nothing of `typing` is there to narrow with.)
#
# Runs inside the sandbox, before and around the code of a call. It is no part of the workbench's own process.
#
# Nothing is imported that a bare interpreter has not loaded already: `json` alone would cost as much as starting it.
import posix
import sys
from _io import TextIOWrapper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable
    from types import ModuleType
    from typing import Any


class NotJson(Exception):
    def __init__(self, why: str) -> None:
        self.why = why
        self.steps: list[str] = []


class TooLarge(Exception):
    def __init__(self, size: int) -> None:
        self.size = size


def boot() -> None:
    channel = int(sys.argv[1])
    source_path = sys.argv[2]
    send_all(channel, b"H")
    request = receive_all(0)
    if not request.endswith(b"\n"):
        posix._exit(1)  # the workbench died before it let this call go
    request = parse(request.decode())
    source_file = posix.open(source_path, posix.O_RDONLY)
    source = receive_all(source_file).decode()
    posix.close(source_file)
    sys.argv[:] = [source_path]
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")
    if request["kind"] == "code":
        posix.close(channel)
        run_program(source, source_path)
        return
    kind, text = run_lambda(source, source_path, request["input"], request["limit"])
    flush()
    payload = text.encode("utf-8", "replace")
    send_all(channel, b"%s%d\n" % (kind, len(payload)) + payload)
    posix._exit(0)


def flush() -> None:
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:  # whatever the call put in their place
        return


def run_program(source: str, path: str) -> None:
    module = new_module("__main__", path)
    try:
        exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)
    except SystemExit:
        raise
    except BaseException as error:
        show(error, path)
        raise SystemExit(1) from None


def run_lambda(source: str, path: str, argument: object, limit: int) -> tuple[bytes, str]:
    try:
        module = new_module("lambda_main", path)
        exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)
        main = getattr(module, "main", None)
        if not callable(main):
            return b"X", "it defines no function `main(input)`"
        value: Any = main(argument)
        if hasattr(value, "__await__"):
            value = wait_for(value)
    except SystemExit as error:
        return b"X", f"it exited (code {error.code}) before it returned a value"
    except MemoryError as error:
        show(error, path)
        return b"M", ""
    except BaseException as error:
        show(error, path)
        return b"X", f"{type(error).__name__}: {error}"[:MESSAGE_CHARS]
    try:
        return b"V", encode(value, limit)
    except NotJson as error:
        where = "$" + "".join(reversed(error.steps))
        return b"N", f"{where} is {error.why}"
    except TooLarge as error:
        return b"T", str(error.size)
    except MemoryError:
        return b"M", ""
    except BaseException as error:
        show(error, path)
        return b"N", f"reading it failed with {type(error).__name__}: {error}"


def new_module(name: str, path: str) -> "ModuleType":
    module = type(sys)(name)
    module.__file__ = path
    sys.modules[name] = module
    return module


def wait_for(awaitable: "Awaitable[object]") -> object:
    import asyncio

    async def settle() -> object:
        return await awaitable

    # Not asyncio.run: it would wait for what the call left running, and a call is over with its value.
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    return loop.run_until_complete(settle())


def show(error: BaseException, path: str) -> None:
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != path:
        trace = trace.tb_next
    try:
        sys.__excepthook__(type(error), error.with_traceback(trace), trace)
    except BaseException:  # an exception whose own text fails
        return


def encode(value: object, limit: int) -> str:
    remaining = limit

    def check(item: object, depth: int) -> None:
        nonlocal remaining
        remaining -= 1  # each value takes a character at least; a value that holds itself many times ends here
        if remaining < 0:
            raise TooLarge(0)
        if item is None or item is True or item is False:
            return
        if isinstance(item, str):
            check_text(item)
            remaining -= len(item)
        elif isinstance(item, int):
            pass
        elif isinstance(item, float):
            if item != item or item in (INFINITY, -INFINITY):
                raise NotJson(f"{float(item)!r}, which JSON has no number for")
        elif isinstance(item, (list, tuple)):
            if depth > 128:
                raise too_deep()
            for index, part in enumerate(item):
                try:
                    check(part, depth + 1)
                except NotJson as error:
                    error.steps.append(f"[{index}]")
                    raise
        elif isinstance(item, dict):
            if depth > 128:
                raise too_deep()
            for key, part in item.items():
                if not isinstance(key, str):
                    raise NotJson(f"an object with the key {key!r:.80}; keys must be text")
                check_text(key)
                try:
                    check(part, depth + 1)
                except NotJson as error:
                    error.steps.append(f".{key:.80}")
                    raise
        else:
            raise NotJson(f"a value of the type {type(item).__name__}, which JSON does not have")

    check(value, 1)
    text = write(value)
    size = len(text.encode())
    if size > limit:
        raise TooLarge(size)
    return text


INFINITY = float("inf")
MESSAGE_CHARS = 2000


def check_text(text: str) -> None:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise NotJson("text with a lone surrogate") from None


def too_deep() -> NotJson:
    return NotJson("nested deeper than 128 levels, or it contains itself")


def unwritable(value: object) -> None:
    raise NotJson(f"a value of the type {type(value).__name__}, which JSON does not have")


def write(value: object) -> str:
    try:
        from _json import encode_basestring, make_encoder

        encoder = make_encoder({}, unwritable, encode_basestring, None, ":", ",", False, False, False)
        return "".join(encoder(value, 0))
    except (ImportError, TypeError):
        import json

        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class Reading:
    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def parse(text: str) -> "Any":
    try:
        from _json import make_scanner

        context: Any = Reading()
        scan = make_scanner(context)
    except (ImportError, TypeError, AttributeError):
        import json

        return json.loads(text)
    return scan(text, 0)[0]


def receive_all(descriptor: int) -> bytes:
    parts: list[bytes] = []
    while True:
        part = posix.read(descriptor, 1 << 20)
        if not part:
            return b"".join(parts)
        parts.append(part)


def send_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[posix.write(descriptor, view) :]


boot()
