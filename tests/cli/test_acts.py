"""`read`, `write`, `call` from a shell."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import LAMBDAS, Workbench

ECHO = "def main(input):\n    return input\n"


SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


@pytest.fixture
def echo(cli: Workbench) -> Workbench:
    """A Space with the lambda `echo`, input `{text}`, required."""
    cli.save("echo", ECHO, input=SCHEMA)
    return cli


@pytest.fixture(scope="module")
def shared_echo(shared: Workbench) -> Workbench:
    """The same, shared."""
    shared.save("echo", ECHO, input=SCHEMA)
    return shared


def test_a_file_is_written_and_read_back(cli: Workbench) -> None:
    assert cli.run("write", "~/memory/a.md", "--content", "one\ntwo\n").out == "saved ~/memory/a.md\n"
    assert cli.run("read", "~/memory/a.md").out == "one\ntwo\n"
    assert cli.run("read", "~/memory/a.md", "--options", '{"offset": 2}').out == "two\n"
    assert cli.run("read", "~/memory/").out.split() == ["file", "8", "a.md"]
    assert cli.run("write", "~/memory/a.md", "--options", '{"delete": true}').out == "deleted ~/memory/a.md\n"
    assert cli.run("read", "~/memory/a.md").code == 1


def test_an_address_that_the_shell_expanded_is_an_address_again(cli: Workbench) -> None:
    done = subprocess.run(
        ["sh", "-c", '"$@" write ~/memory/a --content x && "$@" read ~/memory/a', "sh", *cli.command()],
        env=cli.env | {"HOME": "/home/somebody"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "saved ~/memory/a\nx"


@pytest.mark.parametrize("way", ["content", "file", "stdin"])
def test_content_comes_from_the_option_a_file_or_standard_input(cli: Workbench, tmp_path: Path, way: str) -> None:
    (tmp_path / "in.txt").write_text("Größe\n", "utf-8")
    options, piped = {
        "content": (["--content", "Größe\n"], ""),
        "file": (["--file", str(tmp_path / "in.txt")], ""),
        "stdin": (["--file", "-"], "Größe\n"),
    }[way]
    assert cli.run("write", "~/memory/a", *options, input=piped).code == 0
    assert cli.run("read", "~/memory/a", "--json").result["content"] == "Größe\n"


def test_a_page_ends_with_how_to_go_on(cli: Workbench) -> None:
    text = "".join(f"line {number}\n" for number in range(1, 2502))
    cli.run("write", "~/memory/long", "--file", "-", input=text)
    first = cli.run("read", "~/memory/long")
    assert first.out.count("\n") == 2000
    assert "--options '{\"offset\": 2001}'" in first.err
    rest = cli.run("read", "~/memory/long", "--options", '{"offset": 2001}')
    assert first.out + rest.out == text
    assert rest.err == ""


@pytest.mark.sandbox
def test_a_lambda_is_saved_from_its_files_and_called(cli: Workbench) -> None:
    files = ("--source", str(LAMBDAS / "slugify.ts"), "--contract", str(LAMBDAS / "slugify.json"))
    saved = cli.run("write", "~/tools/slugify", *files, "--json").result
    assert saved["changed"] is True
    assert cli.run("write", "~/tools/slugify", *files, "--json").result["changed"] is False
    ran = cli.run("call", "slugify", '{"text": "Été à Paris"}')
    assert json.loads(ran.out) == {"slug": "ete-a-paris", "words": 3}
    assert "ms" in ran.err
    stored = cli.run("read", "~/tools/slugify", "--options", '{"part": "source"}', "--json").result["content"]
    assert stored == (LAMBDAS / "slugify.ts").read_text("utf-8")


def test_a_source_alone_keeps_the_contract_or_describes_itself(cli: Workbench, tmp_path: Path) -> None:
    source = tmp_path / "twice.py"
    source.write_text('"""Say a thing twice. It is short."""\n\ndef main(input):\n    return 2\n', "utf-8")
    first = cli.run("write", "~/tools/twice", "--source", str(source), "--json").result
    assert "Say a thing twice." in cli.run("read", "~/tools/twice").out
    source.write_text("def main(input):\n    return 3\n", "utf-8")
    second = cli.run("write", "~/tools/twice", "--source", str(source), "--json").result
    assert second["cid"] != first["cid"]
    assert "Say a thing twice." in cli.run("read", "~/tools/twice").out
    refused = cli.run("write", "~/tools/other", "--source", str(source))
    assert refused.code == 1
    assert "--contract FILE" in refused.err


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("a.py", '"""Say it."""\ndef main(input):\n    return 2\n'),
        ("b.py", "#!/usr/bin/env python3\n# Say it.\n\ndef main(input):\n    return 2\n"),
        ("c.ts", "// Say it.\nexport default () => 2\n"),
        ("d.ts", "/* Say it. */\nexport default () => 2\n"),
    ],
)
def test_a_source_is_described_by_the_comment_at_its_top(
    cli: Workbench, tmp_path: Path, name: str, source: str
) -> None:
    (tmp_path / name).write_text(source, "utf-8")
    assert cli.run("write", "~/tools/say", "--source", str(tmp_path / name), "--json").result["status"] == "saved"
    assert "\nSay it.\n" in cli.run("read", "~/tools/say").out


def test_a_language_is_never_guessed(cli: Workbench, tmp_path: Path) -> None:
    (tmp_path / "x.rb").write_text("puts 1\n")
    (tmp_path / "c.json").write_text('{"description": "D."}')
    for more in ([], ["--contract", str(tmp_path / "c.json")]):
        refused = cli.run("write", "~/tools/x", "--source", str(tmp_path / "x.rb"), *more)
        assert (refused.code, ".py" in refused.err) == (1, True)


def test_the_contract_for_people_is_the_contract_itself(echo: Workbench) -> None:
    assert echo.run("read", "~/tools/echo").out == echo.run("read", "~/tools/echo", "--json").result["contract"]


@pytest.mark.sandbox
def test_an_act_prints_result_thread_and_seq(echo: Workbench) -> None:
    value = echo.run("call", "echo", '{"text": "a"}', "--json").json
    assert list(value) == ["result", "thread", "seq"]
    assert value["result"]["output"] == {"text": "a"}
    assert value["thread"] == "workshop"
    last = echo.events("workshop")[-1]
    assert (last["seq"], last["output"]) == (value["seq"], value["result"])


def test_the_agent_is_answered_with_the_contract_and_that_is_no_failure(echo: Workbench) -> None:
    ran = echo.run("call", "echo", '{"text": "a"}', "--as", "agent", "--thread", "t", "--json")
    assert (ran.result["status"], ran.result["reason"]) == ("contract", "untouched")
    people = echo.run("call", "echo", '{"txt": "a"}', "--as", "agent", "--thread", "t")
    assert people.code == 0
    assert "Not executed" in people.out
    assert "input schema:" in people.out
    none = echo.run("call", "bash", "{}", "--as", "agent", "--thread", "t", "--json")
    assert none.result["status"] == "no_such_tool"


@pytest.mark.sandbox
def test_calls_of_one_message_do_not_run_on_guesses(echo: Workbench) -> None:
    one = ("--as", "agent", "--thread", "t", "--message", "m1", "--json")
    statuses = [echo.run("call", "echo", '{"text": "a"}', *one).result["status"] for _ in range(2)]
    statuses.append(
        echo.run("call", "echo", '{"text": "a"}', "--as", "agent", "--thread", "t", "--json").result["status"]
    )
    assert statuses == ["contract", "contract", "ok"]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["call", "echo", '{"txt": 1}'], "bad_input", "$.text"),
        (["call", "echo", "{"], "bad_input", "line 1, column 2"),
        (["call", "echo", '{"a": 1, "a": 2}'], "bad_input", "a"),
        (["call", "echo", "[]"], "bad_input", "object"),
        (["call", "ecko"], "not_found", "echo"),
        (["call", "echo", '{"text": ""}', "--timeout", "301"], "bad_input", "300"),
        (["read", "nowhere"], "bad_input", "~/memory/<path>"),
        (["read", "~/memory/none"], "not_found", "none"),
        (["read", "~/self", "--options", "1"], "bad_input", "object"),
        (["write", "~/tools/search", "--content", "{}"], "refused", "builtin"),
        (["write", "~/memory/a"], "bad_input", "content"),
        (["write", "~/memory/a", "--file", "/nowhere/at/all"], "not_found", "/nowhere/at/all"),
        (
            ["write", "~/self", "--content", '{"tools": ["search"]}', "--as", "agent", "--thread", "t"],
            "refused",
            "owner",
        ),
        (["log", "nobody"], "not_found", "nobody"),
        (["promoted", "workshop", "--at", "99"], "not_found", "99"),
        (["request", "t", "--wire"], "unavailable", "No model is set"),
        (["approve", "nothing"], "not_found", "nothing"),
        (["cid", "/nowhere/at/all"], "not_found", "/nowhere/at/all"),
        (["demo", "no-such-scene", "--headless"], "not_found", "touch_expand"),
    ],
)
def test_a_failed_act_exits_1_with_words(shared_echo: Workbench, arguments: list[str], code: str, words: str) -> None:
    echo = shared_echo
    where = arguments[0] != "demo"
    people = echo.run(*arguments, space=where)
    assert (people.code, people.out) == (1, "")
    assert words in people.err
    machine = echo.run(*arguments, "--json", space=where)
    assert (machine.code, machine.err) == (1, "")
    assert list(machine.json) == ["error", "thread", "seq"]
    assert machine.json["error"]["code"] == code
    assert words in machine.json["error"]["message"]


def test_a_failure_that_reached_the_log_names_its_event(echo: Workbench) -> None:
    value = echo.run("call", "echo", "{}", "--json").json
    last = echo.events(value["thread"])[-1]
    assert (last["seq"], last["error"]) == (value["seq"], value["error"])


@pytest.mark.parametrize("options", [[], ["--json"]])
@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["tools", "--nonsense"],
        ["read"],
        ["read", "~/self", "extra"],
        ["call", "echo", "{}", "--as", "agent"],
        ["call", "echo", "{}", "--as", "nobody"],
        ["call", "echo", "{}", "--timeout", "soon"],
        ["write", "~/memory/a", "--content", "a", "--file", "b"],
        ["write", "~/memory/a", "--contract", "b"],
        ["write", "~/memory/a", "--source", "b.py"],
        ["promoted", "t", "--at", "x"],
        ["log", "t", "--follow", "--format", "md"],
        ["log", "t", "--format", "pdf"],
        ["approve", "--deny"],
        ["tools", "--space", "/tmp/another"],
        ["demo", "--headless"],
    ],
)
def test_misuse_exits_2_with_words_and_prints_nothing(cli: Workbench, arguments: list[str], options: list[str]) -> None:
    ran = cli.run(*arguments, *options)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("workbench: ")
    assert not cli.space.exists()


def test_input_comes_from_standard_input(echo: Workbench) -> None:
    ran = echo.run("call", "echo", "-", "--as", "agent", "--thread", "t", "--json", input='{"text": "a"}')
    assert ran.result["status"] == "contract"
    assert [event["input"] for event in echo.events("t") if event["type"] == "tool_call"] == [
        {"tool": "echo", "input": {"text": "a"}}
    ]
