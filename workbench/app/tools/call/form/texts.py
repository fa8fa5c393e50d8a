"""Between the text that stands in a field and the JSON value it means. Pure."""

from __future__ import annotations

import json
import re

from workbench.harness.errors import HarnessError
from workbench.harness.space.schema.values import shorten
from workbench.harness.strict_json import Json, parse, pretty
from workbench.harness.text import printable

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z")
_UNFINISHED = re.compile(r"-?(?:(?:0|[1-9][0-9]*)(?:\.|(?:\.[0-9]+)?[eE][+-]?)?)?\Z")
_LEADING_ZERO = re.compile(r"[+-]?0[0-9]")


class Refused(Exception):
    """A text that cannot be sent; the message says what must stand there."""


def read_number(text: str, *, whole: bool) -> int | float:
    """The number that a text means, exact where it is a whole one. Raises Refused."""
    text = text.strip()
    shown = shorten(text, 40)
    if not _NUMBER.match(text):
        if _UNFINISHED.match(text):
            raise Refused(f"is no whole number yet: {shown}" if whole else f"is no number yet: {shown}")
        if _LEADING_ZERO.match(text):
            raise Refused(f"must be a number without zeros before it, is {shown}")
        kind = "a whole number, such as 12" if whole else "a number, such as 1.5"
        raise Refused(f"must be {kind}, is {shown}")
    try:
        number = parse(text, what="it")
    except HarnessError:
        raise Refused(f"is beyond the largest number there is, about 1.8e308: {shown}") from None
    assert isinstance(number, (int, float))
    if whole and isinstance(number, float) and not number.is_integer():
        raise Refused(f"must be a whole number, is {shown}")
    return number


def read_json(text: str) -> Json:
    """The value that a JSON text means. Raises Refused."""
    try:
        return parse(text, what="this")
    except HarnessError as error:
        raise Refused(error.message) from None


def json_text(value: Json) -> str:
    """A value as JSON of several lines in which every character can be seen: what is not printable is escaped."""
    text = pretty(value)
    return text if printable(text) == text else "".join(map(_escaped, text))


def is_editable(text: str) -> bool:
    """Whether a text can stand in an editor without a character of it being changed or hidden."""
    return printable(text) == text


def _escaped(char: str) -> str:
    if char == "\n" or printable(char) == char:
        return char
    return json.dumps(char)[1:-1]
