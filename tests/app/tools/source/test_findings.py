"""What is found in a draft: each fault with its part, its line and its column."""

from __future__ import annotations

import pytest

from workbench.app.tools.source.drafts import Draft
from workbench.app.tools.source.findings import MAX_FAULTS, look_over
from workbench.app.tools.source.templates import TEMPLATES
from workbench.harness.errors import HarnessError
from workbench.harness.tools.lambdas import interpreters

SOUND = TEMPLATES[0].draft("hello")


def rest(text: str) -> Draft:
    """A draft with another contract."""
    return SOUND.edited("rest", text)


@pytest.mark.parametrize(
    ("draft", "place", "weight", "words"),
    [
        (rest('{\n  "runtime": "python",\n}'), "contract 3:1", "refused", "Remove the comma"),
        (rest('{"runtime": "python",\n "runtime": "python"}'), "contract 2:2", "refused", "twice"),
        (rest('{"runtime": "python", "input": NaN}'), "contract 1:32", "refused", "NaN"),
        (rest("[]"), "contract 1:1", "refused", "JSON object"),
        (
            rest('{"runtime": "python",\n "input": {"properties": {\n  "n": {"type": "integr"}}}}'),
            "contract 3:9",
            "refused",
            "input: must be one of array",
        ),
        (
            rest('{"runtime": "python", "output": {"items":\n [1]}}'),
            "contract 1:34",
            "refused",
            "output: must be a schema",
        ),
        (rest('{"runtime": "python",\n "input": {"type": "array"}}'), "contract 2:2", "refused", "object root"),
        (
            rest('{"runtime": "python", "input": {"properties": {"a": {\n"$ref": "#/nowhere"}}}}'),
            "contract 2:1",
            "refused",
            "nowhere",
        ),
        (rest('{"runtime": "python",\n  "summry": "x"}'), "contract 2:3", "refused", "summary"),
        (rest('{\n "runtime": "cobol"}'), "contract 2:2", "refused", "typescript or python"),
        (rest(f'{{"runtime": "python",\n "summary": "{"x" * 141}"}}'), "contract 2:2", "refused", "141 code points"),
        (SOUND.edited("description", " "), "description 1:1", "refused", "blank description"),
        (SOUND.edited("description", "x" * 20_000), "description 1:1", "refused", "20000 bytes"),
        (SOUND.edited("source", ""), "source 1:1", "refused", "blank source"),
        (SOUND.edited("source", "x = (\n"), "source 1:5", "wrong", "never closed"),
        (SOUND.edited("source", "x = 1\n"), "source 1:1", "wrong", "no function `main(input)`"),
        (
            rest('{"runtime": "typescript"}').edited("source", "let x = ;"),
            "source 1:9",
            "wrong",
            "Expression expected",
        ),
        (
            rest('{"runtime": "python", "input": {"properties": {"a": {\n "pattern": "(?=x)"}}}}'),
            "contract 2:2",
            "note",
            "cannot be checked",
        ),
        (
            rest('{"runtime": "python", "input": {\n "anyOf": [{"type": "object"}]}}'),
            "contract 1:23",
            "note",
            "input: ",
        ),
    ],
)
async def test_a_fault_is_told_with_its_place(draft: Draft, place: str, weight: str, words: str) -> None:
    first, *_ = (await look_over(draft)).faults
    assert words in first.message
    assert (first.place, first.weight) == (place, weight)


async def test_a_sound_draft_has_no_faults() -> None:
    findings = await look_over(SOUND)
    assert findings.faults == ()
    assert findings.judgement.cid is not None
    assert findings.unchecked == ""


async def test_whatever_refuses_comes_before_what_is_only_wrong_and_notes_come_last() -> None:
    contract = '{"runtime": "python", "input": {"properties": {"a": {"pattern": "(?=x)"}}}, "output": 3}'
    findings = await look_over(rest(contract).edited("source", "x = 1"))
    assert [fault.weight for fault in findings.faults] == ["refused", "wrong", "note"]


async def test_of_very_many_faults_only_some_are_told() -> None:
    properties = ", ".join(f'"p{number}": 1' for number in range(500))
    findings = await look_over(rest(f'{{"runtime": "python", "input": {{"properties": {{{properties}}}}}}}'))
    assert 0 < len(findings.faults) <= MAX_FAULTS


async def test_what_cannot_be_checked_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> interpreters.Interpreter:
        raise HarnessError("unavailable", "Deno, which runs TypeScript, is not installed.")

    monkeypatch.setattr(interpreters, "deno", none)
    findings = await look_over(rest('{"runtime": "typescript"}'))
    assert "Deno" in findings.unchecked
    assert findings.faults == ()
    assert findings.judgement.problem is None
