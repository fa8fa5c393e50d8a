"""What of a contract the chosen model's provider is not sent. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.app.widgets.outline.twig import Twig
from workbench.harness.space.library import StoredTool
from workbench.harness.text import fold, printable


def provider_of(model: str | None, models: Mapping[str, Any]) -> str | None:
    """The provider of a model, by its name or what the settings say of it; None where nothing is sent to one."""
    table = models.get(model or "")
    target = table.get("model", model) if isinstance(table, Mapping) else model
    kind = str(target).partition(":")[0]
    return kind if kind in ("openai", "anthropic") else None


def loss_twigs(tool: StoredTool, provider: str | None) -> list[Twig]:
    """A line for each loss, or one that says that there is none; nothing without a provider."""
    if provider is None:
        return []
    from workbench.agent.models.projection import ANTHROPIC, OPENAI, project
    from workbench.harness.request import declaration

    losses = project([declaration(tool)], OPENAI if provider == "openai" else ANTHROPIC).losses
    if not losses:
        return [Twig("gap/losses", []), Twig("losses", [(f"{provider}: sent whole", "quiet")])]
    count = "1 loss" if len(losses) == 1 else f"{len(losses)} losses"
    heading = Twig("losses", [(f"what {provider} is sent", "heading"), (f"  {count}", "bad")])
    return [
        Twig("gap/losses", []),
        heading,
        *(
            Twig(
                f"losses/{number}",
                [
                    (f"{provider}: ", "bad"),
                    (printable(fold(f"{loss.path} {loss.keyword}"))[:120], "strong"),
                    (f"  {printable(loss.why)}", ""),
                ],
            )
            for number, loss in enumerate(losses)
        ),
    ]
