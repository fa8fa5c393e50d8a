"""The wire of real turns: what was recorded, what is kept of the request before, what a promotion costs and spares."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from tests.agent.answers import calls, model, says
from tests.harness.play import Play
from workbench.agent.models.choose import choose
from workbench.agent.models.model import Usage
from workbench.agent.models.providers.anthropic import Anthropic
from workbench.agent.models.providers.openai import OpenAI
from workbench.agent.turn import turn
from workbench.agent.wire import Wire, order_of, wire_of
from workbench.harness.cid import cid_of
from workbench.harness.errors import HarnessError
from workbench.harness.log.events import RequestSent
from workbench.harness.space.settings import Settings


async def find_x(play: Play) -> list[int]:
    """A turn of three requests, of which the second has `search` as a tool; the events that recorded them."""
    answers = model(
        calls(("call", {"tool": "search", "input": {"query": "x"}}), usage=Usage(input=100, output=5)),
        calls(("search", {"query": "x"})),
        says("Nothing there."),
    )
    await turn(play.harness, play.thread, answers, "find x")
    return sent(play)


def sent(play: Play, thread: str | None = None) -> list[int]:
    """The events that recorded requests."""
    return [e.seq for e in play.harness.events(thread or play.thread) if isinstance(e, RequestSent)]


def wires(play: Play, seqs: list[int]) -> list[Wire]:
    return [wire_of(play.harness, play.thread, seq) for seq in seqs]


async def test_what_was_sent_is_shown_block_by_block(play: Play) -> None:
    seqs = await find_x(play)
    for wire in wires(play, seqs):
        assert wire.sent is not None
        assert wire.request.note is None
        for part in wire.parts:
            assert part.cid == cid_of(part.text.encode(), "raw")
        assert wire.bytes == wire.request.bytes
        assert wire.total == sum(wire.bytes.values())


async def test_a_promotion_is_named_with_what_it_cost_and_what_is_spared(play: Play) -> None:
    await play.save("el")
    first, second, third = wires(play, await find_x(play))
    assert (first.previous, first.kept, first.new_tools) == (None, None, ())

    assert second.previous == first.sent
    assert second.kept is not None
    assert not second.kept.whole
    assert second.kept.why == "search was promoted: a tool was added at the end of the tools"
    assert second.kept.differs is not None
    assert second.kept.differs.name == "search"
    (found,) = second.new_tools
    assert (found.name, found.bytes) == ("search", second.kept.differs.bytes)
    assert found.seq == play.harness.promoted("demo").promoted[0].seq

    assert third.kept is not None
    assert third.kept.whole
    assert third.kept.bytes == sum(part.bytes for part in second.parts)
    assert third.kept.why == "2 messages were added at its end"
    assert third.new_tools == ()
    # What could be called too: what is declared now is not among it any more.
    assert second.unsent_tools == first.unsent_tools - 1
    assert second.unsent_bytes == first.unsent_bytes - found.bytes
    assert first.all_schemas_bytes == second.all_schemas_bytes


async def test_it_says_how_the_request_ended(play: Play) -> None:
    first, *_ = wires(play, await find_x(play))
    assert first.usage == Usage(input=100, output=5)
    assert first.ended is not None
    assert (first.ended.finish, first.model) == ("calls", "scripted:test")


async def test_the_next_request_keeps_the_last_one_that_was_sent(play: Play) -> None:
    seqs = await find_x(play)
    wire = wire_of(play.harness, "demo")
    assert (wire.sent, wire.ended, wire.seq) == (None, None, None)
    assert wire.previous is not None
    assert wire.previous.seq == seqs[-1]
    assert wire.kept is not None
    assert wire.kept.whole
    assert wire.kept.why == "a message was added at its end"
    assert {part.cid for part in wire.parts} == {None}


async def test_between_two_requests_it_is_put_together_and_says_so(play: Play) -> None:
    seqs = await find_x(play)
    between = seqs[1] - 2
    wire = wire_of(play.harness, "demo", between)
    assert wire.request.note
    assert wire.previous is not None
    assert wire.previous.seq == seqs[0]


async def test_grants_and_contracts_that_changed_since_change_nothing_of_what_went_out(play: Play) -> None:
    await play.save("el")
    answers = model(calls(("read", {"address": "~/tools/el"})), calls(("search", {})), says("Done."))
    await turn(play.harness, "demo", answers, "go")
    seqs = sent(play)
    before = [(wire.parts, wire.request) for wire in wires(play, seqs)]
    await play.save("el", description="Is another tool now.")
    await play.owner("write", {"address": "~/memory/new.txt", "content": "x"})
    await play.owner("write", {"address": "~/self", "content": {"tools": ["execute"]}})
    assert [(wire.parts, wire.request) for wire in wires(play, seqs)] == before


async def test_a_thread_without_events_has_a_wire_too(play: Play) -> None:
    wire = wire_of(play.harness, "new")
    assert [part.kind for part in wire.parts] == ["tools"] * 5 + ["system"]
    assert (wire.previous, wire.new_tools) == (None, ())


async def test_a_fork_keeps_what_its_past_was_sent(play: Play) -> None:
    seqs = await find_x(play)
    await play.harness.fork("demo", seqs[1], "other")
    wire = wire_of(play.harness, "other")
    assert wire.previous is not None
    assert (wire.previous.thread, wire.previous.seq) == ("demo", seqs[1])
    assert wire.kept is not None
    assert wire.kept.whole


def damage(play: Play, cid: str, how: str) -> None:
    """Change a block where it lies, or take it away."""
    with closing(sqlite3.connect(play.harness.root / "space.db")) as database, database:
        for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f'DROP TRIGGER "{trigger}"')
        if how == "gone":
            database.execute("DELETE FROM blocks WHERE cid = ?", (cid,))
        else:
            database.execute("UPDATE blocks SET bytes = ? WHERE cid = ?", (b'{"role": "user"}', cid))


@pytest.mark.parametrize("how", ["gone", "changed"])
@pytest.mark.parametrize("part", ["system", "tool", "message"])
async def test_what_is_gone_of_an_earlier_request_hides_no_later_one(play: Play, how: str, part: str) -> None:
    seqs = await find_x(play)
    *_, last = play.harness.requests("demo")
    whole = wire_of(play.harness, "demo")
    cids = {"system": last.sent.system, "tool": last.sent.tools[-1], "message": last.sent.messages[-1]}
    damage(play, cids[part], how)
    wire = wire_of(play.harness, "demo")
    assert [found.text for found in wire.parts] == [found.text for found in whole.parts]
    assert wire.previous == whole.previous
    assert (wire.kept, wire.new_tools) == (None, ())
    (note,) = wire.notes
    assert note.startswith(f"What is kept of the request before (event {seqs[-1]} of demo) cannot be told: ")
    assert cids[part] in note
    with pytest.raises(HarnessError, match=cids[part]):
        wire_of(play.harness, "demo", seqs[-1])


@pytest.mark.parametrize("how", ["gone", "changed"])
async def test_a_request_is_shown_without_the_list_of_what_could_be_called(play: Play, how: str) -> None:
    seqs = await find_x(play)
    before = wires(play, seqs)
    for one in play.harness.requests("demo"):
        damage(play, one.sent.callables, how)
    for wire, whole in zip(wires(play, seqs), before, strict=True):
        assert (wire.parts, wire.kept, wire.new_tools) == (whole.parts, whole.kept, whole.new_tools)
        assert (wire.unsent_tools, wire.unsent_bytes) == (0, 0)
        assert wire.notes[0].startswith("Which tools could be called then cannot be told: ")


@pytest.mark.parametrize(
    ("id", "order"),
    [
        ("anthropic:any", Anthropic.order),
        ("openai:any", OpenAI.order),
        ("mine", Anthropic.order),
        ("scripted:x.toml", model().order),
        (None, ("tools", "system", "messages")),
        ("nonsense", ("tools", "system", "messages")),
    ],
)
def test_the_order_is_the_providers(id: str | None, order: tuple[str, ...]) -> None:
    settings = Settings(models={"mine": {"model": "anthropic:any"}, "openai:any": 5})
    assert tuple(order_of(id, settings)) == tuple(order)


async def test_the_losses_of_a_model_are_named(play: Play) -> None:
    pytest.importorskip("pydantic_ai", reason="the extra 'models' is not installed")
    schema = {"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}
    await play.save("either", input=schema)
    await play.agent("read", {"address": "~/tools/either"})
    wire = wire_of(play.harness, "demo", None, choose("openai:some", Settings()))
    assert ("either", "oneOf") in {(loss.tool, loss.keyword) for loss in wire.losses}
    assert wire.order == tuple(OpenAI.order)
    assert wire_of(play.harness, "demo").losses == ()


async def test_on_the_real_machine_no_tool_is_new_or_spared(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    await play.save("el")
    _, second, _ = await find_x(play)
    monkeypatch.setattr(play.harness, "surface", lambda thread: "toolbox")
    wire = wire_of(play.harness, "demo", second)
    assert (wire.new_tools, wire.unsent_tools, wire.all_schemas_bytes) == ((), 0, wire.bytes["tools"])
    assert wire.kept is not None
    assert wire.kept.why == "search was added at the end of the tools"
