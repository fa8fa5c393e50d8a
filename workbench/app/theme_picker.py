"""Which themes the app offers, the one that it shows, and what happens when a theme's file changes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual.app import App, InvalidThemeError
from textual.theme import Theme

from workbench.app.themes import DEFAULT, Loaded, load_themes, theme_fault, themes_dir, user_themes_dir
from workbench.harness.text import fold

REMEMBERED_BYTES = 64
"""How much of the file with the last choice is looked at."""


class ThemePicker:
    """The themes of one app. Faults are gathered in `faults`, for the app to say; one that stays is there once."""

    def __init__(self, app: App[Any]) -> None:
        """Read every theme file, and show the one that was chosen last."""
        self._app = app
        self._own: dict[str, Theme] = {}
        self._before: str | None = None
        self._known: set[str] = set()
        self.faults: list[str] = []
        loaded = load_themes((themes_dir(), user_themes_dir()))
        self._note(_faults_of(loaded))
        for theme in loaded.themes:
            self._own[theme.name] = theme
            app.register_theme(theme)
        wanted = _remembered()
        app.theme = next((name for name in (wanted, DEFAULT) if name in self._own), "textual-dark")

    @property
    def names(self) -> list[str]:
        """What can be chosen: themes with a file first, then Textual's own."""
        return [*self._own, *sorted(set(self._app.available_themes) - set(self._own))]

    def try_all(self) -> None:
        """Try each theme on a copy of the style sheet, and take out those that would break it."""
        for theme in list(self._own.values()):
            fault = theme_fault(self._app, theme)
            if fault is not None:
                del self._own[theme.name]
                self._note([*self._known, f"{theme.name}: {fault}"])
                if self._app.theme == theme.name:
                    self._app.theme = "textual-dark"
                self._app.unregister_theme(theme.name)

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
        """Read the files again when one of them changes, and say so; a theme that is shown changes with its file."""
        import watchfiles

        folders = [folder for folder in (themes_dir(), user_themes_dir()) if folder.is_dir()]
        if not folders:
            return
        async for _ in watchfiles.awatch(*folders, debounce=200, step=50, ignore_permission_denied=True):
            self.reload()
            changed()

    def reload(self) -> None:
        """Read the files again. What cannot be used stays as it was last."""
        loaded = load_themes((themes_dir(), user_themes_dir()))
        faults = _faults_of(loaded)
        for theme in loaded.themes:
            if theme == self._own.get(theme.name):
                continue
            fault = theme_fault(self._app, theme)
            if fault is not None:
                faults.append(f"{theme.name}: {fault}")
                continue
            self._own[theme.name] = theme
            self._app.register_theme(theme)
            if self._app.theme == theme.name:
                self._app.mutate_reactive(type(self._app).theme)
        self._note(faults)

    def _note(self, faults: list[str]) -> None:
        """Take in all faults that there are now: those that are new are to be said."""
        self.faults += [fault for fault in faults if fault not in self._known]
        self._known = set(faults)

    def _show(self, name: str) -> None:
        with contextlib.suppress(InvalidThemeError):
            self._app.theme = name


def _faults_of(loaded: Loaded) -> list[str]:
    return [f"{failed.path.name}: {failed.reason}" for failed in loaded.failed]


def _choice_file() -> Path:
    import platformdirs

    return Path(platformdirs.user_state_dir("workbench")) / "theme"


def _remembered() -> str | None:
    try:
        with _choice_file().open("rb") as file:
            return fold(file.read(REMEMBERED_BYTES).decode("utf-8", "replace"))
    except OSError:
        return None
