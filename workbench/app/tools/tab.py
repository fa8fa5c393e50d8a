"""The Tools tab: the list at the left, the selected tool at the right."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.reactive import var
from textual.timer import Timer
from textual.widgets import ContentSwitcher, Input, OptionList

from workbench.app.actions import bindings
from workbench.app.seams import Change, workbench
from workbench.app.tools.actions import ACTIONS
from workbench.app.tools.call_pane import CallPane
from workbench.app.tools.cid_pane import CidPane
from workbench.app.tools.contract_pane import ContractPane
from workbench.app.tools.drafts import Draft, draft_of, judge, new_draft
from workbench.app.tools.new_lambda import NewLambda
from workbench.app.tools.rows import ToolRow, matching, rows
from workbench.app.tools.shown import Shown
from workbench.app.tools.source_pane import SourcePane
from workbench.app.tools.tool_list import TONES, ToolList
from workbench.app.tools.touched import Touched
from workbench.app.widgets.field import Field
from workbench.app.widgets.literal import Literal, literal, parts
from workbench.app.widgets.question import Answer, Question
from workbench.app.widgets.strip import Place, TabStrip
from workbench.harness.door import Done
from workbench.harness.errors import HarnessError
from workbench.harness.log.promotion import Promotion
from workbench.harness.text import fold

PANES = (
    Place("contract", "Contract", "c"),
    Place("source", "Source", "s"),
    Place("cid", "CID", "i"),
    Place("call", "Call", "r"),
)
FILTER_SECS = 0.08
"""How long after the last key the list is filtered."""


class ToolsTab(Horizontal):
    """Every tool, its state, and the four ways to look at one."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(*ACTIONS)
    DEFAULT_CSS = """
    ToolsTab > #side { width: 38; background: $background; border-right: vkey $border-blurred; }
    ToolsTab #filter { background: $panel; }
    ToolsTab #empty { display: none; padding: 1 2; color: $text-muted; height: auto; }
    ToolsTab.-empty #empty { display: block; }
    ToolsTab #fault { display: none; padding: 0 1; color: $text-error; height: auto; max-height: 8; }
    ToolsTab.-fault #fault { display: block; }
    ToolsTab.-nothing #panes, ToolsTab.-nothing #pane { display: none; }
    ToolsTab > #tool { width: 1fr; background: $surface; }
    ToolsTab #head { height: 2; padding: 0 1; background: $surface; text-wrap: nowrap; text-overflow: ellipsis; }
    ToolsTab #panes { background: $surface; }
    ToolsTab #pane { height: 1fr; }
    ToolsTab #pane > * { height: 1fr; width: 1fr; }
    """

    selected: var[str | None] = var(None)

    def __init__(self) -> None:
        super().__init__()
        self.drafts: dict[str, Draft] = {}
        self._rows: list[ToolRow] = []
        self._touched = Touched()
        self._filter_timer: Timer | None = None
        self._saving: str | None = None
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
            with ContentSwitcher(id="pane", initial="contract"):
                yield ContractPane(id="contract")
                yield SourcePane(id="source")
                yield CidPane(id="cid")
                yield CallPane(id="call")

    def on_mount(self) -> None:
        self._reload()
        self.query_one(ToolList).focus()

    # What happened ----------------------------------------------------------------------------------------------

    def space_changed(self, change: Change) -> None:
        """Draw the states anew where they may be others; follow a running call."""
        self.query_one(CallPane).space_changed(change)
        if change.events or change.tools or change.settings:
            self._reload()

    def thread_changed(self) -> None:
        """Draw the states for another thread."""
        self._reload()

    @property
    def unsaved(self) -> list[str]:
        """The tools with edits that are not saved."""
        return sorted(self.drafts)

    def _reload(self) -> None:
        harness, thread = workbench(self).harness, workbench(self).thread
        try:
            verbs, states = harness.verbs(), harness.tools()
        except HarnessError as error:
            self._say_fault(f"The tools cannot be read now: {error.message}")
            return
        promotion, saved_since, fault = Promotion((), (), ()), set[str](), ""
        try:
            promotion = harness.promoted(thread)
            saved_since = self._touched.saved_since(harness, thread, promotion)
        except HarnessError as error:
            # Only this depends on the thread: an event that cannot be read takes no tool away.
            fault = f"What thread {thread} promoted cannot be read: {error.message}"
        self._rows = rows(verbs, states, promotion, self.drafts, saved_since)
        self._say_fault(fault)
        self._fill()
        self._show_selected()

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
        listing.fill(found, self.selected)
        if self.selected is None and found:
            self.selected = found[0].name
        self.set_class(not found or (not query and not any(row.group == "lambdas" for row in found)), "-empty")
        words = f"No tool has “{query}”. esc clears the filter." if not found else "No lambda yet. n writes one."
        self.query_one("#empty", Literal).show(words)
        if not found or self.has_class("-nothing"):
            self.set_class(not found, "-nothing")
            self._show_selected()

    # Selecting --------------------------------------------------------------------------------------------------

    def show(self, name: str) -> None:
        """Select a tool, whatever is filtered."""
        self.query_one("#filter", Field).value = ""
        self.selected = name
        self._fill()
        self.query_one(ToolList).select(name)
        self.query_one(ToolList).focus()

    @on(OptionList.OptionHighlighted, "#list")
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self.selected = self.query_one(ToolList).named(event.option)

    @on(OptionList.OptionSelected, "#list")
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.selected = self.query_one(ToolList).named(event.option)
        self._focus_pane()

    def watch_selected(self, before: str | None, name: str | None) -> None:
        source = self.query_one(SourcePane)
        if before != name and source.editing:
            source.close()
        if self.is_mounted:
            self._show_selected()

    def _row(self) -> ToolRow | None:
        """The selected tool; none while no tool matches the filter."""
        if self.has_class("-nothing"):
            return None
        return next((row for row in self._rows if row.name == self.selected), None)

    def _shown(self) -> Shown | None:
        row = self._row()
        if row is None:
            return None
        try:
            return Shown(row, workbench(self).harness.tool(row.name))
        except HarnessError as error:
            return Shown(row, None, error.message)

    def _show_selected(self) -> None:
        shown = self._shown()
        head = self.query_one("#head", Literal)
        if shown is None:
            query = self.query_one("#filter", Field).value
            none = f"No tool has “{query}” in its name, summary or state." if query else "Nothing is selected."
            head.show(literal(none, "$text-muted"), layout=False)
            self._offer()
            return
        row = shown.row
        state = (f"{row.glyph} {row.state}", TONES[row.tone])
        detail = (f"  {fold(row.detail)}", "$text-muted")
        summary = (f"\n{fold(row.summary)}", "$text-muted")
        head.show(parts((fold(row.name), "bold"), "  ", state, detail, summary), layout=False)
        self._show_pane(shown)
        self._draft_news(shown)
        self._offer()

    def _show_pane(self, shown: Shown) -> None:
        match self.query_one("#pane", ContentSwitcher).current:
            case "contract":
                self.query_one(ContractPane).show(shown)
            case "source":
                pane = self.query_one(SourcePane)
                pane.show(shown)
                draft = self.drafts.get(shown.name)
                if draft is not None and not pane.editing:
                    pane.open(draft)
            case "cid":
                self.query_one(CidPane).show(shown)
            case _:
                self.query_one(CallPane).show(shown)
                self.query_one(CallPane).note_unsaved(shown.name in self.drafts)

    def _draft_news(self, shown: Shown) -> None:
        """Say in the editor when the stored version is no longer the one that is being edited."""
        pane = self.query_one(SourcePane)
        draft = pane.draft
        if draft is None or draft.name != shown.name or self._saving == draft.name:
            return
        if draft.base_cid != shown.cid:
            now = f"now it is {shown.cid}" if shown.cid else "now it is deleted"
            pane.warn(f"The stored version changed meanwhile: {now}. ctrl+s asks what to do; nothing of yours is lost.")

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        # On a narrow screen the tool gets all the width while somebody works in it, and the list comes back with esc.
        working = self.query_one("#tool") in event.widget.ancestors
        self.set_class(working, "-working")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what can be done now, so that the footer says what there is."""
        if not self.is_mounted:
            return True
        current = self.query_one("#pane", ContentSwitcher).current
        source = self.query_one(SourcePane)
        editing = current == "source" and source.editing
        row = self._row()
        match action:
            case "save" | "other_part":
                return editing
            case "filter" | "new":
                return not editing
            case "edit":
                return row is not None and not editing
            case "run":
                return current == "call"
            case "exact":
                return current == "contract"
            case _:
                return True

    def _offer(self) -> None:
        """Have the footer drawn anew, where what can be done is something else than before."""
        offer = tuple(self.check_action(action, ()) for action in ("save", "edit", "run", "exact"))
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
        self.query_one("#pane", ContentSwitcher).current = pane
        self.query_one("#panes", TabStrip).mark(pane)
        shown = self._shown()
        if shown is not None:
            self._show_pane(shown)
        self._offer()
        if self.has_class("-working") or pane == "call":
            self._focus_pane()

    def _focus_pane(self) -> None:
        current = self.query_one("#pane", ContentSwitcher).current
        pane = self.query_one(f"#{current}")
        if isinstance(pane, ContractPane | SourcePane | CidPane | CallPane):
            pane.focus_content()

    def action_exact(self) -> None:
        """Contract: the other way to show it."""
        if self.query_one("#pane", ContentSwitcher).current != "contract":
            self.action_pane("contract")
        self.query_one(ContractPane).switch()

    def action_verify(self) -> None:
        """Hash the block again."""
        self.action_pane("cid")
        self.query_one(CidPane).verify()

    def action_run(self) -> None:
        """Call the tool."""
        if self.query_one("#pane", ContentSwitcher).current != "call":
            self.action_pane("call")
        else:
            self.query_one(CallPane).run()

    def action_copy(self) -> None:
        """Copy what the pane shows."""
        shown = self._shown()
        if shown is None:
            return
        current = self.query_one("#pane", ContentSwitcher).current
        text, what = {
            "contract": (self.query_one(ContractPane).text, f"the contract of {shown.name}"),
            "source": (self.query_one(SourcePane).text, f"the source of {shown.name}"),
            "cid": (shown.cid or "", f"the CID of {shown.name}"),
        }.get(current or "", (self.query_one(CallPane).text, f"the result of {shown.name}"))
        if text:
            workbench(self).copy(text, what)
        else:
            workbench(self).say("There is nothing to copy here yet.")

    def action_back(self) -> None:
        """One step out: stop a call, leave the editor, clear the filter, go to the list."""
        call, source = self.query_one(CallPane), self.query_one(SourcePane)
        current = self.query_one("#pane", ContentSwitcher).current
        field = self.query_one("#filter", Field)
        if current == "call" and call.running:
            call.cancel()
        elif current == "source" and source.editing and source.has_focus_within:
            self._leave_editor()
        elif field.value and (field.has_focus or self.query_one(ToolList).has_focus):
            field.value = ""
            self.query_one(ToolList).focus()
        else:
            self.remove_class("-working")
            self.query_one(ToolList).focus()

    # Authoring --------------------------------------------------------------------------------------------------

    def action_new(self) -> None:
        """Ask for a name, and open the template."""

        def begin(answer: tuple[str, str] | None) -> None:
            if answer is not None:
                self._keep(new_draft(*answer))
                self.show(answer[0])
                self._edit(self.drafts[answer[0]])

        self.app.push_screen(NewLambda({row.name for row in self._rows}), begin)

    def action_edit(self) -> None:
        """Edit the selected lambda."""
        shown = self._shown()
        if shown is None:
            return
        if shown.name in self.drafts:
            self._edit(self.drafts[shown.name])
        elif shown.tool is None:
            workbench(self).say_error(shown.absent)
        elif shown.tool.document.kind != "lambda":
            workbench(self).say(f"{shown.name} comes with the workbench; n writes one of your own.")
        else:
            self._edit(draft_of(shown.tool.document, shown.tool.cid))

    def _edit(self, draft: Draft) -> None:
        self.action_pane("source")
        pane = self.query_one(SourcePane)
        if not pane.editing:
            pane.open(draft)
        self._offer()
        self.call_after_refresh(pane.focus_content)

    @on(SourcePane.Edited)
    def _edited(self, event: SourcePane.Edited) -> None:
        event.stop()
        # What stands in the editor by now is newer than the message, and may be on another version.
        draft = self._live(event.draft)
        known = draft.name in self.drafts
        if draft.unsaved:
            self._keep(draft, reload=not known)
        elif known:
            self._forget(draft.name)

    def _live(self, draft: Draft) -> Draft:
        """The draft as it stands in the editor, or as it is given where the editor has none of that name."""
        now = self.query_one(SourcePane).draft
        return now if now is not None and now.name == draft.name else draft

    def _keep(self, draft: Draft, *, reload: bool = True) -> None:
        self.drafts[draft.name] = draft
        if reload:
            self._reload()

    def _forget(self, name: str) -> None:
        self.drafts.pop(name, None)
        self._reload()

    def action_other_part(self) -> None:
        """Editor: between the source and the rest."""
        if self.query_one(SourcePane).editing:
            self.query_one(SourcePane).toggle()

    def action_save(self) -> None:
        """Save the draft in the editor."""
        draft = self.query_one(SourcePane).draft
        if draft is not None:
            self._save(draft)

    def _save(self, draft: Draft, after: Callable[[], None] | None = None, *, over: bool = False) -> None:
        """Save a draft; `over` says that whoever edits it knows what it replaces."""
        pane = self.query_one(SourcePane)
        problem = judge(draft).problem
        if problem is not None:
            pane.warn(f"Not saved. {problem}")
            return
        if draft.base_cid is None and not over:
            # Writing without a version would replace unseen what somebody saved under that name since.
            try:
                stored = workbench(self).harness.tool(draft.name)
            except HarnessError as error:
                self._conflict(draft, f"Whether ~/tools/{draft.name} is stored cannot be read: {error.message}")
                return
            if stored is not None:
                self._conflict(draft, f"Somebody saved ~/tools/{draft.name} meanwhile; it is {stored.cid} now.")
                return

        def ended(done: Done | None, error: HarnessError | None) -> None:
            self._saving = None
            if error is not None and error.code == "conflict":
                self._conflict(draft, error.message)
            elif error is not None:
                pane.warn(f"Not saved ({error.code}). {error.message}")
            elif done is not None:
                self._saved(draft, done)
                if after is not None:
                    after()

        self._saving = draft.name
        workbench(self).act("write", {"address": f"~/tools/{draft.name}", "content": draft.content()}, then=ended)

    def _saved(self, draft: Draft, done: Done) -> None:
        cid = str(done.result.get("cid", ""))
        pane = self.query_one(SourcePane)
        live = self._live(self.drafts.get(draft.name, draft))
        # Whoever typed on while it was saved keeps that, now on the new version.
        settled = Draft(draft.name, live.source, live.rest, cid, draft.source, draft.rest)
        if settled.unsaved:
            self.drafts[draft.name] = settled
        else:
            self.drafts.pop(draft.name, None)
        if pane.draft is live:
            pane.rebase(settled)
        workbench(self).say(
            f"Saved {draft.name}: {cid}" if done.result.get("changed") else f"{draft.name} is as it was."
        )
        self._reload()

    def _conflict(self, draft: Draft, words: str) -> None:
        pane = self.query_one(SourcePane)
        pane.warn(words)
        stored = self._stored(draft.name)

        def answered(value: str | None) -> None:
            if value == "mine":
                self._save(draft.rebased(stored.cid if stored else None), over=True)
            elif value == "theirs":
                self.drafts.pop(draft.name, None)
                pane.close()
                self._reload()

        theirs = (Answer("t", "Take the stored one", "theirs"),) if stored else ()
        answers = (Answer("s", "Save mine over it", "mine"), *theirs, Answer("k", "Keep editing", "keep"))
        self.app.push_screen(Question("Conflict", f"{words}\n\nYour text is still in the editor.", answers), answered)

    def _stored(self, name: str):
        try:
            return workbench(self).harness.tool(name)
        except HarnessError:
            return None

    def _leave_editor(self) -> None:
        pane = self.query_one(SourcePane)
        draft = pane.draft
        if draft is None:
            return
        if not draft.unsaved:
            self._close_editor()
            return

        def answered(value: str | None) -> None:
            if value == "save":
                self._save(draft, self._close_editor)
            elif value == "discard":
                self.drafts.pop(draft.name, None)
                self._close_editor()
                self._reload()
            elif value == "keep":
                self._close_editor(keep=True)

        self.app.push_screen(
            Question(
                "Unsaved edits",
                f"{draft.name} has edits that are not saved.",
                (Answer("s", "Save", "save"), Answer("d", "Discard", "discard"), Answer("k", "Keep for later", "keep")),
            ),
            answered,
        )

    def _close_editor(self, keep: bool = False) -> None:
        pane = self.query_one(SourcePane)
        pane.close()
        shown = self._shown()
        if shown is not None:
            pane.reshow(shown, "unsaved edits are kept; e goes on with them" if keep else "")
        self.query_one(ToolList).focus()
