"""Saving drafts through the door; a version that was stored meanwhile is shown, and never replaced unseen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from workbench.app.seams import workbench
from workbench.app.tools.source.around import Around
from workbench.app.tools.source.conflict import Conflict
from workbench.app.tools.source.drafts import PARTS, Draft, texts_of
from workbench.app.tools.source.judgement import judge
from workbench.app.tools.source.keeper import Keeper
from workbench.app.tools.source.pane import SourcePane
from workbench.harness.door.doing import Done
from workbench.harness.errors import HarnessError
from workbench.harness.space.library import StoredTool


def live(pane: SourcePane, draft: Draft) -> Draft:
    """The draft as it stands in the editor, or as it is given where the editor has none of that name."""
    now = pane.draft
    return now if now is not None and now.name == draft.name else draft


class Saving:
    """Saves one draft at a time; `name` is the one that is being saved."""

    def __init__(self, pane: SourcePane, around: Around, keeper: Keeper, discard: Callable[[str], None]) -> None:
        """`discard` discards the draft of a name, so that it can be brought back."""
        self.name: str | None = None
        self._pane = pane
        self._around = around
        self._keeper = keeper
        self._discard = discard

    def save(self, draft: Draft, after: Callable[[], None] | None = None) -> None:
        """Save a draft; `after` is called when it is saved."""
        pane = self._pane
        if self.name is not None:
            workbench(pane).say(f"{self.name} is being saved.")
            return
        problem = judge(draft).problem
        if problem is not None:
            pane.warn(f"Not saved. {problem}", mends=True)
            return

        def ended(done: Done | None, error: HarnessError | None) -> None:
            self.name = None
            if error is not None and error.code == "conflict":
                self._conflict(draft)
            elif error is not None:
                pane.warn(f"Not saved ({error.code}). {error.message}")
            elif done is not None:
                self._saved(draft, done)
                if after is not None:
                    after()

        self.name = draft.name
        workbench(pane).act("write", draft.act(), then=ended)

    def _saved(self, draft: Draft, done: Done) -> None:
        cid = str(done.result.get("cid", ""))
        pane = self._pane
        now = live(self._pane, self._keeper.drafts.get(draft.name, draft))
        # Whoever typed on while it was saved keeps that, now on the new version.
        settled = Draft(draft.name, now.texts, cid, draft.texts)
        if settled.unsaved:
            self._keeper.put(settled)
        else:
            self._keeper.drop(draft.name)
        if pane.draft is now:
            pane.rebase(settled)
        workbench(pane).say(
            f"Saved {draft.name}: …{cid[-8:]}" if done.result.get("changed") else f"{draft.name} is as it was."
        )
        self._around.drafts_changed()

    def _conflict(self, draft: Draft) -> None:
        pane = self._pane
        stored = self._stored(draft.name)
        yours = (
            f"You edited {draft.base_cid}" if draft.base_cid else f"Yours is the first {draft.name} as far as you saw"
        )
        news = f"since {stored.time} it is {stored.cid}, by {stored.actor}" if stored else "meanwhile it was deleted"
        words = f"{yours}; {news}. Nothing was written."
        pane.warn(words)

        def decided(decision: str | None) -> None:
            mine = live(self._pane, draft)
            if decision == "mine":
                self.save(mine.rebased(stored.cid if stored else None))
            elif decision == "theirs" and stored is not None:
                self._take(mine, stored)

        pane.app.push_screen(Conflict(words, stored.document if stored is not None else None, draft), decided)

    def _take(self, draft: Draft, stored: StoredTool) -> None:
        """Take the stored texts in place of a draft's; in the editor that can be undone."""
        theirs = texts_of(stored.document)
        on_theirs = replace(draft, base_cid=stored.cid, saved=theirs)
        if self._pane.draft is not draft:
            self._discard(draft.name)
            return
        self._pane.rebase(on_theirs)
        for part in PARTS:
            if draft.texts[part] != theirs[part]:
                self._pane.editor.take(part, theirs[part])
        workbench(self._pane).say(f"{draft.name} is the stored one now; ctrl+z brings yours back.")

    def _stored(self, name: str) -> StoredTool | None:
        try:
            return workbench(self._pane).harness.tool(name)
        except HarnessError:
            return None
