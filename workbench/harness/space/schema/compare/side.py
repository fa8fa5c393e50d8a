"""One of the two schemas that are compared: which values may fit at its places."""

from __future__ import annotations

from workbench.harness.errors import HarnessError
from workbench.harness.space.schema.compare.kinds import ALL_KINDS, kind_of, kinds_of_type, listed_values
from workbench.harness.space.schema.compare.places import Places, View
from workbench.harness.space.schema.compare.steps import Steps
from workbench.harness.space.schema.compiled import Compiled
from workbench.harness.space.schema.patterns import Unsupported, compile_pattern
from workbench.harness.space.schema.values import identity
from workbench.harness.space.schema.walker import Walker
from workbench.harness.strict_json import Json

MOST_VALUES = 500
"""Values that are tried one by one, where a schema takes only so many."""

_VALUE_STEPS = 20_000
_FEW: tuple[Json, ...] = (None, True, False)


class Side(Places):
    """A compiled schema, and everything that was found out about its places."""

    def __init__(self, compiled: Compiled, steps: Steps) -> None:
        super().__init__(compiled, steps)
        self._kinds: dict[int, tuple[Json, frozenset[str]]] = {}

    def property(self, view: View, name: str) -> Json:
        """What the value of a property must fit, whether it is named, matches a pattern, or is one of the others."""
        named, patterns = view.plain.get("properties"), view.plain.get("patternProperties")
        places = [named[name]] if isinstance(named, dict) and name in named else []
        for pattern, place in patterns.items() if isinstance(patterns, dict) else ():
            program = compile_pattern(pattern)
            self._steps.take()
            if not isinstance(program, Unsupported) and program.found_in(name):
                places.append(place)
        return self.both(*places) if places else view.plain.get("additionalProperties", True)

    def kinds(self, place: Json) -> frozenset[str]:
        """The kinds of values that may fit; one that is not among them never does."""
        if not isinstance(place, dict):
            return frozenset() if place is False else ALL_KINDS
        known = self._kinds.get(id(place))
        if known is None:
            # While it is being found out, a place that leads back to itself may be anything.
            self._kinds[id(place)] = (place, ALL_KINDS)
            known = self._kinds[id(place)] = (place, self._kinds_of(self.view(place)))
        return known[1]

    def _kinds_of(self, view: View) -> frozenset[str]:
        if view.never:
            return frozenset()
        found = kinds_of_type(view.plain)
        for values in listed_values(view.plain):
            found &= frozenset(kind_of(value) for value in values)
        for member in view.every:
            found &= self.kinds(member)
        for choice in view.choices:
            found &= frozenset[str]().union(*(self.kinds(branch) for branch in choice.branches))
        return found

    def values(self, place: Json) -> list[Json] | None:
        """All values that may fit, where they can be counted; None where there are too many."""
        view = self.view(place)
        kinds = self.kinds(place)
        if not kinds:
            return []
        found = next(iter(listed_values(view.plain)), None)
        if found is None and kinds <= {"null", "boolean"}:
            found = [value for value in _FEW if kind_of(value) in kinds]
        if found is None:
            for choice in view.choices:
                self._steps.take(len(choice.branches))
                lists = [
                    next(iter(listed_values(branch)), None) if isinstance(branch, dict) else None
                    for branch in choice.branches
                ]
                if all(each is not None for each in lists):
                    found = [value for each in lists for value in each or ()]
        return found if found is not None and len(found) <= MOST_VALUES else None

    def accepts(self, place: Json, value: Json) -> bool | None:
        """Whether a value fits; None where that takes too long to find out."""
        from workbench.harness.space.schema.keywords import is_type, vocabulary

        self._steps.take(20)
        walker = Walker(self.compiled, vocabulary(), is_type, _VALUE_STEPS)
        try:
            return walker.matches(value, place)
        except (HarnessError, RecursionError):
            return None

    def disjoint(self, first: Json, second: Json) -> bool:
        """Whether it is sure that no value fits both."""
        self._steps.take()
        if not self.kinds(first) & self.kinds(second):
            return True
        for one, other in ((first, second), (second, first)):
            values = self.values(one)
            if values is not None:
                return not any(self.accepts(one, value) is not False and self._may(other, value) for value in values)
        return self._tagged_apart(first, second)

    def _may(self, place: Json, value: Json) -> bool:
        return self.accepts(place, value) is not False

    def _tagged_apart(self, first: Json, second: Json) -> bool:
        """Whether both are objects that must have a property whose values differ, such as a `const` tag."""
        if self.kinds(first) & self.kinds(second) != frozenset({"object"}):
            return False
        views = [self.view(first), self.view(second)]
        names = [_names(view.plain.get("required")) for view in views]
        for name in sorted(names[0] & names[1]):
            values = [self.values(self.property(view, name)) for view in views]
            if values[0] is not None and values[1] is not None:
                own, others = (frozenset(map(identity, each)) for each in values if each is not None)
                if not own & others:
                    return True
        return False


def _names(value: Json) -> set[str]:
    return set(map(str, value)) if isinstance(value, list) else set()
