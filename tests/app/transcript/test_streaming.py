"""An answer on its way, however fast it comes: keys are never lost, and the first word does not wait for the last."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from tests.agent.answers import says
from tests.agent.servers.fake_provider import FakeProvider
from tests.app.transcript.desk import at_desk
from workbench.agent.models.known import KnownAnswers
from workbench.agent.models.model import Answer, Ask, Choice, Piece, Text
from workbench.agent.models.providers.anthropic import Anthropic
from workbench.agent.models.providers.openai import OpenAI


class Flood(KnownAnswers):
    """Streams these pieces as fast as the loop takes them."""

    def __init__(self, pieces: Sequence[str]) -> None:
        super().__init__("scripted:flood", "scripted", (says("All said."),), lambda: says("That is all."))
        self._pieces = pieces

    async def stream(self, ask: Ask) -> AsyncIterator[Piece]:
        """All pieces, then the answer as a whole."""
        for piece in self._pieces:
            await asyncio.sleep(0)
            yield Text(piece)
        async for last in super().stream(ask):
            if isinstance(last, Answer):
                yield last


async def test_no_key_is_lost_while_thousands_of_pieces_come(tmp_path: Path) -> None:
    flood = Flood([f"{number} words\n" for number in range(30_000)])
    async with at_desk(tmp_path / "space", size=(80, 24), model=flood) as desk:
        await desk.ask("hello")
        text = "the quick brown fox jumps over the lazy dog"
        await desk.type(text)
        assert desk.transcript.composer.line.value == text
        await desk.answered()
        await desk.until(lambda: "agent All said." in desk.log(), "the answer")
        assert desk.transcript.composer.line.value == text


async def test_an_answer_of_megabytes_is_followed_and_scrolled(tmp_path: Path) -> None:
    held = asyncio.Event()

    class Long(Flood):
        async def stream(self, ask: Ask) -> AsyncIterator[Piece]:
            """The last piece waits."""
            async for piece in super().stream(ask):
                if isinstance(piece, Answer):
                    await held.wait()
                yield piece

    async with at_desk(tmp_path / "space", size=(80, 24), model=Long(["lorem ipsum dolor " * 3_600] * 80)) as desk:
        await desk.ask("hello")
        log = desk.transcript.log_view
        await desk.until(lambda: len(log.live) > 2_500 and not log.live.behind, "all of it")
        assert len(desk.transcript.query("*")) < 60
        log.focus()
        await desk.press("pageup", "pageup")
        assert not log.following
        await desk.sees("lorem ipsum", "stands still, G follows")
        await desk.press("G")
        assert log.following
        held.set()
        await desk.answered()
        await desk.until(lambda: "agent All said." in desk.log(), "the answer")
        assert not len(log.live)


@pytest.mark.parametrize("kind", [OpenAI, Anthropic])
async def test_the_first_word_is_on_the_screen_before_the_server_sends_the_last(
    tmp_path: Path, kind: type[OpenAI] | type[Anthropic], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with FakeProvider() as server:
        base = server.openai_base if kind is OpenAI else server.anthropic_base
        monkeypatch.setenv("A_KEY", "secret")
        provider = kind(f"{kind.provider}:some", "some", Choice(base_url=base, key="${A_KEY}"))
        reply = server.answer("First words, then more of them, and many others, and the last.", hold_after=5)
        async with at_desk(tmp_path / "space", model=provider) as desk:
            await desk.ask("hello")
            await desk.sees("First")
            await reply.wait_until_held()
            assert "the last." not in desk.screen()
            reply.release()
            await desk.answered()
            await desk.until(lambda: "and many others, and the last." in desk.log(), "the answer")
            assert "run ended done" in desk.log()


async def test_a_provider_that_hangs_up_midway_is_asked_again_and_esc_ends_it(tmp_path: Path) -> None:
    async with FakeProvider() as server:
        provider = OpenAI("openai:some", "some", Choice(base_url=server.openai_base))
        server.fail(429, "slow down", retry_after="30")
        async with at_desk(tmp_path / "space", model=provider) as desk:
            await desk.ask("hello")
            await desk.sees("s to ask again")
            await desk.press("escape")
            await desk.answered()
            await desk.until(lambda: "The turn was aborted" in desk.screen(), "it is said")
