"""The text boundary: what reaches a screen, and what reaches a prompt."""

from __future__ import annotations

import base64
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.canaries import CANARIES
from workbench.harness.text import base64_size, cut_bytes, fold, neutralise, printable, size

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)


def kinds(text: str) -> set[str]:
    return {unicodedata.category(character) for character in text}


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[31m", "␛[31m"),
        ("\x00\x07\x7f", "␀␇␡"),
        ("\r\n", "␍\n"),
        ("\x9b31m", "\ufffd31m"),
        ("\ud83d", "\ufffd"),
        ("\u202eabc", "⟨U+202E⟩abc"),
        ("a\u2028b", "a⟨U+2028⟩b"),
        ("a\u200bb\ufeff", "a⟨U+200B⟩b⟨U+FEFF⟩"),
        ("\U000e0041", "⟨U+E0041⟩"),
        ("\u2764\ufe0f 👩‍👧 שלום", "\u2764\ufe0f 👩‍👧 שלום"),
        ("[/] [$error]x", "[/] [$error]x"),
    ],
)
def test_printable_makes_the_unsafe_visible_in_its_place(given_text: str, shown: str) -> None:
    assert printable(given_text) == shown


@pytest.mark.parametrize(
    ("given_text", "carried"),
    [
        ("  two\n  words\there ", "two words here"),
        ("a</space>b", "a‹/space>b"),
        ("\x1b[31m", "\ufffd[31m"),
        ("a\u2028b\x85c", "a b c"),
        ("\u202ea\u200bb\u200dc", "\ufffda\ufffdb\ufffdc"),
        ("\U000e0041\U000e0101", "\ufffd\ufffd"),
        ("\ud800", "\ufffd"),
        ("naïve 漢字 \u2764\ufe0f", "naïve 漢字 \u2764\ufe0f"),
    ],
)
def test_neutralise_gives_one_harmless_line(given_text: str, carried: str) -> None:
    assert neutralise(given_text) == carried


@pytest.mark.parametrize("canary", [*CANARIES, "\ud800", "a\udfffb", "\u2066a\u2069", "👩‍👩‍👧"])
def test_no_canary_survives_either_boundary(canary: str) -> None:
    check_printable(canary)
    check_neutral(canary)


@given(ANY_TEXT)
def test_printable_is_safe_for_any_text(text: str) -> None:
    check_printable(text)


@given(ANY_TEXT)
def test_neutralise_is_safe_for_any_text(text: str) -> None:
    check_neutral(text)


def check_printable(text: str) -> None:
    shown = printable(text)
    bare = shown.replace("\n", "").replace("\t", "").replace("\u200c", "").replace("\u200d", "")
    assert not kinds(bare) & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    shown.encode("utf-8")
    assert printable(shown) == shown
    assert len(shown) >= len(text)
    assert shown.count("\n") == text.count("\n")


def check_neutral(text: str) -> None:
    line = neutralise(text)
    assert not kinds(line) & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert "<" not in line
    assert len(line.splitlines()) <= 1
    assert neutralise(line) == line
    line.encode("utf-8")


def test_every_format_and_control_character_is_known() -> None:
    """The boundary writes its list out for speed; this holds it against Unicode's own."""
    for code in range(0x110000):
        character = chr(code)
        kind = unicodedata.category(character)
        if kind in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            kept = character in "\n\t\u200c\u200d"
            assert (printable(character) == character) is kept, hex(code)
            assert neutralise(f"a{character}b") in ("a\ufffdb", "a b"), hex(code)
        elif kind not in ("Cn", "Zs"):
            assert printable(character) == character, hex(code)


def test_fold_folds_all_of_unicode_white_space_and_nothing_else() -> None:
    assert fold("\t a\u00a0\u3000\u2003b\r\n\x0b\x0cc \u205f") == "a b c"
    assert fold("a\x1cb\u200bc") == "a\x1cb\u200bc"
    assert fold(" \n ") == ""


@pytest.mark.parametrize(
    ("text", "limit", "cut"),
    [
        ("abc", 3, "abc"),
        ("abcdef", 5, "ab…"),
        ("ééé", 6, "ééé"),
        ("ééé", 5, "é…"),
        ("漢字", 4, "…"),
        ("😀😀", 7, "😀…"),
        ("😀", 3, "…"),
        ("abc", 2, "ab"),
        ("é", 1, ""),
        ("abc", 0, ""),
        ("", 0, ""),
    ],
)
def test_cut_bytes(text: str, limit: int, cut: str) -> None:
    assert cut_bytes(text, limit) == cut


@given(ANY_TEXT, st.integers(0, 300), st.sampled_from(["…", "", "...", " [cut]"]))
def test_a_cut_fits_and_is_the_beginning(text: str, limit: int, mark: str) -> None:
    cut = cut_bytes(text, limit, mark)
    assert size(cut) <= limit
    if size(text) <= limit:
        assert cut == text
    else:
        kept = cut.removesuffix(mark) if size(mark) <= limit else cut
        assert text.startswith(kept)
        room = limit - size(mark) if size(mark) <= limit else limit
        assert room - size(kept) < 4


@given(st.binary(max_size=40))
def test_the_size_in_base64_is_that_of_the_encoding(data: bytes) -> None:
    assert base64_size(len(data)) == len(base64.b64encode(data))
