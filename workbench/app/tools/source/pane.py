"""The code of a tool; for a lambda also its editor."""

from __future__ import annotations

import importlib
import inspect

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widgets import TextArea

from workbench.app.seams import Change
from workbench.app.tools.shown import Shown
from workbench.app.tools.source.drafts import Draft, Judgement, judge
from workbench.app.widgets.code import CodeArea
from workbench.app.widgets.literal import Literal, OneLine, literal, parts
from workbench.app.widgets.strip import Place, TabStrip
from workbench.harness.text import printable, size

JUDGE_SECS = 0.2
"""How long after the last key a draft is judged."""

_EXECUTORS = {"builtin": "workbench.harness.tools.builtins", "verb": "workbench.harness.verbs"}


class SourcePane(Vertical):
    """Shows source; while `editing`, the editor stands in its place."""

    DEFAULT_CSS = """
    SourcePane > #editor { display: none; height: 1fr; }
    SourcePane.-editing > #editor { display: block; }
    SourcePane.-editing > #view { display: none; }
    SourcePane #areas { height: 1fr; }
    SourcePane #edit-rest { display: none; }
    SourcePane.-rest #edit-rest { display: block; }
    SourcePane.-rest #edit-source { display: none; }
    SourcePane #live { height: auto; max-height: 5; min-height: 1; padding: 0 1; background: $panel; }
    """

    class Left(Message):
        """Somebody wants to leave the editor."""

    class Edited(Message):
        """The draft in the editor is another one now."""

        def __init__(self, draft: Draft) -> None:
            super().__init__()
            self.draft = draft

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.draft: Draft | None = None
        self.text = ""
        self.judgement: Judgement | None = None
        self._shown: Shown | None = None
        self._key: tuple[str, str | None] | None = None
        self._began: dict[str, str] = {}
        self._timer: Timer | None = None
        self._warning: str = ""

    def compose(self) -> ComposeResult:
        """What this is, the source as it is stored, and the editor."""
        yield OneLine(classes="pane-head")
        yield CodeArea(read_only=True, id="view")
        with Vertical(id="editor"):
            yield TabStrip((Place("source", "source", "f2"), Place("rest", "contract", "f2")), id="edit-strip")
            with Horizontal(id="areas"):
                yield CodeArea(id="edit-source")
                yield CodeArea(id="edit-rest", wrap=True, code="json")
            yield Literal(id="live")

    @property
    def editing(self) -> bool:
        """Whether the editor is open."""
        return self.draft is not None

    def show(self, shown: Shown) -> None:
        """Show a tool's source as it is stored."""
        key = (shown.name, shown.cid)
        if key == self._key:
            return
        self._shown, self._key = shown, key
        head, view = self.query_one(".pane-head", OneLine), self.query_one("#view", CodeArea)
        if self.editing:
            return
        if shown.tool is None:
            self.text = ""
            head.show(literal("e opens the editor" if not shown.fault else "", "$text-muted"))
            view.put(printable(shown.absent))
            return
        document = shown.tool.document
        if document.source is not None:
            self.text = document.source
            head.show(parts((document.runtime or "", "bold"), f" · {size(self.text):,} bytes · e edits"))
            view.put(printable(self.text), document.runtime)
        else:
            self.text = executor_source(document.binding or "", shown.name)
            where = "its code comes with the workbench; this is the module that runs it"
            head.show(parts((document.binding or "", "bold"), f" · {where}"))
            view.put(printable(self.text), "python")

    def reshow(self, shown: Shown, words: str = "") -> None:
        """Show the stored source again after the editor was closed, with a word about what was left there."""
        self._key = None
        self.show(shown)
        if words:
            self.query_one(".pane-head", OneLine).show(literal(words, "$text-warning"))

    def focus_content(self) -> None:
        """Go to the text."""
        if not self.editing:
            self.query_one("#view").focus()
        elif self.has_class("-rest"):
            self.query_one("#edit-rest").focus()
        else:
            self.query_one("#edit-source").focus()

    def back(self) -> bool:
        """Leave the editor, which may ask about unsaved work."""
        if self.editing:
            self.post_message(self.Left())
        return self.editing

    def copied(self) -> tuple[str, str] | None:
        """The source as it is stored."""
        return (self.text, f"the source of {self._shown.name}") if self._shown and self.text else None

    def space_changed(self, change: Change) -> None:
        """`show` says what matters here."""

    def open(self, draft: Draft, warning: str = "") -> None:
        """Edit a draft."""
        self.draft = None
        self._warning = warning
        source, rest = self.query_one("#edit-source", CodeArea), self.query_one("#edit-rest", CodeArea)
        source.put(draft.source, draft.runtime)
        rest.put(draft.rest, "json")
        # What an area gives back need not be what it was given: it knows one kind of line end. As long as nobody
        # types, the draft keeps the text as it was.
        self._began = {"source": source.text, "rest": rest.text}
        if source.text != draft.source:
            self._warning = "This source has unusual line breaks; once you edit it they become plain ones. " + warning
        self.draft = draft
        self.set_class(True, "-editing")
        self._mark()
        self._judge()

    def close(self) -> None:
        """Leave the editor; what becomes of the draft is the tab's to decide."""
        self.draft = None
        self.remove_class("-editing", "-rest")

    def rebase(self, draft: Draft, warning: str = "") -> None:
        """Go on with the same text on another version."""
        self.draft = draft
        self._warning = warning
        self._judge()

    def warn(self, warning: str) -> None:
        """Say something about the draft that does not pass by itself."""
        self._warning = warning
        self._say()

    def toggle(self) -> None:
        """Go between the source and the rest of the document."""
        self.toggle_class("-rest")
        self._mark()
        self.focus_content()

    def _mark(self) -> None:
        self.query_one("#edit-strip", TabStrip).mark("rest" if self.has_class("-rest") else "source")
        if self.draft is not None:
            self.query_one(".pane-head", OneLine).show(
                parts(
                    ("editing ", "bold $text-accent"),
                    (self.draft.name, "bold"),
                    " · ctrl+s saves · f2 switches · esc leaves",
                )
            )

    @on(TabStrip.Picked)
    def _picked(self, event: TabStrip.Picked) -> None:
        event.stop()
        if (event.place == "rest") != self.has_class("-rest"):
            self.toggle()

    @on(TextArea.Changed)
    def _changed(self, event: TextArea.Changed) -> None:
        event.stop()
        area = event.text_area
        part = (area.id or "").removeprefix("edit-")
        draft = self.draft
        if draft is None or part not in self._began or area.text == self._began[part]:
            return
        self._began[part] = area.text
        self.draft = draft.edited(source=area.text) if part == "source" else draft.edited(rest=area.text)
        self.post_message(self.Edited(self.draft))
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(JUDGE_SECS, self._judge, name="judge the draft")

    def _judge(self) -> None:
        if self.draft is not None:
            self.judgement = judge(self.draft)
            self._say()

    def _say(self) -> None:
        judgement, draft = self.judgement, self.draft
        if judgement is None or draft is None:
            return
        if judgement.problem is not None:
            words = literal(f"✗ {judgement.problem}", "$text-error")
        elif judgement.cid == draft.base_cid:
            words = literal(f"= the stored version · {judgement.cid}", "$text-muted")
        else:
            words = parts(
                ("✓ would be ", "$text-success"),
                judgement.cid or "",
                (f" · {judgement.size:,} B · index line {judgement.index_bytes} B", "$text-muted"),
            )
            words = parts(words, *((f"\n  {note}", "$text-muted") for note in judgement.notes))
        if self._warning:
            words = parts((f"! {self._warning.strip()}\n", "$text-warning"), words)
        self.query_one("#live", Literal).show(words)


def executor_source(binding: str, name: str) -> str:
    """The text of the module that runs a builtin or verb; where there is none, words that say so."""
    kind = binding.partition(":")[0]
    package = _EXECUTORS.get(kind)
    if package is None:
        return "The code of this tool comes with the workbench."
    try:
        return inspect.getsource(importlib.import_module(f"{package}.{name}"))
    except (ImportError, OSError):
        return f"{name} is declared in this version of the workbench and has no executor in it yet."
