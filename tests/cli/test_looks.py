"""Queries from a shell: their shapes, and that looking leaves no event."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import LAMBDAS, Workbench


def test_a_first_minute(tmp_path: Path, shared: Workbench) -> None:
    place = tmp_path / "new"
    made = shared.run("init", str(place), space=False)
    assert made.code == 0
    assert f"Made a Space in {place}" in made.out
    assert f"workbench --space {place} tools" in made.out
    assert sorted(path.name for path in place.iterdir() if path.suffix != ".db-wal" and path.suffix != ".db-shm") == [
        "agent.toml",
        "locks",
        "memory",
        "outbox",
        "space.db",
    ]
    assert "already" in shared.run("init", str(place), space=False).out
    assert shared.run("init", "--json", str(place), space=False).json == {"space": str(place), "made": False}


def test_without_space_the_users_own_folder_is_used(cli: Workbench) -> None:
    assert cli.run("write", "~/memory/a", "--content", "mine", space=False).code == 0
    folder = Path(cli.env["XDG_DATA_HOME"]) / "workbench" / "space"
    assert (folder / "memory" / "a").read_text() == "mine"


def test_tools_have_states_and_reasons(cli: Workbench) -> None:
    cli.save("good", "def main(input):\n    return 1\n", summary="Does good.")
    cli.run("write", "~/self", "--content", '{"tools": ["search"], "switched_off": ["good"]}')
    value = cli.run("tools", "--json").json
    assert value["verbs"] == ["read", "write", "call", "delegate", "plan"]
    states = {tool["name"]: tool for tool in value["tools"]}
    assert list(states) == ["search", "web_search", "navigate", "execute", "good"]
    assert (states["search"]["granted"], states["search"]["callable"]) == (True, True)
    assert "reason" not in states["search"]
    assert states["execute"]["reason"] == "not_granted"
    assert states["good"]["reason"] == "not_granted"
    people = cli.run("tools")
    assert "not_granted" in people.out
    assert "Does good." in people.out
    assert "write ~/self" in people.err


def test_the_index_is_the_block_and_its_accounts(cli: Workbench) -> None:
    value = cli.run("index", "--json").json
    assert value["bytes"] == len(value["text"].encode()) == sum(line["bytes"] for line in value["lines"])
    assert value["budget"] == 2048
    assert {line["tool"] for line in value["lines"] if "tool" in line} <= {"search", "execute"}
    assert cli.run("index").out == value["text"] + "\n"


def test_promotion_as_of_a_moment(cli: Workbench) -> None:
    agent = ("--as", "agent", "--thread", "t")
    cli.run("read", "~/tools/search", *agent)
    cli.run("call", "bash", "{}", *agent)
    now = cli.run("promoted", "t", "--json").json
    assert now["provider_tools"] == ["read", "write", "call", "delegate", "plan", "search"]
    assert [(tool["name"], tool["seq"]) for tool in now["promoted"]] == [("search", 1)]
    assert now["withheld"] == [{"name": "bash", "seq": 3, "reason": "unknown"}]
    assert cli.run("promoted", "t", "--at", "2", "--json").json["withheld"] == []
    people = cli.run("promoted", "t").out
    assert "promoted by event 1" in people
    assert "withheld (unknown)" in people


def test_looking_leaves_no_event(cli: Workbench) -> None:
    cli.run("write", "~/memory/a", "--content", "a", "--thread", "t")
    before = cli.events("t")
    for look in (["tools"], ["index"], ["threads"], ["log", "t"], ["promoted", "t"], ["request", "t"], ["fsck"]):
        assert cli.run(*look).code == 0
    assert cli.events("t") == before
    assert [thread["id"] for thread in cli.run("threads", "--json").json["threads"]] == ["t"]


def test_a_request_has_three_parts_and_their_bytes(cli: Workbench) -> None:
    cli.run("write", "~/memory/a", "--content", "a", "--thread", "t")
    value = cli.run("request", "t", "--json").json
    assert list(value) == ["system", "tools", "messages", "bytes"]
    assert "<space>" in value["system"]
    assert [tool["name"] for tool in value["tools"]] == ["read", "write", "call", "delegate", "plan"]
    assert set(value["tools"][0]) == {"name", "description", "input_schema"}
    assert value["bytes"]["system"] == len(value["system"].encode())
    assert "<user_action" in json.dumps(value["messages"])
    assert "note" in cli.run("request", "t", "--at", "1", "--json").json


def test_the_cid_of_a_document_needs_no_space(cli: Workbench, tmp_path: Path) -> None:
    content = {"description": "Says one. Always.", "source": "export default () => 1", "input": {"maximum": 2**60}}
    (tmp_path / "one.json").write_text(json.dumps(content))
    value = cli.run("cid", str(tmp_path / "one.json"), "--json").json
    assert list(value) == ["cid", "document", "bytes", "notes"]
    assert value["document"]["name"] == "one"
    assert value["document"]["summary"] == "Says one."
    assert len(value["notes"]) == 1
    assert not cli.space.exists()
    piped = cli.run("cid", "-", "--name", "one", input=json.dumps(content))
    assert piped.out.startswith(value["cid"] + "\n")
    named = cli.run("cid", "-", "--json", input=json.dumps(content | {"name": "one"}))
    assert named.json["cid"] == value["cid"]
    assert "--name" in cli.run("cid", "-", input=json.dumps(content)).err
    saved = cli.run("write", "~/tools/one", "--file", str(tmp_path / "one.json"), "--json").result
    assert saved["cid"] == value["cid"]


def test_what_waits_is_listed_and_answered(cli: Workbench) -> None:
    cli.run("write", "~/self", "--content", '{"model": "openai:some"}')
    waiting = cli.run("approve", "--json").json["waiting"]
    assert [(one["id"], one["value"]) for one in waiting] == [("model", "openai:some")]
    assert "model" in cli.run("approve").out
    answered = cli.run("approve", "model", "--json").json
    assert answered["result"] == {"status": "approved", "id": "model", "value": "openai:some"}
    recorded = [event for event in cli.events("workshop") if event["type"] == "approval"]
    assert [event["seq"] for event in recorded] == [answered["seq"]]
    assert cli.run("approve", "--json").json["waiting"] == []
    assert "Nothing waits" in cli.run("approve").err


def test_what_is_denied_keeps_its_default(cli: Workbench) -> None:
    cli.run("write", "~/self", "--content", '{"model": "openai:some"}')
    assert cli.run("approve", "model", "--deny").code == 0
    assert cli.run("read", "~/self", "--json").result["model"] is None


@pytest.mark.parametrize("name", ["word_count", "slugify"])
def test_the_files_of_the_demo_are_documents(shared: Workbench, name: str) -> None:
    source = next(LAMBDAS.glob(f"{name}.[pt]*"))
    contract = LAMBDAS / f"{name}.json"
    assert shared.run("write", f"~/tools/{name}", "--source", str(source), "--contract", str(contract)).code == 0
