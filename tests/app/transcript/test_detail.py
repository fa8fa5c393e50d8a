"""An event, whole."""

from __future__ import annotations

import json

import pytest

from tests.app.transcript.made import TIME, call, message, result
from tests.canaries import CANARIES
from workbench.app.transcript.detail import detail_of
from workbench.app.widgets.text_view import PIECE_CHARS, TextLine
from workbench.harness.log.events import RequestSent
from workbench.harness.text import printable


def test_a_contract_is_shown_with_its_own_line_breaks() -> None:
    answer = {"status": "contract", "message": "Not executed.", "contract": "# x\n\nsecond line", "cid": "bafy"}
    detail = detail_of([call(1, "call", {"tool": "x"}), result(2, "call", answer)])
    texts = [line.text for line in detail.lines]
    at = texts.index("contract")
    assert texts[at : at + 4] == ["contract", "# x", "", "second line"]
    assert detail.lines[at].look == "heading"
    assert '  "contract": "↓ below",' in texts
    assert detail.title == "1 · agent · call x"


def test_of_a_request_it_is_said_what_shows_all_that_was_sent() -> None:
    sent = RequestSent(
        number=1, thread="demo", seq=1, time=TIME, actor="system", request="r", run="u", model="m", system="bafy",
        tools=(), messages=(), callables="bafy", bytes={},
    )  # fmt: skip
    assert detail_of([sent]).lines[0] == TextLine(
        "w shows it as the wire: what the model was sent, part by part", "quiet"
    )


def test_what_is_copied_is_exact() -> None:
    answer = {"status": "ok", "content": "a\n\x1b[31m"}
    detail = detail_of([result(2, "read", answer)])
    assert json.loads(detail.copy)["output"] == answer
    assert detail_of([message(1, "said\nso")]).copy == "said\nso"


def test_a_failure_is_told_in_its_own_words() -> None:
    detail = detail_of([result(2, "call", error={"code": "timeout", "message": "too long\nstderr"})])
    assert [line.text for line in detail.lines][-2:] == ["too long", "stderr"]
    assert "failed: timeout" in detail.lines[0].text


def test_a_line_of_any_length_is_shown_in_pieces() -> None:
    detail = detail_of([message(1, "x" * (3 * PIECE_CHARS + 1))])
    assert max(len(line.text) for line in detail.lines) == PIECE_CHARS


@pytest.mark.parametrize("text", CANARIES)
def test_nothing_in_it_steers_a_terminal(text: str) -> None:
    detail = detail_of([call(1, "call", {"tool": text, text: text}), result(2, "call", {"a": text, "b": f"{text}\n"})])
    assert all(printable(line.text) == line.text and "\n" not in line.text for line in detail.lines)
