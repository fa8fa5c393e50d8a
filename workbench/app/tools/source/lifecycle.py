"""What is done with a lambda as a whole: duplicate, delete and bring back, switch off and on, discard its edits."""

from __future__ import annotations

from collections.abc import Callable

from workbench.app.seams import workbench
from workbench.app.tools.shown import Shown
from workbench.app.tools.source.around import Around
from workbench.app.tools.source.authoring import Authoring
from workbench.app.tools.source.deleted import ChooseDeleted
from workbench.app.tools.source.drafts import Draft, draft_of
from workbench.app.tools.source.new_lambda import NewLambda
from workbench.app.tools.source.pane import SourcePane
from workbench.app.widgets.question import Answer, Question
from workbench.harness.door.doing import Done
from workbench.harness.errors import HarnessError
from workbench.harness.space.library import DeletedTool

MAX_BACK = 50
"""How many things can be taken back, one after the other."""


class Lifecycle:
    """Acts on the selected lambda. What it takes away can be brought back, in the order in which it went."""

    def __init__(self, pane: SourcePane, around: Around, authoring: Authoring) -> None:
        self._pane = pane
        self._around = around
        self._authoring = authoring
        self._back: list[Callable[[], None]] = []
        self._any_deleted: bool | None = None
        self._to_switch: list[str] = []
        authoring.discarded = self._discarded

    def shown_lambda(self) -> Shown | None:
        """The selected tool, if it is a lambda that is stored."""
        shown = self._around.shown()
        stored = shown is not None and shown.tool is not None and shown.tool.document.kind == "lambda"
        return shown if stored else None

    def is_stored(self, name: str) -> bool:
        """Whether the Space has a tool of that name."""
        try:
            return name in workbench(self._pane).view.tools
        except HarnessError:
            return False

    def has_texts(self, name: str) -> bool:
        """Whether there are texts of a lambda to go on from: unsaved ones, or stored ones that can be trusted."""
        if name in self._authoring.drafts:
            return True
        try:
            return workbench(self._pane).harness.tool(name) is not None
        except HarnessError:
            return False

    def can_go(self, name: str) -> bool:
        """Whether there is something of a lambda to delete or discard; its block need not be sound for that."""
        return name in self._authoring.drafts or self.is_stored(name)

    # A copy -----------------------------------------------------------------------------------------------------

    def duplicate(self) -> None:
        """Begin a new lambda with the texts of the selected one, unsaved edits included."""
        shown = self._around.shown()
        if shown is None:
            return
        draft = self._authoring.drafts.get(shown.key)
        if draft is None and shown.tool is not None and shown.tool.document.kind == "lambda":
            draft = draft_of(shown.tool.document, shown.tool.cid)
        if draft is None:
            workbench(self._pane).say(f"{shown.name} comes with the workbench; n writes one of your own.")
            return
        original = draft

        def begin(copy: Draft | None) -> None:
            if copy is not None:
                self._authoring.begin(copy)

        self._pane.app.push_screen(NewLambda(self._around.names(), original), begin)

    # Deleting ---------------------------------------------------------------------------------------------------

    def delete(self) -> None:
        """Ask, and delete the selected lambda; of one that was never saved, discard it."""
        shown = self._around.shown()
        if shown is None:
            return
        if shown.row.group != "lambdas" or not self.is_stored(shown.name):
            if shown.key in self._authoring.drafts:
                self.discard()
            else:
                workbench(self._pane).say(f"{shown.name} comes with the workbench; grants switch it off, on tab 2.")
            return
        name = shown.name

        def answered(value: str | None) -> None:
            if value == "delete":
                act = {"address": f"~/tools/{name}", "options": {"delete": True}}
                workbench(self._pane).act("write", act, then=ended)

        def ended(done: Done | None, error: HarnessError | None) -> None:
            if error is not None:
                workbench(self._pane).say_error(f"{name} was not deleted. {error.message}")
                return
            self._remember(lambda: self._restore(name))
            workbench(self._pane).say(f"Deleted {name}. Every version is kept; u brings it back.")

        edits = " Your unsaved edits of it stay." if name in self._authoring.drafts else ""
        question = f"~/tools/{name} goes away for the agent at once. Its versions stay, and u brings it back.{edits}"
        self._pane.app.push_screen(
            Question(f"Delete {name}?", question, (Answer("d", f"Delete {name}", "delete"),)), answered
        )

    def _restore(self, name: str) -> None:
        try:
            gone = next((tool for tool in workbench(self._pane).harness.deleted() if tool.name == name), None)
        except HarnessError as error:
            workbench(self._pane).say_error(error.message)
            return
        if gone is None:
            workbench(self._pane).say(f"{name} is there; nothing had to be brought back.")
        else:
            self.restore(gone)

    def restore(self, gone: DeletedTool) -> None:
        """Write the last version of a deleted tool again."""
        bench = workbench(self._pane)

        def ended(done: Done | None, error: HarnessError | None) -> None:
            if error is not None:
                bench.say_error(f"{gone.name} was not brought back. {error.message}")
                return
            bench.say(f"{gone.name} is back, as {gone.cid}.")
            self._around.drafts_changed()
            self._around.show(gone.name)

        try:
            content = bench.harness.version(gone.cid).document.to_map()
        except HarnessError as error:
            bench.say_error(f"{gone.name} cannot be brought back. {error.message}")
            return
        act = {"address": f"~/tools/{gone.name}", "content": content, "options": {"create": True}}
        bench.act("write", act, then=ended)

    # Edits ------------------------------------------------------------------------------------------------------

    def discard(self) -> None:
        """Ask, and discard the unsaved edits of the selected lambda."""
        shown = self._around.shown()
        if shown is None or shown.key not in self._authoring.drafts:
            return
        name = shown.name

        def answered(value: str | None) -> None:
            if value == "discard":
                self._authoring.discard(name)

        words = f"The edits of {name} that are not saved go away; u brings them back while the workbench is open."
        self._pane.app.push_screen(
            Question("Discard the edits?", words, (Answer("d", "Discard", "discard"),)), answered
        )

    def _discarded(self, draft: Draft) -> None:
        self._remember(lambda: self._authoring.begin(draft))
        workbench(self._pane).say(f"Discarded your edits of {draft.name}. u brings them back.")

    # Back -------------------------------------------------------------------------------------------------------

    @property
    def can_take_back(self) -> bool:
        """Whether there is anything to bring back."""
        if self._back:
            return True
        if self._any_deleted is None:
            try:
                self._any_deleted = bool(workbench(self._pane).harness.deleted())
            except HarnessError:
                return False
        return self._any_deleted

    def passed(self) -> None:
        """Something happened in the Space: look again whether anything was deleted when somebody next asks."""
        self._any_deleted = None

    def take_back(self) -> None:
        """Undo the last deletion or discarding of this app; without one, choose among all that was ever deleted."""
        if self._back:
            self._back.pop()()
            self._around.offer()
            return
        try:
            gone = workbench(self._pane).harness.deleted()
        except HarnessError as error:
            workbench(self._pane).say_error(error.message)
            return
        if not gone:
            workbench(self._pane).say("Nothing was deleted here.")
            return

        def chosen(tool: DeletedTool | None) -> None:
            if tool is not None:
                self.restore(tool)

        self._pane.app.push_screen(ChooseDeleted(gone), chosen)

    def _remember(self, bring: Callable[[], None]) -> None:
        self._back = [*self._back[1 - MAX_BACK :], bring]
        self._around.offer()

    # Off and on -------------------------------------------------------------------------------------------------

    def switch(self) -> None:
        """Switch the selected lambda off, or on again: one act on the settings, and one at a time."""
        shown = self.shown_lambda()
        if shown is None:
            return
        self._to_switch.append(shown.name)
        if len(self._to_switch) == 1:
            self._switch_next()

    def _switch_next(self) -> None:
        bench, name = workbench(self._pane), self._to_switch[0]

        def over() -> None:
            # The next one must start from what this one left.
            self._to_switch.pop(0)
            if self._to_switch:
                self._switch_next()

        try:
            off = list(bench.harness.settings().settings.switched_off)
        except HarnessError as error:
            bench.say_error(error.message)
            over()
            return
        now_off = name not in off
        wanted = [*off, name] if now_off else [each for each in off if each != name]

        def ended(done: Done | None, error: HarnessError | None) -> None:
            if error is not None:
                bench.say_error(f"{name} stays as it was. {error.message}")
            elif now_off:
                bench.say(f"{name} is switched off: kept, and not callable. o switches it on.")
            else:
                bench.say(f"{name} is switched on.")
            over()

        bench.act("write", {"address": "~/self", "content": {"switched_off": wanted}}, then=ended)
