"""Stored sources that no call can run: found out while one is looked at, once for each version."""

from __future__ import annotations

from collections.abc import Callable

from textual.timer import Timer
from textual.widget import Widget

from workbench.harness.errors import HarnessError
from workbench.harness.space.document import ToolDocument
from workbench.harness.text import fold

WAIT_SECS = 0.3
"""How long a source is looked at before a compiler is asked: whoever passes by starts none."""

MAX_KEPT = 256
"""Of how many versions it is kept what was said of them."""


class StoredCheck:
    """Asks the compilers, about one source at a time; `said` is called when one has answered."""

    def __init__(self, widget: Widget, said: Callable[[], None]) -> None:
        """`widget` is whose workers and timers do it."""
        self._widget = widget
        self._said = said
        self._kept: dict[str, str] = {}
        self._timer: Timer | None = None

    def words(self, cid: str) -> str:
        """What is wrong with a version, on one line; empty for a sound one and while it is not known."""
        return self._kept.get(cid, "")

    def about(self, cid: str, document: ToolDocument) -> None:
        """Find it out for this version, unless it is known; any other one is of no interest any more."""
        self.stop()
        if cid not in self._kept and document.source is not None:
            self._timer = self._widget.set_timer(
                WAIT_SECS, lambda: self._begin(cid, document), name="ask the compiler about a stored source"
            )

    def stop(self) -> None:
        """Ask nothing any more."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self._widget.workers.cancel_group(self._widget, "stored source")

    def _begin(self, cid: str, document: ToolDocument) -> None:
        self._widget.run_worker(
            self._ask(cid, document),
            name="ask the compiler about a stored source",
            group="stored source",
            exclusive=True,
            exit_on_error=False,
        )

    async def _ask(self, cid: str, document: ToolDocument) -> None:
        from workbench.harness.tools.lambdas.syntax import problems

        assert document.source is not None
        assert document.runtime is not None
        try:
            found = await problems(document.runtime, document.source)
        except HarnessError:
            # Where there is no compiler the list says that nothing of its kind runs here. The next look asks again.
            return
        words = ""
        if found:
            first = found[0]
            more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
            words = f"calls of it fail: {first.line}:{first.column} {fold(first.message)}{more}"
        if len(self._kept) >= MAX_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[cid] = words
        self._said()
