"""`workbench request` for a model: its window, its losses, and the very body that its adapter sends."""

from __future__ import annotations

import asyncio
import base64
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Literal

import pytest

from tests.agent.pictures import BASE64_BYTES, PNG, keep, recorded
from tests.agent.servers.fake_provider import FakeProvider
from tests.cli.command import Workbench
from tests.cli.provided import Provided
from tests.cli.scenes import SCENE
from workbench import Harness

SEND_NOTHING = ("--model", "openai:some", "--wire")

_EXTRA = pytest.mark.usefixtures("with_the_extra")


@pytest.fixture
def played(cli: Workbench, tmp_path: Path) -> Workbench:
    """A Space in which a scripted turn was done in thread `t`."""
    (tmp_path / "look.toml").write_text(SCENE)
    assert cli.run("run", "t", "find x", "--model", "scripted:look.toml", cwd=tmp_path).code == 0
    return cli


def test_what_was_recorded_is_shown_as_it_was_sent(played: Workbench) -> None:
    sent = [e for e in played.events("t") if e["type"] == "request" and e["state"] == "sent"]
    value = played.run("request", "t", "--at", str(sent[1]["seq"]), "--json").json
    assert (value["recorded"], value["model"]) == (sent[1]["request"], "scripted:look.toml")
    assert value["bytes"] == sent[1]["bytes"]
    assert value["tools"][-1]["name"] == "search"
    assert "note" not in value
    people = played.run("request", "t", "--at", str(sent[1]["seq"]))
    assert "scripted:look.toml was sent then" in people.err


def test_what_is_kept_of_the_request_before_and_what_a_promotion_cost(played: Workbench) -> None:
    sent = [str(e["seq"]) for e in played.events("t") if e["type"] == "request" and e["state"] == "sent"]
    first, second = (played.run("request", "t", "--at", seq, "--json").json for seq in sent[:2])
    assert "kept" not in first
    assert second["kept"]["previous"] == {"thread": "t", "seq": int(sent[0])}
    assert second["kept"]["bytes"] < second["kept"]["of"]
    assert second["kept"]["why"].startswith("search was promoted")
    (search,) = second["new_tools"]
    assert search["bytes"] == next(part["bytes"] for part in second["parts"] if part["name"] == "search")
    assert all(part["cid"] for part in second["parts"])
    assert (second["finish"], second["usage"]) == ("calls", None)
    people = played.run("request", "t", "--at", sent[1]).err
    assert "search was promoted: a tool was added at the end of the tools." in people
    assert f"search is declared since then, touched in event {search['seq']}" in people
    now = played.run("request", "t").err
    assert "Keeps all" in now


def test_a_damaged_block_of_the_past_hides_no_next_request(played: Workbench) -> None:
    sent = [e for e in played.events("t") if e["type"] == "request" and e["state"] == "sent"]
    cid = sent[-1]["messages"][-1]
    with closing(sqlite3.connect(played.space / "space.db")) as database, database:
        for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f'DROP TRIGGER "{trigger}"')
        database.execute("DELETE FROM blocks WHERE cid = ?", (cid,))
    people = played.run("request", "t")
    assert people.code == 0
    assert f"(event {sent[-1]['seq']} of t) cannot be told" in people.err
    value = played.run("request", "t", "--json").json
    assert "kept" not in value
    assert cid in value["untold"][0]
    assert played.run("request", "t", "--at", str(sent[-1]["seq"])).code == 1, "of that one there is nothing to show"


