"""Which themes the app offers, the one that it shows, and what happens when a theme's file changes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from textual.app import App, InvalidThemeError
from textual.theme import Theme

from workbench.app.themes import DEFAULT, Loaded, load_themes, theme_fault, themes_dir, user_themes_dir
from workbench.harness.text import fold

REMEMBERED_BYTES = 64
"""How much of the file with the last choice is looked at."""

THEME_PREFIX = "theme: "
"""What stands before a theme's name in the palette."""

WORDS = {"workbench-contrast": "high contrast", "workbench-mono": "mono, no hue"}
"""What some of ours are looked for as, beside their names and whether they are dark."""

LAST_RESORT = "textual-dark"
"""Textual's own, for an installation that has lost its themes."""


class ThemePicker:
    """The themes of one app. Faults are gathered in `faults`, for the app to say; one that stays is there once."""

    def __init__(self, app: App[Any]) -> None:
        """Take the themes that come with the workbench, and show the one chosen last if it is one of them.

        The user's own wait for `begin`: whether one can be shown is known only when there is a style sheet.
        """
        self._app = app
        self._own: dict[str, Theme] = {}
        self._files: dict[str, Path] = {}
        self._before: str | None = None
        self._known: set[str] = set()
        self.faults: list[str] = []
        loaded = load_themes((themes_dir(),))
        self._take(loaded.themes, loaded)
        app.theme = self._first(_remembered(), DEFAULT)

    @property
    def names(self) -> list[str]:
        """What can be chosen: themes with a file first, then Textual's own."""
        return [*self._own, *sorted(set(self._app.available_themes) - set(self._own))]

    def titles(self) -> dict[str, str]:
        """What each theme is called in the palette, and so found by, with its name: `theme: night · dark`."""
        themes = self._app.available_themes
        return {
            f"{THEME_PREFIX}{name} · {', '.join((*_words(name), 'dark' if themes[name].dark else 'light'))}": name
            for name in self.names
        }

    @property
    def lacks_the_chosen(self) -> bool:
        """Whether the theme that was chosen last is none of those that come with the workbench."""
        return _remembered() not in (None, *self.names)

    def begin(self) -> None:
        """Take the user's own themes too, and show the one chosen last."""
        self.reload()
        self._show(self._first(_remembered(), self._app.theme))

    def choose(self, name: str) -> None:
        """Show everything in a theme, and remember it for the next start."""
        self._before = None
        self._show(name)
        with contextlib.suppress(OSError):
            _choice_file().parent.mkdir(parents=True, exist_ok=True)
            _choice_file().write_text(name, "utf-8")

    def preview(self, name: str) -> None:
        """Show a theme until another is previewed, chosen, or `settle` is called."""
        if name in self.names:
            self._before = self._before or self._app.theme
            self._show(name)

    def settle(self) -> None:
        """End a preview: what was shown before comes back."""
        if self._before is not None:
            self._show(self._before)
            self._before = None

    async def follow(self, changed: Callable[[], None]) -> None:
        """Read the files again when one of them changes, and say so; a theme that is shown changes with its file.

        A folder that is not there yet is waited for, at the nearest one above it that is.
        """
        import watchfiles

        while folders := _watched():
            self.reload()
            changed()
            async for changes in watchfiles.awatch(
                *folders, recursive=False, debounce=200, step=50, ignore_permission_denied=True
            ):
                if any(_concerns(Path(path)) for _, path in changes):
                    self.reload()
                    changed()
                if _watched() != folders:
                    break

    def reload(self) -> None:
        """Read the files again. What cannot be used stays as it was last; what is gone is offered no more."""
        loaded = load_themes((themes_dir(), user_themes_dir()))
        faults = [f"{failed.path.name}: {failed.reason}" for failed in loaded.failed]
        good: list[Theme] = []
        for theme in loaded.themes:
            if theme == self._own.get(theme.name):
                continue
            fault = theme_fault(self._app, theme)
            if fault is None:
                good.append(theme)
            else:
                faults.append(f"{theme.name}: {fault}")
        self._take(good, loaded)
        faults += self._let_go(loaded)
        self._note(faults)

    def _take(self, themes: Iterable[Theme], loaded: Loaded) -> None:
        for theme in themes:
            self._own[theme.name] = theme
            self._files[theme.name] = loaded.files[theme.name]
            self._app.register_theme(theme)
            if self._app.theme == theme.name:
                self._app.mutate_reactive(type(self._app).theme)

    def _let_go(self, loaded: Loaded) -> list[str]:
        """Offer no more what no file has any more; what to say of one that was shown."""
        said: list[str] = []
        broken = {failed.path for failed in loaded.failed}
        for name in [name for name in self._own if name not in loaded.files and self._files[name] not in broken]:
            path = self._files.pop(name)
            del self._own[name]
            if self._before == name:
                self._before = None
            if self._app.theme == name:
                renamed = next((new for new, file in loaded.files.items() if file == path and new in self._own), None)
                self._show(self._first(renamed, DEFAULT))
                said.append(f"{name}: its file is gone or has another name now, so {self._app.theme} is shown")
            self._app.unregister_theme(name)
        return said

    def _note(self, faults: list[str]) -> None:
        """Take in all faults that there are now: those that are new are to be said."""
        self.faults += [fault for fault in faults if fault not in self._known]
        self._known = set(faults)

    def _first(self, *names: str | None) -> str:
        return next((name for name in names if name in self._app.available_themes), LAST_RESORT)

    def _show(self, name: str) -> None:
        with contextlib.suppress(InvalidThemeError):
            self._app.theme = name


def _words(name: str) -> tuple[str, ...]:
    return (WORDS[name],) if name in WORDS else ()


def _watched() -> list[Path]:
    """The themes' folders, and for one that is not there the nearest folder above it."""
    folders: list[Path] = []
    for folder in (themes_dir(), user_themes_dir()):
        folders += [next((each for each in (folder, *folder.parents) if each.is_dir()), folder.parent)]
    return list(dict.fromkeys(folders))


def _concerns(path: Path) -> bool:
    """Whether something that changed is a theme's file, or a folder that leads to one."""
    return any(folder in (path, path.parent) or path in folder.parents for folder in (themes_dir(), user_themes_dir()))


def _choice_file() -> Path:
    import platformdirs

    return Path(platformdirs.user_state_dir("workbench")) / "theme"


def _remembered() -> str | None:
    try:
        with _choice_file().open("rb") as file:
            return fold(file.read(REMEMBERED_BYTES).decode("utf-8", "replace"))
    except OSError:
        return None
