"""The stored document as JSON to fold and unfold; a long text in it opens whole."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical

from workbench.app.tools.cid.subject import Subject
from workbench.app.widgets.json_outline import JsonTwig, json_twigs
from workbench.app.widgets.outline.view import Outline
from workbench.app.widgets.text_view import TextView, lines_of_text
from workbench.harness.space.document import ToolDocument
from workbench.harness.strict_json import pretty

OPEN_LEVELS = 1
"""Levels that begin unfolded, beside the fields themselves."""


class JsonView(Vertical):
    """The tree, and in its stead the text that was opened."""

    DEFAULT_CSS = """
    JsonView { height: 1fr; }
    JsonView > TextView { display: none; }
    JsonView.-text > TextView { display: block; }
    JsonView.-text > Outline { display: none; }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._document: ToolDocument | None = None
        self._words = ""
        self._opened: tuple[str, str] | None = None

    def compose(self) -> ComposeResult:
        """The tree and the text."""
        yield Outline(id="document")
        yield TextView(id="document-text")

    def show(self, subject: Subject) -> None:
        """Show the document; where there is none, why."""
        if self._document is subject.document and self._words == subject.absent:
            return
        before, now = self._document, subject.document
        anew = before is None or now is None or (before.name, before.binding) != (now.name, now.binding)
        self._document, self._words = subject.document, subject.absent
        self._leave()
        outline = self.query_one("#document", Outline)
        if subject.document is None:
            outline.show((), anew=True)
            self._put_text(subject.absent)
            return
        outline.show(json_twigs(subject.document.to_map()), open=lambda key, depth: depth < OPEN_LEVELS, anew=anew)

    def focus_content(self) -> None:
        """Take the keys."""
        (self.query_one(TextView) if self.has_class("-text") else self.query_one(Outline)).focus()

    @property
    def opened(self) -> bool:
        """Whether a text is opened."""
        return self._document is not None and self.has_class("-text")

    def back(self) -> bool:
        """Out of an opened text, to the tree."""
        if not self.opened:
            return False
        self._leave()
        self.query_one(Outline).focus()
        return True

    def copied(self) -> tuple[str, str] | None:
        """The opened text, else the whole document."""
        if self._document is None:
            return None
        if self._opened is not None:
            return self._opened[1], f"{self._opened[0]} of {self._document.name}"
        return pretty(self._document.to_map()), f"the document of {self._document.name}"

    @on(Outline.Chosen)
    def _chosen(self, event: Outline.Chosen) -> None:
        event.stop()
        twig = event.twig
        if isinstance(twig, JsonTwig) and isinstance(twig.value, str) and not twig.whole:
            self._opened = twig.key.partition("\n")[0], twig.value
            self._put_text(twig.value)
            self.call_after_refresh(self.focus_content)

    def _put_text(self, text: str) -> None:
        self.query_one(TextView).show(tuple(lines_of_text(text)))
        self.add_class("-text")

    def _leave(self) -> None:
        self._opened = None
        self.remove_class("-text")
