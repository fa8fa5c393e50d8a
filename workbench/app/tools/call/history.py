"""The history of a tool: its calls out of the log, by whomever, with whichever version."""

from __future__ import annotations

import asyncio

from textual.content import Content
from textual.message import Message

from workbench.app.actions import bindings
from workbench.app.seams import Change, workbench
from workbench.app.tools.call.actions import HISTORY
from workbench.app.tools.call.past import PastTwig, Present, twig_of
from workbench.app.tools.call.recorded import given_to
from workbench.app.tools.shown import Shown
from workbench.app.widgets.literal import parts
from workbench.app.widgets.outline.twig import Twig
from workbench.app.widgets.outline.view import Outline
from workbench.harness.errors import HarnessError
from workbench.harness.log.calls import PastCall, Recorded
from workbench.harness.log.events import ToolCall, ToolResult
from workbench.harness.log.promotion import named_tool
from workbench.harness.space.document import ToolDocument
from workbench.harness.verbs.answers import judge
from workbench.harness.verbs.carried import split

PAGE = 100
"""How many calls are looked for at a time."""

MAX_CHECKED_CHARS = 256 * 1024
"""The input of a call that is larger is not held against the present contract before it is used."""

MORE = "more"


class HistoryView(Outline):
    """The list, newest first. It looks for calls only while it is seen."""

    BINDINGS = bindings(*HISTORY)

    class Picked(Message):
        """Somebody wants something of a past call: `show` what came of it, run it `again`, or `use` its input."""

        def __init__(self, what: str, call: PastCall) -> None:
            super().__init__()
            self.what = what
            self.call = call

    class Counted(Message):
        """There is another line to say above the list."""

    def __init__(self, *, id: str) -> None:
        super().__init__(
            id=id,
            empty=("No call of this tool is in the log yet.", "ctrl+r runs it; what you and agents call is listed."),
        )
        self._shown: Shown | None = None
        self._calls: list[PastCall] = []
        self._before: int | None = None
        self._accepted: dict[int, bool] = {}
        self._seen = False
        self._stale = True
        self._looking = False
        self._fault = ""

    def about(self, shown: Shown, seen: bool) -> None:
        """Be about a tool; look for its calls if the list is seen and may have changed."""
        before, self._shown, self._seen = self._shown, shown, seen
        if before is None or (before.key, before.cid) != (shown.key, shown.cid):
            self._accepted.clear()
            self._stale = True
            if before is None or before.key != shown.key:
                self._calls, self._before, self._looking = [], None, False
                self.show((), anew=True)
        if seen and self._stale:
            self._search()

    def words(self) -> Content:
        """The line above the list."""
        if self._fault:
            return parts((f"✗ {self._fault}", "bold $text-error"))
        name = self._shown.name if self._shown else ""
        found = len(self._calls)
        count = f"{found:,}{'' if self._before is None else '+'} call{'' if found == 1 else 's'} of {name}"
        said = "looking through the log …" if self._looking else "enter shows · a runs again · u uses the input"
        return parts((count, "bold"), (f" · {said}", "$text-muted"))

    def space_changed(self, change: Change) -> None:
        """Look again when a call of this tool began or ended."""
        if self._shown is None or not (change.lost or any(self._concerns(event) for event in change.events)):
            return
        self._stale = True
        if self._seen:
            self._search()

    def _concerns(self, event: object) -> bool:
        assert self._shown is not None
        if isinstance(event, ToolCall):
            if event.cwd is not None or self._shown.on_machine:
                return event.binding == self._shown.key
            return self._shown.name in (event.name, named_tool(event.name, event.input))
        return isinstance(event, ToolResult) and any(call.call == event.id for call in self._calls)

    # Looking ----------------------------------------------------------------------------------------------------

    def _search(self, before: int | None = None) -> None:
        self._looking = True
        self.run_worker(self._find(before), name="look for calls", group="history", exclusive=True, exit_on_error=False)

    async def _find(self, before: int | None) -> None:
        """Go back through the log in steps, so that keys are answered between them."""
        shown, harness = self._shown, workbench(self).harness
        assert shown is not None
        found: list[PastCall] = []
        self._stale, self._fault, at = False, "", before
        try:
            while True:
                page = harness.calls_page(shown.key, PAGE - len(found), at)
                found += page.calls
                at = page.before
                if at is None or len(found) >= PAGE:
                    break
                await asyncio.sleep(0)
        except HarnessError as error:
            self._fault = error.message
        self._looking = False
        if before is None:
            known = {call.number for call in found}
            older = [
                call for call in self._calls if found and call.number < found[-1].number and call.number not in known
            ]
            self._calls, self._before = found + older, self._before if older else at
        else:
            self._calls, self._before = self._calls + found, at
        self._draw()
        await self._check(shown)

    def _draw(self) -> None:
        shown = self._shown
        if shown is None:
            return
        has_versions = shown.tool is not None and not shown.on_machine
        versions = workbench(self).harness.versions(shown.name) if has_versions else []
        present = Present(shown.cid, {version.cid: version.version for version in versions if version.cid})
        twigs: list[Twig] = [twig_of(call, present, self._accepted.get(call.number)) for call in self._calls]
        if self._before is not None:
            twigs.append(Twig(MORE, ((f"… enter looks for calls before event number {self._before:,}", "quiet"),)))
        self.show(twigs)
        self.post_message(self.Counted())

    # Holding old inputs against the present contract -------------------------------------------------------------

    async def _check(self, shown: Shown) -> None:
        if shown.tool is None or shown.on_machine:
            # What models habitually get wrong is repaired there first, and it changes with the workbench alone.
            return
        document, harness, refused = shown.tool.document, workbench(self).harness, False
        for call in tuple(self._calls):
            if call.number in self._accepted or call.size > MAX_CHECKED_CHARS:
                continue
            if call.cid == shown.cid and (call.outcome == "ok" or call.code == "bad_input"):
                # This version said so already, at the time.
                continue
            try:
                rows = harness.recorded(call.number)
                self._accepted[call.number] = await asyncio.to_thread(_accepts, document, rows)
            except HarnessError:
                continue
            refused = refused or not self._accepted[call.number]
        if refused:
            self._draw()

    # Keys -------------------------------------------------------------------------------------------------------

    def on_outline_chosen(self, event: Outline.Chosen) -> None:
        """Show what came of a call, or look further back."""
        event.stop()
        if event.twig.key == MORE:
            self._search(self._before)
        else:
            self._pick("show", event.twig)

    def action_again(self) -> None:
        """Run the call at the cursor again."""
        self._pick("again", self.twig)

    def action_use(self) -> None:
        """Put the input of the call at the cursor into the form."""
        self._pick("use", self.twig)

    def _pick(self, what: str, twig: Twig | None) -> None:
        if isinstance(twig, PastTwig) and twig.call is not None:
            self.post_message(self.Picked(what, twig.call))


def _accepts(document: ToolDocument, rows: Recorded) -> bool:
    call, _ = rows.read()
    given, _ = given_to(call, document.name)
    frame = split(document.name, given)[0] if call.name == document.name else given
    return not judge(document, frame).errors
