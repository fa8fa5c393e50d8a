"""A streamed response of Pydantic AI, as pieces and the whole answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic_ai.messages import (
    ModelResponse,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)

from workbench.agent.models.model import Answer, Calling, Finish, ModelCall, Piece, Text, Thinking, Thought, Usage
from workbench.agent.models.providers.sdk.thoughts import thought_of
from workbench.agent.models.providers.shared import Way
from workbench.harness.errors import HarnessError
from workbench.harness.strict_json import parse
from workbench.harness.text import cut_bytes

MOST_OF_AN_ANSWER = 8 * 1024 * 1024
"""How many bytes an answer may have: its text, its thoughts, its calls and their arguments."""

MOST_OF_THOUGHTS = 1024 * 1024
"""How many bytes of thoughts are kept."""

_A_CALL = 100  # a call without a word has a length too
_LAST_HALF = re.compile("[\ud800-\udbff]\\Z")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_HALF = re.compile("[\ud800-\udfff]")


class Whole:
    """Puts characters together that a server cut into halves; half a character alone becomes U+FFFD.

    JSON can write one as two escapes, and some servers end a piece of text between them.
    """

    def __init__(self) -> None:
        self._held = ""

    def more(self, text: str) -> str:
        """The text that is whole by now."""
        text = self._held + text
        cut = _LAST_HALF.search(text)
        self._held = cut[0] if cut else ""
        return mended(text[: cut.start()] if cut else text)

    def rest(self) -> str:
        """What is left when nothing more comes."""
        held, self._held = self._held, ""
        return mended(held)


def mended(text: str) -> str:
    """A text in which every character is whole."""
    if text.isascii() or not _HALF.search(text):
        return text
    joined = _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
    return _HALF.sub("\ufffd", joined)


class Reader:
    """Turns events into pieces, one response long. `bytes` is how long what came is, in UTF-8."""

    def __init__(self) -> None:
        self.bytes = 0
        self._calls: dict[int, int] = {}
        self._names: dict[int, str] = {}
        self._texts: dict[int, Whole] = {}
        self._kinds: dict[int, type[Text | Thinking]] = {}

    def read(self, event: ModelResponseStreamEvent) -> Iterator[Piece]:
        """The piece of an event, if it brings anything new."""
        self.bytes += _weight(event)
        match event:
            case PartStartEvent(index=index, part=TextPart(content=text)):
                yield from self._words(Text, index, text)
            case PartDeltaEvent(index=index, delta=TextPartDelta(content_delta=text)):
                yield from self._words(Text, index, text)
            case PartStartEvent(index=index, part=ThinkingPart(content=text)):
                yield from self._words(Thinking, index, text)
            case PartDeltaEvent(index=index, delta=ThinkingPartDelta(content_delta=str(text))):
                yield from self._words(Thinking, index, text)
            case PartStartEvent(index=index, part=ToolCallPart(tool_name=name, args=args)):
                self._calls[index] = len(self._calls)
                self._names[index] = mended(name)
                yield Calling(self._calls[index], self._names[index], self._whole(index, _text_of(args)))
            case PartDeltaEvent(index=index, delta=ToolCallPartDelta(args_delta=args)) if index in self._calls and args:
                yield Calling(self._calls[index], self._names[index], self._whole(index, _text_of(args)))
            case _:
                return

    def rest(self) -> Iterator[Piece]:
        """Halves of characters that were held back and stay alone."""
        for index, kind in self._kinds.items():
            if text := self._texts[index].rest():
                yield kind(text)

    def _words(self, kind: type[Text | Thinking], index: int, text: str) -> Iterator[Piece]:
        self._kinds[index] = kind
        if whole := self._whole(index, text):
            yield kind(whole)

    def _whole(self, index: int, text: str) -> str:
        return self._texts.setdefault(index, Whole()).more(text)


def answer_of(response: ModelResponse, way: Way, usage: Usage | None) -> Answer | None:
    """The whole answer; None when the response broke off before its provider said why it stopped."""
    details = response.provider_details or {}
    refusal = str(details.get("refusal") or "")
    if not (details.get("finish_reason") or refusal):
        return None
    texts: list[str] = []
    room = MOST_OF_THOUGHTS
    thoughts: list[Thought] = []
    calls: list[ModelCall] = []
    for part in response.parts:
        match part:
            case TextPart(content=text):
                texts.append(mended(text))
            case ThinkingPart(content=text):
                thought = _kept(thought_of(part, mended(text), way), room)
                if thought is not None:
                    thoughts.append(thought)
                    room -= _bytes(thought.text) + _bytes(thought.signature)
            case ToolCallPart(tool_name=name, args=args):
                calls.append(ModelCall(mended(name), _input_of(args)))
            case _:
                continue
    text = "".join(texts)
    if refusal and not text:
        text = mended(refusal)
    finish = _finish(response, calls)
    return Answer(text, tuple(calls), finish, thinking=tuple(thoughts), usage=usage)


def _kept(thought: Thought, room: int) -> Thought | None:
    """The thought as far as there is room. One that was cut has no signature: its provider would not know it again."""
    if _bytes(thought.text) + _bytes(thought.signature) <= room:
        return thought
    text = cut_bytes(thought.text, room)
    return Thought(text, None, thought.provider) if text else None


def _weight(event: ModelResponseStreamEvent) -> int:
    match event:
        case PartStartEvent(part=TextPart(content=text)):
            return _bytes(text)
        case PartStartEvent(part=ThinkingPart(content=text, signature=signature)):
            return _bytes(text) + _bytes(signature)
        case PartStartEvent(part=ToolCallPart(tool_name=name, args=args)):
            return _A_CALL + _bytes(name) + _bytes(_text_of(args))
        case PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
            return _bytes(text)
        case PartDeltaEvent(delta=ThinkingPartDelta(content_delta=text, signature_delta=signature)):
            return _bytes(text) + _bytes(signature)
        case PartDeltaEvent(delta=ToolCallPartDelta(tool_name_delta=name, args_delta=args)):
            return _bytes(name) + _bytes(_text_of(args))
        case _:
            return 0


def _bytes(text: str | None) -> int:
    return len((text or "").encode("utf-8", "surrogatepass"))


def _finish(response: ModelResponse, calls: list[ModelCall]) -> Finish:
    match response.finish_reason:
        case "length":
            return "length"
        case "content_filter":
            return "refusal"
        case _:
            return "calls" if calls else "stop"


def _text_of(args: str | Mapping[str, object] | None) -> str:
    if isinstance(args, Mapping):
        return json.dumps(args, ensure_ascii=False)
    return args or ""


def _input_of(args: str | Mapping[str, object] | None) -> Any:
    """The parsed input; the text itself where it is no JSON; nothing at all is the empty object."""
    text = mended(_text_of(args))
    if not text.strip():
        return {}
    try:
        return parse(text, what="the input")
    except HarnessError:
        return text
