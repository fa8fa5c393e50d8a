"""What is so now, looked up once for everything that shows it."""

from __future__ import annotations

from workbench.harness.harness import Harness
from workbench.harness.views import View


class Present:
    """Holds the view of a thread until something happened that may make it another one."""

    def __init__(self, harness: Harness) -> None:
        self._harness = harness
        self._view: View | None = None

    def passed(self) -> None:
        """Something happened: look again when somebody next asks."""
        self._view = None

    def of(self, thread: str) -> View:
        """The view of a thread.

        Raises:
            HarnessError: the Space cannot be read now.
        """
        if self._view is None or self._view.thread != thread:
            self._view = self._harness.view(thread)
        return self._view
