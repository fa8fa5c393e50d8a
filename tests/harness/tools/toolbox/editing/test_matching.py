"""Where the edits of a call belong: exactly, in the form for comparing, or nowhere."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.editing.line_endings import Endings, with_newlines
from workbench.harness.tools.toolbox.editing.matching import Located, Replacement, locate
from workbench.harness.tools.toolbox.editing.normalise import normalised


def find(raw: str, *edits: tuple[str, str]) -> Located:
    """Where edits belong in a text."""
    return locate(Endings(raw), [Replacement(*edit) for edit in edits], "P", lambda: None)


def edited(raw: str, *edits: tuple[str, str]) -> str:
    """A text after edits."""
    located = find(raw, *edits)
    return located.base.changed(located.changes)


def fault(raw: str, *edits: tuple[str, str]) -> str:
    """Why edits cannot be made."""
    with pytest.raises(HarnessError) as raised:
        find(raw, *edits)
    return raised.value.message


@given(
    before=st.text(alphabet="ab’ é\r\n", max_size=30),
    old=st.text(alphabet="ab’x \r\n", min_size=1, max_size=8),
    after=st.text(alphabet="ab’ é\r\n", max_size=30),
    new=st.text(alphabet="yz$&\\", max_size=8),
)
def test_an_exact_edit_changes_only_the_characters_that_matched(before: str, old: str, after: str, new: str) -> None:
    assume(not (before.endswith("\r") and old.startswith("\n")) and not (old.endswith("\r") and after.startswith("\n")))
    raw = before + old + after
    text = Endings(raw).text
    # The first of places that overlap is the one; here it is the one that was put there.
    assume(text.count(with_newlines(old)) == 1 and text.index(with_newlines(old)) == len(with_newlines(before)))
    assert edited(raw, (old, new)) == before + new + after


@given(
    lines=st.lists(st.sampled_from(["a", "b—b", "c’ ", "\td"]), min_size=1, max_size=8),
    endings=st.lists(st.sampled_from(["\n", "\r\n", "\r"]), min_size=9, max_size=9),
    at=st.integers(0, 8),
)
def test_an_edit_that_needs_the_other_form_leaves_every_other_line_alone(
    lines: list[str], endings: list[str], at: int
) -> None:
    place = min(at, len(lines))
    whole = [*lines[:place], "it’s “here”  ", *lines[place:]]
    raw = "".join(line + ending for line, ending in zip(whole, endings, strict=False))
    whole[place] = "it's THERE"
    assume(not raw.startswith("\n"))
    assert edited(raw, ('"here"', "THERE")) == "".join(
        line + ending for line, ending in zip(whole, endings, strict=False)
    )


def test_a_unique_exact_match_is_taken_where_the_other_form_repeats() -> None:
    """10: counted where the match was made."""
    assert edited("it's\nit’s\n", ("it's", "X")) == "X\nit’s\n"
    assert edited("it's\nit’s\n", ("it’s", "X")) == "it's\nX\n"


def test_a_text_with_its_own_line_endings_is_told_from_the_same_with_others() -> None:
    raw = "a\r\nb\r\n-\na\nb\n"
    assert edited(raw, ("a\nb\n", "X\n")) == "a\r\nb\r\n-\nX\n"
    assert edited(raw, ("a\r\nb\r\n", "X\n")) == "X\r\n-\na\nb\n"


@pytest.mark.parametrize(
    ("raw", "old", "new", "result"),
    [
        ("x\nx\r\nx\r\nend\n", "x\r\nx\r\n", "y\r\ny\r\n", "x\ny\r\ny\r\nend\n"),
        ("}\n}\r\n}\r\n}\n}\n", "}\r\n}\r\n", "]\r\n]\r\n", "}\n]\r\n]\r\n}\n}\n"),
        ("a\r\na\na\r\n", "a\n", "b\n", "a\r\nb\na\r\n"),
        ("a\nb\nb\rc", "b\r", "", "a\nb\nc"),
        ("x\r\nb\nc|\nb\r\nc", "\nb\nc", "-", "x-|\nb\r\nc"),
    ],
    ids=[
        "an earlier place over it",
        "the same over it twice",
        "others before and behind",
        "a stray one",
        "half an ending",
    ],
)
def test_the_one_place_with_the_same_line_endings_is_taken(raw: str, old: str, new: str, result: str) -> None:
    assert edited(raw, (old, new)) == result


@given(
    raw=st.text(alphabet="x\r\n", max_size=14),
    old=st.text(alphabet="x\r\n", min_size=1, max_size=6),
    new=st.sampled_from(["", "N", "NN"]),
)
def test_of_exact_matches_the_bytes_alone_decide(raw: str, old: str, new: str) -> None:
    """The plain model: there once as it stands, that one is edited; more often, it is refused."""
    before, found, after = raw.partition(old)
    if found and old not in after:
        # A line ending is never cut in two: where half of it matched, the whole of it goes.
        before = before.removesuffix("\r") if old.startswith("\n") else before
        after = after.removeprefix("\n") if old.endswith("\r") else after
        assert edited(raw, (old, new)) == before + new + after
    elif found:
        assert fault(raw, (old, new)).startswith("Found ")
    elif Endings(raw).text.count(with_newlines(old)) == 1:
        # Something stands there afterwards: else what was before and behind it might become one ending.
        assert with_newlines(edited(raw, (old, "N"))) == Endings(raw).text.replace(with_newlines(old), "N")
    else:
        assert fault(raw, (old, new))


def test_each_edit_of_a_call_matches_by_itself() -> None:
    raw = "say “hi” — now\nkeep — this\nexact — here\n"
    assert edited(raw, ('"hi"', "YO"), ("exact — here", "EXACT")) == "say YO - now\nkeep — this\nEXACT\n"


def test_an_exact_edit_on_a_line_that_takes_the_other_form_still_finds_its_place() -> None:
    assert edited("“a” — ﬁrst — last —\n", ('"a"', "A"), ("last", "LAST")) == "A - first - LAST -\n"
    assert edited("“a” end  \nnext\n", ('"a"', "A"), ("end  \nnext", "END\nNEXT")) == "A END\nNEXT\n"


@pytest.mark.parametrize(
    ("raw", "exact"),
    [
        ("“q” e\u0301 tail\n", "\u0301"),
        ("“q” e\u0301 tail\n", "e"),
        ("e\u0301 tail “q”\n", "e"),
        ("“q” o\u0323\u0302\n", "\u0302"),
        ("“q” \u1100\u1161\n", "\u1161"),
    ],
    ids=["the mark", "the letter", "before it", "a second mark", "a vowel of a syllable"],
)
def test_an_exact_edit_within_what_becomes_one_character_is_refused_and_never_lost(raw: str, exact: str) -> None:
    message = fault(raw, ('"q"', "Q"), ("tail" if "tail" in raw else "\n", "end\n"), (exact, "X"))
    assert message.startswith("edits[2] begins or ends within a character in P")
    assert "edits[0]" in message
    assert "X" in edited(raw, (exact, "X"))


@given(
    *[st.text(alphabet="eo\u0301\u0323é —\u3000", max_size=4)] * 3, st.text("eo\u0301\u0323é— ", min_size=1, max_size=3)
)
def test_exact_edits_on_a_line_in_the_other_form_are_made_as_they_are_or_refused(
    before: str, between: str, after: str, old: str
) -> None:
    raw = f"{before}“q”{between}{old}{after}\n"
    assume(raw.count(old) == 1 and raw.index(old) == len(f"{before}“q”{between}"))
    try:
        result = edited(raw, ('"q"', "Q"), (old, "X"))
    except HarnessError as error:
        why = error.message
    else:
        why = None
    if why is not None:
        assert why.startswith("edits[1] begins or ends within a character in P")
        return
    form = normalised(f"{before}|")[:-1], normalised(f"{between}|")[:-1], normalised(after)
    assert result == f"{form[0]}Q{form[1]}X{form[2]}\n"


def test_the_rest_of_a_line_that_matched_in_the_other_form_takes_it() -> None:
    raw = "start — mid — end\nnext — line\n"
    located = find(raw, ("start - mid", "S"))
    assert located.base.changed(located.changes) == "S - end\nnext — line\n"
    assert located.normalised == (0,)


@pytest.mark.parametrize(
    ("raw", "old"),
    [("a    b\n", "a b"), ("\tfoo\n", "    foo"), ("ABC\n", "abc"), ("x = 10\n", "x = 1 "), ("a\n\nb\n", "a\nb")],
    ids=["runs of blanks", "tabs for blanks", "case", "blanks at the end that are not the end of a line", "lines"],
)
def test_what_has_meaning_is_not_folded(raw: str, old: str) -> None:
    """11, t15"""
    assert fault(raw, (old, "z")).startswith(
        "Could not find the exact text in P. The old text must match exactly including all whitespace and newlines."
    )


def test_blanks_left_out_at_the_ends_of_lines_are_found() -> None:
    assert edited("def f():  \n    x\t\n", ("def f():\n    x", "g")) == "g\n"
    assert edited("a\nb\n", ("a  \nb  ", "g")) == "g\n"


@pytest.mark.parametrize("old", ["  ", "\n \n", "\u3000"])
def test_blanks_alone_are_everywhere_and_are_not_looked_for_in_the_other_form(old: str) -> None:
    assert fault("12345678", (old, "z")).startswith("Could not find the exact text in P.")


def test_repeated_texts_are_counted_and_named() -> None:
    assert fault("foo foo foo", ("foo", "bar")) == (
        "Found 3 occurrences of the text in P. The text must be unique. Please provide more context to make it unique."
    )
    assert fault("a b b", ("a", "z"), ("b", "z")) == (
        "Found 2 occurrences of edits[1] in P. Each oldText must be unique. "
        "Please provide more context to make it unique."
    )
    assert fault("‘a’ ‘a’", ("'a'", "z")).startswith("Found 2 occurrences of the text in P.")


def test_a_text_that_overlaps_itself_counts_once_and_its_first_place_is_taken() -> None:
    assert edited("aaa", ("aa", "X")) == "Xa"


def test_edits_that_overlap_are_refused_and_adjacent_ones_are_not() -> None:
    """t13"""
    message = "edits[0] and edits[1] overlap in P. Merge them into one edit or target disjoint regions."
    assert fault("a\nb\nc\n", ("a\nb", "X"), ("b\nc", "Y")) == message
    assert fault("“a”b\nc\n", ("b\nc", "Y"), ('"a"b', "X")).startswith("edits[1] and edits[0] overlap in P.")
    assert edited("abcd", ("cd", "2"), ("ab", "1")) == "12"


def test_empty_texts_are_named_before_anything_is_looked_for() -> None:
    """t16"""
    assert fault("a", ("", "z")) == "oldText must not be empty in P."
    assert fault("a", ("nowhere", "z"), ("", "z")) == "edits[1].oldText must not be empty in P."


def test_new_text_is_literal() -> None:
    assert edited("price", ("price", r"$& $1 \1 \n")) == r"$& $1 \1 \n"


@given(st.text(alphabet="a‘'—- \r\n", max_size=20), st.lists(st.text(alphabet="a'- \n", max_size=4), max_size=3))
def test_no_text_and_no_edits_end_in_anything_but_a_result_or_a_reason(raw: str, olds: list[str]) -> None:
    with contextlib.suppress(HarnessError):
        edited(raw, *((old, "N") for old in olds))


def test_a_call_that_was_aborted_does_not_go_on_looking() -> None:
    def stop() -> None:
        raise HarnessError("cancelled", "Operation aborted")

    with pytest.raises(HarnessError, match="Operation aborted"):
        locate(Endings("a"), [Replacement("a", "b")], "P", stop)


@pytest.mark.parametrize("raw", ["é" * 500_000, "é\n" * 50_000], ids=["one long line", "many lines"])
@pytest.mark.parametrize("edits", [("not there",), ("é\u0301\ufb01" * 200_000,), ("e\u0301x", "y —")])
def test_the_signal_is_asked_all_along(raw: str, edits: tuple[str, ...]) -> None:
    asked = 0

    def check() -> None:
        nonlocal asked
        asked += 1

    with contextlib.suppress(HarnessError):
        locate(Endings(raw + "éx\ny -"), [Replacement(edit, "b") for edit in edits], "P", check)
    assert asked > len(edits) + 5


def test_a_line_of_marks_without_end_is_found_as_it_stands_and_keeps_them() -> None:
    marks = "a" + "\u0300\u0323" * 200_000
    assert edited(f"{marks}\nend —x\n", ("end -x", "fin")) == f"{marks}\nfin\n"
    assert edited(f"x\n{marks}\n", (marks, "fin")) == "x\nfin\n"
    assert edited(f"{marks} “q”\n", ('"q"', "Q")) == f"{marks} Q\n"
    assert fault("abc", (marks, "fin")).startswith("Could not find")
