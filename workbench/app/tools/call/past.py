"""The calls before, as lines of a list. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workbench.app.tools.directory import at_home
from workbench.app.widgets.lines.line import Line, Piece
from workbench.app.widgets.outline.twig import Twig
from workbench.harness.log.calls import PastCall
from workbench.harness.text import fold, printable

INPUT_CHARS = 120
"""How much of an input stands on its line."""

WORDS_CHARS = 160
"""How much is said of why a call failed."""

_WHO = {"user": "you", "agent": "agent", "system": "system", "trigger": "trigger"}

_STATES: Mapping[str, Piece] = {
    "ok": ("✓", "good"),
    "not_run": ("○", "strong"),
    "failed": ("✗", "bad"),
    "running": ("▶", "good"),
    "interrupted": ("?", "strong"),
}


class PastTwig(Twig, frozen=True):
    """The line of a past call."""

    call: PastCall | None = None


@dataclass(frozen=True, slots=True)
class Present:
    """What the past is held against: the present version, and the number of every version by its CID."""

    cid: str | None
    numbers: Mapping[str, int]

    def name(self, cid: str | None) -> str:
        """What a version is called beside the others."""
        if cid is None or self.cid is None:
            return ""
        if cid == self.cid:
            return "this version"
        return f"version {self.numbers[cid]}" if cid in self.numbers else f"…{cid[-6:]}"


def twig_of(call: PastCall, present: Present, accepted: bool | None) -> PastTwig:
    """A past call on a line. `accepted` says whether the present contract takes its input, None while unknown."""
    glyph, look = _STATES[call.outcome]
    word = call.code if call.outcome in ("failed", "not_run") else call.outcome
    if call.code == "cancelled":
        glyph, look = "■", "strong"
    version = present.name(call.cid)
    pieces: list[Piece] = [
        (f"{glyph} {printable(word)}", look),
        (f"  {call.duration_ms:,} ms" if call.duration_ms is not None else "", "quiet"),
        (f"  {call.time.replace('T', ' ')[:16]}  {_WHO[call.actor]}", ""),
        (f" in {call.thread}" if call.thread != "workshop" else "", "quiet"),
        (f"  {printable(at_home(call.cwd))}" if call.cwd is not None else "", "quiet"),
        (f"  {version}" if version else "", "quiet" if call.cid == present.cid else "strong"),
    ]
    rest: list[Line] = [(("given ", "quiet"), (_given(call), ""))]
    if call.outcome == "failed" and call.words:
        # What a schema refuses stands below the first line, which is the same for every refusal.
        said = call.words.split("\n", 1)[-1] if call.code == "bad_input" else call.words
        rest.append(((printable(fold(said.split("\n", 1)[0])[:WORDS_CHARS]), "quiet"),))
    if accepted is False:
        rest.append(((f"✗ {_refused(call)}", "bad"),))
    return PastTwig(f"call {call.number}", tuple(piece for piece in pieces if piece[0]), None, tuple(rest), call)


def _refused(call: PastCall) -> str:
    """What is said of an input that the present contract does not accept; only what ran was ever accepted."""
    if call.code == "bad_input":
        return "not accepted, then as now"
    if call.outcome == "not_run":
        return "the present contract does not accept this input"
    return "the present contract no longer accepts this input"


def _given(call: PastCall) -> str:
    if not call.preview:
        return "nothing"
    cut = len(call.preview) > INPUT_CHARS
    return printable(call.preview[:INPUT_CHARS]) + (f" … {call.size:,} characters in all" if cut else "")
