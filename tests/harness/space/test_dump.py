"""The annotated dump: every byte stands in it once, whatever the bytes are."""

from __future__ import annotations

from typing import Any

import dag_cbor
import pytest
from hypothesis import given
from hypothesis import strategies as st
from multiformats import CID

from workbench.harness.cid import cid_of
from workbench.harness.space.dump import ROW_BYTES, dump, dump_text

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**64), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=60)
    | st.binary(max_size=60)
    | st.binary(max_size=4).map(lambda data: CID.decode(cid_of(data))),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=30), inner, max_size=4),
)


def meanings(block: bytes) -> list[str]:
    """What the rows of a block say."""
    return [row.meaning for row in dump(block)]


def test_a_document_reads_header_by_header() -> None:
    block = dag_cbor.encode({"name": "word_count", "input": {"min": -3, "open": False}, "tags": [1.5, None, []]})
    assert dump_text(dump(block)) == (
        "0000  a3                                               map of 3 pairs\n"
        '0001  64 6e 61 6d 65                                     key "name"\n'
        '0006  6a 77 6f 72 64 5f 63 6f 75 6e 74                   "word_count"\n'
        '0011  64 74 61 67 73                                     key "tags"\n'
        "0016  83                                                 list of 3 items\n"
        "0017  fb 3f f8 00 00 00 00 00 00                           float 1.5\n"
        "0020  f6                                                   null\n"
        "0021  80                                                   empty list\n"
        '0022  65 69 6e 70 75 74                                  key "input"\n'
        "0028  a2                                                 map of 2 pairs\n"
        '0029  63 6d 69 6e                                          key "min"\n'
        "002d  22                                                   -3\n"
        '002e  64 6f 70 65 6e                                       key "open"\n'
        "0033  f4                                                   false\n"
    )


def test_a_long_text_is_told_with_its_length_and_shown_row_by_row() -> None:
    rows = list(dump(dag_cbor.encode("naïve " * 5 + "\x1b[31m")))
    assert [(row.offset, row.depth, row.meaning) for row in rows] == [
        (0, 0, "text of 40 bytes"),
        (2, 1, "“naïve naïve na”"),
        (18, 1, "“ïve naïve naï”"),
        (34, 1, r"“ve \u001b[31m”"),
    ]


def test_a_link_is_shown_as_the_cid_that_it_is() -> None:
    cid = cid_of(b"\xa0")
    block = dag_cbor.encode({"x": CID.decode(cid)})
    said = meanings(block)
    assert "tag 42: a CID follows" in said
    assert f"CID {cid}" in said


@pytest.mark.parametrize(
    ("block", "fault"),
    [
        ("", "the block ends at offset 0 where a value must follow"),
        ("8201", "the block ends at offset 2 where a value must follow, 1 level deep"),
        ("a16178", "the block ends at offset 3 where a value must follow, 1 level deep"),
        ("1901", "the block ends inside the header at offset 0"),
        ("6561", "the text at offset 0 should have 5 bytes, and 1 are left"),
        ("5bffffffffffffffff00", "the bytes at offset 0 should have 18,446,744,073,709,551,615 bytes, and 1 are left"),
        ("9f01ff", "a list of indefinite length, which DAG-CBOR has not, at offset 0"),
        ("81fc", "a header that CBOR keeps for later at offset 1"),
        ("ff", "a break without anything to end at offset 0"),
        ("0102", "1 byte after the end of the document at offset 1"),
    ],
)
def test_where_the_bytes_stop_making_sense_is_said(block: str, fault: str) -> None:
    dumped = dump(bytes.fromhex(block))
    assert dumped.fault == fault
    assert b"".join(row.bytes for row in dumped).hex() == block
    if not fault.startswith("the block ends at"):
        assert f"not read: {fault}" in meanings(bytes.fromhex(block))


@pytest.mark.parametrize(
    ("block", "meaning"),
    [
        ("1805", "5 (longer than it need be: not canonical)"),
        ("f93c00", "float 1.0 (DAG-CBOR writes floats with 64 bits)"),
        ("f7", "undefined (DAG-CBOR has no such value)"),
        ("c001", "tag 0 (DAG-CBOR has no tag but 42)"),
        ("a10102", "key 1 (a key must be a text)"),
        ("62c328", "text of 2 bytes that is no UTF-8"),
        ("d82a4101", "CID that does not begin with the zero byte of a binary CID"),
        ("3bffffffffffffffff", "-18446744073709551616"),
    ],
)
def test_what_dag_cbor_does_not_allow_is_dumped_and_named(block: str, meaning: str) -> None:
    assert meaning in meanings(bytes.fromhex(block))


@pytest.mark.parametrize("block", [b"\x81" * 100_000, b"\xd8\x2a" * 50_000, b"\xa1\x60" * 50_000, bytes(100_000)])
def test_a_block_of_any_depth_is_walked(block: bytes) -> None:
    dumped = dump(block)
    assert dumped.fault
    assert sum(len(row.bytes) for row in dumped) == len(block)


@given(st.binary(max_size=200), st.integers(1, 40))
def test_no_byte_is_lost_and_nothing_raises_whatever_the_bytes_are(block: bytes, width: int) -> None:
    dumped = dump(block, width)
    rows = list(dumped)
    assert b"".join(row.bytes for row in rows) == block
    assert len(rows) == len(dumped)
    at = 0
    for row in rows:
        assert row.offset == at
        assert 1 <= len(row.bytes) <= max(width, 9)
        assert "\n" not in row.meaning
        at += len(row.bytes)


@given(VALUES)
def test_every_canonical_block_makes_sense_to_its_end(value: Any) -> None:
    block = dag_cbor.encode(value)
    dumped = dump(block)
    assert dumped.fault is None
    assert b"".join(row.bytes for row in dumped) == block
    said = [row.meaning for row in dumped if not row.meaning.startswith(('"', "key", "“"))]
    assert not any("canonical" in meaning or "DAG-CBOR" in meaning for meaning in said)


def test_the_rows_of_a_large_block_are_made_one_by_one() -> None:
    dumped = dump(dag_cbor.encode({"source": "x = 1\n" * 170_000}))
    assert len(dumped) == 3 + -(-1_020_000 // ROW_BYTES)
    assert dumped.row(60_000).meaning.startswith("“")
    with pytest.raises(IndexError):
        dumped.row(len(dumped))
