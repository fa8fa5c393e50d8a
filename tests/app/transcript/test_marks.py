"""What promotion looks like, made from the core's own answer."""

from __future__ import annotations

from tests.app.transcript.made import call, result
from workbench.app.transcript.marks import Given, given_tools, marks_of, summary
from workbench.app.transcript.model import ThreadRows
from workbench.harness.log.promotion import Promoted, Promotion, Withheld
from workbench.harness.names import VERBS
from workbench.harness.tools.callables import ToolState

PROMOTION = Promotion(
    (*VERBS, "x"),
    (Promoted("x", 1, "bafyreinewerversionofx"),),
    (Withheld("bash", 3, "unknown"), Withheld("y", 9, "not_granted")),
)


def rows() -> ThreadRows:
    made = ThreadRows("demo")
    contract = {"status": "contract", "executed": False, "contract": "c", "cid": "bafyreiolderversionofx"}
    made.read([call(1, "call", {"tool": "x"}), result(2, "call", contract), call(3, "bash", {})])
    return made


def test_a_mark_stands_under_the_event_that_named_the_tool() -> None:
    marks = marks_of(PROMOTION)
    assert marks[1, "x"].text == "▲ x promoted: the provider gets it from the next request on"
    assert marks[3, "bash"].text == "△ bash withheld: unknown"
    assert not marks[3, "bash"].promoted


def test_the_panel_tells_event_version_and_reason() -> None:
    state = ToolState("y", "builtin", "c", "s", False, False, "not_granted", "Grant it.")
    x, bash, y = given_tools(PROMOTION, rows(), {"y": state}, None)
    assert x.promoted
    assert x.says[0].startswith("event 1 · bafyr…")
    assert "contract out of date" in x.says[1]
    assert bash == Given("bash", 3, ("event 3 · unknown", "There is no tool of that name."), False)
    assert y.says == ("from the thread it went on from · not_granted", "Grant it.")
    assert y.seq is None


def test_as_of_a_moment_before_any_contract_nothing_is_out_of_date() -> None:
    assert len(given_tools(PROMOTION, rows(), {}, 1)[0].says) == 1


def test_all_of_it_in_one_line() -> None:
    assert summary(PROMOTION) == "provider: 5 verbs + 1 promoted · ▲ x · withheld △ bash △ y"
