"""Writing lambdas: drafts, saving them through the door, conflicts. It works on the Source pane for the Tools tab."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from workbench.app.seams import workbench
from workbench.app.tools.shown import Shown
from workbench.app.tools.source.drafts import Draft, draft_of, judge, new_draft
from workbench.app.tools.source.new_lambda import NewLambda
from workbench.app.tools.source.pane import SourcePane
from workbench.app.widgets.question import Answer, Question
from workbench.harness.door import Done
from workbench.harness.errors import HarnessError
from workbench.harness.space.library import StoredTool


class Around(Protocol):
    """What authoring needs of the tab around it."""

    def shown(self) -> Shown | None:
        """The selected tool."""
        ...

    def names(self) -> set[str]:
        """Every name in the list."""
        ...

    def show(self, name: str) -> None:
        """Select a tool, whatever is filtered."""
        ...

    def action_pane(self, pane: str) -> None:
        """Show one of the panes."""
        ...

    def drafts_changed(self) -> None:
        """There are other drafts now, or other versions."""
        ...

    def offer(self) -> None:
        """What can be done may be something else now."""
        ...

    def leave_pane(self) -> None:
        """Give the keys back to the list."""
        ...


class Authoring:
    """The drafts of this app and what is done with them."""

    def __init__(self, pane: SourcePane, around: Around) -> None:
        self.drafts: dict[str, Draft] = {}
        self._pane = pane
        self._around = around
        self._saving: str | None = None

    @property
    def unsaved(self) -> list[str]:
        """The tools with edits that are not saved."""
        return sorted(self.drafts)

    def news(self, shown: Shown) -> None:
        """Say in the editor when the stored version is no longer the one that is being edited."""
        draft = self._pane.draft
        if draft is None or draft.name != shown.name or self._saving == draft.name:
            return
        if draft.base_cid != shown.cid:
            now = f"now it is {shown.cid}" if shown.cid else "now it is deleted"
            self._pane.warn(
                f"The stored version changed meanwhile: {now}. ctrl+s asks what to do; nothing of yours is lost."
            )

    def new(self) -> None:
        """Ask for a name, and open the template."""

        def begin(answer: tuple[str, str] | None) -> None:
            if answer is not None:
                self._keep(new_draft(*answer))
                self._around.show(answer[0])
                self._edit(self.drafts[answer[0]])

        self._pane.app.push_screen(NewLambda(self._around.names()), begin)

    def edit(self) -> None:
        """Edit the selected lambda."""
        shown = self._around.shown()
        if shown is None:
            return
        if shown.name in self.drafts:
            self._edit(self.drafts[shown.name])
        elif shown.tool is None:
            workbench(self._pane).say_error(shown.absent)
        elif shown.tool.document.kind != "lambda":
            workbench(self._pane).say(f"{shown.name} comes with the workbench; n writes one of your own.")
        else:
            self._edit(draft_of(shown.tool.document, shown.tool.cid))

    def _edit(self, draft: Draft) -> None:
        self._around.action_pane("source")
        if not self._pane.editing:
            self._pane.open(draft)
        self._around.offer()
        self._pane.call_after_refresh(self._pane.focus_content)

    def edited(self, given: Draft) -> None:
        """The text in the editor is another one."""
        # What stands in the editor by now is newer than the message, and may be on another version.
        draft = self._live(given)
        known = draft.name in self.drafts
        if draft.unsaved:
            self._keep(draft, reload=not known)
        elif known:
            self._forget(draft.name)

    def _live(self, draft: Draft) -> Draft:
        """The draft as it stands in the editor, or as it is given where the editor has none of that name."""
        now = self._pane.draft
        return now if now is not None and now.name == draft.name else draft

    def _keep(self, draft: Draft, *, reload: bool = True) -> None:
        self.drafts[draft.name] = draft
        if reload:
            self._around.drafts_changed()

    def _forget(self, name: str) -> None:
        self.drafts.pop(name, None)
        self._around.drafts_changed()

    def save(self) -> None:
        """Save the draft in the editor."""
        draft = self._pane.draft
        if draft is not None:
            self._save(draft)

    def _save(self, draft: Draft, after: Callable[[], None] | None = None, *, over: bool = False) -> None:
        """Save a draft; `over` says that whoever edits it knows what it replaces."""
        pane = self._pane
        problem = judge(draft).problem
        if problem is not None:
            pane.warn(f"Not saved. {problem}")
            return
        if draft.base_cid is None and not over:
            # Writing without a version would replace unseen what somebody saved under that name since.
            try:
                stored = workbench(pane).harness.tool(draft.name)
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
        workbench(pane).act("write", {"address": f"~/tools/{draft.name}", "content": draft.content()}, then=ended)

    def _saved(self, draft: Draft, done: Done) -> None:
        cid = str(done.result.get("cid", ""))
        pane = self._pane
        live = self._live(self.drafts.get(draft.name, draft))
        # Whoever typed on while it was saved keeps that, now on the new version.
        settled = Draft(draft.name, live.source, live.rest, cid, draft.source, draft.rest)
        if settled.unsaved:
            self.drafts[draft.name] = settled
        else:
            self.drafts.pop(draft.name, None)
        if pane.draft is live:
            pane.rebase(settled)
        workbench(pane).say(
            f"Saved {draft.name}: {cid}" if done.result.get("changed") else f"{draft.name} is as it was."
        )
        self._around.drafts_changed()

    def _conflict(self, draft: Draft, words: str) -> None:
        pane = self._pane
        pane.warn(words)
        stored = self._stored(draft.name)

        def answered(value: str | None) -> None:
            if value == "mine":
                self._save(draft.rebased(stored.cid if stored else None), over=True)
            elif value == "theirs":
                self.drafts.pop(draft.name, None)
                pane.close()
                self._around.drafts_changed()

        theirs = (Answer("t", "Take the stored one", "theirs"),) if stored else ()
        answers = (Answer("s", "Save mine over it", "mine"), *theirs, Answer("k", "Keep editing", "keep"))
        pane.app.push_screen(Question("Conflict", f"{words}\n\nYour text is still in the editor.", answers), answered)

    def _stored(self, name: str) -> StoredTool | None:
        try:
            return workbench(self._pane).harness.tool(name)
        except HarnessError:
            return None

    def leave(self) -> None:
        pane = self._pane
        draft = pane.draft
        if draft is None:
            return
        if not draft.unsaved:
            self._close()
            return

        def answered(value: str | None) -> None:
            if value == "save":
                self._save(draft, self._close)
            elif value == "discard":
                self.drafts.pop(draft.name, None)
                self._close()
                self._around.drafts_changed()
            elif value == "keep":
                self._close(keep=True)

        pane.app.push_screen(
            Question(
                "Unsaved edits",
                f"{draft.name} has edits that are not saved.",
                (Answer("s", "Save", "save"), Answer("d", "Discard", "discard"), Answer("k", "Keep for later", "keep")),
            ),
            answered,
        )

    def _close(self, keep: bool = False) -> None:
        pane = self._pane
        pane.close()
        shown = self._around.shown()
        if shown is not None:
            pane.reshow(shown, "unsaved edits are kept; e goes on with them" if keep else "")
        self._around.leave_pane()
