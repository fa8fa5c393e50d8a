"""What a catalogue of tools costs each request: every schema sent, or an index, the verbs, and what was promoted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from workbench.agent.catalogue import Catalogue, content_of
from workbench.agent.scene import Say, load
from workbench.harness.errors import HarnessError
from workbench.harness.log.events import Event, RequestSent, ToolCall, ToolResult
from workbench.harness.log.payloads import dumps
from workbench.harness.names import VERBS
from workbench.harness.request import BYTES_PER_TOKEN, declaration
from workbench.harness.space.document import ToolDocument
from workbench.harness.space.index import IndexTool, MemoryTop, SpaceIndex, TriggersTop, build
from workbench.harness.space.library import StoredTool
from workbench.harness.strict_json import as_object
from workbench.harness.text import size
from workbench.harness.tools.builtins.later import NOT_BUILT
from workbench.harness.tools.builtins.registry import DEFINITIONS
from workbench.harness.verbs.registry import verb_tools

if TYPE_CHECKING:
    from workbench.harness.harness import Harness
    from workbench.harness.views import SentRequest

SCENES = Path(__file__).parent / "tasks"
"""The scripted tasks that come with the workbench."""


class Standing(Struct, frozen=True):
    """What stands in every request before anything is said, in bytes: all schemas, or the index and the verbs.

    The owner's prompt is in neither: it is the same for both.
    """

    tools: int
    every_schema: int
    index: SpaceIndex
    verbs: int

    @property
    def sent(self) -> int:
        """The index and the verbs together."""
        return self.index.bytes + self.verbs


class Row(Struct, frozen=True):
    """One request of a task, in bytes. `promoted` are the tools beyond the verbs, `tools` their names.

    `answer` is what the model answered, in words; `finds` that it only looked for tools or read their contracts, so
    that whoever is sent every schema would not need this request.
    """

    index: int
    verbs: int
    promoted: int
    messages: int
    every_schema: int
    tools: tuple[str, ...]
    answer: str
    finds: bool

    @property
    def sent(self) -> int:
        """What was sent, without the owner's prompt."""
        return self.index + self.verbs + self.promoted + self.messages

    @property
    def with_every_schema(self) -> int:
        """The same messages with every schema before them."""
        return self.every_schema + self.messages


class Played(Struct, frozen=True):
    """A task that was played: its requests, how its turns ended where not as they should, and names that were none."""

    title: str
    rows: tuple[Row, ...]
    faults: tuple[str, ...] = ()


