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
from textual.widgets import Input

from workbench.app.actions import bindings
from workbench.app.seams import Change, workbench
from workbench.app.tools.actions import ACTIONS
from workbench.app.tools.cid.actions import VIEWS
from workbench.app.tools.machine_rows import machine_rows
from workbench.app.tools.pane import Pane
from workbench.app.tools.panes import Panes
from workbench.app.tools.rows import TOOLBOX_GROUPS, ToolRow, gone, matching, rows
from workbench.app.tools.shown import Shown
from workbench.app.tools.source.keys import RUNS, AuthoringKeys
from workbench.app.tools.tool_list import TONES, ToolList
from workbench.app.widgets.field import Field
from workbench.app.widgets.literal import Literal, literal, parts
from workbench.app.widgets.strip import Place, TabStrip
from workbench.harness.errors import HarnessError
from workbench.harness.text import fold

if TYPE_CHECKING:
    from workbench.app.tools.call.pane import CallPane
    from workbench.app.tools.cid.pane import CidPane
    from workbench.app.tools.contract.pane import ContractPane
    from workbench.harness.space.library import StoredTool

PANES = (
    Place("contract", "Contract", "c"),
    Place("source", "Source", "s"),
    Place("cid", "CID", "i"),
    Place("call", "Call", "r"),
)
PANE_SECS = 0.03
"""How long after the cursor moved the panes follow."""

FILTER_SECS = 0.08
"""How long after the last key the list is filtered."""


