"""The editor of a lambda: its source, its description and the rest of its contract, with everything to say of them."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.document._history import EditHistory
from textual.message import Message
from textual.timer import Timer
from textual.widgets import TextArea

from workbench.app.tools.source.drafts import PART_NAMES, PARTS, Draft, Part, Texts
from workbench.app.tools.source.fault_list import FaultList
from workbench.app.tools.source.findings import Fault, Findings, look_over
from workbench.app.tools.source.judgement import Surroundings
from workbench.app.tools.source.line_ends import LineEnds
from workbench.app.tools.source.live import live_words
from workbench.app.tools.source.marked_area import MarkedArea
from workbench.app.widgets.literal import Literal, OneLine
from workbench.app.widgets.strip import Place, TabStrip
from workbench.harness.errors import HarnessError

LOOK_SECS = 0.25
"""How long after the last key a draft is looked over."""

BESIDE_FROM = 110
"""From how many columns on all parts stand beside each other."""

MAX_PUT_AWAY = 30
"""Of how many areas it is known what can be undone in them."""

_AREAS: dict[Part, str] = {"source": "edit-source", "description": "edit-description", "rest": "edit-rest"}


class Editor(Vertical):
    """Edits one draft after the other. It says what changed; what becomes of it is for others to decide."""

    DEFAULT_CSS = """
    Editor #areas { height: 1fr; }
    Editor #contract { width: 1fr; height: 1fr; display: none; }
    Editor #edit-source { width: 1fr; }
    Editor #edit-description { height: 1fr; }
    Editor .part-head { background: $panel; }
    Editor #edit-rest { height: 2fr; }
    Editor.-contract #contract { display: block; }
    Editor.-contract #edit-source { display: none; }
    Editor.-beside #contract { display: block; border-left: vkey $border-blurred; }
    Editor.-beside #edit-source { display: block; width: 3fr; }
    Editor.-beside #contract { width: 2fr; }
    Editor #live { height: auto; max-height: 5; min-height: 2; padding: 0 1; background: $panel; }
    """

    class Edited(Message):
        """The draft is another one now."""

        def __init__(self, draft: Draft) -> None:
            super().__init__()
            self.draft = draft

    class Looked(Message):
        """The draft was looked over."""

        def __init__(self, findings: Findings) -> None:
            super().__init__()
            self.findings = findings

    def __init__(self, surroundings: Callable[[str], Awaitable[Surroundings]], *, id: str) -> None:
        """`surroundings` says among what a tool of that name is listed."""
        super().__init__(id=id)
        self.draft: Draft | None = None
        self.findings: Findings | None = None
        self.part: Part = "source"
        self._surroundings = surroundings
        self._given = Texts()
        self._ends = {part: LineEnds() for part in PARTS}
        self._timer: Timer | None = None
        self._warning = ""
        self._mends = False
        self._put_away: dict[tuple[str, Part], tuple[str, EditHistory]] = {}

    def compose(self) -> ComposeResult:
        """The names of the parts, the parts, what is wrong with them, and what would come of saving."""
        yield TabStrip(tuple(Place(part, PART_NAMES[part], "f2") for part in PARTS), id="edit-strip")
        with Horizontal(id="areas"):
            yield MarkedArea(id="edit-source")
            with Vertical(id="contract"):
                yield OneLine("description, for a model to read", classes="part-head")
                yield MarkedArea(id="edit-description", wrap=True, numbers=False)
                yield OneLine("the rest of the contract, as JSON", classes="part-head")
                yield MarkedArea(id="edit-rest", wrap=True, code="json")
        yield FaultList(id="faults-list")
        yield Literal(id="live")

    def area(self, part: Part) -> MarkedArea:
        """The area of a part."""
        return self.query_one(f"#{_AREAS[part]}", MarkedArea)

    # The draft --------------------------------------------------------------------------------------------------

    def open(self, draft: Draft, warning: str = "") -> None:
        """Edit a draft."""
        self._keep_undo()
        self.draft, self.findings, self._warning, self._mends = None, None, warning, False
        for part in PARTS:
            area = self.area(part)
            area.put(draft.texts[part], {"source": draft.runtime, "rest": "json"}.get(part))
            area.mark(())
            text, history = self._put_away.pop((draft.name, part), ("", None))
            if history is not None and text == area.text:
                area.history = history
        # What an area gives back need not be what it was given: it knows one kind of line end.
        self._given = Texts(*(self.area(part).text for part in PARTS))
        self._ends = {part: LineEnds(draft.texts[part], self._given[part]) for part in PARTS}
        self.draft = draft
        self.query_one(FaultList).show(())
        self._say()
        self._look()

    def close(self) -> None:
        """Edit nothing any more."""
        self._keep_undo()
        self.draft = self.findings = None
        if self._timer is not None:
            self._timer.stop()

    def rebase(self, draft: Draft) -> None:
        """Go on with the same text on another version."""
        self.draft = draft
        self._warning = ""
        self._say()
        self._look()

    def take(self, part: Part, text: str) -> None:
        """Have another text in a part, as if it had been typed: it can be undone."""
        area = self.area(part)
        area.replace_all(text)
        self._ends[part].know(text, area.text)

    def warn(self, warning: str, *, mends: bool = False) -> None:
        """Say something about the draft that does not pass by itself; with `mends`, until it can be saved."""
        self._warning, self._mends = warning, mends
        self._say()

    def _keep_undo(self) -> None:
        if self.draft is None:
            return
        for part in PARTS:
            area = self.area(part)
            self._put_away[self.draft.name, part] = (area.text, area.put_away())
        for key in list(self._put_away)[: max(0, len(self._put_away) - MAX_PUT_AWAY)]:
            del self._put_away[key]

    @on(TextArea.Changed)
    def _changed(self, event: TextArea.Changed) -> None:
        event.stop()
        part = _part(event.text_area.id)
        draft, text = self.draft, event.text_area.text
        if draft is None or part is None or text == self._given[part]:
            return
        self._given = self._given.having(part, text)
        self.draft = draft.edited(part, self._ends[part].follow(text, self.area(part).document.lines))
        self.post_message(self.Edited(self.draft))
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(LOOK_SECS, self._look, name="look the draft over")

    # What is to say of it ---------------------------------------------------------------------------------------

    def _look(self) -> None:
        draft = self.draft
        if draft is not None:
            self.run_worker(
                self._look_over(draft), name="look the draft over", group="drafts", exclusive=True, exit_on_error=False
            )

    async def _look_over(self, draft: Draft) -> None:
        around = None
        with contextlib.suppress(HarnessError):
            # Without them only the line in the index is told as if nothing else were listed.
            around = await self._surroundings(draft.name)
        findings = await look_over(draft, around)
        if self.draft is None or self.draft.name != draft.name or self.draft.texts != draft.texts:
            return
        self.findings = findings
        if self._mends and findings.judgement.problem is None:
            self._warning, self._mends = "", False
        for part in PARTS:
            places = [(fault.line, fault.column) for fault in findings.faults if fault.part == part]
            self.area(part).mark(places)
        source = self.area("source")
        source.colour(draft.runtime)
        self.query_one(FaultList).show(findings.faults)
        self._say()
        self.post_message(self.Looked(findings))

    def _say(self) -> None:
        if self.draft is not None:
            live = self.query_one("#live", Literal)
            live.show(live_words(self.draft, self.findings, self._warning, live.content_size.width))

    @on(FaultList.Chosen)
    def _chosen(self, event: FaultList.Chosen) -> None:
        event.stop()
        self.go_to(event.fault)

    def next_fault(self) -> None:
        """Go to the next fault."""
        fault = self.query_one(FaultList).next()
        if fault is not None:
            self.go_to(fault)

    def go_to(self, fault: Fault) -> None:
        """Go to the place of a fault."""
        self._turn_to(fault.part)
        self.area(fault.part).go_to(fault.line, fault.column)

    # The parts --------------------------------------------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= BESIDE_FROM, "-beside")
        self.call_after_refresh(self._say)

    def other_part(self) -> None:
        """Go to the next part."""
        self._turn_to(PARTS[(PARTS.index(self.part) + 1) % len(PARTS)])
        self.focus_part()

    def focus_part(self) -> None:
        """Take the keys."""
        self.area(self.part).focus()

    def _turn_to(self, part: Part) -> None:
        self.part = part
        self.set_class(part != "source", "-contract")
        self.query_one("#edit-strip", TabStrip).mark(part)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        part = _part(event.widget.id)
        if part is not None and part != self.part:
            self._turn_to(part)

    @on(TabStrip.Picked)
    def _picked(self, event: TabStrip.Picked) -> None:
        event.stop()
        part = _part(f"edit-{event.place}")
        if part is not None:
            self._turn_to(part)
            self.focus_part()


def _part(area: str | None) -> Part | None:
    """The part that an area of that id holds."""
    return next((part for part, id in _AREAS.items() if id == area), None)
