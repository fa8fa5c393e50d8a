"""The terminal: no byte that it sends can end the app, and its end cannot keep the app from ending."""

from __future__ import annotations

import contextlib
import os
import select
from codecs import getincrementaldecoder
from typing import IO, Any, cast

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

GONE = 129
"""The exit code when the terminal is gone: what a shell says of a program that SIGHUP ended."""

WAIT_SECS = 0.1
"""How long input is waited for before it is looked whether the app ended meanwhile."""

_UNDECODED = dict.fromkeys(range(0xDC80, 0xDD00), "\ufffd")


class Output:
    """A file that takes what is written to it also when the terminal behind it is gone.

    Textual writes in a thread, which the first error ends; whoever writes then waits for it for ever, with the room in
    its queue used up.
    """

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> int:
        """Write, or lose it."""
        with contextlib.suppress(OSError, ValueError):
            return self._file.write(text)
        return len(text)

    def flush(self) -> None:
        """Have it written, or lose it."""
        with contextlib.suppress(OSError, ValueError):
            self._file.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class TerminalDriver(LinuxDriver):
    """Textual's driver with an input thread of our own, and an output that no error ends.

    Textual's decodes strictly, and ends the app at the first byte that is no UTF-8. Terminals send such bytes: a mouse
    report in the old X10 form, which tmux falls back to after it is attached anew, has raw bytes for columns past 95.
    And at the end of the input Textual's goes round without a pause; this one leaves, as the terminal is gone.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._file = cast("IO[str]", Output(self._file))

    def run_input_thread(self) -> None:
        """Pass on what the terminal sends until the app ends. One U+FFFD stands for each byte that is no UTF-8."""
        parser = XTermParser(self._debug)
        # One character for each byte, which "replace" does not promise: a mouse report is as long as it should be.
        decoder = getincrementaldecoder("utf-8")("surrogateescape")
        while not self.exit_event.is_set():
            if select.select([self.fileno], [], [], WAIT_SECS)[0]:
                try:
                    data = os.read(self.fileno, 4096)
                except OSError:
                    data = b""
                if not data:
                    self._app.call_later(self._app.exit, return_code=GONE)
                    return
                for message in parser.feed(decoder.decode(data).translate(_UNDECODED)):
                    self.process_message(message)
            for message in parser.tick():
                self.process_message(message)
