"""The call form on the screen: fields that are typed into where they stand."""

from __future__ import annotations

from textual import on
from textual.widgets import Input

from workbench.app.actions import bindings
from workbench.app.tools.call.form.actions import FORM
from workbench.app.tools.call.form.chosen import ChosenForm
from workbench.app.tools.call.form.field_editor import FieldEditor
from workbench.app.tools.call.form.field_rows import FieldRows
from workbench.app.tools.call.form.node import Node, State
from workbench.app.tools.call.form.rows import Row, is_open
from workbench.app.tools.call.form.shape import PICK_KINDS, TEXT_KINDS


class FormView(ChosenForm):
    """What keys, clicks and typed characters do in a form."""

    BINDINGS = bindings(*FORM)

    def action_go(self, step: int) -> None:
        """Go to another field."""
        self._close_editor()
        rows = self._rows
        to = rows.near(rows.cursor, step)
        if to is not None:
            rows.move_to(to)

    def action_tab(self, step: int) -> None:
        """Go to another field; past the ends, leave the form."""
        before = self._rows.cursor
        self.action_go(step)
        if self._rows.cursor == before:
            (self.screen.focus_next if step > 0 else self.screen.focus_previous)()

    def action_page(self, pages: int) -> None:
        """Go on by a screenful."""
        self._close_editor()
        rows = self._rows
        rows.action_page(pages)
        y = int(rows.scroll_offset.y) + (rows.size.height - 1 if pages > 0 else 0)
        if rows.items:
            rows.move_to(rows.item_at(y))

    def action_edge(self, step: int) -> None:
        """Go to the first or the last field."""
        self._close_editor()
        if self._rows.items:
            self._rows.move_to(0 if step < 0 else self._rows.items - 1)

    def action_open(self) -> None:
        """Do what a row is for: type into it, choose, fold, add."""
        row = self._row
        if row is None:
            return
        node = row.node
        content = node.content
        if row.what == "add":
            self.action_add()
        elif node.kind == "choice":
            self._list_forms(node)
        elif content.kind == "boolean":
            self.draft.pick(node, int(not (content.chosen and content.state is State.VALUE)))
            self._after(node)
        elif content.kind in PICK_KINDS:
            self._list_options(node)
        elif content.kind in {"object", "array"}:
            self._fold(row, not is_open(node, row.depth))
        elif (content.shape.multiline and content.kind == "string") or node.parent is None:
            self.action_full()
        else:
            self._open_editor(None)

    def action_turn(self, step: int) -> None:
        """Fold or unfold; of what has a few values or forms, the next or the one before."""
        row = self._row
        if row is None or row.what == "add":
            return
        node = row.node
        content = node.content
        if node.kind == "choice":
            self.draft.choose(node, (node.branch + step) % len(node.shape.branches))
            self._restructured(node)
        elif content.kind in {"boolean", "enum"}:
            self._cycle(node, step)
        elif content.kind in {"object", "array"}:
            self._fold(row, step > 0)
        else:
            self._open_editor(None)

    def action_clear(self) -> None:
        """Back to the default; from there, left out."""
        row = self._row
        self._close_editor()
        if row is not None and row.what == "field":
            self.draft.clear(row.node)
            self._restructured(row.node)

    def action_null(self) -> None:
        """Send null; once more, not."""
        row = self._row
        self._close_editor()
        if row is None or row.what == "add":
            return
        if row.node.state is State.NULL:
            self.draft.clear(row.node)
        elif not self.draft.set_null(row.node):
            self._say("null is not allowed here")
            return
        self._restructured(row.node)

    def action_add(self) -> None:
        """Add an item or a key to what the cursor is at or in."""
        row = self._row
        self._close_editor()
        node = row.node if row is not None else None
        if node is not None and node.state is State.ABSENT and _has_fields_only(node):
            self.draft.include(node)
            self._restructured(node)
            return
        while node is not None and node.content.kind != "array" and not node.content.shape.takes_keys:
            node = node.around.field if node.around is not None else None
        if row is None or node is None:
            self._say("nothing can be added here")
            return
        holder = node.field
        if node.content.kind == "array":
            at = self._place_in(node.content, row.node)
            item = self.draft.add_item(node, at)
            if item is None:
                self._say("the schema allows no further item here")
                return
            holder.open = True
            self._restructured(item)
            if item.content.kind == "object" and is_open(item, 0):
                # Nothing can be typed into the item itself.
                self.action_go(1)
            elif item.content.kind in TEXT_KINDS:
                self._open_editor(None)
            return
        holder.open = True
        self._rebuild(None)
        place = next((index for index, each in enumerate(self._rows.rows) if self._adds_to(each, node)), None)
        if place is not None:
            self._rows.move_to(place)
            self._open_editor(None)

    def action_remove(self) -> None:
        """Take away an item, or a key that was added."""
        row = self._row
        self._close_editor()
        if row is None or row.what == "add" or not self.draft.remove(row.node):
            self._say("only items and added keys can be removed")
            return
        cursor = self._rows.cursor
        self._rebuild(None)
        if cursor is not None and self._rows.items:
            self._rows.move_to(min(cursor, self._rows.items - 1))
        self._changed()

    def action_shift(self, step: int) -> None:
        """Move an item up or down."""
        row = self._row
        self._close_editor()
        moved = self.draft.move(row.node, step) if row is not None and row.what == "field" else None
        if moved is not None:
            self._restructured(moved)

    @on(FieldRows.Moved)
    def _moved(self, event: FieldRows.Moved) -> None:
        event.stop()
        row = self._row
        self.draft.cursor = row.node if row is not None else None
        if self._editing is not None and row is not self._editing:
            self._close_editor()
        self._head()

    @on(FieldRows.Typed)
    def _typed(self, event: FieldRows.Typed) -> None:
        event.stop()
        row = self._row
        if row is None:
            return
        node = row.node
        content = node.content
        if row.what == "add" or (event.text == "+" and content.kind in {"array", "object"}):
            self.action_add() if event.text in {"+", " "} or row.node.content.kind == "object" else None
        elif content.kind in TEXT_KINDS or content.kind == "json":
            self._type(row, event.text, event.pasted)
        elif event.text == " ":
            self._cycle(node, 1) if content.kind in PICK_KINDS else self._fold(row, not is_open(node, row.depth))
        elif content.kind in PICK_KINDS:
            self._jump(node, event.text)

    @on(FieldRows.Clicked)
    def _clicked(self, event: FieldRows.Clicked) -> None:
        event.stop()
        self._close_editor()
        self._rows.focus()
        again = event.index == self._rows.cursor
        self._rows.move_to(event.index)
        row = self._row
        if row is None:
            return
        if event.part == "remove":
            self.action_remove()
        elif event.part in {"up", "down"}:
            self.action_shift(-1 if event.part == "up" else 1)
        elif event.part == "value" or (again and event.chain > 1):
            self.action_open()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        row = self._editing
        if row is None:
            return
        if row.what == "add":
            self._name_key(row.node, event.value)
        else:
            self.action_go(1)

    def _name_key(self, node: Node, key: str) -> None:
        made = self.draft.add_key(node, key)
        if isinstance(made, str):
            self._say(made)
            return
        self._close_editor()
        self._restructured(made)

    def _fold(self, row: Row, open: bool) -> None:
        if row.node.content.kind in {"object", "array"}:
            row.node.open = open
            self._rebuild(row.node)

    def _place_in(self, array: Node, node: Node) -> int | None:
        """Where a new item goes: behind the one at the cursor, else at the end."""
        while node.around is not None and node.around is not array:
            node = node.around.field
        members = array.members or []
        return next((index + 1 for index, member in enumerate(members) if member is node.field), None)

    @staticmethod
    def _adds_to(row: Row, node: Node) -> bool:
        return row.what == "add" and row.node.content is node.content

    @on(FieldEditor.Key)
    def _editor_key(self, event: FieldEditor.Key) -> None:
        event.stop()
        match event.key:
            case "escape":
                self.back()
            case "ctrl+u":
                self._close_editor()
                row = self._row
                if row is not None and row.what == "field":
                    self.draft.leave_out(row.node)
                    self._restructured(row.node)
            case "ctrl+d":
                self.action_remove()
            case "ctrl+e":
                self.action_full()
            case "ctrl+o":
                self.action_null()
            case "ctrl+g":
                self.action_add()
            case _:
                self.action_shift(-1 if event.key.endswith("up") else 1)


def _has_fields_only(node: Node) -> bool:
    return node.content.kind == "object" and not node.content.shape.takes_keys
