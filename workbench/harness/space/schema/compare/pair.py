"""Two places that are compared, with what is known of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.harness.space.schema.compare.changes import Fact
from workbench.harness.space.schema.compare.places import View
from workbench.harness.space.schema.values import path_text
from workbench.harness.strict_json import Json

if TYPE_CHECKING:
    from workbench.harness.space.schema.compare.engine import Comparison


class Pair:
    """The old and the new place, `a` and `b` in one form, and the way to compare places below them."""

    def __init__(self, comparison: Comparison, old: Json, new: Json, path: str, level: int, tell: bool) -> None:
        self.comparison = comparison
        self.old, self.new = old, new
        self.path, self.level, self.tell = path, level, tell
        self.a: View = comparison.old.view(old)
        self.b: View = comparison.new.view(new)
        self.old_kinds = comparison.old.kinds(old)
        self.new_kinds = comparison.new.kinds(new)

    def below(self, old: Json, new: Json, step: str) -> list[Fact]:
        """Compare what a part of the value must fit; `step` is added to the path."""
        return self.comparison.facts(old, new, self.path + step, self.level + 1, tell=self.tell)

    def beside(self, old: Json, new: Json, step: str) -> list[Fact]:
        """Compare what the very same value must fit."""
        return self.comparison.facts(old, new, self.path + step, self.level, tell=self.tell)

    def narrows_below(self, old: Json, new: Json) -> bool:
        """Whether a part of the value may be refused now."""
        return self.comparison.narrows(old, new, self.level + 1)

    def widens_below(self, old: Json, new: Json) -> bool:
        """Whether a part of the value may be accepted now that was not."""
        return self.comparison.widens(old, new, self.level + 1)

    def narrows(self, old: Json, new: Json) -> bool:
        """Whether the very same value may be refused now."""
        return self.comparison.narrows(old, new, self.level)

    def widens(self, old: Json, new: Json) -> bool:
        """Whether the very same value may be accepted now that was not."""
        return self.comparison.widens(old, new, self.level)

    def same(self, old: Json, new: Json) -> bool:
        """Whether two places decide the same."""
        return self.comparison.same.of(old, new)


def property_step(name: str) -> str:
    """How a property is written in a path."""
    return path_text([name])[1:]
