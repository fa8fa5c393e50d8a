"""Themes: files that load, files that say why not, and a try before one is shown."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.app.desk import at_desk
from workbench.app.themes import (
    DEFAULT,
    SYNTAX,
    code_styles,
    load_themes,
    theme_fault,
    theme_of,
    themes_dir,
    user_themes_dir,
)

GOOD = 'name = "mine"\n[colors]\nprimary = "#336699"\n'


def test_the_themes_that_come_with_it_load() -> None:
    loaded = load_themes([themes_dir()])
    assert loaded.failed == ()
    assert {"workbench-dark", "workbench-light"} <= {theme.name for theme in loaded.themes}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("name = ", "no TOML"),
        ('[colors]\nprimary = "#123456"\n', "name must be"),
        ('name = "Bad Name"\n[colors]\nprimary = "#123456"\n', "name must be"),
        ('name = "x"\n', "colors.primary is missing"),
        ('name = "x"\n[colors]\nprimary = "nope"\n', "no colour"),
        ('name = "x"\n[colors]\nprimary = "#123456"\nprimry = "#123456"\n', "has no primry"),
        ('name = "x"\n[colors]\nprimary = 7\n', "table of texts"),
        ('name = "x"\n[colors]\nprimary = "#123456"\n[syntax]\nkeywords = "#123456"\n', "has no keywords"),
        ('name = "x"\n[colors]\nprimary = "#123456"\n[variables]\n"a;b" = "x"\n', "no name of a variable"),
        ('name = "textual-dark"\n[colors]\nprimary = "#123456"\n', "take another"),
        ("x = " + "[" * 30_000, "nested too deep"),
        ("#" * 70_000, "over 65536 bytes"),
    ],
)
def test_a_file_that_cannot_be_used_says_why_and_the_others_load(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "bad.toml").write_text(text)
    (tmp_path / "good.toml").write_text(GOOD)
    loaded = load_themes([tmp_path, tmp_path / "not there"])
    assert [theme.name for theme in loaded.themes] == ["mine"]
    assert [failed.path.name for failed in loaded.failed] == ["bad.toml"]
    assert reason in loaded.failed[0].reason


def test_what_is_no_text_or_no_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "bytes.toml").write_bytes(b"name = '\xff'")
    (tmp_path / "folder.toml").mkdir()
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "lost.toml").symlink_to(tmp_path / "nowhere")
    reasons = {failed.path.name: failed.reason for failed in load_themes([tmp_path]).failed}
    assert "no TOML" in reasons.pop("bytes.toml")
    assert reasons == {name: "it is no file" for name in ("folder.toml", "pipe.toml", "lost.toml")}


def test_a_later_folder_replaces_a_theme_of_the_same_name(tmp_path: Path) -> None:
    for folder, colour in (("one", "#111111"), ("two", "#222222")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "t.toml").write_text(f'name = "t"\n[colors]\nprimary = "{colour}"\n')
    loaded = load_themes([tmp_path / "one", tmp_path / "two"])
    assert [theme.primary for theme in loaded.themes] == ["#222222"]


async def test_what_would_kill_the_app_later_is_found_before_it_is_shown(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        bad = theme_of(
            {"name": "b", "colors": {"primary": "#123456"}, "variables": {"border": "red; } * { display: none"}}
        )
        assert theme_fault(desk.app, bad) is not None
        assert theme_fault(desk.app, theme_of({"name": "g", "colors": {"primary": "#123456"}})) is None


async def test_a_theme_of_the_users_is_offered_and_a_bad_one_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    user_themes_dir().mkdir(parents=True)
    (user_themes_dir() / "mine.toml").write_text(GOOD)
    (user_themes_dir() / "bad.toml").write_text(GOOD.replace("mine", "bad") + '[variables]\nborder = "nope; }"\n')
    async with at_desk(tmp_path / "space") as desk:
        assert "mine" in desk.app.theme_names()
        assert "bad" not in desk.app.theme_names()
        assert any("bad" in note.message for note in desk.app._notifications)
        assert desk.app.theme == DEFAULT
        for name in ("mine", "workbench-light", "workbench-dark", "textual-light"):
            desk.app.choose_theme(name)
            await desk.pilot.pause()
            desk.picture()


async def test_code_takes_its_colours_from_the_theme(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        dark = code_styles(desk.app)
        desk.app.choose_theme("workbench-light")
        await desk.pilot.pause()
        assert set(dark) == set(SYNTAX)
        assert code_styles(desk.app)["keyword"] != dark["keyword"]


async def test_a_theme_changes_with_its_file_and_a_bad_change_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    file = user_themes_dir() / "mine.toml"
    file.parent.mkdir(parents=True)
    file.write_text(GOOD)
    async with at_desk(tmp_path / "space") as desk:
        desk.app.choose_theme("mine")
        file.write_text(GOOD.replace("#336699", "#993366"))
        await desk.until(lambda: desk.app.current_theme.primary == "#993366", "the file's new colour")
        file.write_text("name = ")
        await desk.until(lambda: any("mine.toml" in note.message for note in desk.app._notifications), "it is said")
        file.with_name("other.toml").write_text(GOOD.replace("mine", "other"))
        await desk.until(lambda: "other" in desk.app.theme_names(), "the other file was read")
        assert desk.app.current_theme.primary == "#993366"
        assert sum("mine.toml" in note.message for note in desk.app._notifications) == 1
    async with at_desk(tmp_path / "space") as desk:
        assert desk.app.theme == DEFAULT


async def test_the_palette_previews_themes_and_gives_back_what_was_shown(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        await desk.press("ctrl+p")
        await desk.type("theme workbench-light")
        await desk.until(lambda: desk.app.theme == "workbench-light", "it is previewed")
        await desk.press("escape")
        await desk.until(lambda: desk.app.theme == DEFAULT, "the old one is back")
        desk.app.choose_theme("workbench-light")
    async with at_desk(tmp_path / "space") as desk:
        assert desk.app.theme == "workbench-light"


async def test_a_theme_is_previewed_undimmed(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        await desk.press("ctrl+p")
        await desk.sees("Space")
        palette = desk.app.screen
        assert palette.styles.background.a > 0
        await desk.type("theme workbench-light")
        await desk.until(lambda: desk.app.theme == "workbench-light", "it is previewed")
        await desk.until(lambda: palette.styles.background.a == 0, "nothing is dimmed")
        await desk.press("home", *["delete"] * 21)
        await desk.type("quit")
        await desk.until(lambda: palette.styles.background.a > 0, "no theme is previewed")


@pytest.mark.parametrize(
    ("words", "theme"),
    [
        ("high contrast", "workbench-contrast"),
        ("mono, no hue", "workbench-mono"),
        ("no hue", "workbench-mono"),
        ("light", "workbench-light"),
        ("theme dark", "workbench-contrast"),
    ],
)
async def test_themes_are_found_by_what_they_are_like_ours_first(tmp_path: Path, words: str, theme: str) -> None:
    async with at_desk(tmp_path / "space") as desk:
        desk.app.choose_theme("nord")
        await desk.press("ctrl+p")
        await desk.type(words)
        await desk.until(lambda: desk.app.theme == theme, f"{theme} is previewed")


@pytest.fixture
def own_themes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the user's own themes, which is not there yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return user_themes_dir()


def put(file: Path, text: str) -> None:
    """Write a theme's file, in a folder that may not be there yet."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def take_away(folder: Path) -> None:
    """Delete a folder with its files."""
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()


