"""The code of a tool; for a lambda also its editor."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from workbench.app.seams import Change, workbench
from workbench.app.tools.shown import Shown
from workbench.app.tools.source.drafts import Draft
from workbench.app.tools.source.editor import Editor
from workbench.app.tools.source.judgement import Judgement
from workbench.app.tools.source.reading import Reading
from workbench.app.tools.source.surroundings import surroundings
from workbench.app.widgets.literal import OneLine, parts


class SourcePane(Vertical):
    """Shows source; while `editing`, the editor stands in its place."""

    DEFAULT_CSS = """
    SourcePane > #editing-head, SourcePane > #editor { display: none; }
    SourcePane > #editor, SourcePane > #reading { height: 1fr; }
    SourcePane.-editing > #editor, SourcePane.-editing > #editing-head { display: block; }
    SourcePane.-editing > #reading { display: none; }
    """

    class Left(Message):
        """Somebody wants to leave the editor."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.reading = Reading(id="reading")
        self.editor = Editor(lambda name: surroundings(workbench(self).harness, name), id="editor")

    def compose(self) -> ComposeResult:
        """What is looked at, and the editor."""
        yield OneLine(id="editing-head", classes="pane-head")
        yield self.reading
        yield self.editor

    @property
    def editing(self) -> bool:
        """Whether the editor is open."""
        return self.editor.draft is not None

    @property
    def draft(self) -> Draft | None:
        """What stands in the editor."""
        return self.editor.draft

    @property
    def judgement(self) -> Judgement | None:
        """What would come of saving what stands in the editor."""
        return self.editor.findings.judgement if self.editor.findings is not None else None

    def show(self, shown: Shown) -> None:
        """Show a tool's source as it is stored."""
        draft = self.draft
        if draft is not None and draft.name != shown.key:
            # Its edits are kept by those who were told of them.
            self.close()
        if not self.editing:
            self.reading.show(shown)

    def focus_content(self) -> None:
        """Go to the text."""
        if self.editing:
            self.editor.focus_part()
        else:
            self.reading.focus_text()

    def back(self) -> bool:
        """Leave the editor, which may ask about unsaved work."""
        if self.editing:
            self.post_message(self.Left())
        return self.editing

    @property
    def leaves(self) -> bool:
        """Whether the editor is open."""
        return self.editing

    def copied(self) -> tuple[str, str] | None:
        """The source as it is stored; while editing, the part that is edited."""
        draft = self.draft
        if draft is not None:
            return draft.texts[self.editor.part], f"your {self.editor.part} of {draft.name}"
        return self.reading.copied()

    def space_changed(self, change: Change) -> None:
        """`show` says what matters here."""
        self.reading.look_again()

    def open(self, draft: Draft, warning: str = "") -> None:
        """Edit a draft."""
        self.editor.open(draft, warning)
        self.add_class("-editing")
        self._say_base(draft)

    def close(self) -> None:
        """Leave the editor; what becomes of the draft is for others to decide."""
        self.editor.close()
        self.remove_class("-editing")

    def note(self, words: str) -> None:
        """Say something of the shown tool that is not in the Space, where its source is looked at."""
        self.reading.note(words)

    def rebase(self, draft: Draft) -> None:
        """Go on with the same text on another version."""
        self.editor.rebase(draft)
        self._say_base(draft)

    def _say_base(self, draft: Draft) -> None:
        base = f"from version {draft.base_cid}" if draft.base_cid else "new, not saved yet"
        head = parts(("editing ", "bold $text-accent"), (draft.name, "bold"), (f"  {base}", "$text-muted"))
        self.query_one("#editing-head", OneLine).show(head)

    def warn(self, warning: str, *, mends: bool = False) -> None:
        """Say something about the draft that does not pass by itself; with `mends`, until it can be saved."""
        self.editor.warn(warning, mends=mends)

    def toggle(self) -> None:
        """Go to the next part of what is shown."""
        if self.editing:
            self.editor.other_part()
        else:
            self.reading.other_part()
