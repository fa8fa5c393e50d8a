"""The side of the pane where one gives: the input, its limit or its folder, and what is said of them."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any

from msgspec import Struct
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical

from workbench.app.seams import workbench
from workbench.app.tools.call.bar import RunBar
from workbench.app.tools.call.given import InputArea
from workbench.app.tools.call.kept import Kept
from workbench.app.tools.call.limit import takes_limit
from workbench.app.tools.call.machine_bar import MachineBar
from workbench.app.tools.call.which_version import kept_note, version_note
from workbench.app.tools.directory import at_home, check_folder, started_in
from workbench.app.tools.shown import Shown
from workbench.app.widgets.literal import Literal, literal
from workbench.harness.errors import HarnessError
from workbench.harness.space.settings import DEFAULTS


class Given(Struct, frozen=True):
    """All that is given to a call: the value, the seconds in place of the setting, the folder of this machine."""

    value: Any
    seconds: int | None
    folder: Path | None = None


class GivenSide(Vertical):
    """The input with its bars. What stands here is kept for each tool as long as the app runs."""

    DEFAULT_CSS = """
    GivenSide > #note { height: auto; max-height: 3; padding: 0 1; display: none; }
    GivenSide.-note > #note { display: block; }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._shown: Shown | None = None
        self._unsaved = False
        self._kept = Kept()
        self._started_in = started_in()
        self._said = ""

    def compose(self) -> ComposeResult:
        """What is said, where it acts, the input, and the buttons."""
        yield Literal(id="note")
        yield MachineBar(id="machine")
        yield InputArea(id="call-input")
        yield RunBar(id="bar")

    @property
    def input(self) -> InputArea:
        """Where the input is written."""
        return self.query_one(InputArea)

    @property
    def bar(self) -> RunBar:
        """The line with the buttons."""
        return self.query_one(RunBar)

    @property
    def machine(self) -> MachineBar:
        """The line that says where a tool of the toolbox acts."""
        return self.query_one(MachineBar)

    @property
    def setting(self) -> int:
        """The seconds of the owner's setting."""
        try:
            return workbench(self).view.settings.settings.timeout_secs
        except HarnessError:
            # That the Space cannot be read now is said where it is listed; a call gets what acts when it runs.
            return DEFAULTS.timeout_secs

    @property
    def _folder(self) -> str:
        """Where the toolbox acts unless another folder is typed: its workdir, else where this app was started."""
        workdir = None
        with contextlib.suppress(HarnessError):
            workdir = workbench(self).view.toolbox.workdir
        return at_home(workdir or self._started_in)

    # From the pane ----------------------------------------------------------------------------------------------

    def about(self, shown: Shown) -> None:
        """Be about another tool, or another version of it: the input that was given for it comes back."""
        before, self._shown = self._shown, shown
        if before is not None:
            self._kept.keep(before.key, before.cid, self.input.typed(), self.bar.asked)
        self._open(shown)
        self.bar.about(self._kept.limit(shown.key), self.setting, takes_limit(shown))
        self.machine.about(shown.on_machine, self._folder)
        self._note()
        self._hold()

    def note_unsaved(self, unsaved: bool) -> None:
        """Say which version will run while there are unsaved edits."""
        if unsaved != self._unsaved:
            self._unsaved = unsaved
            self._note()

    def settings_changed(self) -> None:
        """Follow the owner's settings; what somebody typed stays."""
        if self._shown is not None:
            self.bar.setting_is(self.setting)
            self.machine.about(self._shown.on_machine, self._folder)

    def begun(self) -> None:
        """A call of it begins: what was said of its input is said no more."""
        self._said = ""
        self._note()

    def put(self, value: Any) -> None:
        """Give this."""
        self.input.put(value)

    def put_folder(self, folder: str) -> None:
        """Act in this folder."""
        self.machine.put(at_home(folder))

    def focus_content(self) -> None:
        """Go to the input."""
        self.input.focus_content()

    def focus_limit(self) -> None:
        """Go to the seconds, or of the toolbox to the folder."""
        if self._shown is not None and self._shown.on_machine:
            self.machine.focus_directory()
        else:
            self.bar.focus_limit()

    async def read(self, shown: Shown) -> Given:
        """All that is given.

        Raises:
            HarnessError: the seconds or the folder cannot be used; they have the keys then.
            Refused: the input cannot be sent.
        """
        seconds = self.bar.seconds()
        value = await self.input.read()
        return Given(value, seconds, await self.read_folder(shown))

    async def read_folder(self, shown: Shown) -> Path | None:
        """The folder of the machine that stands there; None for a tool that does not act on it.

        Raises:
            HarnessError: it cannot be used; it has the keys then.
        """
        if not shown.on_machine:
            return None
        folder = Path(self.machine.directory())
        try:
            await asyncio.to_thread(check_folder, folder)
        except HarnessError:
            self.machine.focus_directory()
            raise
        return folder

    # Inside -----------------------------------------------------------------------------------------------------

    def _open(self, shown: Shown) -> None:
        """The input that was given for this version, or the one for the version before, or a new one."""
        schema = shown.tool.document.input if shown.tool else {}
        typed, carried = self._kept.of(shown.key, shown.cid)
        self._said = ""
        if typed is not None and carried:
            typed = typed.rebased(schema) if typed.touched else None
        self.input.open(schema, typed)
        if typed is not None and carried and shown.tool is not None:
            self.run_worker(
                self._hold_against(shown), name="check the input", group="check", exclusive=True, exit_on_error=False
            )

    async def _hold_against(self, shown: Shown) -> None:
        """Say whether the present contract accepts the input that stands there from the version before."""
        problems = await self.input.problems()
        if self._shown is not None and (self._shown.key, self._shown.cid) == (shown.key, shown.cid):
            self._said = kept_note(problems)
            self._note()

    def _note(self) -> None:
        version = version_note(self._shown, self._unsaved) if self._shown is not None else ""
        lines = [line for line in (version, self._said) if line]
        self.query_one("#note", Literal).show(literal("\n".join(lines), "$text-warning"))
        self.set_class(bool(lines), "-note")

    @on(MachineBar.Judged)
    @on(RunBar.Typed)
    def _hold(self, event: MachineBar.Judged | RunBar.Typed | None = None) -> None:
        """The form is not ready while its folder or its seconds are wrong."""
        if event is not None:
            event.stop()
        if self._shown is None:
            return
        if self._shown.on_machine:
            self.input.hold("✗ the folder" if self.machine.fault else "")
        else:
            self.input.hold("✗ the limit" if self.bar.fault else "")

    @on(InputArea.Faced)
    def _faced(self, event: InputArea.Faced) -> None:
        event.stop()
        self.bar.say(self.input.faces)
