"""Typing into the form: a line over the value of a field, or an editor of several lines."""

from __future__ import annotations

from textual import on
from textual.widgets import Input

from workbench.app.tools.call.form.base import FormBase
from workbench.app.tools.call.form.draft import Before
from workbench.app.tools.call.form.field_editor import FieldEditor
from workbench.app.tools.call.form.field_rows import FieldRows
from workbench.app.tools.call.form.gathering import value_of
from workbench.app.tools.call.form.node import Node, State
from workbench.app.tools.call.form.rows import Row
from workbench.app.tools.call.form.screens import Editor
from workbench.app.tools.call.form.texts import Refused, is_editable, json_text, read_json
from workbench.harness.space.schema.values import path_text

INLINE = 2_000
"""A longer text is only edited in the editor of several lines."""

CHECKED = 100_000
"""A longer JSON text is checked when it is kept, not at every key."""


class TypedForm(FormBase):
    """A form whose fields can be typed into."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._before: Before | None = None

    def focus_content(self) -> None:
        """Take the keys."""
        (self._editor if self._editing is not None else self._rows).focus()

    def back(self) -> bool:
        """Leave the line that is typed into, as it was before; False where nothing is open."""
        row, before = self._editing, self._before
        if row is None:
            return False
        self._close_editor()
        if before is not None:
            self.draft.restore(before)
            self._after(row.node)
        return True

    def action_full(self) -> None:
        """Edit a field in an editor of several lines: a text as it is, everything else as JSON."""
        row = self._row
        self._close_editor()
        if row is None or row.what == "add":
            return
        node = row.node
        content = node.content
        as_text = content.kind == "string" and node.state is not State.NULL and is_editable(content.text)
        if as_text or (content.kind == "json" and node.state is State.VALUE and is_editable(content.text)):
            text = content.text
        else:
            text = json_text(value_of(node, raw=True)[0]) if node.state is not State.ABSENT else ""
        about = " · ".join(filter(None, (*node.shape.notes, node.shape.description)))
        editor = Editor(
            path_text(node.steps), about, text, _nothing_wrong if as_text else _json_fault, None if as_text else "json"
        )
        self.app.push_screen(editor, lambda kept: self._edited_full(node, kept, as_text))

    @on(Input.Changed)
    def _edited(self, event: Input.Changed) -> None:
        event.stop()
        if self._editing is not None and self._editing.what == "field":
            self.draft.write(self._editing.node, event.value)
            self._after(self._editing.node)

    @on(FieldEditor.Pasted)
    def _pasted(self, event: FieldEditor.Pasted) -> None:
        event.stop()
        row = self._editing
        if row is None or row.what == "add":
            return
        value, at = self._editor.value, self._editor.cursor_position
        self._close_editor()
        self.draft.write(row.node, value[:at] + event.text + value[at:])
        self._after(row.node)

    @on(FieldRows.Scrolled)
    def _scrolled(self, event: FieldRows.Scrolled) -> None:
        event.stop()
        self._place_editor()

    def _type(self, row: Row, text: str, pasted: bool) -> None:
        content = row.node.content
        if text == "\b":
            if content.state is State.VALUE and fits_a_line(content.text):
                self._open_editor(content.text[:-1])
        elif pasted and not fits_a_line(text):
            self.draft.write(row.node, text)
            self._after(row.node)
        else:
            self._open_editor(text)

    def _open_editor(self, text: str | None) -> None:
        """Type into the row at the cursor; `text` stands there first, else what stood there."""
        row = self._row
        if row is None:
            return
        content = row.node.content
        held = content.text if row.what == "field" and content.state is State.VALUE else ""
        if not fits_a_line(held):
            self.action_full()
            return
        self._editing = row
        self._before = self.draft.remember(row.node) if row.what == "field" else None
        editor = self._editor
        editor.put(held if text is None else text)
        self._place_editor()
        editor.add_class("-open")
        self._rows.add_class("-typing")
        editor.focus()
        if text is not None and row.what == "field":
            self.draft.write(row.node, text)
            self._after(row.node)
        self._head()

    def _close_editor(self) -> None:
        if self._editing is None:
            return
        self._editing = self._before = None
        had = self._editor.has_focus
        self._editor.remove_class("-open")
        self._rows.remove_class("-typing")
        if had:
            self._rows.focus()
        self._head()

    def _place_editor(self) -> None:
        if self._editing is None or self._rows.cursor is None:
            return
        x, y, width = self._rows.place_of(self._rows.cursor)
        self._editor.styles.offset = (x, y)
        self._editor.styles.width = width

    def _edited_full(self, node: Node, kept: str | None, as_text: bool) -> None:
        if kept is None:
            return
        if as_text:
            self.draft.write(node, kept)
        else:
            self.draft.write_json(node, kept)
        self._restructured(node)

    @property
    def _editor(self) -> FieldEditor:
        return self.query_one(FieldEditor)


def fits_a_line(text: str) -> bool:
    """Whether a text can be edited in one line without a character of it being changed or hidden."""
    return len(text) <= INLINE and "\n" not in text and "\t" not in text and is_editable(text)


def _nothing_wrong(text: str) -> str:
    return ""


def _json_fault(text: str) -> str:
    if not text.strip() or len(text) > CHECKED:
        return ""
    try:
        read_json(text)
    except Refused as refused:
        return str(refused)
    return ""
