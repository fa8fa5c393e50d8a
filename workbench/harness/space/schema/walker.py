"""The walk of an input along a schema: every step is counted, the depth is bounded, nothing is fetched.

jsonschema gives the keywords their meaning; it is this walker that takes the steps. jsonschema's own validator would
fetch references, change its dialect at a `$schema` in the middle of a document, run without any bound, and repeat a
whole input of megabytes in one message.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Hashable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Protocol

from workbench.harness.errors import HarnessError
from workbench.harness.space.schema.compiled import Compiled
from workbench.harness.space.schema.soundness import Step
from workbench.harness.space.schema.values import show
from workbench.harness.strict_json import Json

BASE_STEPS = 100_000
"""Steps every check may take; about a third of a second when they are used up."""

STEPS_PER_VALUE = 10
MAX_STEPS = 1_000_000
"""An input of many values may take more steps, up to this number."""

MAX_DESCENT = 400
"""How many schemas may be open inside each other: an input of 128 levels along a recursive schema stays below."""


class Fault(Protocol):
    """One thing that does not match: our `Mismatch`, or jsonschema's ValidationError from a keyword of its own."""

    message: str
    validator: str
    validator_value: str

    @property
    def path(self) -> deque[Step]:
        """The steps from the value at hand to the place of the fault."""
        ...


@dataclass(slots=True)
class Mismatch:
    """A fault, as our keywords make it: a tenth of the cost of a ValidationError, and a hostile schema makes many."""

    message: str
    validator: str
    validator_value: str
    path: deque[Step]


Keyword = Callable[["Walker", Json, Json, dict[str, Json]], "Iterator[Fault] | None"]
"""A keyword's meaning: (walker, the keyword's value, the input, the schema around) -> faults."""


class Walker:
    """One check of one input. To the keyword functions it is what jsonschema calls a validator."""

    format_checker = None  # `format` is an annotation

    def __init__(
        self,
        compiled: Compiled,
        keywords: Mapping[str, Keyword],
        is_type: Callable[[Json, str], bool],
        steps: int,
    ) -> None:
        self.compiled = compiled
        self._keywords = keywords
        self._is_type = is_type
        self._left = self._steps = steps
        self._depth = 0
        self._memory: dict[int, frozenset[Hashable]] = {}

    def spend(self, steps: int = 1) -> None:
        """Take steps from the budget. Raises HarnessError `limit` when none are left."""
        self._left -= steps
        if self._left < 0:
            raise HarnessError(
                "limit",
                f"checking this input against its schema takes over {self._steps:,} steps. Give a smaller input, or "
                "make the schema simpler: fewer branches in anyOf and oneOf, fewer references.",
            )

    def is_type(self, instance: Json, name: str) -> bool:
        """Whether the input is of a type of JSON Schema; `1.0` is an integer, `true` is none."""
        return self._is_type(instance, name)

    def descend(
        self, instance: Json, schema: Json, path: Step | None = None, schema_path: object = None
    ) -> Generator[Fault, None, None]:
        """Hold one value against one schema; `path` is the step from the value around it."""
        self.spend()
        if not isinstance(schema, dict):
            if schema is False:
                message = f"nothing is allowed here, is {show(instance)}"
                yield Mismatch(message, "", "", deque(() if path is None else (path,)))
            return
        if self._depth >= MAX_DESCENT:
            raise too_deep()
        self._depth += 1
        try:
            for keyword, value in schema.items():
                meaning = self._keywords.get(keyword)
                if meaning is None:
                    continue
                for fault in meaning(self, value, instance, schema) or ():
                    self.spend()
                    if path is not None:
                        fault.path.appendleft(path)
                    yield fault
        finally:
            self._depth -= 1

    def matches(self, instance: Json, schema: Json) -> bool:
        """Whether a value fits a schema; stops at the first fault."""
        # closed now, not when it is collected: its end counts the depth down
        with closing(self.descend(instance, schema)) as faults:
            return next(faults, None) is None

    def remembered(self, values: list[Json], make: Callable[[list[Json]], frozenset[Hashable]]) -> frozenset[Hashable]:
        """What `make` makes of a list in the schema, made once a walk."""
        known = self._memory.get(id(values))
        if known is None:
            self.spend(len(values) // 8)
            known = self._memory[id(values)] = make(values)
        return known

    def evolve(self, schema: Json) -> _Branch:
        """The form in which jsonschema's own keywords ask `matches`."""
        return _Branch(self, schema)


def too_deep() -> HarnessError:
    """The failure of an input that leads too many schemas deep."""
    return HarnessError(
        "limit",
        f"this input leads over {MAX_DESCENT} schemas deep: the schema refers to itself without end, or the input is "
        "nested too deeply for it. Make it flatter.",
    )


class _Branch:
    def __init__(self, walker: Walker, schema: Json) -> None:
        self._walker = walker
        self._schema = schema

    def is_valid(self, instance: Json) -> bool:
        return self._walker.matches(instance, self._schema)
