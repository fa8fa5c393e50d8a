"""`fsck` and `doctor`."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from importlib.util import find_spec

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


def test_doctor_tells_what_models_there_could_be_and_no_key(cli: Workbench) -> None:
    env = {"OPENAI_API_KEY": "value-of-the-key", "ANTHROPIC_API_KEY": ""}
    cli.run("write", "~/self", "--content", '{"model": "mine", "models": {"mine": {"model": "openai:some"}}}')
    ran = cli.run("doctor", "--json", env=env)
    assert ran.code == (0 if ran.json["ok"] else 1)
    found = {check["name"]: check for check in ran.json["checks"]}
    for form, package in (("openai:NAME", "openai"), ("anthropic:NAME", "anthropic")):
        there = all(find_spec(name) is not None for name in ("pydantic_ai", package))
        assert found[f"models {form}"]["ok"] is there
    assert (found["OPENAI_API_KEY"]["ok"], found["ANTHROPIC_API_KEY"]["ok"]) == (True, False)
    assert found["model"]["detail"] == "mine: it waits for your yes, so it does not act"
    assert [found[id]["remedy"] for id in ("model", "models")] == [
        "workbench approve model",
        "workbench approve models",
    ]
    people = cli.run("doctor", env=env)
    assert "missing  ANTHROPIC_API_KEY: it is not set" in people.out
    assert "value-of-the-key" not in ran.out + people.out + ran.err + people.err
    cli.run("approve", "model")
    cli.run("approve", "models")
    found = {check["name"]: check for check in cli.run("doctor", "--json").json["checks"]}
    assert (found["model"]["ok"], found["model"]["detail"], "models" in found) == (True, "mine", False)


def test_doctor_without_the_extra_is_no_failure(cli: Workbench) -> None:
    script = (
        "import sys, importlib.util as util\n"
        "found = util.find_spec\n"
        "util.find_spec = lambda name, *more: None if name == 'pydantic_ai' else found(name, *more)\n"
        "from workbench.cli.main import main\n"
        "code = main(sys.argv[1:])\n"
        "assert not {'pydantic_ai', 'openai', 'anthropic', 'keyring'} & set(sys.modules), 'loaded'\n"
        "sys.exit(code)\n"
    )
    command = [sys.executable, "-c", script, "--space", str(cli.space), "doctor"]
    done = subprocess.run(command, env=cli.env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == cli.run("doctor").code, done.stderr
    assert "missing  models openai:NAME: not installed: pydantic_ai" in done.stdout
    assert "pip install 'harness-workbench[models]'" in done.stdout


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
