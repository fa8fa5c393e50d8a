"""A screen above the others that is left once, however many keys say so."""

from __future__ import annotations

from typing import TypeVar

from textual.screen import ModalScreen

T = TypeVar("T")


class Modal(ModalScreen[T]):
    """Use `leave` in place of `dismiss`."""

    def leave(self, result: T | None = None) -> None:
        """Close with a result. A second key that comes before the screen is gone changes nothing."""
        if self.is_current:
            self.dismiss(result)
