"""Which promoted tools were saved again since they were touched."""

from __future__ import annotations

from workbench.harness.errors import HarnessError
from workbench.harness.harness import Harness
from workbench.harness.log.events import ToolCall, ToolResult
from workbench.harness.log.promotion import Promotion, named_tool


class Touched:
    """Remembers when the touching call of each tool had ended, so that a thread is read once and not at every tick."""

    def __init__(self) -> None:
        self._ended: dict[tuple[str, str], str] = {}

    def saved_since(self, harness: Harness, thread: str, promotion: Promotion) -> set[str]:
        """Promoted tools whose present version is younger than the answer to the call that touched them."""
        promoted = {tool.name: tool.seq for tool in promotion.promoted}
        if any((thread, name) not in self._ended for name in promoted):
            self._look(harness, thread, promoted)
        found: set[str] = set()
        for name in promoted:
            ended = self._ended.get((thread, name))
            try:
                tool = harness.tool(name)
            except HarnessError:
                continue
            if ended and tool is not None and tool.document.kind == "lambda" and tool.time > ended:
                found.add(name)
        return found

    def _look(self, harness: Harness, thread: str, promoted: dict[str, int]) -> None:
        calls: dict[str, str] = {}
        wanted = {seq: name for name, seq in promoted.items() if (thread, name) not in self._ended}
        for event in harness.lineage(thread):
            if isinstance(event, ToolCall) and wanted.get(event.seq) == (named_tool(event.name, event.input) or ""):
                calls[event.id] = wanted[event.seq]
            elif isinstance(event, ToolResult) and event.id in calls:
                self._ended[thread, calls[event.id]] = event.time
