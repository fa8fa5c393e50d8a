"""What leaves the command line: JSON for machines, text for people, and nothing that a terminal would obey."""

from __future__ import annotations

import json
import os
import sys
from typing import Any, TextIO

from workbench.harness.text import printable


class OutputLost(Exception):
    """Standard output cannot take more. `quiet` is set where the reader simply went away, as `head` does."""

    def __init__(self, why: str, *, quiet: bool = False) -> None:
        super().__init__(why)
        self.quiet = quiet


def prepare() -> None:
    """Let both streams take any text, whatever the locale can encode, and keep the three standard descriptors taken.

    A closed one would go to the next file that is opened, and what is meant for a terminal would go into that.
    """
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def fields_of(value: Any) -> dict[str, Any]:
    """The fields of a value of the core, by name, as they are printed."""
    from msgspec.structs import asdict

    return asdict(value)


def out_value(value: Any) -> None:
    """Print one JSON value on one line. It is ASCII, so that no locale and no lone surrogate can stop it."""
    _write(json.dumps(value, ensure_ascii=True, allow_nan=False) + "\n")


def out_text(text: str) -> None:
    """Print text for people as it is, unsafe characters made visible; no newline is added but on a terminal."""
    if text and not text.endswith("\n") and sys.stdout is not None and sys.stdout.isatty():
        text += "\n"
    _write(printable(text))


def out_piece(text: str) -> None:
    """Print a piece of a longer text for people at once."""
    _write(printable(text))
    flush()


def out_line(text: str) -> None:
    """Print one line for people."""
    _write(printable(text) + "\n")


def err_line(text: str) -> None:
    """Say something beside the output, behind what was printed. A standard error that takes nothing is no failure."""
    stream: TextIO | None = sys.stderr
    if stream is None:
        return
    flush()
    try:
        stream.write(printable(text) + "\n")
        stream.flush()
    except OSError:
        _silence(stream)


def flush() -> None:
    """See that everything printed has left. Raises OutputLost."""
    stream: TextIO | None = sys.stdout
    if stream is None:
        return
    try:
        stream.flush()
    except OSError as error:
        raise _lost(stream, error) from error


def _write(text: str) -> None:
    stream: TextIO | None = sys.stdout
    if stream is None:
        raise OutputLost("Standard output is closed, so the answer has nowhere to go.")
    try:
        stream.write(text)
    except OSError as error:
        raise _lost(stream, error) from error


def _lost(stream: TextIO, error: OSError) -> OutputLost:
    _silence(stream)
    if isinstance(error, BrokenPipeError):
        return OutputLost("The reader of the output went away.", quiet=True)
    return OutputLost(f"The output cannot be written: {error.strerror or error}.")


def _silence(stream: TextIO) -> None:
    """Point a dead stream at nothing: the interpreter flushes it once more at its end, and would complain."""
    try:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, stream.fileno())
        os.close(nothing)
    except (OSError, ValueError):
        return
