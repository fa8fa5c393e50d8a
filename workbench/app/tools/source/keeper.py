"""The drafts of this app: in memory, and in the journal as soon as they stand still for a moment."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from textual.timer import Timer
from textual.widget import Widget

from workbench.app.seams import workbench
from workbench.app.tools.source.drafts import Draft, Texts, texts_of
from workbench.app.tools.source.journal import Adopted, Journal, Kept
from workbench.harness.errors import HarnessError
from workbench.harness.harness import Harness
from workbench.harness.identity import iso, now_ms
from workbench.harness.space.agent_file import OwnerFolders

KEEP_SECS = 0.5
"""How long after a change it is on disk; while somebody types on, so often."""


class Keeper:
    """Holds the drafts by name. `restored` says when those were edited that an earlier workbench left."""

    def __init__(self, widget: Widget, changed: Callable[[], None]) -> None:
        """`changed` is called when drafts came that nobody typed here."""
        self.drafts: dict[str, Draft] = {}
        self.restored: dict[str, str] = {}
        self._widget = widget
        self._changed = changed
        self._times: dict[str, str] = {}
        self._journal: Journal | None = None
        self._number = 0
        self._timer: Timer | None = None
        self._told = ""

    def start(self) -> None:
        """Begin the journal, and take over what is left there."""
        self._widget.run_worker(self._begin(), name="look for unsaved edits", group="journal", exit_on_error=False)

    async def _begin(self) -> None:
        harness = workbench(self._widget).harness
        folder = OwnerFolders.of_this_user().drafts_folder(harness.root.resolve())
        try:
            self._journal, adopted = await asyncio.to_thread(_opened, folder)
        except HarnessError as error:
            self._tell(error.message)
            return
        self._take_over(harness, adopted)
        self._plan()

    def _take_over(self, harness: Harness, adopted: Adopted) -> None:
        for kept in adopted.kept:
            draft = _whole(harness, kept.draft)
            if draft is not None and draft.name not in self.drafts:
                self.drafts[draft.name] = draft
                self._times[draft.name] = kept.time
                self.restored[draft.name] = kept.time[:16].replace("T", " ")
        for fault in adopted.faults:
            workbench(self._widget).say_error(fault)
        if self.restored:
            each = ", ".join(f"{name} from {time}" for name, time in sorted(self.restored.items()))
            workbench(self._widget).say(f"Unsaved edits of {each} were kept. e on the tool goes on with them.")
            self._changed()

    def put(self, draft: Draft) -> None:
        """Hold a draft, in place of the one of that name."""
        self.drafts[draft.name] = draft
        self._times[draft.name] = iso(now_ms())
        self._plan()

    def drop(self, name: str) -> None:
        """Hold no draft of that name any more."""
        if self.drafts.pop(name, None) is not None:
            self._times.pop(name, None)
            self.restored.pop(name, None)
            self._plan()

    def flush(self) -> None:
        """Have the journal hold what is so now."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self._journal is not None:
            with contextlib.suppress(HarnessError):
                self._journal.keep(*self._state())

    def stop(self) -> None:
        """End. Drafts that are left come back at the next start."""
        if self._journal is not None:
            self.flush()
            self._journal.close()
            self._journal = None

    def _plan(self) -> None:
        if self._timer is None and self._journal is not None:
            self._timer = self._widget.set_timer(KEEP_SECS, self._keep, name="keep the drafts")

    def _keep(self) -> None:
        self._timer = None
        self._widget.run_worker(self._write(), name="keep the drafts", group="journal", exit_on_error=False)

    async def _write(self) -> None:
        if self._journal is None:
            return
        try:
            await asyncio.to_thread(self._journal.keep, *self._state())
        except HarnessError as error:
            self._tell(error.message)

    def _state(self) -> tuple[int, list[Kept]]:
        self._number += 1
        return self._number, [Kept(draft, self._times.get(name, "")) for name, draft in self.drafts.items()]

    def _tell(self, fault: str) -> None:
        """Say what is wrong with the journal, once."""
        if fault != self._told:
            self._told = fault
            workbench(self._widget).say_error(fault)


def _opened(folder: Path) -> tuple[Journal, Adopted]:
    journal = Journal(folder)
    return journal, journal.adopt()


def _whole(harness: Harness, draft: Draft) -> Draft | None:
    """A draft from the journal with what it began as; None when it is saved by now."""
    with contextlib.suppress(HarnessError):
        stored = harness.tool(draft.name)
        if stored is not None and stored.document.source is not None and texts_of(stored.document) == draft.texts:
            return None
    saved = Texts()
    if draft.base_cid is not None:
        # Where the version is not to be had, everything counts as edited.
        with contextlib.suppress(HarnessError):
            saved = texts_of(harness.version(draft.base_cid).document)
    draft = replace(draft, saved=saved)
    return draft if draft.unsaved else None
