"""A Space in which everything that can be odd is: for walks through the app that must survive it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tests.app.desk import WORD_COUNT
from tests.canaries import CANARIES
from tests.catalogue import catalogue
from workbench import Harness
from workbench.harness.errors import HarnessError

PLAIN_TOOLS = 60
"""How many tools it has beside the odd ones."""

NESTED = 60
"""How deep the deepest schema is."""

SOURCE_BYTES = 200 * 1024
"""How long the longest source is."""

THREADS = 12
"""How many conversations it has."""


def deep(levels: int) -> dict[str, Any]:
    """A schema in a schema in a schema."""
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"in": schema}, "required": ["in"]}
    return schema


def odd_inputs() -> dict[str, dict[str, Any]]:
    """Input schemas that a form, a tree and a validator have a hard time with, by the name of a tool."""
    wide = {f"field_{number}": {"type": ["string", "null"], "description": "[/] " * 5} for number in range(300)}
    return {
        "deep": deep(NESTED),
        "wide": {"type": "object", "properties": wide, "required": list(wide)[:50]},
        "cyclic": {
            "type": "object",
            "properties": {"tree": {"$ref": "#/$defs/node"}},
            "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}},
        },
        "choices": {
            "type": "object",
            "properties": {
                "which": {"anyOf": [{"type": "integer"}, {"const": None}, {"enum": list(CANARIES[:12])}]},
                "many": {"oneOf": [deep(3), {"type": "array", "items": {"type": "number"}}]},
                "pattern": {"type": "string", "pattern": "^(a+)+$"},
            },
            "additionalProperties": {"type": "boolean"},
        },
        "keys": {
            "type": "object",
            "properties": {
                text[:200]: {"type": "string", "default": text[:100], "title": text[:100]} for text in CANARIES
            },
        },
        "defaults": {
            "type": "object",
            "properties": {
                "big": {"type": "integer", "default": 10**30, "minimum": -(10**40)},
                "when": {"type": "string", "format": "date-time"},
                "list": {"type": "array", "items": {"type": "object", "properties": {"[/]": {}}}, "maxItems": 3},
                "any": {},
                "none": False,
            },
        },
    }


async def fill(harness: Harness) -> None:
    """Make it, through the door as far as the door allows it."""

    async def write(address: str, content: Any) -> None:
        await harness.perform("write", {"address": address, "content": content})

    for number in range(PLAIN_TOOLS):
        text = CANARIES[number % len(CANARIES)]
        tool = WORD_COUNT | {"description": f"{text[:300]} number {number}", "summary": f"{text[:80]}{number}"}
        await write(f"~/tools/tool_{number:02}", tool)
    for name, schema in odd_inputs().items():
        await write(f"~/tools/{name}", WORD_COUNT | {"input": schema, "description": "\n".join(CANARIES)[:8000]})
    for entry in catalogue()[:20]:
        name = "cat_" + "".join(char if char.isalnum() else "_" for char in entry["name"].lower())[:40]
        try:
            await write(f"~/tools/{name}", WORD_COUNT | {"input": entry["inputSchema"]})
        except HarnessError:
            continue  # some of the catalogue's contracts are no sound schemas, which other tests are about
    line = "# " + " ".join(CANARIES[:20]).replace("\n", " ").replace("\r", " ").replace("\x00", "")[:400] + "\n"
    await write(
        "~/tools/long", WORD_COUNT | {"source": WORD_COUNT["source"] + line * (SOURCE_BYTES // len(line.encode()))}
    )
    await write("~/tools/one_line", WORD_COUNT | {"source": "x = '" + "wide 你好 " * 5000 + "'\n"})
    for name, text in (("quick", "return {'ok': True}"), ("odd", "return {'[/]': '\\x1b]52;c;aGk=\\x07' * 50}")):
        await write(f"~/tools/{name}", WORD_COUNT | {"input": {}, "source": f"def main(input):\n    {text}\n"})
    for number in range(THREADS):
        thread = f"talk-{number}"
        await harness.say(CANARIES[number], thread=thread)
        for tool in ("search", "bash", "tool_01", CANARIES[number][:100]):
            await _try(harness, "call", {"tool": tool, "input": {"text": CANARIES[number]}}, thread)
        await _try(harness, "read", {"address": "~/tools/keys"}, thread)
        await _try(harness, "plan", {"steps": [{"id": "a", "label": "[/]", "status": "done"}]}, thread)
    await _try(harness, "write", {"address": "~/memory/from-agent.md", "content": "\n".join(CANARIES)}, "talk-0")


def scatter(root: Path) -> None:
    """Put files into the memory that no door would have put there."""
    memory = root / "memory"
    for number, text in enumerate(CANARIES):
        name = text.replace("/", "∕").replace("\x00", "")[:60] or "empty"
        (memory / f"{number} {name}").write_text(text)
    (memory / "binary").write_bytes(bytes(range(256)) * 40)
    (memory / "large.txt").write_text("line of a large file\n" * 40_000)
    (memory / "one-line.txt").write_text("long " * 60_000)
    (memory / os.fsdecode(b"not \xff utf-8")).write_text("x")
    deep_folder = memory.joinpath(*["down"] * 12)
    deep_folder.mkdir(parents=True)
    (deep_folder / "here.md").write_text("# [/] deep\n")
    (memory / "link").symlink_to("/etc")
    (memory / "loop").symlink_to("loop")
    os.mkfifo(memory / "pipe")
    many = memory / "many"
    many.mkdir()
    for number in range(400):
        (many / f"file {number}").touch()


async def _try(harness: Harness, verb: str, input: Any, thread: str) -> None:
    try:
        await harness.perform(verb, input, actor="agent", thread=thread)
    except HarnessError:
        return  # a failed act is in the log too, which is what it was done for
