"""OpenAI's chat completions, and every address that speaks them: Ollama, llama.cpp, vLLM and others."""

from __future__ import annotations

from workbench.agent.models.projection import OPENAI
from workbench.agent.models.providers.shared import Line, ProviderModel, Way


class OpenAI(ProviderModel):
    """A model behind OpenAI's protocol."""

    provider = "openai"
    order = ("system", "tools", "messages")
    rules = OPENAI
    own_url = "https://api.openai.com/v1"
    own_key = "${OPENAI_API_KEY}"

    def _load(self, way: Way, key: str | None, sending: bool) -> Line:
        from workbench.agent.models.providers.sdk.openai import line

        return line(way, key, sending)
