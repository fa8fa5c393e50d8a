"""Choosing in the form: one of a few values, or one of several forms."""

from __future__ import annotations

from workbench.app.tools.call.form.node import Node, State
from workbench.app.tools.call.form.screens import Entry, Pick
from workbench.app.tools.call.form.shape import TEXT_KINDS
from workbench.app.tools.call.form.typed import TypedForm
from workbench.harness.space.schema.values import path_text

_NULL, _ABSENT = -1, -2


class ChosenForm(TypedForm):
    """A form whose fields can be chosen from."""

    def _cycle(self, node: Node, step: int) -> None:
        content = node.content
        count = 2 if content.kind == "boolean" else len(content.shape.options)
        if content.state is not State.VALUE:
            chosen = (1 if content.kind == "boolean" else 0) if step > 0 else count - 1
        else:
            chosen = (content.chosen + step) % count
        self.draft.pick(node, chosen)
        self._after(node)

    def _jump(self, node: Node, char: str) -> None:
        content = node.content
        labels = ["false", "true"] if content.kind == "boolean" else [each.label for each in content.shape.options]
        start = content.chosen + 1 if content.state is State.VALUE else 0
        for number in (*range(start, len(labels)), *range(start)):
            if labels[number].casefold().startswith(char.casefold()):
                self.draft.pick(node, number)
                self._after(node)
                return

    def _list_options(self, node: Node) -> None:
        content = node.content
        entries = [Entry(option.label, number) for number, option in enumerate(content.shape.options)]
        if node.shape.nullable:
            entries.append(Entry("null", _NULL))
        if not node.required:
            entries.append(Entry("leave it out", _ABSENT, quiet=True))
        present = content.chosen if content.state is State.VALUE else None
        self.app.push_screen(
            Pick(path_text(node.steps), tuple(entries), present), lambda number: self._listed(node, number)
        )

    def _listed(self, node: Node, number: int | None) -> None:
        if number is None:
            return
        if number == _NULL:
            self.draft.set_null(node)
        elif number == _ABSENT:
            self.draft.leave_out(node)
        else:
            self.draft.pick(node, number)
        self._restructured(node)

    def _list_forms(self, node: Node) -> None:
        entries = [Entry(branch.label, number) for number, branch in enumerate(node.shape.branches)]
        self.app.push_screen(
            Pick(path_text(node.steps), tuple(entries), node.branch), lambda number: self._chose_form(node, number)
        )

    def _chose_form(self, node: Node, number: int | None) -> None:
        if number is None:
            return
        self.draft.choose(node, number)
        self._restructured(node)
        if node.content.kind in TEXT_KINDS:
            self._open_editor(None)
