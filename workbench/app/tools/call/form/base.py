"""The form on the screen: its rows, what is wrong with it, and the JSON that it makes."""

from __future__ import annotations

import asyncio

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.message import Message
from textual.timer import Timer

from workbench.app.tools.call.form.assembling import Assembled, assemble, verify
from workbench.app.tools.call.form.draft import FormDraft
from workbench.app.tools.call.form.field_editor import FieldEditor
from workbench.app.tools.call.form.field_rows import FieldRows
from workbench.app.tools.call.form.gathering import FieldProblem
from workbench.app.tools.call.form.head import Head
from workbench.app.tools.call.form.hints import hint, notices, standing
from workbench.app.tools.call.form.locating import every_field, locate
from workbench.app.tools.call.form.node import Node
from workbench.app.tools.call.form.painting import Setting
from workbench.app.tools.call.form.rows import Row, rows_of
from workbench.app.widgets.literal import Literal, OneLine, parts
from workbench.harness.strict_json import Json, pretty

CHECK_AFTER = 0.15
"""Seconds without a change after which the whole is held against its schema."""


class FormBase(Vertical):
    """A form for one schema. Everything in it is in `draft`, which somebody may keep and open again."""

    DEFAULT_CSS = """
    FormBase { height: 1fr; width: 1fr; background: $surface; }
    FormBase > .notices { width: 1fr; height: auto; max-height: 5; padding: 0 1; display: none; }
    FormBase.-notices > .notices { display: block; }
    FormBase > Container { height: 1fr; width: 1fr; layers: base editor; overflow: hidden; }
    """

    class Changed(Message, namespace="form_view"):
        """Something in the form changed, or is known of it now; its JSON may be different."""

        def __init__(self, form: FormBase) -> None:
            super().__init__()
            self.form = form

        @property
        def control(self) -> FormBase:
            """The form."""
            return self.form

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.draft = FormDraft({"type": "object"})
        """What is filled in."""
        self._assembled = Assembled({}, ())
        self._problems: tuple[FieldProblem, ...] = ()
        self._marked: tuple[FieldProblem, ...] = ()
        self._strict = False
        self._editing: Row | None = None
        self._check: Timer | None = None
        self._said = ""
        self._held = ""
        self._noticed: list[tuple[str, str]] = []

    def compose(self) -> ComposeResult:
        """A line that says what to do, what is to be known of the form, and the fields."""
        yield OneLine(classes="head")
        yield Literal(classes="notices")
        with Container():
            yield FieldRows()
            yield FieldEditor()

    def open(self, schema: Json, draft: FormDraft | None = None) -> None:
        """Show a form for a schema: a draft that was kept, also one of an older schema, or a new one."""
        self._close_editor()
        if draft is None:
            draft = FormDraft(schema)
        elif draft.schema != schema:
            draft = draft.rebase(schema)
        self.draft = draft
        # What was wrong with another form is not looked for in this one.
        self._marked = self._problems = ()
        self._strict = False
        self._rows.begin()
        new = self.draft.cursor is None
        self._rebuild(self.draft.cursor)
        self._changed()
        if new:
            self._begin_at_missing()

    def _begin_at_missing(self) -> None:
        """Begin where something has to be filled in."""
        missing = tuple(problem for problem in self._assembled.problems if problem.missing)
        at = locate(self.draft.root, missing).at
        first = next((row.node for row in self._rows.rows if row.what == "field" and id(row.node) in at), None)
        if first is not None:
            self._rebuild(first)

    @property
    def value(self) -> Json:
        """The JSON that would be sent; None while there is none."""
        return self._assembled.value if self._assembled.ok else None

    @property
    def problems(self) -> tuple[FieldProblem, ...]:
        """What keeps it from being sent, as far as is known now."""
        return self._problems

    def to_json_text(self) -> str:
        """The JSON that would be sent, for people. Fields that cannot be sent are not in it."""
        return pretty(self._assembled.value)

    @property
    def editing(self) -> bool:
        """Whether a field is typed into."""
        return self._editing is not None

    @property
    def held(self) -> bool:
        """Whether something that stands beside the form keeps it from being sent."""
        return bool(self._held)

    def hold(self, words: str) -> None:
        """Say that something beside the form keeps it from being sent; empty: nothing does."""
        if words != self._held:
            self._held = words
            self._head()

    def take_json(self, value: Json) -> None:
        """Put a JSON value into the form, losing nothing of it. Raises HarnessError when it is not JSON."""
        self._close_editor()
        self.draft.take(value)
        self._marked = ()
        self._rebuild(None)
        self._changed()

    async def attempt(self) -> Assembled:
        """Check everything now, because it shall be sent. What is wrong is marked, and the first such field shown."""
        self._close_editor()
        self._strict = True
        self._changed(check=False)
        draft, assembled = self.draft, self._assembled
        problems = await asyncio.to_thread(verify, draft.schema, assembled)
        if draft is self.draft and assembled is self._assembled:
            self._found(problems)
            self._show_first(problems)
        return Assembled(assembled.value, problems)

    def mark(self, problems: tuple[FieldProblem, ...]) -> None:
        """Show what a call said is wrong, each thing at its field, until something is changed."""
        self._marked = problems
        self._strict = True
        self._locate()
        self._show_first(problems)

    @property
    def _wrong(self) -> tuple[FieldProblem, ...]:
        """What is wrong, each thing once: what a call is refused for may be known here already."""
        found = {(problem.path, problem.message): problem for problem in (*self._marked, *self._problems)}
        return tuple(found.values())

    @property
    def _rows(self) -> FieldRows:
        return self.query_one(FieldRows)

    @property
    def _row(self) -> Row | None:
        rows, cursor = self._rows.rows, self._rows.cursor
        return rows[cursor] if cursor is not None and cursor < len(rows) else None

    def _rebuild(self, cursor: Node | None) -> None:
        """The rows are others now."""
        rows = rows_of(self.draft)
        places = {id(row.node): index for index, row in reversed(list(enumerate(rows))) if row.what == "field"}
        place = places.get(id(cursor), self._rows.cursor) if cursor is not None else self._rows.cursor
        self._rows.put(rows, place if place is not None else 0)
        self._locate()

    def _restructured(self, node: Node) -> None:
        self._rebuild(node.field)
        self._changed()

    def _after(self, node: Node) -> None:
        """A field has another value; what it is in may be there now."""
        around = node.field.around
        while around is not None:
            index = self._index_of(around.field)
            if index is not None:
                self._rows.again(index)
            around = around.field.parent
        index = self._index_of(node.field)
        if index is not None:
            self._rows.again(index)
        self._changed()

    def _index_of(self, node: Node) -> int | None:
        rows, cursor = self._rows.rows, self._rows.cursor
        if cursor is not None and cursor < len(rows) and rows[cursor].node is node:
            return cursor
        return next((index for index, row in enumerate(rows) if row.node is node and row.what == "field"), None)

    def _changed(self, *, check: bool = True) -> None:
        self._assembled = assemble(self.draft)
        self._marked = ()
        self._found(self._assembled.problems)
        if check:
            if self._check is not None:
                self._check.stop()
            self._check = self.set_timer(CHECK_AFTER, self._start_check)
        self.post_message(self.Changed(self))

    def _start_check(self) -> None:
        self.run_worker(self._verify(), name="check the input", group="form", exclusive=True, exit_on_error=False)

    async def _verify(self) -> None:
        draft, assembled = self.draft, self._assembled
        problems = await asyncio.to_thread(verify, draft.schema, assembled)
        if draft is self.draft and assembled is self._assembled and problems != self._problems:
            self._found(problems)
            self.post_message(self.Changed(self))

    def _found(self, problems: tuple[FieldProblem, ...]) -> None:
        self._problems = problems
        self._locate()

    def _locate(self) -> None:
        """Show what is wrong where it is."""
        rows = self._rows
        located = locate(self.draft.root, self._wrong)
        before = rows.setting
        rows.setting = Setting(before.names, located.at, located.inside, self._strict)
        if before.problems != located.at or before.inside != located.inside or before.strict != self._strict:
            rows.rebreak()
        said = notices(self.draft, located.rest)
        if said != self._noticed:
            self._noticed = said
            self.set_class(bool(said), "-notices")
            lines = [piece for words, look in said for piece in ((words, look), "\n")]
            self.query_one(".notices", Literal).show(parts(*lines[:-1]))
        self._head()
        self._place_editor()

    def _head(self) -> None:
        rows = [row for row in self._rows.rows if row.what == "field"]
        cursor = self._rows.cursor
        at = sum(row.what == "field" for row in self._rows.rows[: (cursor or 0) + 1]) if rows else 0
        words, look = standing(self._wrong, strict=self._strict, held=self._held)
        right = parts((words, look), f"  {at:,} of {len(rows):,}" if rows else "")
        words = self._said or hint(self._row, editing=self._editing is not None)
        left = parts((words, "$text-warning" if self._said else "$text-muted"))
        self.query_one(".head", OneLine).show(Head(left, right))

    def _show_first(self, problems: tuple[FieldProblem, ...]) -> None:
        """Unfold and go to the first field that has a problem."""
        at = locate(self.draft.root, problems).at
        for node in reversed(list(every_field(self.draft.root))):
            if id(node) in at:
                around = node.around
                while around is not None:
                    around.field.open = True
                    around = around.field.parent
                self._rebuild(node)
                return

    def _say(self, words: str) -> None:
        """Say why something was not done, until the next key."""
        self._said = words
        self._head()

    def on_key(self) -> None:
        self._said = ""

    def _close_editor(self) -> None:
        """End typing into a field; what was typed stays."""

    def _place_editor(self) -> None:
        """Rows are at other places: what lies over one of them must follow."""
