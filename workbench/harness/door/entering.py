"""What may enter: who acts and where, under which name, with how much. What is refused here leaves no event."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from workbench.harness import strict_json
from workbench.harness.errors import HarnessError
from workbench.harness.identity import WORKSHOP, new_id, thread_id
from workbench.harness.log.events import ACTORS, Actor
from workbench.harness.log.payloads import dumps
from workbench.harness.space.memory import MAX_FILE_BYTES
from workbench.harness.verbs.carried import split

MAX_NAME_BYTES = 256
"""How long the name of a direct call may be: long enough for whatever a model makes up, short enough to show."""

MAX_MESSAGE_BYTES = 1024 * 1024
"""How long something that is said may be."""


def who_and_where(actor: str, thread: str | None) -> tuple[Actor, str]:
    """Who acts, and in which thread: the owner's acts without one are in the workshop.

    Raises:
        HarnessError: `bad_input` for an unknown actor, and where one that needs a thread names none or no good one.
    """
    if actor not in ACTORS:
        raise HarnessError("bad_input", f"Nobody acts as {actor!r}. Actors are {', '.join(ACTORS)}.")
    if thread is None:
        if actor != "user":
            raise HarnessError("bad_input", f"An act as {actor} names its thread, for example demo-1.")
        return "user", WORKSHOP
    return cast(Actor, actor), thread_id(thread)


def message_id(message: str | None) -> str:
    """The id of the message that an act belongs to; a new one where it names none. Raises HarnessError `bad_input`."""
    if message is None:
        return new_id("message")
    strict_json.check(message, what="the message id")
    if not message or len(message.encode("utf-8")) > MAX_NAME_BYTES:
        raise HarnessError("bad_input", f"A message id has 1 to {MAX_NAME_BYTES} bytes.")
    return message


def check_said(text: str) -> None:
    """Refuse what cannot be said. Raises HarnessError `bad_input` or `limit`."""
    strict_json.check(text, what="the message")
    if not text.strip():
        raise HarnessError("bad_input", "The message is empty. Say something.")
    if len(text.encode("utf-8")) > MAX_MESSAGE_BYTES:
        raise HarnessError("limit", f"A message has at most {MAX_MESSAGE_BYTES} bytes; put the rest into a file.")


async def check_act(name: object, input: Any) -> None:
    """Refuse an act that could not even be logged. Raises HarnessError `bad_input` or `limit`."""
    if not isinstance(name, str) or not name or len(name.encode("utf-8", "replace")) > MAX_NAME_BYTES:
        raise HarnessError("bad_input", f"An act has a name of 1 to {MAX_NAME_BYTES} bytes: a verb or a tool.")
    strict_json.check(name, what="the name")
    # A large input takes a while to look through; whoever draws a screen must not wait for that.
    await asyncio.to_thread(_check_input, name, input)


async def check_secrets(name: str, input: Any) -> None:
    """Refuse an act on the Space that would put a secret into the log. Raises HarnessError `refused`."""
    # Only acts need it, and whoever opens the app waits for what is loaded before.
    from workbench.harness.verbs.unlogged import refuse_before_logging

    await asyncio.to_thread(refuse_before_logging, input, name)


def _check_input(name: str, input: Any) -> None:
    """Refuse what is no JSON, too deep, or too large.

    What an act carries (a call's own input, a write's content) has the whole of each limit for itself; the frame
    around it is measured apart.
    """
    frame, carried = split(name, input)
    strict_json.check(frame, what="the input")
    _limit(len(dumps(frame).encode("utf-8")), "The input")
    if isinstance(carried, str):
        strict_json.check(carried, what="the content")
        _limit(len(carried.encode("utf-8")), "The content")
    elif carried is not None:
        strict_json.check(carried, what="the input" if name == "call" else "the content")
        _limit(len(dumps(carried).encode("utf-8")), "The input" if name == "call" else "The content")


def _limit(size: int, what: str) -> None:
    if size > MAX_FILE_BYTES:
        raise HarnessError("limit", f"{what} has {size} bytes; at most {MAX_FILE_BYTES} are taken. Nothing was done.")
