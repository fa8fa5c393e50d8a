"""`fsck` and `doctor`."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from tests.cli.command import Workbench


def test_a_changed_event_is_named(cli: Workbench) -> None:
    for number in range(3):
        cli.run("write", "~/memory/a", "--content", str(number), "--thread", "t")
    assert cli.run("fsck", "--json").json == {"ok": True, "faults": []}
    with closing(sqlite3.connect(cli.space / "space.db")) as database, database:
        database.execute("DROP TRIGGER events_no_update")
        database.execute(
            "UPDATE events SET payload = replace(payload, '\"1\"', '\"7\"') WHERE thread = 't' AND seq = 3"
        )
    ran = cli.run("fsck")
    assert ran.code == 1
    assert "event t/3" in ran.out
    machine = cli.run("fsck", "--json")
    assert machine.code == 1
    assert machine.json["ok"] is False
    assert "event t/3" in [fault["where"] for fault in machine.json["faults"]]


def test_a_space_that_cannot_be_opened_is_refused_in_words(cli: Workbench) -> None:
    cli.run("tools")
    (cli.space / "memory").rmdir()
    (cli.space / "memory").symlink_to("/")
    ran = cli.run("tools")
    assert ran.code == 1
    assert "memory" in ran.err
    doctor = cli.run("doctor", "--json").json
    assert [check["ok"] for check in doctor["checks"] if check["name"] == "space"] == [False]


def test_doctor_says_what_is_there_and_makes_nothing(cli: Workbench) -> None:
    ran = cli.run("doctor", "--json")
    value = ran.json
    assert {"bubblewrap", "python", "deno", "space"} <= {check["name"] for check in value["checks"]}
    assert all(check["detail"] for check in value["checks"])
    assert all(check["ok"] or check["remedy"] for check in value["checks"])
    assert ran.code == (0 if value["ok"] else 1)
    assert not cli.space.exists()
    people = cli.run("doctor")
    assert people.code == ran.code
    assert "bubblewrap" in people.out


@pytest.mark.sandbox
def test_doctor_finds_both_languages(cli: Workbench) -> None:
    missing = cli.run("doctor", "--json").json["missing"]
    assert set(missing) == {"python", "typescript", "shell"}
    assert (missing["python"], missing["typescript"]) == (None, None)
    people = cli.run("doctor").out
    assert "ok       lambdas in python: they run" in people
    assert (
        f"{'missing' if missing['shell'] else 'ok     '}  execute in shell: {missing['shell'] or 'it runs'}" in people
    )


@pytest.mark.sandbox
def test_what_widens_the_sandbox_is_said_from_the_owners_yes_on(cli: Workbench) -> None:
    settings = '{"sandbox": {"network": true, "timeout_secs": 300}}'
    assert cli.run("write", "~/self", "--content", settings).code == 0
    assert [one["id"] for one in cli.run("approve", "--json").json["waiting"]] == [
        "sandbox.network",
        "sandbox.timeout_secs",
    ]
    assert cli.run("tools", "--json").json["sandbox"] == []
    for id in ("sandbox.network", "sandbox.timeout_secs"):
        ran = cli.run("approve", id)
        assert (ran.code, ran.out.startswith("Yes: it acts now, on this machine.")) == (0, True)
    assert cli.run("approve", "--json").json["waiting"] == []
    listed = cli.run("tools", "--json").json["sandbox"]
    assert [(note["id"], note["acts"]) for note in listed] == [
        ("sandbox.network", True),
        ("sandbox.timeout_secs", True),
    ]
    for command in ("tools", "doctor"):
        people = cli.run(command)
        told = people.err if command == "tools" else people.out
        assert all(f"{note['id']}: {note['text']}" in told for note in listed)
    denied = cli.run("approve", "sandbox.network", "--deny", "--json")
    assert denied.json["result"]["status"] == "denied"
    assert [note["id"] for note in cli.run("tools", "--json").json["sandbox"]] == ["sandbox.timeout_secs"]
