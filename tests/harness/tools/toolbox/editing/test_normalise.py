"""The form for comparing: what it folds, what it leaves, and that it is one form."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.harness.tools.toolbox.editing.normalise import normalised

TRICKY = st.sampled_from("a \t\n\u00a0\u2019\u201c\u2014\u2212\u3000\ufeff\u0301\u00b4\u1100\u1161…ﬁ²\x85\x1c\u2028é")
TEXTS = st.text(alphabet=st.one_of(TRICKY, st.characters(exclude_categories=["Cs"])))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("it\u2019s \u201cso\u201d", 'it\'s "so"'),
        ("a\u2010b\u2011c\u2012d\u2013e\u2014f\u2015g\u2212h", "a-b-c-d-e-f-g-h"),
        ("a\u00a0b\u2002c\u202fd\u205fe\u3000f", "a b c d e f"),
        ("wait… ﬁne x² ｆｕｌｌ", "wait... fine x2 full"),
        ("cafe\u0301", "caf\u00e9"),
        ("a  \nb\t\u3000\ufeff\nc\v\f", "a\nb\nc"),
        ("  a  b\tC", "  a  b\tC"),
        ("nel\x85\nfs\x1c", "nel\x85\nfs\x1c"),
    ],
)
def test_it_folds_what_models_write_otherwise_and_nothing_else(text: str, form: str) -> None:
    assert normalised(text) == form


@given(TEXTS)
def test_normalising_twice_is_normalising_once(text: str) -> None:
    assert normalised(normalised(text)) == normalised(text)


@given(TEXTS)
def test_it_keeps_the_number_of_lines_and_composes_as_the_whole_text_does(text: str) -> None:
    assert normalised(text).count("\n") == text.count("\n")
    assert unicodedata.normalize("NFKC", text).count("\n") == text.count("\n")
    assert normalised(unicodedata.normalize("NFKC", text)) == normalised(text)
