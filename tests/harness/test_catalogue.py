"""A catalogue of real tools, written as lambdas into one Space: the prompt stays within its budget."""

from __future__ import annotations

import re

import pytest

from tests.catalogue import catalogue
from tests.harness.play import Play
from workbench import HarnessError
from workbench.harness.names import lambda_name_fault


@pytest.mark.sandbox
async def test_every_legal_tool_is_saved_and_the_last_one_is_reached_from_the_block_alone(play: Play) -> None:
    legal: set[str] = {"el", "open_el"}
    for tool in catalogue():
        content = {
            "description": tool["description"] or tool["name"],
            "input": tool["inputSchema"],
            "source": "export default (input: unknown) => input\n",
        }
        act = {"address": f"~/tools/{tool['name']}", "content": content}
        if lambda_name_fault(tool["name"]) is None:
            assert (await play.owner("write", act))["status"] == "saved"
            legal.add(tool["name"])
        else:
            with pytest.raises(HarnessError) as refused:
                await play.owner("write", act)
            assert "^[a-z][a-z0-9_-]{1,63}" in refused.value.message or "reserved" in refused.value.message
    index = play.harness.index()
    assert index.bytes <= 2048
    assert index.total == len(legal) + 2, "every lambda, search and execute"
    listed = [line.tool for line in index.lines if line.tool]
    assert index.listed == len(listed)
    if index.stage == "partial":
        assert re.search(rf"\b{index.total - index.listed}\b", index.text)

    # Two acts, knowing nothing but the block and a word: find it, read its contract.
    last = sorted(legal)[-1]
    offset = int(found.group(1)) if (found := re.search(r'"offset": (\d+)', index.text)) else 1
    found_by = {"address": "~/tools/", "options": {"query": last[:4]}}
    page = await play.agent("read", found_by)
    assert last in [tool["name"] for tool in page["tools"]]
    contract = (await play.agent("read", {"address": f"~/tools/{last}"}))["contract"]
    assert contract.startswith(f"name: {last}\n")

    # Or page by page: the offset that the block names begins right behind what it lists.
    rest = await play.agent("read", {"address": "~/tools/", "options": {"offset": offset}})
    if index.stage == "partial":
        assert rest["tools"][0]["name"] not in listed
        assert rest["total"] == index.total
