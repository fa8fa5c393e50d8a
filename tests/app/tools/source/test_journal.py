"""Unsaved edits on disk: kept, taken over once, and safe from whatever lies in the folder."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from workbench.app.tools.source.drafts import Draft, Texts
from workbench.app.tools.source.journal import Journal, Kept
from workbench.harness.errors import HarnessError

DEAD = "process-00000000000000aa"


def kept(name: str, time: str = "2026-01-01T00:00:00.000Z", source: str = "x = 1\n") -> Kept:
    """A draft in a journal."""
    return Kept(Draft(name, Texts(source, "Words.", "{}"), "bafy", Texts()), time)


def left_behind(folder: Path, *drafts: Kept) -> None:
    """What a workbench that is gone leaves."""
    journal = Journal(folder)
    journal.keep(1, drafts)
    journal.close()


def names(found: tuple[Kept, ...]) -> list[str]:
    """The names of drafts."""
    return sorted(each.draft.name for each in found)


def test_what_is_kept_is_taken_over_as_it_was(tmp_path: Path) -> None:
    strange = kept("a_tool", source="é \ud800 \x00 \r\n\u2028")
    left_behind(tmp_path, strange)
    journal = Journal(tmp_path)
    assert journal.adopt().kept == (strange,)
    assert journal.adopt().kept == ()
    journal.close()
    again = Journal(tmp_path)
    assert again.adopt().kept == (strange,), "until somebody saves or discards it"
    again.keep(1, [])
    again.close()
    last = Journal(tmp_path)
    assert last.adopt().kept == ()
    last.close()
    assert list(tmp_path.iterdir()) == []


def test_the_drafts_of_a_workbench_that_lives_are_its_own(tmp_path: Path) -> None:
    one, two = Journal(tmp_path), Journal(tmp_path)
    one.keep(1, [kept("mine")])
    assert two.adopt().kept == ()
    two.keep(1, [kept("theirs")])
    assert one.adopt().kept == ()
    one.close()
    assert names(two.adopt().kept) == ["mine"]
    two.close()


def test_of_many_that_start_at_once_one_takes_them_over(tmp_path: Path) -> None:
    left_behind(tmp_path, kept("a_tool"))
    journals = [Journal(tmp_path) for _ in range(8)]
    found: list[str] = []
    begin = threading.Barrier(len(journals))

    def adopt(journal: Journal) -> None:
        begin.wait()
        found.extend(names(journal.adopt().kept))

    threads = [threading.Thread(target=adopt, args=(journal,)) for journal in journals]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["a_tool"]
    for journal in journals:
        journal.close()


def test_of_one_tool_the_newest_comes_first_and_the_others_later(tmp_path: Path) -> None:
    for hour, source in (("03", "three"), ("01", "one"), ("02", "two")):
        one = Journal(tmp_path)
        one.keep(1, [kept("a_tool", f"2026-01-01T{hour}:00:00.000Z", source), kept(f"only_{source}")])
        os.rename(one._path, tmp_path / f"process-00000000000000{hour}.json")
        one.close()
    for source in ("three", "two", "one"):
        journal = Journal(tmp_path)
        adopted = journal.adopt()
        assert next(each for each in adopted.kept if each.draft.name == "a_tool").draft.texts.source == source
        if source == "three":
            assert names(adopted.kept) == ["a_tool", "only_one", "only_three", "only_two"]
            assert len(adopted.faults) == 2
            assert "Other unsaved edits of a_tool" in adopted.faults[0]
        journal.keep(1, [each for each in adopted.kept if each.draft.name != "a_tool"])
        journal.close()


def test_a_crash_while_taking_over_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left_behind(tmp_path, kept("a_tool"))
    crashed = Journal(tmp_path)

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(crashed, "_write", dies)
        with pytest.raises(KeyboardInterrupt):
            crashed.adopt()
    crashed.close()
    journal = Journal(tmp_path)
    assert names(journal.adopt().kept) == ["a_tool"]
    journal.close()


def test_a_state_that_comes_late_replaces_no_newer_one(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.keep(2, [kept("newer")])
    journal.keep(1, [kept("older")])
    journal.close()
    after = Journal(tmp_path)
    assert names(after.adopt().kept) == ["newer"]
    after.close()


GOOD = {"name": "a_tool", "base_cid": None, "time": "t", "source": "", "description": "", "rest": ""}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not json",
        "[]",
        "{}",
        '{"form": 1}',
        '{"form": 99, "drafts": []}',
        '{"form": 1, "drafts": [3]}',
        '{"form": 1, "drafts": [{"name": "a_tool"}]}',
        json.dumps({"form": 1, "drafts": [GOOD | {"name": "../../x"}]}),
        json.dumps({"form": 1, "drafts": [GOOD | {"name": "search"}]}),
        json.dumps({"form": 1, "drafts": [GOOD | {"source": 3}]}),
        "[" * 100_000,
        '{"a": ' * 50_000,
    ],
    ids=lambda text: text[:24],
)
def test_a_file_that_is_none_of_ours_is_told_and_put_aside(tmp_path: Path, text: str) -> None:
    (tmp_path / f"{DEAD}.json").write_text(text)
    left_behind(tmp_path, kept("a_tool"))
    journal = Journal(tmp_path)
    adopted = journal.adopt()
    assert names(adopted.kept) == ["a_tool"]
    (fault,) = adopted.faults
    assert "cannot be used" in fault
    aside = tmp_path / f"unreadable-{DEAD}.json"
    assert str(aside) in fault
    assert aside.read_text() == text
    journal.close()


def test_bytes_that_are_no_text_are_put_aside(tmp_path: Path) -> None:
    (tmp_path / f"{DEAD}.json").write_bytes(b"\xff\xfe\x00")
    journal = Journal(tmp_path)
    assert len(journal.adopt().faults) == 1
    journal.close()


@pytest.mark.parametrize("kind", ["link", "fifo", "folder", "endless"])
def test_what_is_no_file_is_never_waited_for(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"{DEAD}.json"
    match kind:
        case "link":
            path.symlink_to("/etc/passwd")
        case "fifo":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case _:
            path.symlink_to("/dev/zero")
    journal = Journal(tmp_path)
    assert len(journal.adopt().faults) == 1
    journal.close()


@pytest.mark.parametrize("name", ["process-x.json", "other.json", "process-00000000000000aa.json.tmp"])
def test_other_names_are_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("?")
    journal = Journal(tmp_path)
    adopted = journal.adopt()
    assert (adopted.kept, adopted.faults) == ((), ())
    assert (tmp_path / name).read_text() == "?"
    journal.close()


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(HarnessError, match="cannot be kept") as caught:
        Journal(tmp_path / "file" / "drafts")
    assert caught.value.code == "unavailable"


def test_files_are_the_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "drafts"
    journal = Journal(folder)
    journal.keep(1, [kept("a_tool")])
    (file,) = folder.glob("*.json")
    assert file.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    journal.close()
