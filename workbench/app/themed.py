"""An app that is shown in themes from files."""

from __future__ import annotations

from textual import work
from textual.command import CommandPalette

from workbench.app.failures import FailsInWords
from workbench.app.palette import THEME_PREFIX
from workbench.app.theme_picker import ThemePicker


class ThemedApp(FailsInWords):
    """Offers the themes, previews them in the palette, and follows their files."""

    def __init__(self) -> None:
        super().__init__()
        self._themes = ThemePicker(self)

    def on_ready(self) -> None:
        self._themes.try_all()
        self._say_theme_faults()
        self._follow_themes()

    @work(group="themes", name="follow the themes' files", exit_on_error=False)
    async def _follow_themes(self) -> None:
        await self._themes.follow(self._say_theme_faults)

    def _say_theme_faults(self) -> None:
        if self._themes.faults:
            self.say_error("Themes that cannot be used:\n" + "\n".join(self._themes.faults[:5]))
            self._themes.faults.clear()

    def theme_names(self) -> list[str]:
        """The themes to choose from."""
        return self._themes.names

    def choose_theme(self, name: str) -> None:
        """Show everything in a theme, from now on."""
        self._themes.choose(name)

    def on_command_palette_option_highlighted(self, event: CommandPalette.OptionHighlighted) -> None:
        text = str(event.highlighted_event.option.prompt).partition("\n")[0]
        if text.startswith(THEME_PREFIX):
            self._themes.preview(text.removeprefix(THEME_PREFIX))
        else:
            self._themes.settle()

    def on_command_palette_closed(self, event: CommandPalette.Closed) -> None:
        if not event.option_selected:
            self._themes.settle()
