"""Source to look at: a lambda's own, or for a tool of ours the executor's text beside its declaration."""

from __future__ import annotations

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.timer import Timer

from workbench.app.tools.shown import Shown
from workbench.app.tools.source.declaration import declaration_text
from workbench.app.tools.source.executors import Executor, executor_file, mark_of, read_executor
from workbench.app.tools.source.stored_check import StoredCheck
from workbench.app.widgets.code import CodeArea
from workbench.app.widgets.literal import OneLine, literal, parts
from workbench.app.widgets.strip import Place, TabStrip
from workbench.harness.space.document import ToolDocument
from workbench.harness.text import printable, size
from workbench.harness.tools.builtins.later import NOT_BUILT

WATCH_SECS = 1.0
"""How often the file of an executor that is in view is looked at."""

BESIDE_FROM = 110
"""From how many columns on executor and declaration stand beside each other."""


class Reading(Vertical):
    """Shows the source of one tool after the other."""

    DEFAULT_CSS = """
    Reading #reading-strip { display: none; }
    Reading.-ours #reading-strip { display: block; }
    Reading.-ours.-beside #reading-strip { display: none; }
    Reading #texts { height: 1fr; }
    Reading #view { width: 1fr; }
    Reading #declaration { display: none; width: 1fr; }
    Reading.-ours.-declared #declaration { display: block; }
    Reading.-ours.-declared #view { display: none; }
    Reading.-ours.-beside #view { display: block; width: 3fr; }
    Reading.-ours.-beside #declaration { display: block; width: 2fr; border-left: vkey $border-blurred; }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.text = ""
        self.what = ""
        self._key: tuple[str, str | None, str | None] | None = None
        self._executor: Executor | None = None
        self._began: dict[str, tuple[int, ...]] = {}
        self._watch: Timer | None = None
        self._words = ""
        self._about = literal("")
        self._check = StoredCheck(self, self._draw_head)

    def compose(self) -> ComposeResult:
        """What this is, and the one or two texts."""
        yield OneLine(classes="pane-head")
        yield TabStrip(
            (Place("executor", "executor", "f2"), Place("declaration", "declaration", "f2")), id="reading-strip"
        )
        with Horizontal(id="texts"):
            yield CodeArea(read_only=True, id="view")
            yield CodeArea(read_only=True, id="declaration", wrap=True, numbers=False)

    def on_mount(self) -> None:
        self._watch = self.set_interval(WATCH_SECS, self._look, name="follow an executor's file", pause=True)

    @property
    def ours(self) -> bool:
        """Whether the shown tool has code of ours."""
        return self.has_class("-ours")

    def show(self, shown: Shown) -> None:
        """Show a tool's source as it is now."""
        key = (shown.key, shown.cid, shown.fault)
        if key == self._key:
            self._look()
            return
        again = self._key is not None and self._key[0] == shown.key
        self._key, self._executor = key, None
        self._check.stop()
        self.remove_class("-ours")
        if not again:
            self.remove_class("-declared")
            self.query_one("#reading-strip", TabStrip).mark("executor")
        if shown.tool is None:
            self._put("", shown.absent, None)
            self._head("e opens the editor" if not shown.fault else "")
        elif shown.tool.document.source is not None:
            document = shown.tool.document
            self._put(document.source or "", document.source or "", document.runtime)
            self.what = f"the source of {shown.name}"
            self._head(f" · {size(self.text):,} bytes · {_lines(self.text)} · e edits", document.runtime or "")
            self._check.about(shown.tool.cid, document)
        else:
            self._show_ours(shown.tool.document)
        self._follow()

    def note(self, words: str) -> None:
        """Say something of the tool that is not in the Space; nothing with no words."""
        if words != self._words:
            self._words = words
            self._draw_head()

    def look_again(self) -> None:
        """See whether what is shown has changed on disk."""
        self._look()

    def _show_ours(self, document: ToolDocument) -> None:
        self.add_class("-ours")
        self.query_one("#declaration", CodeArea).put(printable(declaration_text(document)))
        found = executor_file(document.binding or "")
        if found is None:
            why = NOT_BUILT.get(document.name, "There is no executor for it in this version of the workbench.")
            self._put("", f"{why}\n\nIts declaration is beside this: what a model reads.", None)
            self._head(" · declared, and without an executor", document.binding or "")
            return
        self._show_executor(read_executor(*found))

    def _show_executor(self, executor: Executor) -> None:
        view = self.query_one("#view", CodeArea)
        offset = view.scroll_offset if self._executor is not None else None
        self._executor = executor
        self._put(executor.text, executor.text, "python")
        self.what = f"the executor {executor.module}"
        if offset is not None:
            view.scroll_to(offset.x, offset.y, animate=False)
        began = self._began.setdefault(executor.module, executor.mark)
        changed = "" if began == executor.mark else " · changed since it was loaded: the text is new, what runs is not"
        self._head(f" · {_lines(executor.text)}{changed} · {executor.path}", executor.module)

    def _look(self) -> None:
        executor = self._executor
        if executor is not None and mark_of(executor.path) != executor.mark:
            self._show_executor(read_executor(executor.module, executor.path))

    def _put(self, exact: str, shown: str, code: str | None) -> None:
        self.text = exact
        view = self.query_one("#view", CodeArea)
        # Code keeps its lines; words about why there is none are to be read.
        view.soft_wrap = code is None
        view.show_line_numbers = code is not None
        view.put(printable(shown), code)

    def _head(self, words: str, first: str = "") -> None:
        self._about = parts((first, "bold"), words)
        self._draw_head()

    def _draw_head(self) -> None:
        head = literal(self._words, "$text-warning") if self._words else self._about
        wrong = self._check.words(self._key[1]) if self._key is not None and self._key[1] is not None else ""
        self.query_one(".pane-head", OneLine).show(
            parts((f"✗ {wrong} · ", "bold $text-error"), head) if wrong else head
        )

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= BESIDE_FROM, "-beside")

    def on_show(self) -> None:
        self._follow()

    def on_hide(self) -> None:
        if self._watch is not None:
            self._watch.pause()

    def _follow(self) -> None:
        """Look at the file now and then, while it is in view."""
        if self._watch is not None:
            if self._executor is not None:
                self._watch.resume()
                self._look()
            else:
                self._watch.pause()

    def focus_text(self) -> None:
        """Take the keys."""
        declared = self.has_class("-declared") and self.ours
        self.query_one("#declaration" if declared else "#view").focus()

    def other_part(self) -> None:
        """Go between executor and declaration."""
        if self.ours:
            self.toggle_class("-declared")
            self._mark()
            self.focus_text()

    def _mark(self) -> None:
        self.query_one("#reading-strip", TabStrip).mark("declaration" if self.has_class("-declared") else "executor")

    @on(TabStrip.Picked)
    def _picked(self, event: TabStrip.Picked) -> None:
        event.stop()
        if (event.place == "declaration") != self.has_class("-declared"):
            self.other_part()

    def copied(self) -> tuple[str, str] | None:
        """The text that is in view, and what it is."""
        if self.ours and (self.has_class("-declared") or not self.text):
            return self.query_one("#declaration", CodeArea).text, "the declaration"
        return (self.text, self.what) if self.text else None


def _lines(text: str) -> str:
    count = len(text.splitlines())
    return "1 line" if count == 1 else f"{count:,} lines"
