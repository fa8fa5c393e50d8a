"""From a form to the JSON that will be sent, and to what is wrong with it, each thing at its field."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.app.tools.call.form.draft import FormDraft
from workbench.app.tools.call.form.gathering import FieldProblem, Gather, Nothing
from workbench.harness.errors import HarnessError
from workbench.harness.space.schema import validate
from workbench.harness.space.schema.values import ROOT
from workbench.harness.strict_json import Json


@dataclass(frozen=True, slots=True)
class Assembled:
    """The JSON of a form. Where there are problems it is what there would be without the fields that have them."""

    value: Json
    problems: tuple[FieldProblem, ...]

    @property
    def ok(self) -> bool:
        """Whether it can be sent, as far as the form knows."""
        return not self.problems


def assemble(draft: FormDraft) -> Assembled:
    """Put the JSON together. A field whose text means nothing, and a required one that is absent, is a problem."""
    gather = Gather(raw=False)
    value = gather.value(draft.root, ())
    return Assembled({} if isinstance(value, Nothing) else value, tuple(gather.problems))


def verify(schema: Json, assembled: Assembled) -> tuple[FieldProblem, ...]:
    """All problems: those of the form, and what the schema says of the whole. This may take a moment."""
    try:
        verdict = validate(schema, assembled.value)
    except HarnessError as error:
        return (*assembled.problems, FieldProblem(ROOT, error.message))
    known = {problem.path for problem in assembled.problems}
    further = [FieldProblem(error.path, error.message) for error in verdict.errors if error.path not in known]
    return (*assembled.problems, *further)
