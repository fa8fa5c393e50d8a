"""Requests as parts: what of one's beginning the next one keeps, and why they part where they do."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.agent.parts import ORDER, Kind, Part, kept_of, parts_in
from workbench.harness.log.payloads import dumps
from workbench.harness.request import Request

SYSTEM_FIRST: tuple[Kind, ...] = ("system", "tools", "messages")


def request(
    *said: str | dict[str, object],
    tools: tuple[str, ...] = ("read", "write"),
    system: str = "Be good.",
    why: str = "Does.",
) -> Request:
    """A request with these tools, in which these things were said."""
    messages = tuple(one if isinstance(one, dict) else {"role": "user", "text": one, "from": [1]} for one in said)
    declared = tuple({"name": name, "description": f"{why} {name}", "input_schema": {}} for name in tools)
    return Request(system=system, tools=declared, messages=messages, bytes={})


def block(*lines: str) -> str:
    """A system text with a Space index of these lines."""
    return "\n".join(["Be good.", "", "<space>", *lines, "</space>"])


def test_parts_stand_in_the_providers_order_each_with_its_own_bytes() -> None:
    found = parts_in(request("é"), ("system", "tools", "messages"))
    assert [(part.kind, part.name) for part in found] == [
        ("system", "system"),
        ("tools", "read"),
        ("tools", "write"),
        ("messages", "user"),
    ]
    assert [part.bytes for part in found] == [len(part.text.encode()) for part in found]
    assert [part.kind for part in parts_in(request("a"))][:3] == ["tools", "tools", "system"]


LEFT_OUT: dict[str, object] = {"role": "user", "text": "<left_out>2 older messages …</left_out>", "from": []}


@pytest.mark.parametrize(
    ("old", "new", "whole", "why"),
    [
        (request("a"), request("a"), True, "it is the same request again"),
        (request("a"), request("a", "b"), True, "a message was added at its end"),
        (request("a"), request("a", "b", "c"), True, "2 messages were added at its end"),
        (request("a", "b"), request("a"), False, "it ends sooner: a message was taken from its end"),
        (request("a", "b"), request("a", "c"), False, "message 2 (user) is not what it was then"),
        (request("a", "b"), request(LEFT_OUT, "b"), False, "older messages were left out, to leave room"),
        (
            request("a"),
            request("a", tools=("read", "write", "search")),
            False,
            "search was promoted: a tool was added at the end of the tools",
        ),
        (
            request("a"),
            request("a", tools=("read", "write", "search", "add")),
            False,
            "search and add were promoted: 2 tools were added at the end of the tools",
        ),
        (request("a"), request("a", tools=("read",)), False, "write was taken from the tools"),
        (request("a"), request("a", tools=("write",)), False, "read was taken from the tools"),
        (
            request("a"),
            request("a", tools=("read", "search", "write")),
            False,
            "search came back to its place among the tools, before write",
        ),
        (request("a"), request("a", why="Now does"), False, "the contract of read was changed"),
        (request("a"), request("a", system="Be bad."), False, "the prompt was changed"),
        (
            request(system=block("- a", "- b")),
            request(system=block("- a")),
            False,
            "the Space index was built anew: 1 line of it gone, 0 new",
        ),
    ],
)
@pytest.mark.parametrize("order", [ORDER, SYSTEM_FIRST])
def test_why_two_requests_part(old: Request, new: Request, whole: bool, why: str, order: tuple[Kind, ...]) -> None:
    kept = kept_of(parts_in(old, order), parts_in(new, order), order)
    assert (kept.whole, kept.why) == (whole, why)


def test_where_the_system_text_comes_first_a_new_tool_costs_the_messages_alone() -> None:
    old, new = request("a"), request("a", tools=("read", "write", "search"))
    kept = kept_of(parts_in(old, SYSTEM_FIRST), parts_in(new, SYSTEM_FIRST), SYSTEM_FIRST)
    system_and_tools = [part for part in parts_in(old, SYSTEM_FIRST) if part.kind != "messages"]
    # The braces of the new tool and of the message begin alike, and are read once.
    assert kept.bytes == sum(part.bytes for part in system_and_tools) + len('{"')
    assert kept.parts == len(system_and_tools)
    assert kept.differs is not None
    assert kept.differs.name == "search"


texts = st.lists(st.text(max_size=12), max_size=5)
orders = st.permutations(["system", "tools", "messages"])


@st.composite
def requests(draw: st.DrawFn) -> Request:
    """Any request, small."""
    names = draw(st.lists(st.text("abc", min_size=1, max_size=3), max_size=4, unique=True))
    return request(*draw(texts), tools=tuple(names), system=draw(st.text(max_size=12)))


@given(requests(), requests(), orders)
def test_what_is_kept_is_the_common_beginning_and_no_more_than_either_has(
    old: Request, new: Request, order: list[Kind]
) -> None:
    then, now = parts_in(old, order), parts_in(new, order)
    kept = kept_of(then, now, order)
    one, other = ("".join(part.text for part in parts).encode() for parts in (then, now))
    beginnings = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    assert kept.bytes == len(list(beginnings))
    assert kept.of == len(one)
    assert kept.bytes <= min(len(one), len(other))
    assert sum(part.bytes for part in now[: kept.parts]) <= kept.bytes
    assert kept.why


@given(requests(), orders)
def test_the_same_request_keeps_all_of_it(same: Request, order: list[Kind]) -> None:
    parts = parts_in(same, order)
    kept = kept_of(parts, parts, order)
    assert kept.whole
    assert kept.bytes == sum(part.bytes for part in parts)
    assert kept.differs is None


@given(requests(), st.lists(st.text(max_size=12), min_size=1, max_size=3))
def test_messages_behind_it_keep_the_whole(old: Request, more: list[str]) -> None:
    longer = request(
        *old.messages,
        *more,
        tools=tuple(str(tool["name"]) for tool in old.tools),
        system=old.system,
    )
    kept = kept_of(parts_in(old), parts_in(longer))
    assert kept.whole
    assert kept.differs is not None
    assert kept.differs.text == dumps(longer.messages[len(old.messages)])


def test_half_a_character_is_no_harm() -> None:
    def one(text: str) -> tuple[Part, ...]:
        return (Part("system", "system", text, len(text.encode())),)

    # Both begin with the same byte of a character that is not the same.
    assert kept_of(one("é"), one("è")).bytes == 1
