"""The Tools tab: the list at the left, the selected tool at the right."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.reactive import var
from textual.timer import Timer
from textual.widget import Widget

from workbench.app.actions import bindings
from workbench.app.seams import Change, workbench
from workbench.app.tools.actions import ACTIONS
from workbench.app.tools.cid.actions import VIEWS
from workbench.app.tools.head import Head
from workbench.app.tools.inventory import Inventory
from workbench.app.tools.listing import Listing
from workbench.app.tools.pane import Pane
from workbench.app.tools.panes import Panes
from workbench.app.tools.rows import ToolRow
from workbench.app.tools.shown import Shown
from workbench.app.tools.source.keys import RUNS, AuthoringKeys
from workbench.app.tools.tool_list import ToolList
from workbench.app.widgets.strip import Place, TabStrip
from workbench.harness.errors import HarnessError

if TYPE_CHECKING:
    from workbench.app.tools.call.pane import CallPane
    from workbench.app.tools.cid.pane import CidPane
    from workbench.app.tools.contract.pane import ContractPane

PANES = (
    Place("contract", "Contract", "c"),
    Place("source", "Source", "s"),
    Place("cid", "CID", "i"),
    Place("call", "Call", "r"),
)

PANE_SECS = 0.03
"""How long after the cursor moved the panes follow."""


class ToolsTab(Horizontal, AuthoringKeys):
    """Every tool, its state, and the four ways to look at one."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(*ACTIONS, *VIEWS[:4])
    DEFAULT_CSS = """
    ToolsTab { width: 1fr; height: 1fr; layout: horizontal; overflow: hidden hidden; }
    ToolsTab > #side { width: 38; background: $background; border-right: vkey $border-blurred; }
    ToolsTab.-nothing #panes, ToolsTab.-nothing #pane { display: none; }
    ToolsTab > #tool { width: 1fr; background: $surface; }
    ToolsTab #panes { background: $surface; }
    """

    selected: var[str | None] = var(None)

    def __init__(self) -> None:
        super().__init__()
        self.panes = Panes("contract", lambda: self.equipped and self.source.editing, id="pane")
        self.listing = Listing(self._fill, id="side")
        self._inventory = Inventory()
        self._pane_timer: Timer | None = None
        self._offered: tuple[bool | None, ...] = ()

    def compose(self) -> ComposeResult:
        """The list with its filter; the head and the panes of one tool."""
        yield self.listing
        with Vertical(id="tool"):
            yield Head(id="head")
            yield TabStrip(PANES, id="panes")
            yield self.panes

    def on_mount(self) -> None:
        self._reload()

    @property
    def first_focus(self) -> Widget:
        """What takes the keys when the tab is shown for the first time."""
        return self.listing.tool_list

    async def begin(self) -> None:
        """Bring in the pane that is looked at first: the list is painted before it."""
        from workbench.app.tools.contract.pane import ContractPane

        await self.panes.bring({"contract": ContractPane(id="contract")})
        self._show_selected()

    async def complete(self) -> None:
        """Bring in what need not be there for the first frames: the other panes, and what edits."""
        from workbench.app.tools.call.pane import CallPane
        from workbench.app.tools.cid.pane import CidPane
        from workbench.app.tools.source.authoring import Authoring
        from workbench.app.tools.source.lifecycle import Lifecycle
        from workbench.app.tools.source.pane import SourcePane

        source = SourcePane(id="source")
        authoring = Authoring(source, self)
        call = CallPane(lambda: self.listing.filters_here, id="call")
        await self.panes.bring({"source": source, "cid": CidPane(id="cid"), "call": call})
        self.equip(source, authoring, Lifecycle(source, self, authoring))
        self._reload()
        self.run_worker(self._load_machine(), name="load the toolbox", group="toolbox", exit_on_error=False)

    async def _load_machine(self) -> None:
        """Load the tools of the toolbox while the rest is there: only then do they say what they are."""
        await asyncio.to_thread(workbench(self).harness.host_tools)
        self._inventory.load_machine(workbench(self).harness)
        self._reload()

    # What happened ----------------------------------------------------------------------------------------------

    def space_changed(self, change: Change) -> None:
        """Draw the states anew where they may be others; follow a running call."""
        for pane in self.panes.all:
            pane.space_changed(change)
        if change.events or change.tools or change.settings:
            if self.equipped:
                self.lifecycle.passed()
            self._reload()

    def thread_changed(self) -> None:
        """Draw the states for another thread."""
        self._reload()

    @property
    def unsaved(self) -> list[str]:
        """The tools with edits that are not saved."""
        return self.authoring.unsaved if self.equipped else []

    def _reload(self) -> None:
        try:
            view = workbench(self).view
        except HarnessError as error:
            self.listing.say_fault(f"The tools cannot be read now: {error.message}")
            return
        fault = f"What thread {view.thread} promoted cannot be read: {view.thread_fault}" if view.thread_fault else ""
        drafts = self.authoring.drafts if self.equipped else ()
        worked_on = self.selected if self.query_one("#tool").has_focus_within else None
        self._inventory.look(view, drafts, worked_on=worked_on)
        self.listing.say_fault(fault)
        self._fill()
        self._show_selected()

    def _fill(self) -> None:
        gone = self.selected is not None and self.selected not in self._inventory
        # Whoever types words wants what they fit best, whatever was selected before.
        best = self.listing.asked_anew or self.selected is None
        found = self.listing.fill(self._inventory.rows, self.selected, gone=gone)
        if best and found:
            first = next((row for row in found if row.offered), found[0]) if self.selected is None else found[0]
            self.selected = first.key
            self.listing.tool_list.select(first.key)
        if not found or self.has_class("-nothing"):
            self.set_class(not found, "-nothing")
            self._show_selected()

    # Selecting --------------------------------------------------------------------------------------------------

    def show(self, name: str) -> None:
        """Select a tool, whatever is filtered; one of the toolbox by its binding, `toolbox:read`."""
        self.listing.clear()
        self.selected = name
        self._fill()
        self.listing.tool_list.select(name)
        self.listing.tool_list.focus()

    def action_filter(self) -> None:
        """Go to the filter line."""
        self.listing.focus_filter()

    @on(ToolList.Highlighted)
    def _highlighted(self, event: ToolList.Highlighted) -> None:
        event.stop()
        self.selected = event.key

    @on(ToolList.Chosen)
    def _chosen(self, event: ToolList.Chosen) -> None:
        event.stop()
        self.selected = event.key
        self._focus_pane()

    def watch_selected(self, before: str | None, name: str | None) -> None:
        if self.is_mounted:
            self._show_head()
            # Whoever holds a key down passes over many tools, and needs the panes of none of them.
            if self._pane_timer is not None:
                self._pane_timer.stop()
            self._pane_timer = self.set_timer(PANE_SECS, self._show_selected, name="show the selected tool")

    def _settle(self) -> None:
        """Show at once what was going to be shown."""
        if self._pane_timer is not None:
            self._show_selected()

    def row(self) -> ToolRow | None:
        """The selected tool; none while no tool matches the filter."""
        if self.has_class("-nothing"):
            return None
        return self._inventory.row(self.selected)

    def shown(self) -> Shown | None:
        """The selected tool."""
        row = self.row()
        return self._inventory.shown(row, workbench(self).harness) if row is not None else None

    def _show_selected(self) -> None:
        if self._pane_timer is not None:
            self._pane_timer.stop()
            self._pane_timer = None
        self._show_head()
        shown = self.shown() if self.panes.seen else None
        if shown is not None:
            self._show_panes(shown)
            if self.equipped:
                self.authoring.news(shown)
        self.offer()

    def _show_head(self) -> None:
        row, head = self.row(), self.query_one(Head)
        if row is None:
            head.about_none(self.listing.query_text)
        else:
            head.about(row, self._inventory.widened(row))

    def _show_panes(self, shown: Shown) -> None:
        for pane in self.panes.seen:
            self.panes[pane].show(shown)
        if self.equipped:
            self._call().note_unsaved(shown.key in self.authoring.drafts)
        self.panes.lay_out()

    def _call(self) -> CallPane:
        return cast("CallPane", self.panes["call"])

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        # On a narrow screen the tool gets all the width while somebody works in it, and the list comes back with esc.
        working = self.query_one("#tool") in event.widget.ancestors
        self.set_class(working, "-working")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what can be done now, so that the footer says what there is."""
        if not self.is_mounted:
            return True
        offered = self.offers(action)
        if offered is not None:
            return offered
        current = self.panes.current
        editing = self.at_source() and self.source.editing
        match action:
            case "filter":
                return not editing
            case "look":
                return self.equipped
            case "run":
                return current == "call"
            case "exact":
                return "contract" in self.panes.seen
            case "back":
                return self._leaves()
            case _:
                return True

    def _leaves(self) -> bool:
        """Whether there is a step out: at the list only of the filter, or of what a pane is doing."""
        if self.listing.leaves:
            return True
        return bool(self.panes.seen) and self.panes[self.panes.current].leaves

    def offer(self) -> None:
        """Have the footer drawn anew, where what can be done is something else than before."""
        offer = tuple(self.check_action(action, ()) for action in (*RUNS, "run", "exact", "back"))
        if offer != self._offered:
            self._offered = offer
            self.refresh_bindings()

    # Panes ------------------------------------------------------------------------------------------------------

    @on(TabStrip.Picked, "#panes")
    def _picked(self, event: TabStrip.Picked) -> None:
        event.stop()
        self.action_pane(event.place)

    def action_pane(self, pane: str) -> None:
        """Show one of the four panes, and go there when the right side has the focus."""
        if not self.panes.go(pane):
            return
        self._went(pane)
        if self.has_class("-working") or pane == "call":
            self._focus_pane()

    @on(Panes.Went)
    def _panes_went(self, event: Panes.Went) -> None:
        event.stop()
        self._went(event.pane)

    def _went(self, pane: str) -> None:
        self.query_one("#panes", TabStrip).mark(pane)
        shown = self.shown()
        if shown is not None:
            self._show_panes(shown)
        self.offer()

    def on_call_pane_save_first(self, event: CallPane.SaveFirst) -> None:
        """Save a draft, and then call what was saved."""
        event.stop()

        def call() -> None:
            self.action_pane("call")
            event.then()

        self.authoring.save_first(event.name, call)

    def pane(self) -> Pane | None:
        """The pane that has the keys, about the selected tool; None before there is any."""
        self._settle()
        return self.panes[self.panes.current] if self.panes.seen else None

    def _focus_pane(self) -> None:
        if self.row() is not None and (pane := self.pane()):
            pane.focus_content()

    def action_exact(self) -> None:
        """Contract: the other way to show it."""
        if "contract" not in self.panes.seen:
            self.action_pane("contract")
        cast("ContractPane", self.panes["contract"]).switch()

    def action_look(self, view: str) -> None:
        """CID: one of its views, also while the list has the keys."""
        self.action_pane("cid")
        cast("CidPane", self.panes["cid"]).action_look(view)

    def action_verify(self) -> None:
        """Hash the block again."""
        self.action_pane("cid")
        if self.equipped:
            cast("CidPane", self.panes["cid"]).verify()

    def action_run(self) -> None:
        """Call the tool."""
        if self.panes.current != "call":
            self.action_pane("call")
        else:
            self._call().run()

    def action_copy(self) -> None:
        """Copy what the pane shows."""
        pane = self.pane()
        copied = pane.copied() if pane is not None and self.shown() is not None else None
        if copied is not None:
            workbench(self).copy(*copied)
        else:
            workbench(self).say("There is nothing to copy here yet.")

    def action_back(self) -> None:
        """One step out: of what the pane is doing, of the filter, to the list."""
        if self.listing.back():
            return
        pane = self.pane()
        if pane is None or not pane.back():
            self.remove_class("-working")
            self.listing.tool_list.focus()
            self.call_after_refresh(self._reload)

    # Authoring --------------------------------------------------------------------------------------------------

    def drafts_changed(self) -> None:
        """Draw the states anew."""
        self._reload()

    def at_source(self) -> bool:
        """Whether the Source pane has the keys."""
        return self.equipped and self.panes.current == "source"

    def names(self) -> set[str]:
        """Every name in the list, shown or filtered away."""
        return self._inventory.names

    def leave_pane(self) -> None:
        """Give the keys back to the list."""
        self.listing.tool_list.focus()
