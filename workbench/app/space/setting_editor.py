"""The field under the settings: it says what the one at the cursor is for, and takes its new value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.widgets import Input

from workbench.app.space.editing import typed, value_of
from workbench.app.space.row_view import Row, RowView
from workbench.app.space.setting_words import RULES, SETTINGS, Choosing, Ruling
from workbench.app.space.settings_rows import Setting, about
from workbench.app.widgets.field import Field
from workbench.app.widgets.lines.view import LineView
from workbench.app.widgets.literal import Literal, literal, parts
from workbench.harness.errors import HarnessError
from workbench.harness.text import printable

RULES_MEAN = "a table of patterns, in an editor"


class SettingEditor(Vertical):
    """Words about a setting; while it is open also the means to change it."""

    DEFAULT_CSS = """
    SettingEditor { height: auto; min-height: 3; max-height: 60%; border-top: solid $border-blurred; }
    SettingEditor Literal { width: 1fr; height: auto; padding: 0 1; }
    SettingEditor > #setting-words { height: auto; width: 1fr; }
    SettingEditor.-typing > #setting-words, SettingEditor.-choosing > #setting-words { height: 1fr; min-height: 1; }
    SettingEditor #setting-about { color: $text-muted; }
    SettingEditor > #setting-fault { display: none; color: $text-error; }
    SettingEditor.-wrong > #setting-fault { display: block; }
    SettingEditor > Field, SettingEditor > #setting-choices { display: none; }
    SettingEditor.-typing > Field { display: block; }
    SettingEditor.-typing { min-height: 4; }
    SettingEditor.-choosing { min-height: 6; }
    SettingEditor.-choosing > #setting-choices { display: block; height: auto; max-height: 4; }
    """

    class Given(Message):
        """A value was given for a setting."""

        def __init__(self, path: str, value: Any) -> None:
            super().__init__()
            self.path = path
            self.value = value

    class Rules(Message):
        """The rules of a setting are to be written."""

        def __init__(self, setting: Setting) -> None:
            super().__init__()
            self.setting = setting

    def __init__(self) -> None:
        super().__init__(id="setting-editor")
        self.setting: Setting | None = None
        """What is being changed; None while it only tells."""

    def compose(self) -> ComposeResult:
        """The words, the field or the choices, and what is wrong with what was typed."""
        with VerticalScroll(id="setting-words", can_focus=False):
            yield Literal(id="setting-about")
        yield Field(id="setting-field")
        yield RowView(id="setting-choices")
        yield Literal(id="setting-fault")

    @property
    def is_open(self) -> bool:
        """Whether a setting is being changed."""
        return self.setting is not None

    @property
    def unsaved(self) -> bool:
        """Whether something else was typed than what is so."""
        if self.setting is None or not self.has_class("-typing"):
            return False
        editing = SETTINGS[self.setting.path].editing
        return self.query_one(Field).value != typed(editing, self.setting.present)

    def tell(self, setting: Setting | None, more: Sequence[str] = ()) -> None:
        """Say what a setting is for, unless one is being changed."""
        if self.is_open:
            return
        lines = [*about(setting), *more] if setting is not None else list(more)
        self.query_one("#setting-about", Literal).show("\n".join(lines))

    def open(self, setting: Setting) -> None:
        """Take a new value for this setting."""
        self.close()
        self.tell(setting)
        self.setting = setting
        editing = SETTINGS[setting.path].editing
        if isinstance(editing, Choosing | Ruling):
            choices = editing.choices if isinstance(editing, Choosing) else (*editing.words, (RULES, RULES_MEAN))
            view = self.query_one("#setting-choices", RowView)
            self.add_class("-choosing")
            view.show([Row(value, ((value, "strong"), (f"  {means}", "quiet"))) for value, means in choices])
            view.go(RULES if isinstance(setting.present, Mapping) else str(setting.present))
            self._fit(len(choices))
            view.focus()
            return
        self._fit(1)
        field = self.query_one(Field)
        self.add_class("-typing")
        field.value = typed(editing, setting.present)
        field.cursor_position = len(field.value)
        field.focus()

    def close(self) -> None:
        """Go back to telling."""
        self.setting = None
        self.remove_class("-typing", "-choosing", "-wrong")
        self.styles.height = None

    def _fit(self, rows: int) -> None:
        """Be as high as the words and so many rows to answer in: beyond the share of the pane the words give way.

        A row is kept for what may be wrong with the answer.
        """
        about = self.query_one("#setting-about", Literal)
        words = about.get_content_height(self.size, self.app.size, max(self.content_size.width - 2, 1))
        self.styles.height = words + rows + 2

    def refuse(self, words: str) -> None:
        """Say what is wrong with what was given, at the field."""
        self.add_class("-wrong")
        self.query_one("#setting-fault", Literal).show(parts(("✗ ", "bold"), literal(printable(words))))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._value(event.value)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        setting = self.setting
        if setting is not None:
            value = self._value(event.value)
            if value is not None:
                self.post_message(self.Given(setting.path, value))

    @on(LineView.Opened)
    def _chose(self, event: LineView.Opened) -> None:
        event.stop()
        key = self.query_one("#setting-choices", RowView).key
        if self.setting is not None and key == RULES:
            self.post_message(self.Rules(self.setting))
        elif self.setting is not None and key is not None:
            self.post_message(self.Given(self.setting.path, key))

    @on(LineView.Moved)
    def _moved(self, event: LineView.Moved) -> None:
        event.stop()

    def on_key(self, event: events.Key) -> None:
        # Space chooses too, as it does everywhere a list has one answer.
        if event.key == "space" and self.has_class("-choosing"):
            event.stop()
            self.query_one("#setting-choices", RowView).action_open()

    def _value(self, text: str) -> Any:
        """The value of what is typed; None, with the reason shown, where it cannot be."""
        if self.setting is None:
            return None
        try:
            value = value_of(self.setting, SETTINGS[self.setting.path].editing, text)
        except HarnessError as error:
            self.refuse(error.message)
            return None
        self.remove_class("-wrong")
        return value
