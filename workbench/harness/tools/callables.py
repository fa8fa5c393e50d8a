"""What may be called now, with the one reason for each tool that may not. Everything that shows a reason asks here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from workbench.harness.cid import cid_of
from workbench.harness.errors import HarnessError
from workbench.harness.identity import iso
from workbench.harness.names import BUILTINS, VERBS, lambda_name_fault
from workbench.harness.space.document import ToolDocument, encode
from workbench.harness.space.library import BrokenTool, StoredTool
from workbench.harness.space.settings import Settings
from workbench.harness.space.space import Space
from workbench.harness.tools.definition import ToolDefinition

if TYPE_CHECKING:
    from workbench.harness.tools.lambdas.availability import Availability

Reason = Literal["unknown", "not_granted", "unavailable", "needs_execute"]


class Missing(Struct, frozen=True):
    """What keeps each builtin and each runtime from working here and now, in words; None where nothing does.

    `processes` is what keeps a call from starting processes where the owner allows it.
    """

    builtins: Mapping[str, str | None]
    runtimes: Mapping[str, str | None]
    processes: str | None = None

    @classmethod
    def on(cls, availability: Availability, not_built: Mapping[str, str]) -> Missing:
        """Read what the machine can do. `execute` works as long as one runtime does."""
        runtimes = {
            "python": availability.python,
            "typescript": availability.typescript,
            "shell": availability.shell,
        }
        nothing_runs = all(runtimes.values())
        builtins: dict[str, str | None] = {name: not_built.get(name) for name in BUILTINS}
        builtins["execute"] = runtimes["python"] if nothing_runs else None
        return cls(builtins, runtimes, availability.processes)


class ToolState(Struct, frozen=True):
    """A tool with its states. `reason` is None exactly when it is callable; `detail` says what to do about it."""

    name: str
    kind: str
    cid: str
    summary: str
    granted: bool
    callable: bool
    reason: Reason | None = None
    detail: str | None = None


def decide(
    name: str, document: ToolDocument | None, settings: Settings, missing: Missing, fault: str | None = None
) -> tuple[bool, Reason | None, str | None]:
    """Whether a tool is granted, why it cannot be called (None when it can), and what to do about that.

    The first reason that applies is the one. `fault` says that there is such a tool and that its stored block cannot be
    trusted.
    """
    if fault is not None:
        return False, "unavailable", fault
    if document is None or name in VERBS:
        return False, "unknown", "There is no tool of that name."
    execute_granted = settings.tools is None or "execute" in settings.tools
    if document.kind == "builtin":
        granted = settings.tools is None or name in settings.tools
        if not granted:
            return False, "not_granted", f'Grant it by adding "{name}" to the list tools: write ~/self.'
        lacking = missing.builtins.get(name)
        return (True, "unavailable", lacking) if lacking else (True, None, None)
    switched_on = name not in settings.switched_off
    if not switched_on:
        return False, "not_granted", f'Switched off. Take "{name}" out of switched_off: write ~/self.'
    lacking = missing.runtimes.get(document.runtime or "typescript")
    if lacking:
        return execute_granted, "unavailable", lacking
    if not execute_granted:
        return False, "needs_execute", 'Lambdas run code, and execute is not granted: add "execute" to the list tools.'
    return True, None, None


class Callables:
    """The tools of one Space with their states, as of the moment of asking."""

    def __init__(self, space: Space, builtins: Mapping[str, ToolDefinition], missing: Missing) -> None:
        self._space = space
        self.missing = missing
        self._builtins: dict[str, StoredTool] = {}
        self._seen: tuple[object, Settings, tuple[ToolState, ...]] | None = None
        for name in BUILTINS:
            document = builtins[name].document()
            block = encode(document)
            self._builtins[name] = StoredTool(name, cid_of(block), document, len(block), 0, "", "system")

    def keep_builtins(self) -> None:
        """Bring the builtins' documents into the Space where they are missing or another version.

        A version that the Space had before is not brought back: another workbench, a newer one, replaced it.
        """
        if self._space.store.readonly:
            return
        for name, tool in self._builtins.items():
            if tool.cid not in {version.cid for version in self._space.library.versions(name)}:
                self._space.library.save(tool.document, "system")

    def tool(self, name: str) -> StoredTool | None:
        """The tool of that name, callable or not. Raises HarnessError `corrupt` for a block that cannot be trusted."""
        ours = self._builtins.get(name)
        if ours is not None:
            head = self._space.store.head(f"~/tools/{name}")
            if head is None or head.cid != ours.cid:
                return ours
            return replace(ours, version=head.version, time=iso(head.time_ms), actor=head.actor)
        found = self._space.library.get(name)
        return found if found is not None and self._is_lambda(found) else None

    def all(self) -> tuple[list[StoredTool], list[BrokenTool]]:
        """Every tool, builtins in their order and then lambdas by name; and those whose block cannot be trusted."""
        stored, broken = self._space.library.all()
        lambdas = [tool for name, tool in stored.items() if name not in BUILTINS and self._is_lambda(tool)]
        builtins = [tool for name in BUILTINS if (tool := self.tool(name)) is not None]
        return builtins + lambdas, [tool for tool in broken if tool.name not in BUILTINS]

    @staticmethod
    def _is_lambda(tool: StoredTool) -> bool:
        # A Space may come from elsewhere: a document that calls itself a builtin is bound to nothing of ours, and a
        # reserved name is nobody's.
        return tool.document.kind == "lambda" and lambda_name_fault(tool.name) is None

    def states(self) -> list[ToolState]:
        """Every tool with its states, in the order of `all`."""
        settings = self._space.agent_file.state().settings
        mark = (self._space.store.names_mark(), self._space.library.distrusted)
        if self._seen is None or self._seen[0] != mark or self._seen[1] is not settings:
            # Faces ask at every event, and most events change none of this.
            tools, broken = self.all()
            found = [self._state(tool, settings) for tool in tools]
            found += [self._broken(tool.name, tool.cid, tool.fault) for tool in broken]
            self._seen = (mark, settings, tuple(found))
        return list(self._seen[2])

    def state(self, name: str) -> ToolState:
        """One tool with its states; a name that is none has the reason `unknown`."""
        try:
            tool = None if name in VERBS else self.tool(name)
        except HarnessError as error:
            return self._broken(name, "", error.message)
        if tool is None:
            granted, reason, detail = decide(name, None, Settings(), self.missing)
            return ToolState(name, "", "", "", granted, False, reason, detail)
        return self._state(tool, self._space.agent_file.state().settings)

    def names(self) -> list[str]:
        """The names that may be called now, in the order of `all`."""
        return [state.name for state in self.states() if state.callable]

    def _broken(self, name: str, cid: str, fault: str) -> ToolState:
        granted, reason, detail = decide(name, None, Settings(), self.missing, fault)
        return ToolState(name, "lambda", cid, "", granted, False, reason, detail)

    def _state(self, tool: StoredTool, settings: Settings) -> ToolState:
        document = tool.document
        granted, reason, detail = decide(tool.name, document, settings, self.missing)
        return ToolState(tool.name, document.kind, tool.cid, document.summary, granted, reason is None, reason, detail)
