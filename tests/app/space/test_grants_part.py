"""Grants in the real app: switches, their effect on the next request, what waits for a yes."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.app.space.hand import LAMBDA, answer, block, choose, grants, line_of, made, rows, text, told, words
from tests.app.transcript.desk import Desk, at_desk
from workbench import Harness
from workbench.app.space.grants import LIST
from workbench.harness.errors import HarnessError
from workbench.harness.tools.callables import ToolState

COMMENTED = """\
# My own settings.
name = "ada"   # after the countess

# What I let it have:
tools = [      # narrow
    "search",   # to find things
    "execute",  # to run things
    # never publish
]  # that is all

switched_off = ["old_one"] # kept for later

[sandbox]      # tight
# Seconds:
timeout_secs = 5
"""


async def flip(desk: Desk, key: str) -> None:
    """Flip a switch, and wait until that is so."""
    before = desk.harness.settings()
    await choose(desk, "grants", key)
    await desk.press("space")
    await desk.until(lambda: desk.harness.settings() != before, "the flip")
    await desk.until(lambda: "Since" in words(desk, "effect"), "its effect")


async def test_flipping_is_one_event_of_the_owners_and_its_effect_is_seen_at_once(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        await harness.perform("read", {"address": "~/tools/search"}, "agent", "demo")
    async with at_desk(tmp_path / "space", tab="space", size=(200, 60)) as desk:
        assert "No list in agent.toml: everything is granted" in text(rows(desk, "grants"))
        assert "In thread demo the provider gets 5 verbs + 1 promoted: ▲ search" in words(desk, "effect")
        before = len(desk.harness.events("workshop"))
        await flip(desk, "builtin search")
        await desk.until(lambda: "- search" not in block(desk), "search to leave the block")
        await desk.sees("□ off search", "Since search was taken away: block", "the provider's tools lost search")
        assert "0 promoted; withheld: △ search (not_granted)" in words(desk, "effect")
        events = desk.harness.events("workshop")[before:]
        assert [(event.type, event.actor) for event in events] == [("tool_call", "user"), ("tool_result", "user")]
        assert desk.harness.settings().settings.tools == ("web_search", "navigate", "execute", "publish")
        await flip(desk, "builtin search")
        await desk.sees("Since search was granted", "the provider's tools gained search")
        assert desk.harness.settings().settings.tools is None
        assert rows(desk, "grants").key == "builtin search", "the cursor stays where it was"


async def test_only_what_was_flipped_changes_in_the_file(tmp_path: Path) -> None:
    await made(tmp_path / "space")
    file = tmp_path / "space" / "agent.toml"
    file.write_text(COMMENTED, "utf-8")
    async with at_desk(tmp_path / "space", tab="space", size=(200, 60)) as desk:
        await flip(desk, "builtin search")
        assert file.read_text("utf-8") == COMMENTED.replace('    "search",   # to find things\n', "")
        file.write_text(COMMENTED, "utf-8")
        await desk.until(lambda: desk.harness.settings().settings.tools == ("search", "execute"), "the hand edit")
        await flip(desk, "lambda el")
        assert file.read_text("utf-8") == COMMENTED.replace('["old_one"]', '["old_one", "el"]')
        await flip(desk, "lambda el")
        assert file.read_text("utf-8") == COMMENTED


async def test_the_same_write_by_an_agent_is_refused_and_leaves_the_file_byte_for_byte(tmp_path: Path) -> None:
    file = tmp_path / "space" / "agent.toml"
    async with Harness.open(tmp_path / "space") as harness:
        file.write_text(COMMENTED, "utf-8")
        patch = {"address": "~/self", "content": {"tools": ["execute"]}}
        with pytest.raises(HarnessError) as refused:
            await harness.perform("write", patch, "agent", "demo")
    assert refused.value.code == "refused"
    assert file.read_text("utf-8") == COMMENTED


async def test_the_list_of_grants_is_made_and_taken_away(tmp_path: Path) -> None:
    file = tmp_path / "space" / "agent.toml"
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        begun = file.read_text("utf-8")
        await desk.press("p")
        await desk.sees("l makes a list, to narrow by hand.")
        await choose(desk, "grants", LIST)
        await desk.press("l")
        await desk.sees("agent.toml lists search, web_search, navigate, execute, publish", "takes the list away")
        listed = ["search", "web_search", "navigate", "execute", "publish"]
        assert tomllib.loads(file.read_text("utf-8"))["tools"] == listed
        await desk.sees("Since the list was made: block still", "stay the same")
        await desk.press("enter")
        await desk.sees("everything is granted")
        assert file.read_text("utf-8") == begun


async def test_taking_execute_away_says_what_becomes_of_the_lambdas(tmp_path: Path) -> None:
    await made(tmp_path / "space")
    async with at_desk(tmp_path / "space", tab="space", size=(120, 40)) as desk:
        await flip(desk, "builtin execute")
        await desk.until(lambda: "switched on · needs_execute" in text(rows(desk, "grants")), "the lambda's reason")


async def test_a_lambda_may_have_the_name_of_what_is_granted_beside_it(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(200, 60)) as desk:
        await desk.harness.perform("write", {"address": "~/tools/publish", "content": LAMBDA})
        await flip(desk, "lambda publish")
        await desk.until(lambda: desk.harness.settings().settings.switched_off == ("publish",), "the lambda is off")
        assert desk.harness.settings().settings.tools is None
        await flip(desk, "publish publish")
        assert desk.harness.settings().settings.tools == ("search", "web_search", "navigate", "execute")
        await choose(desk, "grants", "lambda publish")
        await desk.press("o")
        assert desk.app.place == "tools"
        assert desk.tools.selected == "publish"


async def test_a_click_on_a_switch_flips_it_and_beside_it_only_chooses(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        await desk.press("p")
        await desk.sees("■ on  search")
        view = rows(desk, "grants")
        y = line_of(view, next(n for n, row in enumerate(view.rows) if row.key == "builtin search"))
        await desk.pilot.click("#grants", offset=(30, y))
        assert rows(desk, "grants").key == "builtin search"
        assert desk.harness.settings().settings.tools is None
        await desk.pilot.click("#grants", offset=(3, y))
        await desk.sees("□ off search")


async def test_an_empty_list_of_lambdas_teaches(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(200, 60)) as desk:
        await desk.sees("No lambda yet. n on the Tools tab begins one", "Nothing waits. Grants act at once")


async def test_what_waits_is_answered_and_a_yes_taken_back(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(200, 60)) as desk:
        await desk.harness.perform(
            "write", {"address": "~/self", "content": {"model": "x:y", "web.searxng": "http://a"}}
        )
        await desk.sees('model = "x:y"', "waits for your yes", 'web.searxng = "http://a"', "not in this version")
        await choose(desk, "grants", "waiting web.searxng")
        await desk.press("a")
        await desk.until(lambda: "is not part of this version" in told(desk), "why not")
        await choose(desk, "grants", "waiting model")
        await desk.press("x")
        await desk.sees("you said no")
        assert desk.harness.settings().settings.model is None
        await desk.press("enter")
        await desk.sees("Your yes?", "is sent to the provider of x:y")
        await answer(desk, "a")
        await desk.until(lambda: desk.harness.settings().settings.model == "x:y", "the yes")
        await choose(desk, "grants", "given model")
        await desk.press("x")
        await desk.until(lambda: desk.harness.settings().settings.model is None, "the yes is taken back")


async def test_a_yes_is_to_what_was_shown_and_not_to_what_was_written_since(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(200, 60)) as desk:
        await desk.harness.perform("write", {"address": "~/self", "content": {"workdir": "/srv/one"}})
        await desk.sees('workdir = "/srv/one"', "waits for your yes")
        await choose(desk, "grants", "waiting workdir")
        await desk.press("enter")
        await desk.sees("Your yes?")
        await desk.harness.perform("write", {"address": "~/self", "content": {"workdir": "/"}})
        await answer(desk, "a")
        await desk.until(lambda: "changed" in told(desk) or "is now" in told(desk), "that it is another one now")
        assert desk.harness.settings().settings.workdir is None


async def test_another_thread_is_told_of_by_itself(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        await harness.perform("read", {"address": "~/tools/search"}, "agent", "demo")
        await harness.perform("read", {"address": "~/memory/"}, "agent", "other")
    async with at_desk(tmp_path / "space", tab="space", size=(120, 40)) as desk:
        await flip(desk, "builtin navigate")
        desk.app.set_thread("other")
        await desk.until(lambda: "In thread other the provider gets 5 verbs + 0" in words(desk, "effect"), "the thread")
        assert "Since" not in words(desk, "effect"), "what was flipped was told for another thread"


async def test_thousands_of_lambdas_are_drawn_only_where_they_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_desk(tmp_path / "space", tab="space", size=(80, 24)) as desk:
        view = desk.app.view
        names = [f"tool_{number:05}" for number in range(5_000)]
        many = {name: ToolState(name, "lambda", "c", "", True, True) for name in names}
        monkeypatch.setattr(desk.harness, "view", lambda thread: replace(view, tools={**view.tools, **many}))
        desk.app.passed()
        grants(desk).look(desk.app.view)
        await desk.press("p", "end")
        await desk.sees("tool_04999")
        assert rows(desk, "grants")._item_lines.broken < 200
