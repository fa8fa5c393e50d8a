"""Every text of the themes that come with it can be read on everything that may be behind it (WCAG contrast)."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.color import Color, ColorParseError
from textual.theme import Theme

from tests.app.desk import at_desk
from workbench.app.themes import SYNTAX, load_themes, quiet_colors, themes_dir

THEMES = {theme.name: theme for theme in load_themes([themes_dir()]).themes}
LEAST = {"workbench-contrast": 7.0}
TEXTS = ("foreground", "text-primary", "text-accent", "text-success", "text-warning", "text-error", "quiet", "faint")
GROUNDS = ("background", "surface", "panel", "surface-lighten-1", "block-hover-background")
CURSORS = (
    "block-cursor-background",
    "block-cursor-blurred-background",
    "input-selection-background",
    "screen-selection-background",
)
"""What lists, texts and dialogs are drawn on, and what a line at the cursor or a selection is."""


def colours(theme: Theme) -> dict[str, Color]:
    known = {**theme.to_color_system().generate(), **theme.variables, **quiet_colors(theme)}
    found: dict[str, Color] = {}
    for name, value in known.items():
        if not value.startswith(("auto", "ansi")) and not name.endswith("-style"):
            try:
                found[name] = Color.parse(value)
            except ColorParseError:
                continue
    found["demo"] = found["background"].blend(found["accent"], 0.12)
    return found


def contrast(one: Color, other: Color) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(color: Color) -> float:
    parts = [value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in color.normalized]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def pairs(theme: Theme) -> list[tuple[str, str]]:
    """Every text with every ground that it may stand on."""
    code = [f"syntax-{kind}" for kind in SYNTAX]
    found = [(text, ground) for text in (*TEXTS, *code) for ground in (*GROUNDS, *CURSORS)]
    found += [(text, "demo") for text in TEXTS]
    found += [("block-cursor-foreground", ground) for ground in CURSORS[:1]]
    return [*found, *((f"footer-{text}-foreground", "footer-background") for text in ("key", "description"))]


def test_there_is_a_dark_a_light_a_high_contrast_and_a_mono_theme() -> None:
    assert {f"workbench-{name}" for name in ("dark", "light", "contrast", "mono")} <= set(THEMES)
    assert not THEMES["workbench-light"].dark
    assert THEMES["workbench-dark"].dark


@pytest.mark.parametrize("name", sorted(THEMES))
def test_every_text_stands_out_from_its_ground(name: str) -> None:
    known, least = colours(THEMES[name]), LEAST.get(name, 4.5)
    weak = {
        (text, ground): round(contrast(known[ground] + known[text], known[ground]), 2)
        for text, ground in pairs(THEMES[name])
        if contrast(known[ground] + known[text], known[ground]) < least
    }
    assert weak == {}


def test_mono_has_no_hue_anywhere() -> None:
    coloured = {name: color.hex for name, color in colours(THEMES["workbench-mono"]).items() if len({*color.rgb}) > 1}
    assert coloured == {}


async def test_mono_draws_nothing_in_a_hue(tmp_path: Path) -> None:
    async with at_desk(tmp_path, size=(120, 40)) as desk:
        desk.app.choose_theme("workbench-mono")
        for place in ("tools", "space", "transcript"):
            desk.app.action_show_tab(place)
            await desk.pilot.pause()
            for strip in desk.app.screen._compositor.render_strips():
                for segment in strip:
                    for color in (segment.style.color, segment.style.bgcolor) if segment.style else ():
                        assert color is None or color.triplet is None or len({*color.triplet}) == 1, segment
