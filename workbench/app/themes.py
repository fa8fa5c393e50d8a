"""Themes: one TOML file each, in the folder that comes with the workbench and in the user's own.

A file has `name`, `dark`, and the tables `colors` (Textual's base colours), `variables` (any of its CSS variables) and
`syntax` (what code is coloured with). A theme is tried out on a copy of the style sheet before it is offered, because
a bad one is noticed by Textual only when it repaints, where nobody can catch it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from rich.style import Style
from textual.app import App
from textual.color import Color, ColorParseError
from textual.theme import BUILTIN_THEMES, Theme

DEFAULT = "workbench-dark"
"""The theme to begin with, and to fall back on."""

MAX_BYTES = 64 * 1024
"""How long a theme file may be."""

COLORS = tuple(
    field.name
    for field in fields(Theme)
    if field.name not in ("name", "dark", "variables", "ansi") and not field.name.endswith(("_spread", "_alpha"))
)
"""What the table `colors` may hold; `primary` is required."""

SYNTAX = (
    "comment",
    "keyword",
    "string",
    "number",
    "constant",
    "function",
    "type",
    "property",
    "variable",
    "operator",
    "punctuation",
    "error",
)
"""What the table `syntax` may hold."""

_INSTEAD = {
    "comment": "secondary",
    "keyword": "accent",
    "string": "success",
    "number": "warning",
    "constant": "warning",
    "function": "primary",
    "type": "primary",
    "property": "primary",
    "error": "error",
}
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,47}\Z")
_VARIABLE = re.compile(r"[a-z][a-z0-9-]{0,63}\Z")


class ThemeFault(ValueError):
    """A theme file that cannot be used, and why."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A theme file that was not loaded."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """What some folders held. Of two themes with one name the later folder's is taken; `files` says where each is."""

    themes: tuple[Theme, ...]
    failed: tuple[Failed, ...]
    files: Mapping[str, Path]


def themes_dir() -> Path:
    """The themes that come with the workbench: inside the installed package, or beside it in a source tree."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "themes"
    return inside if inside.is_dir() else package.parent / "themes"


def user_themes_dir() -> Path:
    """The user's own themes; the folder need not exist."""
    import platformdirs

    return Path(platformdirs.user_config_dir("workbench")) / "themes"


def read_theme(path: Path) -> Theme:
    """Read one file.

    Raises:
        ThemeFault: it is unreadable, or holds something that a theme cannot.
    """
    try:
        if not path.is_file():
            # A pipe would be waited for, for ever.
            raise ThemeFault("it is no file")
        with path.open("rb") as file:
            text = file.read(MAX_BYTES + 1)
        if len(text) > MAX_BYTES:
            raise ThemeFault(f"it has over {MAX_BYTES} bytes")
        table = tomllib.loads(text.decode("utf-8"))
    except OSError as error:
        raise ThemeFault(f"it cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ThemeFault(f"it is no TOML: {error}") from error
    except RecursionError as error:
        raise ThemeFault("it is nested too deep") from error
    return theme_of(table)


def theme_of(table: dict[str, Any]) -> Theme:
    """Make a theme of a parsed file. Raises ThemeFault with what is wrong and what is allowed."""
    _only(table, ("name", "dark", "colors", "variables", "syntax"), "a theme")
    name, dark = table.get("name"), table.get("dark", True)
    if not isinstance(name, str) or not _NAME.match(name):
        raise ThemeFault("name must be lower case letters, digits and dashes, at most 48")
    if name in BUILTIN_THEMES:
        raise ThemeFault(f"name is {name}, as a theme of Textual's own is called; take another")
    if not isinstance(dark, bool):
        raise ThemeFault("dark must be true or false")
    colors, variables, syntax = (_texts(table, key) for key in ("colors", "variables", "syntax"))
    _only(colors, COLORS, "colors")
    _only(syntax, SYNTAX, "syntax")
    for place, values in (("colors", colors), ("syntax", syntax)):
        for key, value in values.items():
            try:
                Color.parse(value)
            except ColorParseError:
                raise ThemeFault(f'{place}.{key} is no colour: "{value[:40]}". Write one such as "#6fb6de"') from None
    if "primary" not in colors:
        raise ThemeFault("colors.primary is missing")
    for key in variables:
        if not _VARIABLE.match(key):
            raise ThemeFault(f"variables.{key[:40]} is no name of a variable")
    known: dict[str, Any] = dict(colors)
    return Theme(
        name=name,
        dark=dark,
        variables=variables | {f"syntax-{key}": value for key, value in syntax.items()},
        **known,
    )


def load_themes(folders: Iterable[Path]) -> Loaded:
    """Read every `*.toml` of some folders; those that fail are told with the reason, the rest is used."""
    themes: dict[str, Theme] = {}
    files: dict[str, Path] = {}
    failed: list[Failed] = []
    for folder in folders:
        for path in sorted(folder.glob("*.toml")):
            try:
                theme = read_theme(path)
            except ThemeFault as fault:
                failed.append(Failed(path, str(fault)))
            else:
                themes[theme.name] = theme
                files[theme.name] = path
    return Loaded(tuple(themes.values()), tuple(failed), files)


def theme_fault(app: App[Any], theme: Theme) -> str | None:
    """Why this theme cannot be shown, or None when it can: found out on a copy of the app's style sheet."""
    try:
        generated = theme.to_color_system().generate()
        sheet = app.stylesheet.copy()
        sheet.set_variables({**app.get_theme_variable_defaults(), **generated, **theme.variables})
        sheet.parse()
    except Exception as error:  # whatever Textual raises for it, the theme is the cause
        return f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}"
    return None


def quiet_colors(theme: Theme) -> dict[str, str]:
    """The colours of text that stands back, a little and more, for a theme that need not say them."""
    known = {**theme.to_color_system().generate(), **theme.variables}
    colors: dict[str, str] = {}
    for name, instead, share in (("quiet", "text-muted", 0.7), ("faint", "text-disabled", 0.6)):
        value = known.get(instead, "auto")
        if value.startswith("auto"):
            foreground = known.get("foreground", "")
            value = foreground if foreground.startswith("ansi") else Color.parse(foreground).with_alpha(share).hex
        colors[name] = value
    return colors


def code_styles(app: App[Any]) -> dict[str, Style]:
    """How each kind of `SYNTAX` looks now. A theme without that table gets it from its own colours."""
    variables = app.get_css_variables()
    styles: dict[str, Style] = {}
    for kind in SYNTAX:
        value = variables.get(f"syntax-{kind}") or variables.get(_INSTEAD.get(kind, "foreground"), "")
        if value and not value.startswith(("ansi", "auto")):
            styles[kind] = Style(color=Color.parse(value).hex6, italic=True if kind == "comment" else None)
    return styles


def _texts(table: dict[str, Any], key: str) -> dict[str, str]:
    value = table.get(key, {})
    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        raise ThemeFault(f"{key} must be a table of texts")
    return dict(value)


def _only(table: dict[str, Any], allowed: tuple[str, ...], what: str) -> None:
    unknown = [str(key)[:40] for key in table if key not in allowed]
    if unknown:
        raise ThemeFault(f"{what} has no {', '.join(unknown[:4])}; it may hold {', '.join(allowed)}")
