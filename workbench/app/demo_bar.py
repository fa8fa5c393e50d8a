"""The bar of a demo: what the next step is, and what came of the last one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from workbench.app.widgets.literal import Literal, literal, parts
from workbench.harness.errors import HarnessError
from workbench.harness.text import fold

if TYPE_CHECKING:
    from workbench.demo.player import Played, Player


class DemoBar(Literal):
    """Stands above the status line while a scene is shown."""

    DEFAULT_CSS = """
    DemoBar { height: auto; max-height: 5; width: 1fr; padding: 0 1; background: $accent 12%; color: $foreground; }
    """

    def __init__(self, player: Player) -> None:
        super().__init__(
            parts(("demo ", "bold $text-accent"), player.title, (" · being put in place …", "$text-muted"))
        )
        self.player = player

    def ready(self) -> None:
        """The scene is in place and waits for its first step."""
        notice = self.player.notice
        self.show(parts(*((notice, "$text-warning"), "\n") if notice else "", self._next()))

    def playing(self) -> None:
        """A step is being played."""
        self.show(parts((f"{self._count(self.player.position + 1)} ", "bold $text-accent"), "playing …"))

    def played(self, played: Played) -> None:
        """Say what a step was for, what it changed, and what comes next."""
        pieces: list[Content] = [
            parts((f"{self._count(self.player.position)} ", "bold $text-accent"), fold(played.step.caption))
        ]
        if played.gained:
            pieces.append(literal(f"  ▲ promoted: {', '.join(played.gained)}", "bold $text-accent"))
        if played.lost:
            pieces.append(literal(f"  ▽ gone: {', '.join(played.lost)}", "bold $text-warning"))
        if played.error is not None:
            pieces.append(literal(f"  {played.error.code}", "$text-error"))
        self.show(parts(literal("").join(pieces), "\n", self._next()))

    def failed(self, error: Exception) -> None:
        """Say that putting the scene in place, or a step, failed."""
        why = error.message if isinstance(error, HarnessError) else f"{type(error).__name__}: {error}"
        self.show(parts(("demo ", "bold $text-accent"), (f"✗ it failed: {fold(why)}", "$text-error")))

    def _count(self, step: int) -> str:
        return f"demo {step} of {len(self.player.steps)}"

    def _next(self) -> Content:
        if self.player.done:
            return literal("That was the last step. Look around; everything here is real.", "$text-muted")
        return parts(("f8", "bold $text-accent"), (f" plays step {self.player.position + 1}", "$text-muted"))
