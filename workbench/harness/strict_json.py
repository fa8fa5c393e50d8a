"""JSON as this project reads and writes it: strict about what comes in, exact about what goes out.

Python's own reader takes more than JSON (a byte order mark, UTF-16, NaN, a key twice, half a surrogate pair) and dies
of deep nesting or of very long integers. Everything that enters the harness comes through `parse` (text, bytes) or
`check` (a Python value), so that the same JSON means the same in every language.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import NoReturn, TypeAlias, cast

from workbench.harness.errors import HarnessError

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""A JSON value as Python holds it."""

MAX_DEPTH = 128
"""Levels of nesting allowed: the outermost list or object is level 1, a scalar is none."""

MAX_VALUES = 2 * 1024 * 1024
"""How many values `check` walks: 4 MiB of JSON holds no more, a value built of shared parts may."""

MAX_SAFE_INTEGER = 2**53 - 1
"""The largest integer that every language reads exactly, because a double holds it and all its neighbours."""

_MAX_NOTES = 20
_DOUBLE_DIGITS = 309  # an integer with more digits is over the largest double, about 1.8e308

_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}:,]|[^\s"\[\]{}:,]++', re.DOTALL)
_NESTING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")


def parse(text: str | bytes, *, what: str) -> Json:
    """Read one JSON value from `text`; `what` names it in messages ("the content of ~/tools/x").

    Integers stay exact. Raises HarnessError `bad_input` for everything that is not strict JSON (with line and column)
    and `limit` for nesting over `MAX_DEPTH` levels.
    """
    if isinstance(text, bytes):
        text = _decode(text, what)
    if text.startswith("\ufeff"):
        raise _bad(f"{what} is not JSON: it begins with a byte order mark. Save it as UTF-8 without one.")
    if not text.strip(" \t\r\n"):
        raise _bad(f"{what} is not JSON: empty. Give one JSON value.")
    half = _SURROGATE.search(text)
    if half:
        raise _bad(f"{what} holds a lone surrogate (half a character) at {_place(text, half.start())}. Remove it.")
    _limit_nesting(text, what)
    value = _Reader(text, what).read()
    if _ESCAPED_SURROGATE.search(text) and _has_surrogate(value):
        _refuse_surrogate(text, what)
    return value


def check(value: object, *, what: str, max_depth: int = MAX_DEPTH) -> None:
    """See that a Python value is JSON by the same rules as `parse`; nothing is converted.

    Raises HarnessError `bad_input` (a type that JSON has not, a key that is no text, NaN or an infinity, a number
    beyond a double, a lone surrogate, a cycle) or `limit` (nesting over `max_depth`, over `MAX_VALUES` values). Never
    recurses, whatever it is given.
    """
    open_containers: set[int] = set()
    stack: list[tuple[Iterator[object], int]] = [(iter((value,)), 0)]
    count = 0
    while stack:
        items, container = stack[-1]
        for item in items:
            count += 1
            if count > MAX_VALUES:
                raise HarnessError("limit", f"{what} holds over {MAX_VALUES:,} values. Give less.")
            if isinstance(item, (dict, list)):
                node = cast("dict[object, object] | list[object]", item)
                if id(node) in open_containers:
                    raise _bad(f"{what} is not JSON: it contains itself. Give a value without a cycle.")
                # the first entry of the stack holds the value itself and is no level
                if len(stack) > max_depth:
                    raise _too_deep(what, max_depth)
                if isinstance(node, dict):
                    for key in node:
                        _check_key(key, what)
                    children: Iterator[object] = iter(node.values())
                else:
                    children = iter(node)
                open_containers.add(id(node))
                stack.append((children, id(node)))
                break
            _check_scalar(item, what)
        else:
            stack.pop()
            open_containers.discard(container)


def canonical(value: object) -> str:
    """The one text of a checked value: sorted keys, no white space, characters as themselves."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def pretty(value: object) -> str:
    """A checked value for people: indented by two spaces, characters as themselves, keys in their order."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)


def normalise_numbers(value: Json) -> tuple[Json, tuple[str, ...]]:
    """The value with its numbers as every language stores them, and notes for the author on what that changed.

    A float that is a safe integer becomes that integer; an integer that is none becomes the nearest double. Expects
    what `parse` or `check` let pass; raises HarnessError `limit` (nesting) or `bad_input` (a number) for the rest.
    """
    notes: dict[str, None] = {}
    normalised = _normalise(value, notes, 0)
    texts = tuple(notes)
    if len(texts) > _MAX_NOTES:
        texts = (*texts[:_MAX_NOTES], f"and {len(texts) - _MAX_NOTES} more numbers")
    return normalised, texts


class _Reader:
    """Python's JSON reader with the hooks that make it strict; on a fault it finds the place in the text."""

    def __init__(self, text: str, what: str) -> None:
        self._text = text
        self._what = what

    def read(self) -> Json:
        try:
            return cast(
                "Json",
                json.loads(
                    self._text,
                    object_pairs_hook=self._object,
                    parse_constant=self._constant,
                    parse_float=self._float,
                    parse_int=self._int,
                ),
            )
        except json.JSONDecodeError as fault:
            place = f"line {fault.lineno}, column {fault.colno}"
            detail = fault.msg[:1].lower() + fault.msg[1:].removesuffix(" at")
            raise _bad(f"{self._what} is not JSON: {detail}, at {place}.{self._advice(fault)}") from None

    def _object(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        members = dict(pairs)
        if len(members) != len(pairs):
            self._refuse_duplicate()
        return members

    def _refuse_duplicate(self) -> NoReturn:
        for key, position in _duplicate_keys(self._text):
            name = _quote(key)
            raise _bad(
                f"{self._what} has the key {name} twice: again at {_place(self._text, position)}. Keep one of them."
            )
        raise _bad(f"{self._what} has a key twice in one object. Keep one of them.")

    def _constant(self, name: str) -> NoReturn:
        position = next((m.start() for m in _TOKEN.finditer(self._text) if m.group() == name), 0)
        place = _place(self._text, position)
        raise _bad(
            f"{self._what} is not JSON: {name}, at {place}. JSON has finite numbers only; write null or a number."
        )

    def _float(self, digits: str) -> float:
        number = float(digits)
        if math.isinf(number):
            self._refuse_number(digits)
        return number

    def _int(self, digits: str) -> int:
        # float() first and only where it matters: int() of very many digits is slow, and Python refuses it over 4,300
        if len(digits) >= _DOUBLE_DIGITS and math.isinf(float(digits)):
            self._refuse_number(digits)
        return int(digits)

    def _refuse_number(self, digits: str) -> NoReturn:
        position = next((m.start() for m in _TOKEN.finditer(self._text) if m.group() == digits), 0)
        raise _bad(
            f"{self._what} holds a number beyond a double, {_shorten(digits)}, at {_place(self._text, position)}: "
            "the largest is about 1.8e308. Give a smaller number, or text."
        )

    def _advice(self, fault: json.JSONDecodeError) -> str:
        rest = self._text[fault.pos : fault.pos + 2]
        before = self._text[: fault.pos].rstrip(" \t\r\n")
        if fault.msg.startswith("Extra data"):
            return " Give exactly one value."
        if rest.startswith("'"):
            return " Texts and keys stand in double quotes."
        if rest in {"//", "/*"} or rest.startswith("#"):
            return " JSON has no comments."
        if before.endswith(",") and rest[:1] in {"}", "]"}:
            return " Remove the comma before it."
        if fault.msg.startswith("Invalid control character"):
            return " Write a line break inside a text as \\n, a tab as \\t."
        if not rest:
            return " The text ends too early."
        return ""


def _decode(data: bytes, what: str) -> str:
    if data.startswith(_BYTE_ORDER_MARKS):
        form = "a UTF-8" if data.startswith(b"\xef\xbb\xbf") else "a UTF-16 or UTF-32"
        raise _bad(f"{what} is not JSON: it begins with {form} byte order mark. Save it as UTF-8 without one.")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        byte = f"byte 0x{data[fault.start]:02x} at offset {fault.start}, line {line}"
        raise _bad(f"{what} is not UTF-8: {byte}. Save it as UTF-8.") from None
    # ASCII in UTF-16 or UTF-32 is valid UTF-8, full of NUL; no JSON text holds one
    if "\0" in text[:4]:
        raise _bad(f"{what} is not UTF-8: it looks like UTF-16 or UTF-32. Save it as UTF-8.")
    return text


def _limit_nesting(text: str, what: str) -> None:
    depth = 0
    for match in _NESTING.finditer(text):
        mark = match.group()
        if mark in {"{", "["}:
            depth += 1
            if depth > MAX_DEPTH:
                raise _too_deep(what, MAX_DEPTH, f" at {_place(text, match.start())}")
        elif mark in {"}", "]"}:
            depth -= 1


def _duplicate_keys(text: str) -> Iterator[tuple[str, int]]:
    """Each key of well-formed JSON text that stands twice in one object, with the position of its second time."""
    scopes: list[set[str] | None] = []
    expects_key = False
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token == "{":
            scopes.append(set())
            expects_key = True
        elif token == "[":
            scopes.append(None)
            expects_key = False
        elif token in {"}", "]"}:
            scopes.pop()
            expects_key = False
        elif token == ",":
            expects_key = bool(scopes) and scopes[-1] is not None
        elif expects_key:
            expects_key = False
            scope = scopes[-1]
            key = str(json.loads(token))
            if scope is not None and key in scope:
                yield key, match.start()
            elif scope is not None:
                scope.add(key)


def _refuse_surrogate(text: str, what: str) -> NoReturn:
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token.startswith('"') and _SURROGATE.search(str(json.loads(token))):
            place = _place(text, match.start())
            raise _bad(f"{what} holds a lone surrogate (half a character) in the text at {place}. Remove it.")
    raise _bad(f"{what} holds a lone surrogate (half a character). Remove it.")


def _has_surrogate(value: Json) -> bool:
    waiting: list[Json] = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            if _SURROGATE.search(item):
                return True
        elif isinstance(item, list):
            waiting.extend(item)
        elif isinstance(item, dict):
            waiting.extend(item.keys())
            waiting.extend(item.values())
    return False


def _check_key(key: object, what: str) -> None:
    if not isinstance(key, str):
        kind = type(key).__name__
        raise _bad(f"{what} is not JSON: a key is of type {kind}, keys are texts. Turn it into text.")
    if not key.isascii() and _SURROGATE.search(key):
        raise _bad(f"{what} holds a lone surrogate (half a character) in the key {_quote(key)}. Remove it.")


def _check_scalar(item: object, what: str) -> None:
    if item is None or isinstance(item, bool):
        return
    if isinstance(item, str):
        if not item.isascii() and _SURROGATE.search(item):
            raise _bad(f"{what} holds a lone surrogate (half a character) in {_quote(item)}. Remove it.")
        return
    if isinstance(item, int):
        if not _fits_a_double(item):
            raise _bad(
                f"{what} holds a number beyond a double (the largest is about 1.8e308). Give a smaller one, or text."
            )
        return
    if isinstance(item, float):
        if not math.isfinite(item):
            name = "NaN" if math.isnan(item) else "Infinity" if item > 0 else "-Infinity"
            raise _bad(f"{what} is not JSON: {name}. JSON has finite numbers only; give null or a number.")
        return
    kind = type(item).__name__
    raise _bad(
        f"{what} is not JSON: a value of type {kind}. Give null, true, false, a number, a text, a list or an object."
    )


def _fits_a_double(number: int) -> bool:
    if number.bit_length() < 1024:
        return True
    try:
        float(number)
    except OverflowError:
        return False
    return True


def _normalise(value: Json, notes: dict[str, None], depth: int) -> Json:
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) <= MAX_SAFE_INTEGER else value
    if isinstance(value, int):
        return _as_stored(value, notes)
    if depth >= MAX_DEPTH:
        raise _too_deep("the value", MAX_DEPTH)
    if isinstance(value, list):
        return [_normalise(item, notes, depth + 1) for item in value]
    return {key: _normalise(item, notes, depth + 1) for key, item in value.items()}


def _as_stored(number: int, notes: dict[str, None]) -> int | float:
    if -MAX_SAFE_INTEGER <= number <= MAX_SAFE_INTEGER:
        return number
    if not _fits_a_double(number):
        raise _bad("a number beyond a double: the largest is about 1.8e308. Give a smaller number, or text.")
    stored = float(number)
    shown = f"{int(stored)}.0" if abs(stored) < 1e21 else repr(stored)
    notes[f"{_shorten(str(number))} is stored as {shown}"] = None
    return stored


def _place(text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    return f"line {line}, column {column}"


def _quote(text: str) -> str:
    return json.dumps(_shorten(text))


def _shorten(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:40]}… ({len(text):,} characters)"


def _too_deep(what: str, max_depth: int, where: str = "") -> HarnessError:
    return HarnessError("limit", f"{what} is nested over {max_depth} levels{where}. Make it flatter.")


def _bad(message: str) -> HarnessError:
    return HarnessError("bad_input", message)


def as_object(value: object) -> dict[str, Json] | None:
    """Give a JSON value back as the object that it is, or None when it is none."""
    return cast("dict[str, Json]", value) if isinstance(value, dict) else None