async def test_a_folder_of_themes_that_comes_later_is_noticed(tmp_path: Path, own_themes: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        assert "mine" not in desk.app.theme_names()
        put(own_themes / "mine.toml", GOOD)
        await desk.until(lambda: "mine" in desk.app.theme_names(), "its theme is offered")
        take_away(own_themes)
        await desk.until(lambda: "mine" not in desk.app.theme_names(), "it is offered no more")
        put(own_themes / "mine.toml", GOOD)
        await desk.until(lambda: "mine" in desk.app.theme_names(), "it is back")


async def test_a_theme_that_is_deleted_while_it_is_shown_gives_way_in_words(tmp_path: Path, own_themes: Path) -> None:
    file = own_themes / "mine.toml"
    put(file, GOOD)
    async with at_desk(tmp_path / "space") as desk:
        desk.app.choose_theme("mine")
        file.unlink()
        await desk.until(lambda: desk.app.theme == DEFAULT, "the default is shown")
        await desk.until(lambda: any("is shown" in n.message for n in desk.app._notifications), "and it is said")
        file.write_text(GOOD)
        await desk.until(lambda: "mine" in desk.app.theme_names(), "it can be chosen again")
        desk.app.choose_theme("mine")
        file.write_text(GOOD.replace('"mine"', '"ours"'))
        await desk.until(lambda: desk.app.theme == "ours", "under its new name it goes on")


async def test_a_remembered_theme_that_has_become_bad_does_not_keep_the_app_from_starting(
    tmp_path: Path, own_themes: Path
) -> None:
    put(own_themes / "mine.toml", GOOD)
    async with at_desk(tmp_path / "space") as desk:
        desk.app.choose_theme("mine")
    (own_themes / "mine.toml").write_text(GOOD + '[variables]\nborder = "nope; }"\n')
    async with at_desk(tmp_path / "space") as desk:
        assert desk.app.theme == DEFAULT
        await desk.until(lambda: any("mine: " in note.message for note in desk.app._notifications), "it is said why")
