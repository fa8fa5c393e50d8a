"""Writing lambdas: editing them, saving them through the door, conflicts. It works on the Source pane for the tab."""

from __future__ import annotations

from collections.abc import Callable

from workbench.app.seams import workbench
from workbench.app.tools.shown import Shown
from workbench.app.tools.source.around import Around
from workbench.app.tools.source.drafts import Draft, Part, draft_of
from workbench.app.tools.source.external_editor import hand_over
from workbench.app.tools.source.keeper import Keeper
from workbench.app.tools.source.new_lambda import NewLambda
from workbench.app.tools.source.pane import SourcePane
from workbench.app.tools.source.saving import Saving, live
from workbench.app.widgets.question import Answer, Question
from workbench.harness.errors import HarnessError

_ENDINGS: dict[Part, str] = {"source": "", "description": ".md", "rest": ".json"}


class Authoring:
    """The drafts of this app and what is done with them."""

    def __init__(self, pane: SourcePane, around: Around) -> None:
        self.keeper = Keeper(pane, around.drafts_changed)
        self.discarded: Callable[[Draft], None] = lambda draft: None
        """Told of a draft that was discarded, so that it can be brought back."""
        self._pane = pane
        self._around = around
        self._saving = Saving(pane, around, self.keeper, self.discard)

    @property
    def drafts(self) -> dict[str, Draft]:
        """The drafts by name."""
        return self.keeper.drafts

    @property
    def unsaved(self) -> list[str]:
        """The tools with edits that are not saved."""
        return sorted(self.drafts)

    def news(self, shown: Shown) -> None:
        """Follow what is stored now: say in the editor when it is no longer the version that is being edited."""
        draft = self._pane.draft
        if draft is None or draft.name != shown.key:
            stored = ", this is the stored text" if shown.cid else ""
            kept = shown.key in self.drafts
            self._pane.note(f"unsaved edits are kept: e goes on with them{stored}" if kept else "")
            return
        if draft.base_cid == shown.cid or self._saving.name == draft.name:
            return
        if not draft.unsaved and shown.tool is not None and shown.tool.document.kind == "lambda":
            # Nobody typed anything, so there is nothing that could be lost.
            self._pane.open(draft_of(shown.tool.document, shown.tool.cid))
            return
        now = f"now it is {shown.cid}" if shown.cid else "now it is deleted"
        self._pane.warn(f"The stored version changed meanwhile: {now}. ctrl+s shows both; nothing of yours is lost.")

    # Editing ----------------------------------------------------------------------------------------------------

    def new(self) -> None:
        """Ask for a name and a template, and open it."""

        def begin(draft: Draft | None) -> None:
            if draft is not None:
                self.begin(draft)

        self._pane.app.push_screen(NewLambda(self._around.names()), begin)

    def begin(self, draft: Draft) -> None:
        """Edit a draft that is not selected yet."""
        self._keep(draft)
        self._around.show(draft.name)
        self._edit(draft)

    def edit(self) -> None:
        """Edit the selected lambda."""
        draft = self._draft_of_shown()
        if draft is not None:
            self._edit(draft)

    def _draft_of_shown(self) -> Draft | None:
        """The selected lambda as a draft; where it cannot be edited it is said why."""
        shown = self._around.shown()
        if shown is None:
            return None
        if shown.key in self.drafts:
            return self.drafts[shown.key]
        if shown.tool is None:
            workbench(self._pane).say_error(shown.absent)
        elif shown.tool.document.kind != "lambda":
            workbench(self._pane).say(f"{shown.name} comes with the workbench; n writes one of your own.")
        else:
            return draft_of(shown.tool.document, shown.tool.cid)
        return None

    def _edit(self, draft: Draft) -> None:
        if not self._pane.editing:
            time = self.keeper.restored.get(draft.name)
            self._pane.open(
                draft,
                f"Your edits, kept from {time}, when the workbench ended before you had saved them." if time else "",
            )
        self._around.action_pane("source")
        shown = self._around.shown()
        if shown is not None:
            self.news(shown)
        self._around.offer()
        # At once, because the next key may be here already; and again when what is shown has its place.
        self._pane.focus_content()
        self._pane.call_after_refresh(self._pane.focus_content)

    def edited(self, given: Draft) -> None:
        """The text in the editor is another one."""
        # What stands in the editor by now is newer than the message, and may be on another version.
        draft = live(self._pane, given)
        known = draft.name in self.drafts
        if draft.unsaved:
            self._keep(draft, reload=not known)
        elif known:
            self.forget(draft.name)

    def _keep(self, draft: Draft, *, reload: bool = True) -> None:
        self.keeper.put(draft)
        if reload:
            self._around.drafts_changed()

    def forget(self, name: str) -> None:
        """Have no draft of that name."""
        self.keeper.drop(name)
        self._around.drafts_changed()

    def save(self) -> None:
        """Save the draft in the editor."""
        if self._pane.draft is not None:
            self._saving.save(self._pane.draft)

    def save_first(self, name: str, then: Callable[[], None]) -> None:
        """Save the draft of a tool where one can see what comes of it, and go on once it is saved."""
        draft = self.drafts.get(name)
        if draft is None:
            then()
            return
        self._edit(draft)
        self._saving.save(draft, then)

    # The person's own editor ------------------------------------------------------------------------------------

    def hand_over(self) -> None:
        """Give the part that is edited to the person's own editor; of a lambda that is looked at, the source."""
        draft = self._pane.draft or self._draft_of_shown()
        if draft is not None:
            part: Part = self._pane.editor.part if self._pane.editing else "source"
            self._pane.run_worker(
                self._hand_over(draft, part),
                name="your own editor",
                group="editor",
                exclusive=True,
                exit_on_error=False,
            )

    async def _hand_over(self, draft: Draft, part: Part) -> None:
        ending = _ENDINGS[part] or (".py" if draft.runtime == "python" else ".ts")
        try:
            text = await hand_over(self._pane.app, draft.texts[part], draft.name + ending)
        except HarnessError as error:
            workbench(self._pane).say_error(error.message)
            return
        if text == draft.texts[part]:
            return
        if self._pane.draft is None and self._around.shown() is not None:
            self._around.show(draft.name)
            self._edit(draft)
        if self._pane.draft is not None and self._pane.draft.name == draft.name:
            # As an edit of the area, so that it can be undone there.
            self._pane.editor.take(part, text)
        else:
            self._keep(draft.edited(part, text))

    # Leaving ----------------------------------------------------------------------------------------------------

    def leave(self) -> None:
        """Leave the editor, after a question where something is unsaved."""
        pane = self._pane
        draft = pane.draft
        if draft is None:
            return
        self.keeper.flush()
        if not draft.unsaved:
            self._close()
            return

        def answered(value: str | None) -> None:
            if value == "save":
                self._saving.save(live(self._pane, draft), self._close)
            elif value == "discard":
                self.discard(draft.name)
            elif value == "keep":
                self._close()

        pane.app.push_screen(
            Question(
                "Unsaved edits",
                f"{draft.name} has edits that are not saved.",
                (Answer("s", "Save", "save"), Answer("d", "Discard", "discard"), Answer("k", "Keep for later", "keep")),
            ),
            answered,
        )

    def discard(self, name: str) -> None:
        """Discard the draft of that name; `discarded` is told of it."""
        draft = self._pane.draft if self._pane.draft is not None else self.drafts.get(name)
        if draft is None or draft.name != name:
            draft = self.drafts.get(name)
        if draft is None:
            return
        self.keeper.drop(name)
        self.discarded(draft)
        if self._pane.draft is not None and self._pane.draft.name == name:
            self._close()
        else:
            self._around.drafts_changed()

    def _close(self) -> None:
        self._pane.close()
        self._around.drafts_changed()
        self._around.leave_pane()