def tokens(bytes: int) -> int:
    """About how many tokens that is, by the estimate with which room is planned."""
    return -(-bytes // BYTES_PER_TOKEN)


def standing(catalogue: Catalogue) -> Standing:
    """What the tools of a catalogue cost every request. Pure: no Space, and no sandbox, is needed."""
    documents = [tool.document for tool in catalogue.tools]
    listed = [
        IndexTool(name, document.summary, builtin=True)
        for name, document in ((name, definition.document()) for name, definition in DEFINITIONS.items())
        if name not in NOT_BUILT
    ]
    listed += [IndexTool(one.name, one.summary, authored=True) for one in sorted(documents, key=lambda one: one.name)]
    return Standing(
        tools=len(documents),
        every_schema=size(dumps([_declared(document) for document in documents])),
        index=build(listed, MemoryTop(), TriggersTop((), 0)),
        verbs=size(dumps([declaration(tool) for tool in verb_tools().values()])),
    )


def find_task(name: str) -> Path:
    """The file of a task, by its name or as it is named. Raises HarnessError `not_found`, with the names there are."""
    if name.endswith(".toml") or "/" in name:
        return Path(name).expanduser()
    there = {path.stem: path for path in sorted(SCENES.glob("*.toml"))}
    if name not in there:
        raise HarnessError(
            "not_found", f"There is no task {name}. There are: {', '.join(there)}. Or name a file that ends in .toml."
        )
    return there[name]


def unavailable(harness: Harness) -> str | None:
    """Why no task can be played here: the tools of a catalogue are held as lambdas. None where it can."""
    return harness.availability.python


async def play(
    harness: Harness, catalogue: Catalogue, task: Path, held: Callable[[int], None] = lambda number: None
) -> Played:
    """Hold a catalogue in a fresh Space, let a scene's agent do its task there, and read what each request had.

    `held` hears after each tool how many there are by now.

    Raises:
        HarnessError: the scene cannot be read, or the Space cannot hold the tools.
    """
    from workbench.agent.models.scripted import open_scripted
    from workbench.agent.turn import turn

    scene, model = load(task), open_scripted(task)
    for number, tool in enumerate(catalogue.tools, 1):
        document = tool.document
        await harness.perform("write", {"address": f"~/tools/{document.name}", "content": content_of(document)})
        held(number)
    every_schema = size(dumps([_declared(tool.document) for tool in catalogue.tools]))
    said = [step.act.text for step in scene.steps if isinstance(step.act, Say) and step.act.actor == "user"]
    faults: list[str] = []
    for text in said or ["Do it."]:
        end = await turn(harness, scene.thread, model, text)
        faults += [f"{end.reason}: {end.words}"] if end.reason != "done" else []
    events = harness.events(scene.thread)
    results = {event.id: event for event in events if isinstance(event, ToolResult)}
    rows = [
        _row(harness, scene.thread, one, every_schema, _calls_after(events, one.sent), results)
        for one in harness.requests(scene.thread)
    ]
    missing = [tool.name for tool in harness.promoted(scene.thread).withheld if tool.reason == "unknown"]
    faults += [f"{', '.join(missing)}: not in this catalogue"] if missing else []
    return Played(scene.title, tuple(rows), tuple(faults))


def _row(
    harness: Harness,
    thread: str,
    one: SentRequest,
    every_schema: int,
    calls: Sequence[ToolCall],
    results: dict[str, ToolResult],
) -> Row:
    request = harness.request(thread, one.sent.seq)
    verbs = size(dumps([tool for tool in request.tools if tool["name"] in VERBS]))
    promoted = tuple(str(tool["name"]) for tool in request.tools if tool["name"] not in VERBS)
    _, tag, block = request.system.partition("<space>")
    return Row(
        index=size(tag + block),
        verbs=verbs,
        promoted=request.bytes["tools"] - verbs,
        messages=request.bytes["messages"],
        every_schema=every_schema,
        tools=promoted,
        answer=_answer(calls),
        finds=bool(calls) and all(_finds(call, results.get(call.id)) for call in calls),
    )


def _calls_after(events: Sequence[Event], sent: RequestSent) -> list[ToolCall]:
    """The calls of the answer that a request had."""
    found: list[ToolCall] = []
    for event in events:
        if isinstance(event, RequestSent) and event.seq > sent.seq:
            break
        if isinstance(event, ToolCall) and event.actor == "agent" and event.seq > sent.seq:
            found.append(event)
    return found


def _answer(calls: Sequence[ToolCall]) -> str:
    """What an answer did, in words."""
    counted = Counter(_words(call) for call in calls)
    return ", ".join(words if number == 1 else f"{words} ({number})" for words, number in counted.items()) or "the end"


def _words(call: ToolCall) -> str:
    body = as_object(call.input) or {}
    if call.name == "call":
        return f"call {body.get('tool')}"
    if call.name != "read":
        return call.name
    address = str(body.get("address", "")).strip(" /")
    if address == "~/tools":
        return "looks for tools"
    return "reads a contract" if address.startswith("~/tools/") else f"read {address}"


def _finds(call: ToolCall, result: ToolResult | None) -> bool:
    """Whether a call only looked for a tool or brought its contract."""
    body = as_object(call.input) or {}
    if call.name == "read":
        return str(body.get("address", "")).strip(" /").startswith("~/tools")
    named = body.get("tool") if call.name == "call" else call.name
    output = as_object(cast(object, result.output)) if result is not None else None
    return named == "search" or (output is not None and output.get("status") == "contract")


def _declared(document: ToolDocument) -> dict[str, object]:
    return declaration(StoredTool(document.name, "", document, 0, 0, "", ""))
