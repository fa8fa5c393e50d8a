"""How long a path may be, for every tool and for the rules that judge it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.tools.toolbox.test_system_words import EVERY_TOOL
from tests.harness.tools.toolbox.using import use
from workbench.harness.errors import HarnessError
from workbench.harness.space.approvals import Rules
from workbench.harness.tools.toolbox.approvals import judge
from workbench.harness.tools.toolbox.host_tool import HostContext
from workbench.harness.tools.toolbox.registry import TOOLS


@pytest.mark.parametrize(
    "path", ["a" + "\u0300\u0323" * 60_000, "~/" + "x/" * 3000, "/" + "\udc80" * 5000, "a/" * 9000]
)
@pytest.mark.parametrize(("name", "input"), EVERY_TOOL)
async def test_a_path_longer_than_any_is_refused_in_few_words(
    here: HostContext, name: str, input: dict[str, Any], path: str
) -> None:
    with pytest.raises(HarnessError, match=r"^ENAMETOOLONG: name too long\. The path has") as raised:
        await use(TOOLS[name], {"path": path, **input}, here)
    assert raised.value.code == "bad_input"
    assert len(raised.value.message) < 200
    with pytest.raises(HarnessError, match="ENAMETOOLONG"):
        judge(name, {"path": path}, Rules("ask", deny=("x",)), here.cwd)


async def test_a_long_way_round_is_no_long_path(here: HostContext) -> None:
    (here.cwd / "f").write_text("text")
    assert (await use(TOOLS["read"], {"path": "a/../" * 2000 + "f"}, here)).text == "text"
