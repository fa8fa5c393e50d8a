"""A long list in one widget: what is on the screen is what its items say, wherever it is scrolled to."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from textual.app import App, ComposeResult

from workbench.app.widgets.lines.line import Line
from workbench.app.widgets.lines.view import ESTIMATED_ANEW, LineView


class Numbers(LineView):
    """Items of 0 to 5 lines that are estimated wrongly, but where there is nothing."""

    def __init__(self, heights: list[int], follow: bool) -> None:
        super().__init__(follow=follow)
        self.heights = heights

    def on_mount(self) -> None:
        self.reset(len(self.heights))

    def estimate(self, index: int, width: int) -> int:
        return 2 if self.heights[index] else 0

    def lines_of(self, index: int, width: int) -> Sequence[Line]:
        return [[(f"{index}.{line}", "quiet")] for line in range(self.heights[index])]

    def shown(self) -> list[str]:
        """The lines of the screen, without the cursor's column."""
        return [self.render_line(y).text[1:].strip() for y in range(self.size.height)]


class Lists(App[None]):
    """Nothing but a list."""

    def __init__(self, heights: list[int], follow: bool) -> None:
        super().__init__()
        self.numbers = Numbers(heights, follow)

    def compose(self) -> ComposeResult:
        yield self.numbers


def flat(heights: list[int]) -> list[str]:
    return [f"{index}.{line}" for index, height in enumerate(heights) for line in range(height)]


@pytest.mark.parametrize("seed", range(6))
async def test_wherever_it_is_scrolled_the_lines_follow_each_other(seed: int) -> None:
    random = Random(seed)
    heights = [random.randint(0, 5) for _ in range(400)]
    app = Lists(heights, follow=False)
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        for _ in range(15):
            app.numbers.scroll_to(y=random.randint(0, app.numbers.max_scroll_y))
            await pilot.pause()
            shown = [line for line in app.numbers.shown() if line]
            lines = flat(heights)
            at = lines.index(shown[0])
            assert shown == lines[at : at + len(shown)]
            assert len(shown) == 12 or shown[-1] == lines[-1]


@pytest.mark.parametrize("seed", range(4))
async def test_while_it_follows_the_end_is_in_view_whatever_happens(seed: int) -> None:
    random = Random(seed)
    heights = [random.randint(0, 5) for _ in range(50)]
    app = Lists(heights, follow=True)
    async with app.run_test(size=(40, 12)) as pilot:
        for _ in range(12):
            match random.choice(["grow", "change", "resize"]):
                case "grow":
                    before = len(heights)
                    heights += [random.randint(0, 5) for _ in range(random.randint(1, 20))]
                    app.numbers.update_items(len(heights), range(before, len(heights)))
                case "change":
                    index = random.randrange(len(heights))
                    heights[index] = random.randint(0, 5)
                    app.numbers.update_items(len(heights), [index])
                case _:
                    await pilot.resize_terminal(random.randint(20, 60), random.randint(6, 20))
            await pilot.pause()
            await pilot.pause()
            size = app.numbers.size.height
            assert app.numbers.shown() == flat(heights)[-size:]
            assert app.numbers.following


async def test_what_changes_above_does_not_move_what_is_looked_at() -> None:
    heights = [3] * 200
    app = Lists(heights, follow=False)
    async with app.run_test(size=(40, 12)) as pilot:
        app.numbers.scroll_to(y=300)
        await pilot.pause()
        before = app.numbers.shown()
        for index in (0, 5, 20):
            heights[index] = 1
        app.numbers.update_items(200, [0, 5, 20])
        await pilot.pause()
        assert app.numbers.shown() == before


async def test_the_cursor_is_brought_into_view_and_skips_what_takes_no_place() -> None:
    heights = [2, 0, 0, 3] * 50
    app = Lists(heights, follow=False)
    async with app.run_test(size=(40, 12)) as pilot:
        app.numbers.focus()
        await pilot.press("j", "j", "j")
        assert app.numbers.cursor == 4
        app.numbers.move_to(199)
        await pilot.pause()
        assert app.numbers.shown()[-3:] == ["199.0", "199.1", "199.2"]
        await pilot.press("k")
        assert app.numbers.cursor == 196
        await pilot.press("home")
        assert app.numbers.cursor == 0
        assert app.numbers.shown()[0] == "0.0"


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("follow", [True, False])
async def test_the_item_at_the_cursor_stays_in_view_however_the_room_changes(seed: int, follow: bool) -> None:
    random = Random(seed)
    heights = [random.randint(1, 5) for _ in range(300)]
    app = Lists(heights, follow=follow)
    async with app.run_test(size=(40, 20)) as pilot:
        numbers = app.numbers
        numbers.focus()
        await pilot.press("end" if follow else "home", *["k" if follow else "j"] * random.randint(1, 5))
        for _ in range(8):
            await pilot.resize_terminal(random.randint(20, 60), random.randint(1, 24))
            await pilot.pause()
            assert f"{numbers.cursor}.0" in numbers.shown()
            assert numbers.following == (follow and f"299.{heights[-1] - 1}" in numbers.shown())


async def test_what_comes_does_not_push_the_item_at_the_cursor_out_of_view() -> None:
    heights = [2] * 100
    app = Lists(heights, follow=True)
    async with app.run_test(size=(40, 12)) as pilot:
        app.numbers.focus()
        await pilot.press("k", "k")
        for _ in range(10):
            heights.append(2)
            app.numbers.update_items(len(heights), [len(heights) - 1])
            await pilot.pause()
            assert "98.0" in app.numbers.shown()
        assert app.numbers.shown()[0] == "98.0"
        assert not app.numbers.following
        await pilot.press("end")
        assert app.numbers.shown()[-1] == "109.1"
        assert app.numbers.following


class Paragraphs(LineView):
    """Items of a hundred letters, put there before the list has a place on the screen."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[int] = set()

    def estimate(self, index: int, width: int) -> int:
        self.asked.add(width)
        return -(-100 // width)

    def lines_of(self, index: int, width: int) -> Sequence[Line]:
        return [[("x" * width, "")] for _ in range(self.estimate(index, width))]


@pytest.mark.parametrize("items", [50, 2 * ESTIMATED_ANEW])
async def test_what_came_before_the_list_had_a_width_is_not_estimated_for_a_narrow_one(items: int) -> None:
    """The bar beside it said that ten times as much was there."""

    class Late(App[None]):
        async def on_mount(self) -> None:
            paragraphs.styles.display = "none"
            await self.mount(paragraphs)
            paragraphs.reset(items)
            paragraphs.styles.display = "block"

    paragraphs = Paragraphs()
    app = Late()
    async with app.run_test(size=(53, 12)) as pilot:
        await pilot.pause()
        assert min(paragraphs.asked) > 50
        assert paragraphs.virtual_size.height == items * 2
        assert paragraphs.vertical_scrollbar.window_virtual_size == items * 2
        await pilot.resize_terminal(28, 12)
        await pilot.pause()
        # Twelve rows show three items of four lines; of very many, the others keep what was estimated.
        assert paragraphs.virtual_size.height == (items * 4 if items == 50 else items * 2 + 3 * 2)
