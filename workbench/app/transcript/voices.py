"""The composer's three voices, and what each of them is about to do. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from workbench.app.transcript.commands import Command, parse
from workbench.app.transcript.host_calls import call_pieces, refusal
from workbench.app.transcript.host_commands import more_of
from workbench.app.transcript.host_commands import parse as parse_host
from workbench.app.transcript.rows import about, one_line
from workbench.harness.errors import HarnessError
from workbench.harness.log.events import Surface

Voice = Literal["message", "user", "agent"]


@dataclass(frozen=True, slots=True)
class VoiceWords:
    """How a voice is called, what it does, and what a line in it looks like."""

    name: str
    does: str
    example: str


VOICES: dict[Voice, VoiceWords] = {
    "agent": VoiceWords(
        "as the agent",
        "you play the model: what you touch is promoted · say TEXT speaks as it",
        'call search {"query": "notes"}',
    ),
    "message": VoiceWords(
        "message",
        "you speak to the agent; its model answers",
        "say something to the agent",
    ),
    "user": VoiceWords(
        "as you",
        "a verb of your own: the agent will see it, it promotes nothing",
        "read ~/memory/",
    ),
}
"""In the order in which the key goes through them."""

ON_MACHINE: dict[Voice, VoiceWords] = {
    "agent": VoiceWords(
        "as the agent",
        "you play the model: its tools act on the real machine · say TEXT speaks as it",
        "bash git status",
    ),
    "message": VOICES["message"],
    "user": VoiceWords(
        "as you",
        "a tool of your own, on the real machine, without asking: the agent will see it",
        "read README.md",
    ),
}
"""The same in a thread of the toolbox surface."""


def voices(surface: Surface, missing: str = "") -> dict[Voice, VoiceWords]:
    """The voices of a thread of that surface. `missing` says in a few words why nothing acts on the machine now."""
    if surface != "toolbox":
        return VOICES
    if not missing:
        return ON_MACHINE
    agent, user = (replace(ON_MACHINE[voice], does=f"nothing acts: {missing}") for voice in ("agent", "user"))
    return {**ON_MACHINE, "agent": replace(agent, does=f"{agent.does} · say TEXT speaks as it"), "user": user}


PLAY = "or play the agent: i, then ctrl+t until it says 'as the agent'."


def no_model(waits: str | None) -> str:
    """Why nobody answers a message, and what to do; `waits` is a model that waits for the owner's yes."""
    if waits is not None:
        return f"The model {waits} waits for your yes: 2, then p, then a at its line; {PLAY}"
    return f"No model is set, so nobody answers. Set one: 2, then s, model; or workbench --model openai:NAME; {PLAY}"


def message_words(model: str | None, waits: str | None, *, here: bool, elsewhere: bool) -> str:
    """What the voice *message* does now, for the line beneath the composer."""
    if here:
        return "what you say now waits for the agent's next request; esc aborts its turn"
    if elsewhere:
        return "another process answers in this thread; what you say waits for the agent's next request"
    if model is not None:
        return f"you speak to the agent; {model} answers"
    if waits is not None:
        return f"the model {waits} waits for your yes (2, then p): until then nobody answers; ctrl+t plays the agent"
    return "no model is set, so nobody answers: set one (2, then s), start with --model, or play it with ctrl+t"


def after(voice: Voice) -> Voice:
    """The next voice."""
    order = list(VOICES)
    return order[(order.index(voice) + 1) % len(order)]


SAY = re.compile(r"\s*say(?:\s+(?!\{)(?P<text>.*\S))?\s*", re.DOTALL)
"""A line that says something as the agent. With JSON behind it, it is a call of a tool that is called so."""

SPEAK_AS_AGENT = "To say it as the agent: say TEXT"


@dataclass(frozen=True, slots=True)
class Preview:
    """What a draft would do, in words; `command` is there when it is an act that can be done, `said` what is said."""

    says: str
    fault: bool = False
    command: Command | None = None
    said: str | None = None


def preview(voice: Voice, draft: str, surface: Surface = "verbs", missing: str = "") -> Preview:
    """What pressing enter would do."""
    if not draft.strip() or voice == "message":
        return Preview(voices(surface, missing)[voice].does)
    speaks = SAY.fullmatch(draft) if voice == "agent" else None
    if speaks is not None:
        text = speaks["text"]
        if text is None:
            return Preview("say needs what is said: say TEXT", fault=True)
        return Preview(f"enter: say {one_line(text, 120)[0]} · by the agent", said=text)
    try:
        read = parse_host if surface == "toolbox" else parse
        command = read(draft, SPEAK_AS_AGENT) if voice == "agent" else read(draft)
    except HarnessError as error:
        return Preview(one_line(error.message)[0], fault=True)
    by = "the agent, in a message of its own" if voice == "agent" else "you"
    if surface == "toolbox":
        refused = refusal(command.name, command.input)
        if refused:
            # Whoever plays the agent may want just that: it can be sent.
            return Preview(f"{command.name} will refuse it: {one_line(refused)[0]} · by {by}", command=command)
        what = "".join(text for text, _ in call_pieces(command.name, command.input, 120)[0])
    else:
        what, _ = one_line(f"{command.name} {about(command.name, command.input)}", 120)
    more = more_of(draft) if surface == "toolbox" else ""
    says = f"enter: {what} · by {by}{more and f' · {more}'}"
    if surface == "toolbox" and missing:
        says = f"nothing acts: {missing} · {says}"
    return Preview(says, command=command)
