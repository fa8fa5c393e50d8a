"""A refusal has the validator's own findings in it; what it makes of them follows the validator's sentences."""

from __future__ import annotations

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.space.schema import validate
from workbench.harness.space.schema.verdicts import MISSING, not_of_type, type_wanted
from workbench.harness.tools.toolbox.refusal import checked
from workbench.harness.tools.toolbox.registry import TOOLS


@pytest.mark.parametrize(
    "types", ["string", "number", "integer", "boolean", "array", "object", "null", ["string", "null"]]
)
def test_every_type_that_the_validator_asks_for_is_taken_out_of_its_sentence(types: str | list[str]) -> None:
    values = (1.5, "x", True, [], {}, None, "a, is b")
    said = [problem.message for value in values for problem in validate({"type": types}, value).errors]
    wanted = " or ".join([types] if isinstance(types, str) else types)
    assert said
    assert {type_wanted(message) for message in said} == {f"must be {wanted}"}


def test_other_sentences_stay_whole() -> None:
    for schema in ({"const": "a"}, {"const": True}, {"enum": ["a", "b"]}, {"minLength": 5}):
        (problem,) = validate(schema, "c").errors
        assert type_wanted(problem.message) is None
    assert type_wanted(not_of_type("string", "7")) == "must be string"


def test_what_is_missing_is_known_by_its_sentence() -> None:
    (problem,) = validate({"type": "object", "required": ["a"]}, {}).errors
    assert problem.message == MISSING


def test_a_refusal_gathers_what_is_missing_and_says_of_which_type_the_rest_is_to_be() -> None:
    with pytest.raises(HarnessError) as raised:
        checked(TOOLS["edit"], {"edits": [{"oldText": 7}, {}]})
    assert raised.value.message.split("\n\nReceived")[0].split("\n")[1:] == [
        "  - edits.0.newText: must have required properties newText",
        "  - edits.0.oldText: must be string",
        "  - edits.1.oldText: must have required properties oldText, newText",
        "  - path: must have required properties path",
    ]
