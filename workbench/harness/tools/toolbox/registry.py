"""The seven tools by name, in their order."""

from __future__ import annotations

from workbench.harness.names import TOOLBOX
from workbench.harness.tools.toolbox.bash import BASH
from workbench.harness.tools.toolbox.edit import EDIT
from workbench.harness.tools.toolbox.find import FIND
from workbench.harness.tools.toolbox.grep import GREP
from workbench.harness.tools.toolbox.host_tool import HostTool
from workbench.harness.tools.toolbox.ls import LS
from workbench.harness.tools.toolbox.read import READ
from workbench.harness.tools.toolbox.write import WRITE

TOOLS: dict[str, HostTool] = {tool.name: tool for tool in (READ, WRITE, EDIT, BASH, GREP, FIND, LS)}
assert tuple(TOOLS) == TOOLBOX
