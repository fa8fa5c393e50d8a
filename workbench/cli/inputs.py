"""What comes in beside the options: files, standard input, and JSON on the command line."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from workbench.harness import strict_json
from workbench.harness.errors import HarnessError
from workbench.harness.strict_json import Json

MOST_BYTES = 8 * 1024 * 1024
"""How much is read of a file or of standard input: more than any act takes, so that the door names the limit."""


def data_of(name: str) -> bytes:
    """The bytes of a file, or of standard input for `-`.

    Raises:
        HarnessError: `not_found`, `refused` or `limit` when it cannot be read.
    """
    if name == "-":
        stream = sys.stdin
        if stream is None:
            raise HarnessError("bad_input", "Standard input is closed; there is nothing to read from -.")
        data = stream.buffer.read(MOST_BYTES + 1)
        where = "Standard input"
    else:
        where = name
        try:
            with open(name, "rb") as file:
                data = file.read(MOST_BYTES + 1)
        except FileNotFoundError:
            raise HarnessError(
                "not_found", f"There is no file {name}. Name one that is there, or - for input."
            ) from None
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise HarnessError("refused", f"{name} cannot be read: {reason}.") from error
    if len(data) > MOST_BYTES:
        raise HarnessError("limit", f"{where} has over {MOST_BYTES} bytes; more is not read.")
    return data


def text_of(name: str) -> str:
    """The text of a file, or of standard input for `-`. Raises HarnessError as `data_of`, `bad_input` if no UTF-8."""
    try:
        return data_of(name).decode("utf-8")
    except UnicodeDecodeError as error:
        where = "Standard input" if name == "-" else name
        raise HarnessError(
            "bad_input", f"{where} is not UTF-8 text (byte {error.start}). Only text can be written."
        ) from None


def argument(text: str) -> str:
    """What was typed, where the locale knew no better than to take UTF-8 for single bytes.

    Names of files are not passed through here: the system wants them as it gave them.
    """
    if text.isprintable():
        return text
    try:
        return os.fsencode(text).decode("utf-8")
    except UnicodeError:
        return text


def address(typed: str) -> str:
    """An address as it was meant: a shell makes the home folder of an unquoted `~`, and no address begins with that."""
    home = os.path.expanduser("~").rstrip("/")
    text = argument(typed)
    return "~" + text[len(home) :] if text.startswith(f"{home}/") else text


def json_of(typed: str, what: str) -> Json:
    """The JSON value of an argument, or of standard input for `-`.

    Raises:
        HarnessError: `bad_input` with line and column when it is no JSON, `limit` when it is too deep.
    """
    return strict_json.parse(data_of("-") if typed == "-" else argument(typed), what=what)


def object_of(typed: str | None, what: str) -> dict[str, Json]:
    """The JSON object of an argument, empty when there is none. Raises HarnessError as `json_of`."""
    if typed is None:
        return {}
    value = json_of(typed, what)
    if not isinstance(value, dict):
        raise HarnessError("bad_input", f'{what} must be a JSON object, such as {{"offset": 1}}.')
    return value


def stem_of(name: str) -> str:
    """The file's name without its last suffix."""
    return Path(os.path.basename(name)).stem
