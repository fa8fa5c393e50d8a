"""The wire: the request at any event, as it is sent or was."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import cast

from msgspec.structs import replace

from tests.agent.answers import calls, model, says
from tests.agent.pictures import BASE64_BYTES, PNG, keep, looked_at, recorded
from tests.app.transcript.desk import Desk, at_desk, view_text
from workbench import Harness
from workbench.agent.images import images_of
from workbench.agent.turn import turn
from workbench.agent.wire import Wire, wire_of
from workbench.app.transcript.wire import words
from workbench.app.transcript.wire.part_list import gist
from workbench.app.transcript.wire.screen import WireScreen
from workbench.app.widgets.columns import Columns
from workbench.app.widgets.literal import Literal
from workbench.harness.log.events import RequestSent
from workbench.harness.log.payloads import dumps

SEARCH = ("call", {"tool": "search", "input": {"query": "notes [/]"}})


async def play(folder: Path) -> list[int]:
    """A turn of three requests; the events that recorded them."""
    task = model(calls(SEARCH), calls(("search", {"query": "notes"})), says("Nothing."))
    async with Harness.open(folder) as harness:
        await turn(harness, "demo", task, "find notes")
        return [event.seq for event in harness.events("demo") if isinstance(event, RequestSent)]


def wire(desk: Desk) -> WireScreen:
    """The screen of the wire."""
    assert isinstance(desk.app.screen, WireScreen)
    return desk.app.screen


def head(desk: Desk) -> str:
    """What is said above the parts."""
    shown = cast("Columns", wire(desk).query_one("#wire-head", Literal).content)
    return "\n".join(f"{lead} {body}" for lead, body in shown.rows)


async def at_event(desk: Desk, seq: int) -> None:
    """Look at the wire at an event."""
    desk.transcript.log_view.focus()
    desk.transcript.log_view.move_to(seq - 1)
    await desk.press("w")
    await desk.until(lambda: wire(desk).parts.items, "the parts")


async def test_the_wire_of_a_recorded_request_is_what_was_sent(tmp_path: Path) -> None:
    first, second, _ = await play(tmp_path / "space")
    async with at_desk(tmp_path / "space", size=(120, 40)) as desk:
        await at_event(desk, second)
        await desk.sees(
            f"as it was made for scripted:test at event {second}, which is sent nothing", "bytes", "prefix", "answer"
        )
        request = desk.harness.request("demo", at=second)
        assert f"{sum(request.bytes.values()):,} B: " in head(desk)
        assert f"(event {first})" in head(desk)
        assert "▲ search +" in head(desk)
        listed = view_text(wire(desk).parts)
        assert [line.split()[0] for line in listed.splitlines()[:2]] == ["system", "tools"]
        assert listed.count("kept") > 3
        assert listed.count("new") > 1
        for part in wire(desk).parts._wire.parts:
            assert f"{part.bytes:,} B" in listed


async def test_the_request_behind_the_last_event_is_the_next_one_and_brackets_step(tmp_path: Path) -> None:
    first, *_ = await play(tmp_path / "space")
    async with at_desk(tmp_path / "space", size=(120, 40)) as desk:
        desk.transcript.log_view.focus()
        await desk.press("w")
        await desk.sees("wire · demo · the next request", "would be sent now")
        total = len(desk.harness.events("demo"))
        await desk.press("[")
        await desk.sees(f"wire · demo · event {total}", "Put together now for that moment")
        while wire(desk)._seq != first:
            await desk.press("[")
        await desk.sees("no request was sent before this one")
        await desk.press("escape")
        assert not isinstance(desk.app.screen, WireScreen)


async def test_a_part_is_read_and_copied(tmp_path: Path) -> None:
    _, second, _ = await play(tmp_path / "space")
    async with at_desk(tmp_path / "space", size=(80, 24)) as desk:
        await at_event(desk, second)
        await desk.press("home")
        await desk.until(lambda: "Space" in view_text(wire(desk).text), "the system text")
        await desk.press("y")
        assert desk.app.clipboard == desk.harness.request("demo", at=second).system
        await desk.press("enter")
        assert desk.app.focused is wire(desk).text
        await desk.press("escape")
        assert desk.app.focused is wire(desk).parts


async def test_a_model_that_sends_nothing_has_no_body_and_says_so(tmp_path: Path) -> None:
    first, *_ = await play(tmp_path / "space")
    task = model(says("x"))
    async with at_desk(tmp_path / "space", model=task) as desk:
        await at_event(desk, first)
        await desk.press("m")
        await desk.sees("scripted:test sends nothing")
        await desk.press("m")
        await desk.until(lambda: desk.app.focused is wire(desk).parts, "the parts again")


async def test_the_exact_body_is_what_the_adapter_would_send_and_names_no_key(tmp_path: Path) -> None:
    await play(tmp_path / "space")
    async with at_desk(tmp_path / "space", size=(200, 60)) as desk:
        desk.app.turns.use("openai:gpt-5")
        desk.transcript.log_view.focus()
        await desk.press("w")
        await desk.sees("what openai:gpt-5 would be sent now", "losses")
        await desk.press("m")
        await desk.sees("exact body · POST https://api.openai.com/v1/chat/completions", '"model":"gpt-5"')
        await desk.press("y")
        assert '"tools":' in desk.app.clipboard


async def test_looking_at_the_wire_writes_nothing(tmp_path: Path) -> None:
    await play(tmp_path / "space")
    async with at_desk(tmp_path / "space") as desk:
        before = len(desk.harness.events("demo"))
        await desk.press("w", "m", "m", "[", "[")
        await desk.press("escape")
        assert len(desk.harness.events("demo")) == before


async def test_where_a_request_comes_from_says_no_more_than_what_is_known(tmp_path: Path) -> None:
    first, *_ = await play(tmp_path / "space")
    async with Harness.open(tmp_path / "space") as harness:
        known = wire_of(harness, "demo", first)
    assert known.ended is not None
    failed = replace(known.ended, usage=None, first_ms=None, error={"code": "unavailable", "message": "No route [/]."})
    broken = replace(failed, first_ms=12)

    def origin(wire: Wire) -> str:
        return words.head(wire, ())[0][1].plain

    sent = f"as it was sent to openai:x at event {first}, byte for byte"
    assert origin(known) == f"as it was made for scripted:test at event {first}, which is sent nothing"
    assert origin(replace(known, model="openai:x")) == sent
    assert origin(replace(known, model="openai:x", ended=failed)) == (
        f"made for openai:x at event {first}; it failed: No route [/]."
    )
    assert origin(replace(known, model="openai:x", ended=broken)) == sent


async def test_an_image_counts_where_it_is_sent_and_of_its_data_the_beginning_is_shown(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        seq = await recorded(harness, "demo", keep(harness))
    async with at_desk(tmp_path / "space", size=(200, 60)) as desk:
        await at_event(desk, seq)
        await desk.sees(f"and their images {BASE64_BYTES:,} B")
        last = wire(desk).parts._wire.parts[-1]
        assert f"{last.bytes + BASE64_BYTES:,} B" in view_text(wire(desk).parts)
        await desk.press("m")
        await desk.sees("exact body", "and not all of an image")
        assert "more characters" in view_text(wire(desk).text)
        assert base64.b64encode(PNG).decode() not in view_text(wire(desk).text).replace("\n", "")


async def test_an_image_that_is_not_sent_says_why(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        known = wire_of(harness, "demo")
    local = replace(known, model="local", images=images_of(looked_at("a", "b"), "local", None))
    said = {lead.plain: body.plain for lead, body in words.head(local, ())}
    assert said["images"].startswith("2 images are not sent: whether local takes images is not known; models.")
    assert "images" not in {lead.plain for lead, _ in words.head(known, ())}


def test_the_gist_of_a_result_names_its_images_and_its_failure() -> None:
    *_, answered = looked_at("a")
    assert gist(dumps(answered)) == "read → [1 image] Read."
    failed = {"role": "tool", "results": [{"id": "c", "name": "bash", "text": "exit 1", "is_error": True}]}
    assert gist(dumps(failed)) == "bash failed → exit 1"