@_EXTRA
def test_the_window_of_a_model_and_its_losses(cli: Workbench) -> None:
    settings = {"models": {"small": {"model": "openai:some", "context": 100}}}
    cli.run("write", "~/self", "--content", json.dumps(settings))
    cli.run("approve", "models")
    schema = {"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}
    cli.save("either", "def main(input):\n    return 1\n", input=schema)
    cli.run("read", "~/tools/either", "--as", "agent", "--thread", "t")
    for number in range(3):
        cli.run("write", f"~/memory/{number}", "--content", "x" * 3000, "--thread", "t")
    assert "left_out" not in cli.run("request", "t", "--json").json
    value = cli.run("request", "t", "--model", "small", "--json").json
    assert value["model"] == "small"
    assert value["left_out"] >= 1
    assert value["messages"][0]["text"].startswith("<left_out>")
    assert ("either", "oneOf") in {(loss["tool"], loss["keyword"]) for loss in value["losses"]}
    people = cli.run("request", "t", "--model", "small")
    assert "not sent of either: oneOf" in people.err
    assert "older messages are left out" in people.err


@_EXTRA
@pytest.mark.parametrize(
    ("model", "url"),
    [
        ("openai:some", "https://api.openai.com/v1/chat/completions"),
        ("anthropic:some", "https://api.anthropic.com/v1/messages"),
    ],
)
def test_the_wire_is_the_adapters_body(played: Workbench, model: str, url: str) -> None:
    before = played.events("t")
    value = played.run("request", "t", "--model", model, "--wire", "--json").json
    assert (value["model"], value["method"], value["url"].split("?")[0]) == (model, "POST", url)
    assert value["body"]["model"] == "some"
    names = [tool.get("name") or tool["function"]["name"] for tool in value["body"]["tools"]]
    assert names == [tool["name"] for tool in played.run("request", "t", "--json").json["tools"]]
    people = played.run("request", "t", "--model", model, "--wire")
    assert json.loads(people.out) == value["body"]
    assert "Nothing was sent." in people.err
    assert played.events("t") == before


@_EXTRA
@pytest.mark.parametrize("provider", ["openai", "anthropic"])
async def test_what_is_shown_is_what_arrived_on_the_socket(
    cli: Workbench, provider: Literal["openai", "anthropic"]
) -> None:
    async with FakeProvider() as server:
        provided = await asyncio.to_thread(Provided, cli, server, provider)
        server.answer(calls=[("call", {"tool": "search", "input": {"query": "x"}}), ("bash", {"command": "id"})])
        server.answer(calls=[("search", {"query": "x"})])
        server.answer(text="Nothing there.")
        next_one = (await provided.does("request", "t", "--json")).json
        assert (await provided.run("t", "find x")).code == 0
        sent = [e["seq"] for e in cli.events("t") if e["type"] == "request" and e["state"] == "sent"]
        shown = [(await provided.does("request", "t", "--at", str(seq), "--wire", "--json")).json for seq in sent]
        plain = [(await provided.does("request", "t", "--at", str(seq), "--json")).json for seq in sent]
        arrived = [json.loads(body) for body in server.bodies]
    assert [one["body"] for one in shown] == arrived
    names = [[tool.get("name") or tool["function"]["name"] for tool in body["tools"]] for body in arrived]
    assert names == [[tool["name"] for tool in request["tools"]] for request in plain]
    assert ["search" in one for one in names] == [False, True, True]
    assert not any("bash" in one for one in names)
    assert next_one["tools"] == plain[0]["tools"]


@_EXTRA
def test_the_bound_of_a_turn_is_in_the_body(cli: Workbench) -> None:
    cli.run("write", "~/self", "--content", '{"turn": {"max_tokens": 77}}')
    cli.run("approve", "turn.max_tokens")
    cli.run("write", "~/memory/a", "--content", "a", "--thread", "t")
    body = cli.run("request", "t", *SEND_NOTHING, "--json").json["body"]
    assert 77 in (body.get("max_tokens"), body.get("max_completion_tokens"))


async def with_an_image(cli: Workbench) -> str:
    """Record a request with an image in thread `t`; its event."""
    async with Harness.open(cli.space) as harness:
        return str(await recorded(harness, "t", keep(harness)))


async def test_the_images_of_a_request_are_told(cli: Workbench) -> None:
    seq = await with_an_image(cli)
    sent = await asyncio.to_thread(cli.run, "request", "t", "--at", seq, "--json")
    assert sent.json["images"] == {"count": 1, "bytes": BASE64_BYTES, "sent": True}
    assert sent.json["parts"][-1]["image_bytes"] == BASE64_BYTES
    people = await asyncio.to_thread(cli.run, "request", "t", "--at", seq)
    assert f"With 1 image, which has {BASE64_BYTES:,} bytes more in the body." in people.err


@_EXTRA
@pytest.mark.parametrize("model", ["openai:some", "anthropic:some"])
async def test_the_wire_shows_people_the_beginning_of_an_image_and_machines_all_of_it(
    cli: Workbench, model: str
) -> None:
    seq, data = await with_an_image(cli), base64.b64encode(PNG).decode()
    wire = ("request", "t", "--at", seq, "--wire", "--model", model)
    machines = await asyncio.to_thread(cli.run, *wire, "--json")
    assert data in machines.out
    people = await asyncio.to_thread(cli.run, *wire)
    assert "more characters" in people.out
    assert max(map(len, people.out.splitlines())) < len(data)
    assert "Of the data of an image only the beginning is shown here; --json has all of it." in people.err
    assert "With 1 image" in people.err


@_EXTRA
async def test_at_an_address_of_the_owner_no_image_is_sent_unless_they_say_so(cli: Workbench) -> None:
    seq = await with_an_image(cli)

    async def shown(table: dict[str, object]) -> tuple[str, str]:
        await asyncio.to_thread(cli.run, "write", "~/self", "--content", json.dumps({"models": {"local": table}}))
        await asyncio.to_thread(cli.run, "approve", "models")
        ran = await asyncio.to_thread(cli.run, "request", "t", "--at", seq, "--wire", "--model", "local")
        return ran.out, ran.err

    local = {"model": "openai:some", "base_url": "http://127.0.0.1:1/v1"}
    out, err = await shown(local)
    assert "(tool image omitted: model does not support images)" in out
    assert 'Without 1 image: whether local takes images is not known; models."local".images = true' in err
    out, err = await shown(local | {"images": True})
    assert "tool image omitted" not in out
    assert "With 1 image" in err


def test_a_wire_needs_a_model_that_sends(played: Workbench, tmp_path: Path) -> None:
    assert "No model is set" in played.run("request", "t", "--wire").err
    scripted = played.run("request", "t", "--wire", "--model", "scripted:look.toml", cwd=tmp_path)
    assert scripted.code == 1
    assert "sends nothing" in scripted.err


def test_without_the_extra_it_says_which(played: Workbench) -> None:
    hidden = (
        "import sys, importlib.util as util\n"
        "found = util.find_spec\n"
        "import workbench.agent.models.extra as extra\n"
        "extra.find_spec = lambda name, *more: None if name == 'pydantic_ai' else found(name, *more)\n"
        "from workbench.cli.main import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    command = [sys.executable, "-c", hidden, "--space", str(played.space), "request", "t", *SEND_NOTHING]
    done = subprocess.run(command, env=played.env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "pip install 'harness-workbench[models]'" in done.stderr


@pytest.mark.parametrize("options", [(), ("--model", "openai:some")])
def test_without_wire_no_providers_library_is_loaded(played: Workbench, options: tuple[str, ...]) -> None:
    script = (
        "import sys\n"
        "from workbench.cli.main import main\n"
        "code = main(sys.argv[1:])\n"
        "assert not {'pydantic_ai', 'openai', 'anthropic', 'keyring'} & set(sys.modules), 'loaded'\n"
    )
    command = [sys.executable, "-c", script, "--space", str(played.space), "request", "t", *options]
    done = subprocess.run(command, env=played.env, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr.count("loaded")) == (0, 0), done.stderr


def test_before_a_command_a_model_means_nothing(shared: Workbench) -> None:
    assert shared.run("--model", "scripted:x.toml", "tools").code == 2
