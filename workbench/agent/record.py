"""A thread's events as a scene file, whose agent gives the same answers again. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

import tomlkit
from tomlkit.items import InlineTable, Item, String

from workbench.agent.models.model import Answer
from workbench.agent.recorded import spoken
from workbench.agent.scene import MAX_SCENE_BYTES
from workbench.harness import strict_json
from workbench.harness.errors import HarnessError
from workbench.harness.log.events import Event, Message, ToolCall
from workbench.harness.log.payloads import dumps
from workbench.harness.log.transcript import subject
from workbench.harness.strict_json import as_object
from workbench.harness.text import cut_bytes, fold, printable

HEAD = (
    "Recorded by the workbench: what the owner and the agent said and did, without what the harness answered.",
    "The lambdas and the files of memory that were there are not in here. Add [[lambdas]] and [[files]] where this is",
    "to be shown where they are not. As a model, scripted:FILE, the agent gives the same answers again.",
)
"""The comment at the head of the file."""

MAX_CAPTION_BYTES = 160

_MAX_INLINE_DEPTH = 6
_MAX_INLINE_ITEMS = 100
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
_ON_ONE_LINE = re.compile(r'[\x00-\x1f\x7f-\x9f"\\]')
# Readers leave a line break away that stands right behind the opening quotes, and take three quotes for the end.
_ON_MANY_LINES = re.compile(r'\A\n|[\x00-\x09\x0b-\x1f\x7f-\x9f\\]|"(?=""|\Z)|(?<=")"')


def scene_of(events: Iterable[Event], title: str = "A recording") -> str:
    """The text of a scene file, whose steps are what the owner and the agent said and did in these events.

    An answer of nothing but thoughts is left out: a scene has no words for it.

    Raises:
        HarnessError: `bad_input` when nobody did anything, or an event or the title holds what no file can (half a
            character); `limit` when an input is nested too deep, or the text would be longer than a scene may be.
    """
    strict_json.check(title, what="The title")
    events = list(events)
    steps = list(_steps(events))
    if not steps:
        raise HarnessError("bad_input", "Nothing was said or done here yet, so there is no scene in it.")
    document = tomlkit.document()
    for line in HEAD:
        document.add(tomlkit.comment(line))
    document.add(tomlkit.nl())
    document.add("title", _text(fold(title).strip() or "A recording"))
    document.add("thread", _text(events[-1].thread))
    if any(event.surface == "toolbox" for event in events):
        document.add("surface", _text("toolbox"))
    # Each step is written alone: the library looks a whole document through for each table that is added.
    parts = [tomlkit.dumps(document), *map(_alone, steps)]
    text = "\n".join(parts)
    if len(text.encode("utf-8")) > MAX_SCENE_BYTES:
        raise HarnessError("limit", f"The scene would have over {MAX_SCENE_BYTES} bytes, which is more than one may.")
    return text


def _alone(step: Mapping[str, Any]) -> str:
    """The text of one step. Built by hand, because the library would put tables behind the rest."""
    table, document = tomlkit.table(), tomlkit.document()
    steps: Any = tomlkit.aot()
    for key, value in step.items():
        table.append(key, value)
    steps.append(table)
    document.append("steps", steps)
    return tomlkit.dumps(document)


def _steps(events: list[Event]) -> Iterator[Mapping[str, Any]]:
    answered: dict[int, tuple[str, Mapping[str, Any]]] = {}
    for number, one in enumerate(spoken(events), 1):
        shown = [place for place in one.places if _shows(events[place])]
        for place in shown:
            around = _around(one.answer, place == shown[0], place == shown[-1])
            answered[place] = (f"answer-{number}", around)
    for place, event in enumerate(events):
        if place in answered:
            yield _step(event, "agent", *answered[place])
        elif _shows(event) and _owns(event):
            yield _step(event, "user", None, {})


def _shows(event: Event) -> bool:
    """Whether a step can hold this: an act, or something with words."""
    return isinstance(event, ToolCall) or (isinstance(event, Message) and event.text != "")


def _owns(event: Event) -> bool:
    """Whether the owner said or did this, or a trigger in their name. What the harness itself said is no act."""
    if isinstance(event, Message):
        return event.role == "user" and event.actor != "system" and bool(event.text.strip())
    return event.actor == "user"


def _around(answer: Answer, first: bool, last: bool) -> dict[str, Any]:
    """What the first step of an answer tells of its beginning, and the last of its end."""
    told: dict[str, Any] = {}
    thoughts = [thought.text for thought in answer.thinking if thought.text]
    if first and thoughts:
        told["thinking"] = thoughts
    if last and answer.finish in ("length", "refusal"):
        told["finish"] = answer.finish
    return told


def _step(event: Event, actor: str, message: str | None, around: Mapping[str, Any]) -> Mapping[str, Any]:
    who = "The agent" if actor == "agent" else "The owner"
    where = f"Event {event.thread}/{event.seq}"
    step: dict[str, Any] = {"caption": "", "actor": actor}
    if "thinking" in around:
        strict_json.check(around["thinking"], what=where)
        step["thinking"] = _listed(around["thinking"])
    match event:
        case Message():
            strict_json.check(event.text, what=where)
            step |= {"caption": _text(f"{who} speaks."), "say": _text(event.text)}
        case ToolCall():
            strict_json.check(event.name, what=where)
            strict_json.check(event.input, what=where)
            step |= {"caption": _text(_caption(who, event)), "name": _text(event.name)} | _input(event.input)
        case _:
            raise AssertionError("only what is said and done is a step")
    if message is not None:
        step["message"] = message
    return step | ({"finish": around["finish"]} if "finish" in around else {})


def _caption(who: str, call: ToolCall) -> str:
    """What happens, in words: the tool that is called, or the verb and its address."""
    body = as_object(call.input) or {}
    if call.name == "call" and isinstance(body.get("tool"), str):
        words = f"{who} calls {body['tool']}"
    elif "address" in body:
        words = f"{who} calls {call.name}: {subject(call.name, call.input)}"
    else:
        words = f"{who} calls {call.name}"
    return cut_bytes(printable(fold(words)), MAX_CAPTION_BYTES) + "."


def _input(value: Any) -> dict[str, Any]:
    """An act's input: as TOML where that holds it and people can read it so, else as the text of its JSON."""
    if _is_plain(value, _MAX_INLINE_DEPTH):
        return {"input": _item(value)}
    return {"input_json": _text(dumps(value))}


