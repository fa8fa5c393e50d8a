"""Snapshots: what they see, what they count, and that they neither follow nor open anything but folders."""

from __future__ import annotations

import os
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.harness.tools.lambdas.changes import Presence, changed_files, path_text, snapshot


def test_it_counts_files_folders_and_bytes(tmp_path):
    (tmp_path / "a").write_bytes(bytes(10_000))
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "b").write_bytes(b"")
    os.link(tmp_path / "a", tmp_path / "again")
    seen = snapshot(tmp_path)
    assert set(seen.files) == {"a", "again", "deep/er/b"}
    assert seen.entries == 5
    assert 10_000 <= seen.bytes < 20_000  # the second name of a file takes no room
    assert seen.largest == seen.bytes


def test_a_sparse_file_counts_by_its_size(tmp_path):
    with open(tmp_path / "sparse", "wb") as file:
        file.truncate(5 << 20)
    assert snapshot(tmp_path).bytes == 5 << 20


def test_links_are_not_followed_and_pipes_not_opened(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("x")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link").symlink_to(outside)
    os.mkfifo(inside / "pipe")
    assert set(snapshot(inside).files) == {"link", "pipe"}
    (tmp_path / "alias").symlink_to(inside)
    with pytest.raises(OSError, match="alias"):
        snapshot(tmp_path / "alias")


def test_a_folder_that_is_too_deep_to_name_is_said(tmp_path):
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(25):
        os.mkdir("d" * 200, dir_fd=here)
        deeper = os.open("d" * 200, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    os.close(here)
    (closed,) = snapshot(tmp_path).closed
    assert closed.startswith("ddd")


def test_it_stops_when_it_is_told_to(tmp_path):
    (tmp_path / "a").write_text("a")
    stop = threading.Event()
    stop.set()
    assert snapshot(tmp_path, stop).files == {}


def test_the_kinds_of_change(tmp_path):
    for name in ("same", "changed", "gone"):
        (tmp_path / name).write_text("1")
    before = snapshot(tmp_path)
    (tmp_path / "changed").write_text("12")
    (tmp_path / "gone").unlink()
    (tmp_path / "gone").mkdir()
    (tmp_path / "new").write_text("1")
    found = changed_files(before, snapshot(tmp_path), shared=True)
    assert [(one.path, one.change, one.shared) for one in found] == [
        ("changed", "modified", True),
        ("gone", "deleted", True),
        ("new", "created", True),
    ]


@given(st.lists(st.binary(min_size=1, max_size=12), min_size=2, max_size=8, unique=True))
def test_different_names_stay_different_and_can_be_encoded(names):
    texts = [path_text(os.fsdecode(name)) for name in names]
    assert len(set(texts)) == len(texts)
    for text in texts:
        text.encode()


def test_an_ordinary_name_is_itself():
    assert path_text("notes/ä b.txt") == "notes/ä b.txt"
    assert path_text("a\nb") == "a\nb"
    assert path_text("odd\udcff") == "odd\\xff"
    assert path_text("odd\\xff") == "odd\\\\xff"


def test_presence_knows_of_the_others_only_while_they_are_there(tmp_path):
    first = Presence(tmp_path)
    assert not first.shared
    second = Presence(tmp_path)
    assert (first.shared, second.shared, first.most) == (True, True, 2)
    second.leave()
    first.leave()
    third = Presence(tmp_path)
    third.leave()
    assert (third.shared, third.most) == (False, 1)
