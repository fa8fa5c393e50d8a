"""What a new lambda begins as: some small ones that work, each showing one thing. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workbench.app.tools.source.drafts import Draft, Texts
from workbench.harness.space.document import Runtime
from workbench.harness.strict_json import pretty


@dataclass(frozen=True, slots=True)
class Template:
    """A lambda to begin with; `shows` says in a line what it is good for."""

    id: str
    runtime: Runtime
    title: str
    shows: str
    source: str
    input: dict[str, Any]
    output: dict[str, Any] | None = None

    def draft(self, name: str) -> Draft:
        """A new lambda made from it."""
        rest: dict[str, Any] = {"input": self.input}
        if self.output is not None:
            rest["output"] = self.output
        description = f"Say what {name} does and when to use it; a model reads this."
        texts = Texts(self.source, description, pretty({**rest, "runtime": self.runtime}))
        return Draft(name, texts, None, texts)


_NAME: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string", "description": "Who is greeted."}},
    "required": ["name"],
}
_NOTE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "file": {"type": "string", "description": "A file of memory, such as notes.txt."},
        "line": {"type": "string", "description": "What is added at its end."},
    },
    "required": ["file", "line"],
}
_NUMBERS: dict[str, Any] = {
    "type": "object",
    "properties": {"numbers": {"type": "array", "items": {"type": "number"}, "minItems": 1}},
    "required": ["numbers"],
    "additionalProperties": False,
}
_STATISTICS: dict[str, Any] = {
    "type": "object",
    "properties": {"count": {"type": "integer"}, "mean": {"type": "number"}},
    "required": ["count", "mean"],
}

TEMPLATES: tuple[Template, ...] = (
    Template(
        "python",
        "python",
        "python",
        "one function; what it prints are logs",
        'def main(input):\n    return {"greeting": "Hello, " + input["name"]}\n',
        _NAME,
    ),
    Template(
        "python-files",
        "python",
        "python, with files",
        "reads and writes ~/memory/",
        """from pathlib import Path


def main(input):
    file = Path("/workspace") / input["file"]
    before = file.read_text() if file.exists() else ""
    file.write_text(before + input["line"] + "\\n")
    return {"lines": before.count("\\n") + 1}
""",
        _NOTE,
    ),
    Template(
        "python-output",
        "python",
        "python, typed output",
        "what it returns is checked",
        """from statistics import mean


def main(input):
    numbers = input["numbers"]
    return {"count": len(numbers), "mean": mean(numbers)}
""",
        _NUMBERS,
        _STATISTICS,
    ),
    Template(
        "python-async",
        "python",
        "python, async",
        "waits for several things at once",
        """import asyncio


async def main(input):
    async def greet(times):
        await asyncio.sleep(0.01 * times)
        return "Hello, " + input["name"]

    return {"greetings": await asyncio.gather(*(greet(times) for times in range(3)))}
""",
        _NAME,
    ),
    Template(
        "typescript",
        "typescript",
        "typescript",
        "one function, the default export",
        """export default function (input: { name: string }) {
  return { greeting: `Hello, ${input.name}` };
}
""",
        _NAME,
    ),
    Template(
        "typescript-files",
        "typescript",
        "typescript, with files",
        "reads and writes ~/memory/",
        """export default async function (input: { file: string; line: string }) {
  const path = `/workspace/${input.file}`;
  const before = await Deno.readTextFile(path).catch(() => "");
  await Deno.writeTextFile(path, before + input.line + "\\n");
  return { lines: before.split("\\n").length };
}
""",
        _NOTE,
    ),
    Template(
        "typescript-output",
        "typescript",
        "typescript, typed output",
        "what it returns is checked",
        """export default function ({ numbers }: { numbers: number[] }) {
  const sum = numbers.reduce((sum, number) => sum + number, 0);
  return { count: numbers.length, mean: sum / numbers.length };
}
""",
        _NUMBERS,
        _STATISTICS,
    ),
)
"""In the order in which they are offered; the first one is taken by whoever only types a name."""
