"""The terminal, read so that no byte it sends can end the app."""

from __future__ import annotations

import os
import select
from codecs import getincrementaldecoder

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

GONE = 129
"""The exit code when the terminal is gone: what a shell says of a program that SIGHUP ended."""

WAIT_SECS = 0.1
"""How long input is waited for before it is looked whether the app ended meanwhile."""

_UNDECODED = dict.fromkeys(range(0xDC80, 0xDD00), "\ufffd")


class TerminalDriver(LinuxDriver):
    """Textual's driver with an input thread of our own.

    Textual's decodes strictly, and ends the app at the first byte that is no UTF-8. Terminals send such bytes: a mouse
    report in the old X10 form, which tmux falls back to after it is attached anew, has raw bytes for columns past 95.
    And at the end of the input Textual's goes round without a pause; this one leaves, as the terminal is gone.
    """

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
