"""Where a conversation stands while nobody answers in it: whether something waits, and what can be done. Pure."""

from __future__ import annotations

from msgspec import Struct

from workbench.app.transcript.model import ThreadRows
from workbench.app.transcript.voices import no_model

GO_ON = "r goes on"
"""The key that has the model answer."""

BY_SCENE = "In this demo f8 plays what comes next; no model answers by itself."


class Standing(Struct, frozen=True):
    """`words` say what waits, nothing where nothing does; `can_go_on` that the model could answer it."""

    words: str = ""
    can_go_on: bool = False


def standing(rows: ThreadRows, model: str | None, waits: str | None, *, scene: bool = False) -> Standing:
    """How a thread stands in which no run lives. `waits` is a model that waits for the owner's yes.

    `scene` says that a demo goes on: what is said in it is answered by one of its next steps.
    """
    said = _waiting(rows)
    if not said:
        return Standing()
    if model is None and scene:
        return Standing(BY_SCENE)
    if model is None:
        return Standing(f"{said} {no_model(waits)}")
    return Standing(f"{said} {GO_ON}: {model} answers.", can_go_on=True)


def _waiting(rows: ThreadRows) -> str:
    run, spoken = rows.run, rows.spoken
    if spoken is None:
        return ""
    if run is None or spoken.seq > run.seq:
        if spoken.kind == "message" and not spoken.by_agent:
            return "Nobody answered this." if run is None or run.what == "ended" else _INTERRUPTED
        whole = spoken.kind == "message" and not spoken.broke_off
        return _INTERRUPTED if run is not None and run.what == "began" and spoken.by_agent and not whole else ""
    if run.what == "began":
        return _INTERRUPTED
    return _ENDED.get(run.text.partition(":")[0], "")


_INTERRUPTED = "This turn was interrupted: its process is gone."

_ENDED = {
    "aborted": "The turn was aborted.",
    "failed": "The turn failed.",
    "max_steps": "The turn had as many requests as it may have.",
    "max_tokens": "The turn had as many tokens as it may have.",
    "length": "The answer was cut by its length limit.",
}
"""What is said of a turn that ended before it was done, by the reason that its end gives."""
