"""Nothing of the agent loads a provider's library, or a face, before a model is asked."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import workbench.agent

HEAVY = "workbench.agent.models.providers.sdk"
ABSENT = ("pydantic_ai", "pydantic", "openai", "anthropic", "httpx2", "keyring", "textual", "rich", "typer")


def light_modules() -> list[str]:
    found = pkgutil.walk_packages(workbench.agent.__path__, "workbench.agent.")
    return [module.name for module in found if not module.name.startswith(HEAVY)]


def test_importing_the_agent_loads_no_providers_library() -> None:
    names = light_modules()
    assert "workbench.agent.models.providers.openai" in names
    script = f"import sys, importlib\nfor name in {names!r}: importlib.import_module(name)\n"
    script += f"print([name for name in {ABSENT!r} if name in sys.modules])"

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)

    assert done.stdout.strip() == "[]"
