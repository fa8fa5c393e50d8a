"""The line that is typed into, laid over the value of a row."""

from __future__ import annotations

from textual import events
from textual.message import Message
from textual.widgets import Input

from workbench.app.tools.call.form.painting import one_line

HANDED_ON = frozenset({"ctrl+u", "ctrl+d", "ctrl+e", "ctrl+o", "ctrl+g", "ctrl+up", "ctrl+down", "alt+up", "alt+down"})
"""Keys that mean in here what they mean in the form."""


class FieldEditor(Input):
    """A text of one line. It is only given text that it can show as it is."""

    DEFAULT_CSS = """
    FieldEditor { position: absolute; display: none; height: 1; border: none; padding: 0; layer: editor;
        background: $background; color: $foreground; }
    FieldEditor:focus { border: none; background: $background; }
    FieldEditor.-open { display: block; }
    """

    class Key(Message):
        """A key that the form knows better."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class Pasted(Message):
        """A text of several lines, or with characters that cannot be shown, was pasted."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, select_on_focus=False, compact=True)

    def put(self, text: str) -> None:
        """Begin with a text, at its end."""
        with self.prevent(Input.Changed):
            self.value = text
        self.cursor_position = len(text)

    def on_key(self, event: events.Key) -> None:
        if event.key in HANDED_ON or event.key == "escape":
            event.stop()
            event.prevent_default()
            self.post_message(self.Key(event.key))

    def on_paste(self, event: events.Paste) -> None:
        if one_line(event.text) != event.text:
            event.stop()
            event.prevent_default()
            self.post_message(self.Pasted(event.text))
