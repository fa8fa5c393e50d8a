"""Every setting in a row, and under them the field that changes the one at the cursor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.message import Message

from workbench.app.seams import workbench
from workbench.app.space.answering import answer, ask
from workbench.app.space.editing import several_lines, typed
from workbench.app.space.frame import Part
from workbench.app.space.row_view import RowView, text_row
from workbench.app.space.setting_editor import SettingEditor
from workbench.app.space.setting_words import SETTINGS, Ruling, Switching
from workbench.app.space.settings_rows import Setting, setting_row, settings_of
from workbench.app.widgets.lines.view import LineView
from workbench.app.widgets.literal import title
from workbench.harness.door.doing import Done
from workbench.harness.errors import HarnessError
from workbench.harness.space.settings import Waiting
from workbench.harness.views import View

CHANGES = "s  settings: enter changes"
ASKS = "s  settings: enter asks for your yes, e changes"
"""Its title where the setting at the cursor waits."""


class SettingsPart(Part):
    """Enter changes the setting at the cursor; a switch is turned over at once."""

    does = frozenset({"change", "default", "read_file", "approve", "deny", "filter"})

    class Compose(Message):
        """A setting of several lines is to be edited."""

        def __init__(self, setting: Setting) -> None:
            super().__init__()
            self.setting = setting

    class ReadFile(Message):
        """The settings file is to be read."""

    def __init__(self) -> None:
        super().__init__(CHANGES, id="settings")
        self._settings: dict[str, Setting] = {}
        self._writing = False

    def compose(self) -> ComposeResult:
        """The filter, the rows, and the field."""
        yield self.filter_line()
        yield RowView(id="settings")
        yield SettingEditor()

    @property
    def editor(self) -> SettingEditor:
        """The field."""
        return self.query_one(SettingEditor)

    @property
    def unsaved(self) -> list[str]:
        """The setting with something typed that was not given yet."""
        editor = self.editor
        return [editor.setting.path] if editor.setting is not None and editor.unsaved else []

    def look(self, view: View) -> None:
        """Show every setting as it is now."""
        self._settings = {setting.path: setting for setting in settings_of(view.settings)}
        self.filtered()

    def filtered(self) -> None:
        """Draw the rows that have the words."""
        shown = self.having(self._settings.values(), lambda setting: f"{setting.path} {SETTINGS[setting.path].about}")
        rows = [setting_row(setting) for setting in shown]
        self.rows.show(rows or [text_row("No setting has these words. esc clears them.")])
        self._tell()

    def _at_cursor(self) -> Setting | None:
        return self._settings.get(self.rows.key or "")

    @property
    def _asks(self) -> Waiting | None:
        """What enter asks about at the cursor, in place of changing it."""
        setting = self._at_cursor()
        return setting.waiting if setting is not None and setting.origin in ("waits", "no") else None

    def _tell(self) -> None:
        title(self, CHANGES if self._asks is None else ASKS)
        self.editor.tell(self._at_cursor(), () if self._at_cursor() else ("enter changes a setting, d takes it away.",))

    def can(self, action: str) -> bool:
        """Answers only where something waits for one."""
        if action in ("approve", "deny"):
            setting = self._at_cursor()
            return setting is not None and setting.waiting is not None
        return super().can(action)

    def back(self) -> bool:
        """Leave the field, then the filter."""
        if self.editor.is_open:
            self._close()
            return True
        return super().back()

    def copied(self) -> tuple[str, str] | None:
        """The value at the cursor."""
        setting = self._at_cursor()
        if setting is None:
            return None
        return typed(SETTINGS[setting.path].editing, setting.acts), f"the value of {setting.path}"

    # Acting -----------------------------------------------------------------------------------------------------

    def change(self) -> None:
        """Change the setting at the cursor."""
        setting = self._at_cursor()
        if setting is None:
            return
        editing = SETTINGS[setting.path].editing
        if isinstance(editing, Switching):
            self._give(setting.path, not setting.present)
        elif not isinstance(editing, Ruling) and (several_lines(editing) or "\n" in typed(editing, setting.present)):
            workbench(self).keys_wait()
            self.post_message(self.Compose(setting))
        else:
            self.editor.open(setting)
            # It takes room from the rows: the one that is changed stays in sight.
            self.call_after_refresh(self._reveal)

    def _reveal(self) -> None:
        if self.editor.is_open:
            self.rows.move_to(self.rows.cursor)

    def default(self) -> None:
        """Take the setting at the cursor out of the file."""
        setting = self._at_cursor()
        if setting is None:
            return
        if setting.origin == "default":
            workbench(self).say(f"{setting.path} is not in agent.toml: its default acts already.")
        else:
            self._give(setting.path, None)

    def read_file(self) -> None:
        """Read the settings file as it stands."""
        workbench(self).keys_wait()
        self.post_message(self.ReadFile())

    def approve(self) -> None:
        """Yes to the setting at the cursor."""
        self._answer(True)

    def deny(self) -> None:
        """No to the setting at the cursor, or to the yes that it has."""
        self._answer(False)

    def _answer(self, approved: bool) -> None:
        setting = self._at_cursor()
        if setting is not None:
            answer(self, setting.path, approved, setting.waiting)

    def _give(self, path: str, value: Any, then: Callable[[], None] = lambda: None) -> None:
        if self._writing:
            return
        bench = workbench(self)
        # The next key is for what stands here once this is written.
        bench.keys_wait()
        self._writing = True

        def ended(done: Done | None, error: HarnessError | None) -> None:
            self._writing = False
            if error is None:
                self.show_now()
                then()
            elif self.editor.is_open:
                self.editor.refuse(error.message)
            else:
                bench.say_error(error.message)
            bench.keys_go_on()

        bench.act("write", {"address": "~/self", "content": {path: value}}, actor="user", then=ended)

    def _close(self) -> None:
        self.editor.close()
        self._tell()
        self.rows.focus()

    @on(SettingEditor.Given)
    def _given(self, event: SettingEditor.Given) -> None:
        event.stop()
        now, began = self._settings.get(event.path), self.editor.setting
        if now is not None and began is not None and now.present != began.present:
            # What it was when somebody began to type is not what they would replace.
            self.editor.setting = now
            is_now = typed(SETTINGS[now.path].editing, now.present)
            self.editor.refuse(f"Meanwhile it became {is_now}, elsewhere. enter again writes yours; esc keeps that.")
            return
        self._give(event.path, event.value, self._close)

    @on(SettingEditor.Rules)
    def _rules(self, event: SettingEditor.Rules) -> None:
        event.stop()
        self._close()
        workbench(self).keys_wait()
        self.post_message(self.Compose(event.setting))

    @on(LineView.Opened, "#settings")
    def _opened(self, event: LineView.Opened) -> None:
        event.stop()
        waiting = self._asks
        if waiting is not None:
            ask(self, waiting, given=False)
        else:
            self.change()

    @on(LineView.Moved, "#settings")
    def _moved(self) -> None:
        self._tell()
