"""Choosing among the tools that were deleted."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from workbench.app.widgets.literal import Literal, literal, parts, title
from workbench.app.widgets.modal import Modal
from workbench.harness.space.library import DeletedTool


class ChooseDeleted(Modal[DeletedTool | None]):
    """Answers one of them, or None for escape."""

    DEFAULT_CSS = """
    ChooseDeleted { align: center middle; background: $background 60%; }
    ChooseDeleted > Vertical { width: 84; max-width: 94%; height: auto; max-height: 80%; padding: 1 2;
        background: $panel; border: round $primary; }
    ChooseDeleted OptionList { height: auto; max-height: 16; border: none; padding: 0; background: $surface; }
    ChooseDeleted Literal { width: 1fr; height: auto; margin-top: 1; }
    """

    def __init__(self, gone: Sequence[DeletedTool]) -> None:
        super().__init__()
        # The newest first: that is the one somebody wants back most often.
        self._gone = sorted(gone, key=lambda tool: tool.time, reverse=True)

    def compose(self) -> ComposeResult:
        """The names, each with when and by whom it was deleted."""
        with Vertical() as box:
            title(box, "Deleted tools")
            yield OptionList(
                *(
                    Option(parts(f" {tool.name}  ", (f"deleted by {tool.actor}, {tool.time}", "$text-muted")))
                    for tool in self._gone
                ),
                markup=False,
            )
            yield Literal(literal("enter brings it back, with all its versions. esc goes back.", "$text-muted"))

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            self.leave(None)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.leave(self._gone[event.option_index])
