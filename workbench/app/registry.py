"""Every action of the app, by the part of it that does it: keys, footer, help and palette are all made from this."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.app.actions import EVERYWHERE, Action
from workbench.app.space.actions import ROWS, SHEET
from workbench.app.space.actions import TAB_ACTIONS as SPACE
from workbench.app.tools.actions import ACTIONS as TOOLS
from workbench.app.tools.call.actions import HISTORY
from workbench.app.tools.call.actions import PANE as CALL
from workbench.app.tools.call.form.actions import FORM
from workbench.app.tools.cid.actions import CID
from workbench.app.tools.contract.actions import CONTRACT
from workbench.app.tools.list_actions import LIST
from workbench.app.transcript.actions import COMPOSER, FINDER
from workbench.app.transcript.actions import TAB as TRANSCRIPT
from workbench.app.transcript.file_actions import FILE
from workbench.app.transcript.wire.actions import WIRE
from workbench.app.widgets.lines.actions import LINES
from workbench.app.widgets.outline.actions import OUTLINE

TITLES = {"app": "Everywhere", "tools": "Tools", "space": "Space", "transcript": "Transcript"}
"""The places, in the order in which they are listed."""


@dataclass(frozen=True, slots=True)
class Section:
    """The actions of one part of the app: what it is called, and the tab it is on.

    `place` is one of `TITLES`; `app` stands for parts that are on several tabs too.
    """

    title: str
    place: str
    actions: tuple[Action, ...]


SECTIONS: tuple[Section, ...] = (
    Section("Everywhere", "app", EVERYWHERE),
    Section("Tools", "tools", TOOLS),
    Section("Tools list", "tools", LIST),
    Section("Contract", "tools", CONTRACT),
    Section("CID", "tools", CID),
    Section("Call", "tools", CALL),
    Section("The form of a call", "tools", FORM),
    Section("Calls before", "tools", HISTORY),
    Section("Space", "space", SPACE),
    Section("Lists of the Space", "space", ROWS),
    Section("A text of the Space", "space", SHEET),
    Section("Transcript", "transcript", TRANSCRIPT),
    Section("Composer", "transcript", COMPOSER),
    Section("Finding", "transcript", FINDER),
    Section("The wire", "transcript", WIRE),
    Section("A file", "transcript", FILE),
    Section("Lines", "app", LINES),
    Section("Trees", "app", OUTLINE),
)
"""All parts. A part's own line here is all that help, palette and footer need to know of it."""


ACTIONS: tuple[Action, ...] = tuple(action for section in SECTIONS for action in section.actions)
"""All actions."""

SECTION_OF: dict[str, Section] = {action.id: section for section in SECTIONS for action in section.actions}
"""The part that an action belongs to, by its id."""
