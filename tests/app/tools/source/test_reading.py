"""Source to look at, in the real app: lambdas, and executors beside their declarations."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.app.desk import WORD_COUNT, at_desk, elsewhere, save
from tests.app.tools.source.hand import pane, seeded
from workbench.app.tools.source import executors, stored_check
from workbench.app.tools.source.executors import executor_file
from workbench.app.tools.source.reading import Reading


async def test_a_lambda_is_shown_with_its_runtime_and_its_bytes(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await desk.select("word_count")
        await desk.press("s")
        await desk.sees("python · ", f"{len(WORD_COUNT['source'])} bytes · 3 lines", 'print("counting")')
        assert pane(desk).copied() == (WORD_COUNT["source"], "the source of word_count")


@pytest.mark.parametrize(
    ("runtime", "source", "place"),
    [
        ("python", "def main(input):\n    return {1 2}\n", "2:13"),
        ("python", "def other(input):\n    return 1\n", "1:1 it defines"),
        ("typescript", "export default () => {\n  return {a: };\n};\n", "2:14"),
    ],
)
@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_a_stored_source_that_no_call_can_run_says_so_until_another_one_is_stored(
    tmp_path: Path, size: tuple[int, int], runtime: str, source: str, place: str
) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "broken", runtime=runtime, source=source)
        await save(harness, "sound")
    async with at_desk(tmp_path, size=size) as desk:
        await desk.select("broken")
        await desk.press("s")
        await desk.sees(f"✗ calls of it fail: {place}")
        await desk.select("sound")
        await desk.sees("bytes · 3 lines")
        assert "calls of it fail" not in desk.screen()
        await desk.select("broken")
        await desk.sees("✗ calls of it fail")
        await save(desk.harness, "broken")
        await desk.sees("bytes · 3 lines")
        await desk.until(lambda: "calls of it fail" not in desk.screen(), "nothing is wrong with what is stored now")


async def test_no_compiler_is_asked_about_a_source_that_nobody_looks_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workbench.harness.tools.lambdas import syntax

    asked: list[str] = []

    async def answer(runtime: str, source: str) -> tuple[syntax.Problem, ...]:
        asked.append(source)
        return ()

    monkeypatch.setattr(syntax, "problems", answer)
    # Long enough for this test to pass by four of them on any machine.
    monkeypatch.setattr(stored_check, "WAIT_SECS", 2.0)
    async with elsewhere(tmp_path) as harness:
        for number in range(5):
            await save(harness, f"lambda_{number}", source=f"def main(input):\n    return {number}\n")
    async with at_desk(tmp_path, size=(200, 60)) as desk:
        assert asked == []
        for number in range(5):
            await desk.select(f"lambda_{number}")
        await desk.until(lambda: asked, "the one that is looked at")
        assert asked == ["def main(input):\n    return 4\n"]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_a_builtin_has_its_executors_text_beside_its_declaration(tmp_path: Path, size: tuple[int, int]) -> None:
    async with at_desk(tmp_path, size=size) as desk:
        await desk.select("search")
        await desk.press("s")
        found = executor_file("search")
        assert found is not None
        await desk.sees("workbench.harness.tools.builtins.search")
        assert desk.area("#view") == found[1].read_text("utf-8")
        assert desk.area("#declaration").startswith("name\nsearch\n\nsummary\n")
        await desk.press("enter", "f2")
        await desk.sees("parameters" if size[0] > 80 else "summary")
        tool = desk.harness.tool("search")
        assert tool is not None
        assert tool.document.description in desk.area("#declaration")


async def test_a_patched_executor_changes_the_pane(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = executor_file("search")
    assert found is not None
    package = tmp_path / "lib" / "patched_executors"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    file = package / "search.py"
    shutil.copy(found[1], file)
    monkeypatch.syspath_prepend(package.parent)
    monkeypatch.setitem(executors.PACKAGES, "", package.name)
    async with at_desk(tmp_path / "space") as desk:
        await desk.select("search")
        await desk.press("s")
        await desk.until(lambda: desk.area("#view") == file.read_text("utf-8"), "the installed text")
        file.write_text("# patched\n" + file.read_text("utf-8"), "utf-8")
        await desk.until(lambda: desk.area("#view").startswith("# patched\n"), "the patched text, by itself")
        await desk.sees("changed since it was loaded")
        assert "# patched" in (pane(desk).copied() or ("", ""))[0]


async def test_what_has_no_executor_says_so_and_shows_its_declaration(tmp_path: Path) -> None:
    async with at_desk(tmp_path, size=(200, 60)) as desk:
        await desk.select("web_search")
        await desk.press("s")
        await desk.sees("declared, and without an executor", "Search the public web")
        assert "not part of this version" in desk.area("#view")
        assert pane(desk).copied() == (desk.area("#declaration"), "the declaration")


async def test_a_verb_has_its_module(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.select("write")
        await desk.press("s")
        await desk.until(lambda: '"""`write`:' in desk.area("#view"), "its text")


async def test_the_file_is_watched_only_while_it_is_in_view(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Path] = []
    async with at_desk(tmp_path) as desk:
        await desk.select("search")
        await desk.press("s")
        reading = desk.app.query_one(Reading)
        await desk.until(lambda: reading.ours, "the executor")
        from workbench.app.tools.source import reading as module

        mark_of = module.mark_of

        def counted(path: Path) -> tuple[int, ...]:
            looked.append(path)
            return mark_of(path)

        monkeypatch.setattr(module, "mark_of", counted)
        await desk.until(lambda: looked, "it is looked at now and then")
        await desk.press("i")
        looked.clear()
        await desk.pilot.pause(1.2)
        assert looked == []


async def test_the_place_in_an_executor_is_kept_when_its_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "lib" / "long_executors"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    file = package / "search.py"
    file.write_text("".join(f"line_{number} = {number}\n" for number in range(500)))
    monkeypatch.syspath_prepend(package.parent)
    monkeypatch.setitem(executors.PACKAGES, "", package.name)
    async with at_desk(tmp_path / "space") as desk:
        await desk.select("search")
        await desk.press("s")
        view = desk.app.query_one("#view")
        await desk.until(lambda: "line_499" in desk.area("#view"), "its text")
        view.scroll_to(y=200, animate=False)
        await desk.until(lambda: view.scroll_offset.y == 200, "scrolled")
        file.write_text(file.read_text() + "more = 1\n")
        await desk.until(lambda: desk.area("#view").endswith("more = 1\n"), "the new text")
        await desk.until(lambda: view.scroll_offset.y == 200, "where it was")
