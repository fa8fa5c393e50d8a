"""Into which places `write` and `edit` do not go, by whatever way they are named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.harness.tools.toolbox.using import use
from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.edit import EDIT
from workbench.harness.tools.toolbox.guarded import identity_of, refuse_guarded
from workbench.harness.tools.toolbox.host_tool import HostContext
from workbench.harness.tools.toolbox.links import way_of
from workbench.harness.tools.toolbox.paths import resolve
from workbench.harness.tools.toolbox.read import READ
from workbench.harness.tools.toolbox.target import target_of
from workbench.harness.tools.toolbox.write import WRITE


@pytest.fixture
def ctx(tmp_path: Path) -> HostContext:
    """A working directory beside a Space and a folder of answers, with links that lead there."""
    work, space, answers, elsewhere = (tmp_path / name for name in ("work", "space", "answers", "elsewhere"))
    for folder in (work / "sub", space / "memory", answers, elsewhere):
        folder.mkdir(parents=True)
    (space / "agent.toml").write_text("name = 'a'\n")
    (elsewhere / "kept.toml").write_text("yes = 1\n")
    (answers / "kept.toml").symlink_to(elsewhere / "kept.toml")
    (space / "memory" / "out").symlink_to(elsewhere)
    (work / "to space").symlink_to(space)
    (work / "relative").symlink_to("../space")
    (work / "twice").symlink_to("relative")
    (work / "to file").symlink_to(space / "agent.toml")
    (work / "to new").symlink_to(space / "new file")
    (work / "to missing").symlink_to(space / "no" / "such")
    (work / "through").symlink_to(space / "memory" / "out")
    os.link(space / "agent.toml", work / "hard")
    (space / "memory" / "deep").mkdir()
    (space / "memory" / "deep" / "note").write_text("a\n")
    os.link(space / "memory" / "deep" / "note", work / "hard and deep")
    (answers / "of spaces").mkdir()
    (answers / "of spaces" / "one.json").symlink_to(elsewhere / "one.json")
    (elsewhere / "one.json").write_text("{}\n")
    (work / "loop").symlink_to("loop")
    return HostContext(cwd=work, guarded=(space, answers))


GUARDED = [
    "../space",
    "../space/agent.toml",
    "../space/new/deep/file",
    "../space/memory/note",
    "sub/../../space/agent.toml",
    "to space/agent.toml",
    "to space/new",
    "relative/x",
    "twice/memory/x",
    "to file",
    "to new",
    "to missing",
    "hard",
    "hard and deep",
    "../elsewhere/one.json",
    "../answers/kept.toml",
    "../elsewhere/kept.toml",
    "../space/memory/out/x",
    "through/x",
]


@pytest.mark.parametrize("path", GUARDED)
async def test_neither_tool_writes_there(ctx: HostContext, path: str) -> None:
    before = sorted(ctx.guarded[0].rglob("*"))
    for tool, input in (
        (WRITE, {"path": path, "content": "x"}),
        (EDIT, {"path": path, "edits": [{"oldText": "a", "newText": "b"}]}),
    ):
        with pytest.raises(HarnessError) as raised:
            await use(tool, input, ctx)
        assert raised.value.code == "refused"
        assert "The Space and the folder of the owner's answers are not written by this tool" in raised.value.message
    assert sorted(ctx.guarded[0].rglob("*")) == before
    assert (ctx.guarded[0] / "agent.toml").read_text() == "name = 'a'\n"


async def test_absolute_and_file_addresses_are_no_other_way(ctx: HostContext) -> None:
    target = ctx.guarded[0] / "agent.toml"
    for path in (str(target), f"file://{target}", f"@{target}", f"{target.parent}//./agent.toml"):
        with pytest.raises(HarnessError, match="The Space"):
            await use(WRITE, {"path": path, "content": "x"}, ctx)


@pytest.mark.parametrize("path", ["file", "sub/new/file", "../elsewhere/other", "../spaceship", "../space-2/x"])
def test_whatever_leads_elsewhere_is_not_its_business(ctx: HostContext, path: str) -> None:
    with target_of(way_of(resolve(path, ctx.cwd)), ctx.guarded):
        pass


async def test_a_folder_is_known_under_another_spelling_of_its_own_path(ctx: HostContext) -> None:
    by_link = HostContext(cwd=ctx.cwd, guarded=(ctx.cwd / "to space",))
    with pytest.raises(HarnessError, match="The Space"):
        await use(WRITE, {"path": str(ctx.guarded[0] / "x"), "content": "x"}, by_link)


async def test_a_guarded_folder_that_does_not_exist_yet_is_guarded(tmp_path: Path) -> None:
    ctx = HostContext(cwd=tmp_path, guarded=(tmp_path / "later",))
    with pytest.raises(HarnessError, match="The Space"):
        await use(WRITE, {"path": "later/x", "content": "x"}, ctx)
    assert not (tmp_path / "later").exists()


@pytest.mark.parametrize("within", ["", "memory", "memory/deep"])
def test_a_mount_of_a_folder_inside_is_known_by_what_it_is(ctx: HostContext, within: str) -> None:
    """A mount takes more rights than a test has: what is told of the way is what one looks like."""
    mounted = identity_of(os.stat(ctx.guarded[0] / within))
    way = way_of(ctx.cwd / "mounted" / "new")
    with pytest.raises(HarnessError, match="The Space"):
        refuse_guarded(way, ctx.guarded, [identity_of(os.stat(ctx.cwd)), mounted], None)
    refuse_guarded(way, ctx.guarded, [identity_of(os.stat(ctx.cwd))], None)


@pytest.mark.parametrize("count", [39, 45, 90])
@pytest.mark.parametrize(
    ("target", "name"), [("../space/agent.toml", ""), ("../answers", "/yes"), ("../space", "/new/x")]
)
async def test_however_many_links_there_are_before_it(ctx: HostContext, count: int, target: str, name: str) -> None:
    for number in range(count):
        (ctx.cwd / f"c{number}").symlink_to(f"c{number - 1}" if number else target)
    before = sorted(path for folder in ctx.guarded for path in folder.rglob("*"))
    for tool, input in ((WRITE, {"content": "x"}), (EDIT, {"edits": [{"oldText": "a", "newText": "b"}]})):
        with pytest.raises(HarnessError) as raised:
            await use(tool, {"path": f"c{count - 1}{name}", **input}, ctx)
        assert "The Space" in raised.value.message if count < 40 else "ELOOP" in raised.value.message
    assert sorted(path for folder in ctx.guarded for path in folder.rglob("*")) == before
    assert (ctx.guarded[0] / "agent.toml").read_text() == "name = 'a'\n"


async def test_a_way_of_too_many_links_is_no_way_for_any_tool(ctx: HostContext) -> None:
    (ctx.cwd / "c0").symlink_to("plain")
    (ctx.cwd / "plain").write_text("a")
    for number in range(1, 45):
        (ctx.cwd / f"c{number}").symlink_to(f"c{number - 1}")
    said: list[str] = []
    for tool, input in (
        (READ, {}),
        (WRITE, {"content": "x"}),
        (EDIT, {"edits": [{"oldText": "a", "newText": "b"}]}),
    ):
        with pytest.raises(HarnessError, match="ELOOP") as raised:
            await use(tool, {"path": "c44", **input}, ctx)
        said.append(raised.value.message)
    assert said[2] == "Could not edit file: c44. Error code: ELOOP."
    assert (ctx.cwd / "plain").read_text() == "a"
