"""What is given to a tool: filled into a form or written as JSON, the one turned into the other without loss."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal as OneOf

from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.message import Message
from textual.widgets import ContentSwitcher, TextArea

from workbench.app.tools.call.form.assembling import assemble, verify
from workbench.app.tools.call.form.draft import FormDraft
from workbench.app.tools.call.form.gathering import FieldProblem
from workbench.app.tools.call.form.view import FormView
from workbench.app.tools.call.preview import Preview
from workbench.app.widgets.code import CodeArea
from workbench.app.widgets.literal import Literal, literal
from workbench.harness.errors import HarnessError
from workbench.harness.space.schema import Problem, validate
from workbench.harness.strict_json import Json, parse, pretty

AT_ONCE_CHARS = 64 * 1024
"""A longer text is read in a thread."""

Face = OneOf["form", "input"]
"""The form, or the JSON."""


class Refused(Exception):
    """What is given cannot be sent: `what` is wrong, and `problems` at their places."""

    def __init__(self, what: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(what)
        self.what = what
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Typed:
    """What stands in the input: the face that is seen, the form, and the JSON as text.

    `from_form` is the text that the form gave; while nobody changed it, the form as it was is what it says.
    """

    face: Face
    draft: FormDraft
    text: str
    from_form: str

    @property
    def touched(self) -> bool:
        """Whether a person gave anything."""
        return self.draft.touched or (self.face == "input" and self.text != self.from_form)

    def rebased(self, schema: Json) -> Typed:
        """The same for another version of the contract."""
        return Typed(self.face, self.draft.rebase(schema), self.text, self.from_form)


class InputArea(Vertical):
    """Two faces of one input. In the form, the JSON that it makes stands beside it, or below, where there is room."""

    DEFAULT_CSS = """
    InputArea { height: 1fr; }
    InputArea > #given-both { height: 1fr; layout: vertical; }
    InputArea #given-both > ContentSwitcher { height: 1fr; width: 1fr; }
    InputArea Preview { display: none; }
    InputArea.-beside Preview { display: block; width: 34; height: 1fr; border-left: vkey $border-blurred; }
    InputArea.-beside > #given-both { layout: horizontal; }
    InputArea.-below Preview { display: block; height: 35%; width: 1fr; min-height: 3; max-height: 14; }
    InputArea > #given-fault { height: auto; max-height: 3; padding: 0 1; display: none; }
    InputArea.-fault > #given-fault { display: block; }
    """

    class Faced(Message):
        """The other face is seen."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._schema: Json = {}
        self._from_form = ""
        self._wanted: bool | None = None

    def compose(self) -> ComposeResult:
        """Form and JSON, what the form makes, and what is wrong with the JSON."""
        with Container(id="given-both"):
            with ContentSwitcher(initial="form"):
                yield FormView(id="form")
                yield CodeArea(id="input", code="json", wrap=True)
            yield Preview(id="preview")
        yield Literal(id="given-fault")

    def on_mount(self) -> None:
        # Whoever is done with the JSON goes on to what came of it; nobody indents by hand here.
        self._area.tab_behavior = "focus"

    def on_resize(self) -> None:
        """Show what the form makes where there is room."""
        self._lay_out()

    # From the pane ----------------------------------------------------------------------------------------------

    @property
    def face(self) -> Face:
        """Which face is seen."""
        return "input" if self.query_one(ContentSwitcher).current == "input" else "form"

    @property
    def faces(self) -> str:
        """What the faces are called, the present one first."""
        return "form · f3 JSON" if self.face == "form" else "JSON · f3 form"

    @property
    def form(self) -> FormView:
        """The form."""
        return self.query_one(FormView)

    def open(self, schema: Json, typed: Typed | None) -> None:
        """Be about a schema, with what was given for it, or begin anew."""
        self._schema = schema
        self._fault("")
        self.form.open(schema, typed.draft if typed else None)
        self._from_form = typed.from_form if typed else ""
        self._area.put(typed.text if typed else "", "json")
        self._go(typed.face if typed else "form")

    def typed(self) -> Typed:
        """What stands here now."""
        return Typed(self.face, self.form.draft, self._area.text, self._from_form)

    async def read(self) -> Json:
        """The JSON that is to be sent.

        Raises:
            Refused: it cannot be sent; the form shows each problem at its field.
        """
        if self.face == "form":
            found = await self.form.attempt()
            if found.ok:
                return found.value
            count = len(found.problems)
            what = f"{'One field is' if count == 1 else f'{count:,} fields are'} not right yet, so nothing was run."
            raise Refused(what, [_problem(problem) for problem in found.problems])
        text = self._area.text.strip() or "{}"
        try:
            return await asyncio.to_thread(_parse, text) if len(text) > AT_ONCE_CHARS else _parse(text)
        except HarnessError as error:
            raise Refused(error.message) from error

    async def problems(self) -> tuple[Problem, ...]:
        """What the schema makes of it; nothing is marked and nothing moves."""
        schema = self._schema
        try:
            if self.face == "form":
                assembled = assemble(self.form.draft)
                return tuple(_problem(problem) for problem in await asyncio.to_thread(verify, schema, assembled))
            value = await self.read()
            return (await asyncio.to_thread(validate, schema, value)).errors
        except Refused as refused:
            return refused.problems or (Problem("$", refused.what),)
        except HarnessError as error:
            return (Problem("$", error.message),)

    def put(self, value: Json) -> None:
        """Give this, in the face that is seen."""
        self._fault("")
        if self.face == "form":
            self.form.take_json(value)
        else:
            self._area.put(pretty(value), "json")

    def mark(self, problems: Sequence[Problem]) -> None:
        """Show at the fields of the form what a call said is wrong."""
        if self.face == "form":
            self.form.mark(tuple(FieldProblem(problem.path, problem.message) for problem in problems))

    def focus_content(self) -> None:
        """Take the keys."""
        self.form.focus_content() if self.face == "form" else self._area.focus()

    def hold(self, words: str) -> None:
        """Say of the form that it is not ready, because of something that stands beside it; empty: it is none."""
        self.form.hold(words)
        self._draw()

    @property
    def leaves(self) -> bool:
        """Whether a line of the form is typed into."""
        return self.face == "form" and self.form.editing

    def back(self) -> bool:
        """Leave the line of the form that is typed into."""
        return self.face == "form" and self.form.back()

    # Between the faces ------------------------------------------------------------------------------------------

    def switch(self) -> None:
        """To the other face, with what was given."""
        if self.face == "form":
            self._from_form = self.form.to_json_text()
            self._area.put(self._from_form, "json")
            left = [problem for problem in assemble(self.form.draft).problems if not problem.missing]
            self._go("input")
            self._area.focus()
            if left:
                names = ", ".join(problem.path for problem in left[:3])
                self._fault(f"What stands in {names} cannot be sent, so it is not in this JSON; the form keeps it.")
        else:
            self.run_worker(self._to_form(), name="read the JSON", group="face", exclusive=True, exit_on_error=False)

    async def _to_form(self) -> None:
        try:
            if self._area.text != self._from_form:
                self.form.take_json(await self.read())
        except Refused as refused:
            self._fault(f"{refused.what} The form needs JSON; nothing of yours is lost.")
            return
        except HarnessError as error:
            self._fault(error.message)
            return
        self._fault("")
        self._go("form")
        self.form.focus_content()

    def toggle_preview(self) -> None:
        """Show or hide what the form makes, whatever room there is."""
        self._wanted = not (self.has_class("-beside") or self.has_class("-below"))
        self._lay_out()

    # Inside -----------------------------------------------------------------------------------------------------

    @property
    def _area(self) -> CodeArea:
        return self.query_one("#input", CodeArea)

    def _go(self, face: Face) -> None:
        self.query_one(ContentSwitcher).current = face
        self._lay_out()
        self.post_message(self.Faced())

    def _lay_out(self) -> None:
        width, height = self.size
        beside, below = width >= 76, height >= 16
        if self._wanted is True:
            beside, below = width >= 60, True
        shown = self.face == "form" and self._wanted is not False
        self.set_class(shown and beside, "-beside")
        self.set_class(shown and below and not beside, "-below")
        self._draw()

    def _draw(self) -> None:
        preview = self.query_one(Preview)
        if self.has_class("-beside") or self.has_class("-below"):
            preview.follow(self.form)

    def _fault(self, words: str) -> None:
        self.query_one("#given-fault", Literal).show(literal(f"✗ {words}", "$text-error"))
        self.set_class(bool(words), "-fault")

    @on(FormView.Changed)
    def _changed(self, event: FormView.Changed) -> None:
        event.stop()
        self._draw()

    @on(TextArea.Changed, "#input")
    def _written(self, event: TextArea.Changed) -> None:
        event.stop()
        if self.has_class("-fault") and self._area.text != self._from_form:
            self._fault("")


def _parse(text: str) -> Json:
    return parse(text, what="the input")


def _problem(problem: FieldProblem) -> Problem:
    return Problem(problem.path, problem.message)