def _is_plain(value: Any, depth: int) -> bool:
    """Whether TOML has this value, with keys that need no quotes and no deeper than is easily read."""
    match value:
        case None:
            return False
        case bool() | float() | str():
            return True
        case int():
            return -(2**63) <= value < 2**63
        case list():
            items = cast("list[Any]", value)
            return depth > 0 and len(items) <= _MAX_INLINE_ITEMS and all(_is_plain(item, depth - 1) for item in items)
        case _:
            table = cast("dict[str, Any]", value)
            keys = len(table) <= _MAX_INLINE_ITEMS and all(_BARE_KEY.match(key) for key in table)
            return depth > 0 and keys and all(_is_plain(item, depth - 1) for item in table.values())


def _item(value: Any) -> Item:
    match value:
        case str():
            return _text(value)
        case list():
            return _listed(cast("list[Any]", value))
        case dict():
            table: InlineTable = tomlkit.inline_table()
            for key, item in cast("dict[str, Any]", value).items():
                table.append(key, _item(item))
            return table
        case bool():
            return tomlkit.boolean(value)
        case int():
            return tomlkit.integer(value)
        case _:
            return tomlkit.float_(value)


def _listed(values: list[Any]) -> Item:
    array: Any = tomlkit.array()
    array.extend([_item(value) for value in values])
    return array


def _text(text: str) -> String:
    """A text as TOML, on as many lines as it has.

    Escaped here, because the library takes a time that grows with the square of a text's length.
    """
    if "\n" in text:
        return tomlkit.string(_ON_MANY_LINES.sub(_escape, text), multiline=True, escape=False)
    return tomlkit.string(_ON_ONE_LINE.sub(_escape, text), escape=False)


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return f"\\{character}" if character in '"\\' else f"\\u{ord(character):04x}"
