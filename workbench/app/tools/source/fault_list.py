"""The faults of a draft, as a list to go along."""

from __future__ import annotations

from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from workbench.app.tools.source.findings import MARKS, Fault
from workbench.app.widgets.literal import parts
from workbench.harness.text import fold

_TONES = {"refused": "bold $text-error", "wrong": "bold $text-error", "note": "$text-warning"}


class FaultList(OptionList):
    """One fault a line; choosing one goes there."""

    DEFAULT_CSS = """
    FaultList { height: auto; max-height: 5; border: none; padding: 0; background: $panel; display: none; }
    FaultList:focus { border: none; }
    FaultList.-some { display: block; }
    """

    class Chosen(Message):
        """Somebody wants to see where a fault is."""

        def __init__(self, fault: Fault) -> None:
            super().__init__()
            self.fault = fault

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self.faults: tuple[Fault, ...] = ()

    def show(self, faults: tuple[Fault, ...]) -> None:
        """List these faults."""
        if faults == self.faults:
            return
        self.faults = faults
        self.set_class(bool(faults), "-some")
        self.set_options(
            Option(
                parts(
                    (f" {MARKS[fault.weight]} {fault.place} ", _TONES[fault.weight]),
                    (f" {fold(fault.message)}", "$foreground" if fault.weight != "note" else "$text-muted"),
                )
            )
            for fault in faults
        )

    def next(self) -> Fault | None:
        """The fault after the one that was gone to, round at the end; None where there is none."""
        if not self.faults:
            return None
        self.highlighted = 0 if self.highlighted is None else (self.highlighted + 1) % len(self.faults)
        return self.faults[self.highlighted]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.post_message(self.Chosen(self.faults[event.option_index]))