class ToolsTab(Horizontal, AuthoringKeys):
    """Every tool, its state, and the four ways to look at one."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(*ACTIONS, *VIEWS[:4])
    DEFAULT_CSS = """
    ToolsTab { width: 1fr; height: 1fr; layout: horizontal; overflow: hidden hidden; }
    ToolsTab > #side { width: 38; background: $background; border-right: vkey $border-blurred; }
    ToolsTab #filter { background: $panel; }
    ToolsTab #empty { display: none; padding: 1 2; color: $text-muted; height: auto; }
    ToolsTab.-empty #empty { display: block; }
    ToolsTab #fault { display: none; padding: 0 1; color: $text-error; height: auto; max-height: 8; }
    ToolsTab.-fault #fault { display: block; }
    ToolsTab.-nothing #panes, ToolsTab.-nothing #pane { display: none; }
    ToolsTab > #tool { width: 1fr; background: $surface; }
    ToolsTab #head { height: 2; padding: 0 1; background: $surface; text-wrap: nowrap; text-overflow: ellipsis; }
    ToolsTab.-machine #head { height: auto; max-height: 8; text-wrap: wrap; }
    ToolsTab #panes { background: $surface; }
    """

    selected: var[str | None] = var(None)

    def __init__(self) -> None:
        super().__init__()
        self.panes = Panes("contract", lambda: self.equipped and self.source.editing, id="pane")
        self._rows: list[ToolRow] = []
        self._by_key: dict[str, ToolRow] = {}
        self._host_tools: dict[str, StoredTool] = {}
        self._widened: tuple[str, ...] = ()
        self._filter_timer: Timer | None = None
        self._pane_timer: Timer | None = None
        self._offered: tuple[bool | None, ...] = ()
        self._fault = ""

    def compose(self) -> ComposeResult:
        """The list with its filter; the head and the panes of one tool."""
        with Vertical(id="side"):
            yield Field(placeholder="/ filters", id="filter")
            yield ToolList(id="list")
            yield Literal(id="empty")
            yield Literal(id="fault")
        with Vertical(id="tool"):
            yield Literal(id="head")
            yield TabStrip(PANES, id="panes")
            yield self.panes

    def on_mount(self) -> None:
        self._reload()

    @property
    def first_focus(self) -> Widget:
        """What takes the keys when the tab is shown for the first time."""
        return self.query_one(ToolList)

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
        await self.panes.bring({"source": source, "cid": CidPane(id="cid"), "call": CallPane(id="call")})
        self.equip(source, authoring, Lifecycle(source, self, authoring))
        self._reload()
        self.run_worker(self._load_machine(), name="load the toolbox", group="toolbox", exit_on_error=False)

    async def _load_machine(self) -> None:
        """Load the tools of the toolbox, which nobody waits for: only then do they say what they are."""
        await asyncio.to_thread(workbench(self).harness.host_tools)
        self._take_host_tools()
        self._reload()

    def _take_host_tools(self) -> None:
        self._host_tools = {f"toolbox:{tool.name}": tool for tool in workbench(self).harness.host_tools()}

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
            self._say_fault(f"The tools cannot be read now: {error.message}")
            return
        fault = f"What thread {view.thread} promoted cannot be read: {view.thread_fault}" if view.thread_fault else ""
        drafts = self.authoring.drafts if self.equipped else ()
        summaries = {tool.name: tool.document.summary for tool in self._host_tools.values()}
        self._rows = rows(
            view.verbs,
            tuple(view.tools.values()),
            view.promotion,
            drafts,
            view.saved_since,
            machine=machine_rows(view, summaries),
            on_machine=view.surface == "toolbox",
        )
        self._keep_what_is_worked_on()
        self._by_key = {row.key: row for row in self._rows}
        self._widened = tuple(note.id.removeprefix("sandbox.") for note in view.sandbox if note.acts)
        self._say_fault(fault)
        self._fill()
        self._show_selected()

    def _keep_what_is_worked_on(self) -> None:
        """A tool that goes away under somebody's hands stays selected until they leave it: no other gets their keys."""
        before = self._by_key.get(self.selected or "")
        if before is None or before.group != "lambdas" or not self.query_one("#tool").has_focus_within:
            return
        if all(row.key != before.key for row in self._rows):
            self._rows = [*self._rows, gone(before.name)]

    def _say_fault(self, words: str) -> None:
        """Show what cannot be read, in place; in passing too, but only when it is something else than before."""
        if words == self._fault:
            return
        self._fault = words
        self.set_class(bool(words), "-fault")
        self.query_one("#fault", Literal).show(f"✗ {words}")
        if words:
            workbench(self).say_error(words)

    def _fill(self) -> None:
        query = self.query_one("#filter", Field).value
        found = matching(self._rows, query)
        listing = self.query_one(ToolList)
        listing.fill(found, self.selected, gone=self.selected is not None and self.selected not in self._by_key)
        if self.selected is None and found:
            self.selected = found[0].key
        self.set_class(not found or (not query and not any(row.group == "lambdas" for row in found)), "-empty")
        words = f"No tool has “{query}”. esc clears the filter." if not found else "No lambda yet. n writes one."
        self.query_one("#empty", Literal).show(words)
        if not found or self.has_class("-nothing"):
            self.set_class(not found, "-nothing")
            self._show_selected()

    # Selecting --------------------------------------------------------------------------------------------------

    def show(self, name: str) -> None:
        """Select a tool, whatever is filtered; one of the toolbox by its binding, `toolbox:read`."""
        self.query_one("#filter", Field).value = ""
        self.selected = name
        self._fill()
        self.query_one(ToolList).select(name)
        self.query_one(ToolList).focus()

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
        return self._by_key.get(self.selected or "")

    def shown(self) -> Shown | None:
        """The selected tool."""
        row = self.row()
        if row is None:
            return None
        if row.group in TOOLBOX_GROUPS:
            if not self._host_tools:
                self._take_host_tools()
            return Shown(row, self._host_tools.get(row.key))
        try:
            return Shown(row, workbench(self).harness.tool(row.name))
        except HarnessError as error:
            return Shown(row, None, error.message)

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
        row, head = self.row(), self.query_one("#head", Literal)
        if row is None:
            query = self.query_one("#filter", Field).value
            none = f"No tool has “{query}” in its name, summary or state." if query else "Nothing is selected."
            head.show(literal(none, "$text-muted"), layout=False)
            return
        # What is said of the toolbox is longer, and it is read before one acts.
        self.set_class(row.group in TOOLBOX_GROUPS, "-machine")
        state = (f"{row.glyph} {row.state}", TONES[row.tone])
        widened = ", ".join(self._widened) if row.group == "lambdas" or row.name == "execute" else ""
        detail = (f"  {fold(row.detail)}", "$text-muted")
        if widened:
            detail = parts((f"  ! its sandbox is widened: {widened}", "bold $text-warning"), detail)
        summary = (f"\n{fold(row.summary)}", "$text-muted")
        words = parts((fold(row.name), "bold"), "  ", state, detail, summary)
        head.show(words, layout=self.has_class("-machine"))

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
        if not self.query_one(ToolList).has_focus or self.query_one("#filter", Field).value:
            return True
        return bool(self.panes.seen) and self.panes[self.panes.current].leaves

    def offer(self) -> None:
        """Have the footer drawn anew, where what can be done is something else than before."""
        offer = tuple(self.check_action(action, ()) for action in (*RUNS, "run", "exact", "back"))
        if offer != self._offered:
            self._offered = offer
            self.refresh_bindings()

    # Filtering --------------------------------------------------------------------------------------------------

    def action_filter(self) -> None:
        """Go to the filter line."""
        self.query_one("#filter").focus()

    @on(Input.Changed, "#filter")
    def _filter_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self._filter_timer is not None:
            self._filter_timer.stop()
        self._filter_timer = self.set_timer(FILTER_SECS, self._fill, name="filter the tools")

    @on(Input.Submitted, "#filter")
    def _filter_done(self, event: Input.Submitted) -> None:
        event.stop()
        self._fill()
        self.query_one(ToolList).focus()

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
        if pane := self.pane():
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
        field = self.query_one("#filter", Field)
        listing = self.query_one(ToolList)
        in_list = field.has_focus or listing.has_focus
        if field.value and in_list:
            field.value = ""
            listing.focus()
        elif (pane := self.pane()) is None or not pane.back():
            self.remove_class("-working")
            listing.focus()
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
        return {row.name for row in self._rows}

    def leave_pane(self) -> None:
        """Give the keys back to the list."""
        self.query_one(ToolList).focus()
