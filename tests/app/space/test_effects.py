"""What a flip does to the next request, in words."""

from __future__ import annotations

from dataclasses import replace

from workbench.app.space.effects import Facts, effect_words, given_words
from workbench.harness.names import VERBS

BEFORE = Facts("main", ("search", "execute", "el"), 3, 600, "full", (*VERBS, "search", "el"), ())


def test_what_the_provider_gets() -> None:
    assert given_words(BEFORE) == "In thread main the provider gets 5 verbs + 2 promoted: ▲ search, ▲ el"
    held = replace(BEFORE, given=VERBS, withheld=(("bash", "unknown"),))
    assert given_words(held).endswith("5 verbs + 0 promoted; withheld: △ bash (unknown)")


def test_what_left_the_block_and_the_provider() -> None:
    after = replace(BEFORE, listed=("execute", "el"), bytes=530, given=(*VERBS, "el"))
    assert effect_words("search was taken away", BEFORE, after) == (
        "Since search was taken away: block 600 → 530 B, lost search",
        "The next request: the provider's tools lost search",
    )
    assert effect_words("search was granted", after, BEFORE) == (
        "Since search was granted: block 530 → 600 B, gained search",
        "The next request: the provider's tools gained search",
    )


def test_nothing_changed_is_said_too() -> None:
    block, provider = effect_words("the list was made", BEFORE, BEFORE)
    assert block == "Since the list was made: block still 600 B, the same lines"
    assert provider.endswith("stay the same")


def test_many_names_are_counted_and_a_new_stage_is_named() -> None:
    many = tuple(f"tool_{n}" for n in range(50))
    before = replace(BEFORE, listed=many, total=50, stage="names", bytes=1_900)
    block, _ = effect_words("execute was taken away", before, replace(BEFORE, listed=(), total=0, bytes=300))
    assert "lost tool_0, tool_1, tool_2, tool_3, tool_4, tool_5 and 44 more" in block
    assert "stage names → full" in block
