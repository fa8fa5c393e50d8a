"""A tree in one widget: folds, the cursor, what is made and what is not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from textual.app import App, ComposeResult

from workbench.app.widgets.outline.rows import MAX_UNFOLDED
from workbench.app.widgets.outline.twig import Twig
from workbench.app.widgets.outline.view import Outline
from workbench.harness.errors import HarnessError


class Trees(App[None]):
    """Nothing but a tree."""

    def __init__(self, twigs: Sequence[Twig] = (), **options: object) -> None:
        super().__init__()
        self.outline = Outline(empty=("Nothing is here.",))
        self.twigs = twigs
        self.options = options
        self.chosen: list[str] = []
        self.moves: list[str | None] = []

    def compose(self) -> ComposeResult:
        yield self.outline

    def on_mount(self) -> None:
        self.outline.show(self.twigs, **self.options)  # pyright: ignore[reportArgumentType]
        self.outline.focus()

    def on_outline_chosen(self, event: Outline.Chosen) -> None:
        self.chosen.append(event.twig.key)

    def on_outline_moved(self, event: Outline.Moved) -> None:
        self.moves.append(event.twig.key if event.twig else None)

    def screen_lines(self) -> list[str]:
        """The lines of the screen that have something on them."""
        lines = [self.outline.render_line(y).text.rstrip() for y in range(self.outline.size.height)]
        return [line for line in lines if line]


def leaf(key: str) -> Twig:
    return Twig(key, ((key, ""),))


def branch(key: str, *below: Twig) -> Twig:
    return Twig(key, ((key, "strong"),), lambda: below)


FAMILY = (branch("a", leaf("a.1"), branch("a.2", leaf("a.2.x"), leaf("a.2.y")), leaf("a.3")), leaf("b"))


async def test_a_tree_is_folded_and_unfolded_with_keys() -> None:
    app = Trees(FAMILY)
    async with app.run_test(size=(30, 12)) as pilot:
        await pilot.pause()
        assert app.screen_lines() == ["›▸ a", "   b"]
        await pilot.press("enter")
        assert app.screen_lines() == ["›▾ a", "     a.1", "   ▸ a.2", "     a.3", "   b"]
        await pilot.press("j", "j", "right", "l")
        assert app.outline.twig is not None
        assert app.outline.twig.key == "a.2.x"
        assert app.outline.opened == {"a", "a.2"}
        await pilot.press("enter")
        assert app.chosen == ["a.2.x"]
        await pilot.press("left", "h")
        assert app.outline.opened == {"a"}
        await pilot.press("left", "space")
        assert app.screen_lines() == ["›▸ a", "   b"]
        await pilot.press("space", "G")
        assert app.outline.twig.key == "b"
        await pilot.press("g")
        assert app.outline.twig.key == "a"
        assert app.moves[-1] == "a"


async def test_everything_below_is_unfolded_at_once_and_inner_folds_are_remembered() -> None:
    app = Trees(FAMILY)
    async with app.run_test(size=(30, 12)) as pilot:
        await pilot.press("asterisk")
        assert app.outline.opened == {"a", "a.2"}
        app.outline.set_open("a.2", False)
        await pilot.press("enter", "enter")
        assert app.outline.opened == {"a"}
        await pilot.press("asterisk")
        assert app.outline.opened == {"a", "a.2"}
        await pilot.press("enter", "enter")
        assert app.outline.opened == {"a", "a.2"}


async def test_what_is_folded_is_not_made_and_unfolding_all_has_a_bound() -> None:
    made: list[str] = []

    def thousand(key: str) -> Twig:
        def below() -> list[Twig]:
            made.append(key)
            return [thousand(f"{key}.{number}") for number in range(1_000)]

        return Twig(key, ((key, ""),), below)

    app = Trees([thousand("root")])
    async with app.run_test(size=(40, 10), notifications=True) as pilot:
        assert made == []
        await pilot.press("enter")
        assert made == ["root"]
        await pilot.press("asterisk")
        await pilot.pause()
        assert len(app.outline.keys) <= MAX_UNFOLDED + 1
        assert len(made) < 10
        assert any("stay folded" in str(note.message) for note in app._notifications)


async def test_what_is_still_there_keeps_its_fold_its_cursor_and_its_place() -> None:
    app = Trees([branch(f"n{number}", leaf(f"n{number}.x")) for number in range(60)])
    async with app.run_test(size=(30, 10)) as pilot:
        app.outline.go("n40")
        await pilot.press("enter")
        await pilot.pause()
        before = app.screen_lines()
        later = [branch(f"n{number}", leaf(f"n{number}.x")) for number in range(5, 60)]
        app.outline.show(later)
        await pilot.pause()
        assert app.screen_lines() == before
        assert app.outline.opened == {"n40"}
        assert app.outline.twig is not None
        assert app.outline.twig.key == "n40"
        app.outline.show(later, anew=True)
        assert app.outline.opened == frozenset()
        assert app.outline.twig.key == "n5"


@pytest.mark.parametrize("rule", [("a",), lambda key, depth: depth < 1])
async def test_a_rule_says_what_begins_unfolded(rule: object) -> None:
    app = Trees(FAMILY, open=rule)
    async with app.run_test(size=(30, 12)) as pilot:
        await pilot.pause()
        assert app.outline.opened == {"a"}


async def test_long_lines_go_on_below_their_text() -> None:
    twig = Twig("k", (("name ", "key"), ("one two three four", "")), None, ((("a description of it", "quiet"),),))
    app = Trees([Twig("top", (("top", ""),), lambda: [twig])], open=("top",))
    async with app.run_test(size=(20, 12)) as pilot:
        await pilot.pause()
        assert app.screen_lines() == [
            "›▾ top",
            "     name one two",
            "     three four",
            "       a",
            "       description",
            "       of it",
        ]


async def test_however_deep_the_text_has_room() -> None:
    def deep(level: int) -> Twig:
        return Twig(f"k{level}", ((f"level {level}", ""),), (lambda: [deep(level + 1)]) if level < 100 else None)

    app = Trees([deep(0)])
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.press("asterisk", "G")
        await pilot.pause()
        assert app.screen_lines()[-1].strip("› ") == "100: level 100"


async def test_a_click_on_the_mark_folds_and_a_click_beside_it_selects() -> None:
    app = Trees(FAMILY)
    async with app.run_test(size=(30, 12)) as pilot:
        await pilot.click(Outline, offset=(1, 0))
        assert app.outline.opened == {"a"}
        await pilot.click(Outline, offset=(10, 2))
        assert app.outline.opened == {"a"}
        assert app.outline.twig is not None
        assert app.outline.twig.key == "a.2"
        await pilot.click(Outline, offset=(3, 2))
        assert app.outline.opened == {"a", "a.2"}


async def test_what_cannot_be_read_says_so_in_its_place() -> None:
    def fails() -> list[Twig]:
        raise HarnessError("not_found", "The folder is gone.")

    app = Trees([Twig("folder", (("folder", ""),), fails)])
    async with app.run_test(size=(30, 6)) as pilot:
        await pilot.press("enter")
        assert app.screen_lines() == ["›▾ folder", "     ✗ The folder is gone."]


async def test_nothing_at_all_says_what_would_be_here() -> None:
    app = Trees()
    async with app.run_test(size=(30, 6)) as pilot:
        await pilot.press("j", "enter", "asterisk", "left", "pagedown", "G", "g")
        assert app.screen_lines() == ["  Nothing is here."]


async def test_what_is_unfolded_at_the_lower_edge_comes_into_view() -> None:
    app = Trees([*(leaf(f"n{number}") for number in range(20)), branch("last", leaf("last.1"), leaf("last.2"))])
    async with app.run_test(size=(30, 8)) as pilot:
        await pilot.press("G", "enter")
        await pilot.pause()
        assert app.screen_lines()[-3:] == ["›▾ last", "     last.1", "     last.2"]
        many = [leaf(f"m{number}") for number in range(30)]
        app.outline.show([*(leaf(f"n{number}") for number in range(20)), branch("many", *many)])
        await pilot.press("G", "enter")
        await pilot.pause()
        assert app.screen_lines()[0] == "›▾ many"
