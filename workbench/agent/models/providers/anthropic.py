"""Anthropic's messages, and every address that speaks them."""

from __future__ import annotations

from workbench.agent.models.projection import ANTHROPIC
from workbench.agent.models.providers.shared import Line, ProviderModel, Way


class Anthropic(ProviderModel):
    """A model behind Anthropic's protocol."""

    provider = "anthropic"
    order = ("tools", "system", "messages")
    rules = ANTHROPIC
    own_url = "https://api.anthropic.com"
    own_key = "${ANTHROPIC_API_KEY}"
    answer_tokens = 8192  # the protocol has no request without a bound

    def _load(self, way: Way, key: str | None, sending: bool) -> Line:
        from workbench.agent.models.providers.sdk.anthropic import line

        return line(way, key, sending)
