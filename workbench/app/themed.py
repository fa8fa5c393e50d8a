"""An app that is shown in themes from files."""

from __future__ import annotations

from textual import work
from textual.command import CommandPalette
from textual.filter import Monochrome, NoColor

from workbench.app.failures import FailsInWords
from workbench.app.theme_picker import THEME_PREFIX, ThemePicker
from workbench.app.themes import quiet_colors

REVERSED = {
    "block-cursor-text-style": "bold reverse",
    "block-cursor-blurred-text-style": "underline",
    "input-cursor-text-style": "reverse",
    "button-focus-text-style": "bold reverse",
}
"""What stands out by its colour where there are colours."""


class ThemedApp(FailsInWords):
    """Offers the themes, previews them in the palette, and follows their files."""

    def __init__(self) -> None:
        super().__init__()
        if self.no_color:
            # Textual's filter makes greys, which are colours to a terminal too; this one leaves the terminal its own.
            self._filters = [NoColor() if isinstance(each, Monochrome) else each for each in self._filters]
        self._themes = ThemePicker(self)

    def get_css_variables(self) -> dict[str, str]:
        """The theme's variables; without colour, cursors and selections are reversed instead."""
        variables = super().get_css_variables()
        if getattr(self, "no_color", False):
            variables.update(REVERSED)
        return variables

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """What `widgets/literal.py` colours quiet texts with: the theme's own, where that is a plain colour."""
        return super().get_theme_variable_defaults() | quiet_colors(self.current_theme)

    def on_ready(self) -> None:
        if self._themes.lacks_the_chosen:
            self._themes.begin()

    def follow_themes(self) -> None:
        """Take the user's own themes, say what is wrong with them, and follow the files from now on.

        Apart from the start, because it takes a while and nothing that is seen at first depends on it.
        """
        self._themes.begin()
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

    def theme_titles(self) -> dict[str, str]:
        """The themes to choose from by what the palette calls them, ours first."""
        return self._themes.titles()

    def choose_theme(self, name: str) -> None:
        """Show everything in a theme, from now on."""
        self._themes.choose(name)

    def on_command_palette_option_highlighted(self, event: CommandPalette.OptionHighlighted) -> None:
        text = str(event.highlighted_event.option.prompt).partition("\n")[0]
        name = self._themes.titles().get(text) if text.startswith(THEME_PREFIX) else None
        if name is not None:
            self._themes.preview(name)
        else:
            self._themes.settle()
        if isinstance(self.screen, CommandPalette):
            # What is behind the palette is dimmed, and a theme is looked at as it is.
            self.screen.set_class(name is not None, "-previewing")

    def on_command_palette_closed(self, event: CommandPalette.Closed) -> None:
        if not event.option_selected:
            self._themes.settle()
