"""The contract of a tool: rendered plainly, or the very text that a model reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical

from workbench.app.actions import bindings
from workbench.app.seams import Change, workbench
from workbench.app.tools.contract.actions import CONTRACT
from workbench.app.tools.contract.losses import loss_twigs, provider_of
from workbench.app.tools.contract.rendered import contract_twigs, opens
from workbench.app.tools.shown import Shown
from workbench.app.widgets.literal import OneLine, parts
from workbench.app.widgets.outline.twig import Twig
from workbench.app.widgets.outline.view import Outline
from workbench.harness.space.contract import contract_pages, contract_text
from workbench.harness.text import printable, size

if TYPE_CHECKING:
    from workbench.app.widgets.code import CodeArea


class ContractPane(Vertical):
    """One tool's contract. `exact` says which of the two ways it is shown in."""

    BINDINGS = bindings(*CONTRACT)
    DEFAULT_CSS = """
    ContractPane > Outline { background: $surface; }
    ContractPane > CodeArea { display: none; }
    ContractPane.-exact > CodeArea { display: block; }
    ContractPane.-exact > Outline { display: none; }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.exact = False
        self._shown: Shown | None = None
        self._key: tuple[str, str | None, str, str | None] | None = None
        self._pages: list[str] = []
        self._page = 0
        self._area: CodeArea | None = None
        self._bytes = 0

    def compose(self) -> ComposeResult:
        """A line that says which text this is, and the two ways to see it."""
        yield OneLine(classes="pane-head")
        yield Outline()

    @property
    def text(self) -> str:
        """The exact text of the page; nothing where there is no contract."""
        return self._pages[self._page] if self._pages else ""

    def show(self, shown: Shown) -> None:
        """Show a tool's contract, from its beginning unless it is the same."""
        provider = self._provider()
        key = (shown.key, shown.cid, shown.absent, provider)
        if key == self._key:
            return
        anew = self._key is None or self._key[0] != shown.key
        self._shown, self._key = shown, key
        self._pages, self._page, self._bytes = [], 0, 0
        if shown.tool is not None:
            self._pages = contract_pages(shown.tool.document, shown.tool.cid)
            self._bytes = size(contract_text(shown.tool.document, shown.tool.cid))
        if shown.tool is not None:
            twigs = contract_twigs(shown.tool.document) + loss_twigs(shown.tool, provider)
        else:
            twigs = [Twig("absent", [(printable(shown.absent), "")])]
        self.query_one(Outline).show(twigs, open=opens, anew=anew)
        self._draw()

    def _provider(self) -> str | None:
        """Whom the chosen model is of, where it is somebody's."""
        turns = workbench(self).turns
        return provider_of(turns.model, turns.models)

    def switch(self) -> None:
        """Show it the other way."""
        self.exact = not self.exact
        had_focus = self.has_focus_within
        if self._area is None:
            from workbench.app.widgets.code import CodeArea

            self._area = CodeArea(read_only=True, wrap=True, numbers=False)
            self.mount(self._area)
        self.set_class(self.exact, "-exact")
        self._draw()
        if had_focus:
            self.focus_content()

    def action_page_of(self, by: int) -> None:
        """Turn the pages of the exact text."""
        if self._pages:
            self._page = min(max(self._page + by, 0), len(self._pages) - 1)
            if self.exact:
                self._draw()
            else:
                self.switch()

    def focus_content(self) -> None:
        """Go to what can be scrolled."""
        (self._area if self.exact and self._area is not None else self.query_one(Outline)).focus()

    def back(self) -> bool:
        """There is nothing to leave."""
        return False

    @property
    def leaves(self) -> bool:
        """Never."""
        return False

    def copied(self) -> tuple[str, str] | None:
        """The exact text."""
        return (self.text, f"the contract of {self._shown.name}") if self._shown and self.text else None

    def space_changed(self, change: Change) -> None:
        """`show` says what matters here."""

    def _draw(self) -> None:
        shown, pages, head = self._shown, self._pages, self.query_one(".pane-head", OneLine)
        if shown is None:
            return
        if not pages:
            head.show("")
            self._put(shown.absent)
            return
        if self.exact:
            of = f" · page {self._page + 1} of {len(pages)} of {self._bytes:,}, < > turn" if len(pages) > 1 else ""
            given = "what a request carries, as a contract"
            given = given if shown.on_machine else f"as read ~/tools/{shown.name} gives it"
            counted = f" · m: plain · {size(self.text):,} bytes{of} · {given}"
            head.show(parts(("exact text", "bold"), counted))
            self._put(self.text)
        else:
            many = f" in {len(pages)} pages" if len(pages) > 1 else ""
            # What the key does comes before what only explains: where the line is narrow its end is cut.
            words = f" · m: exact text · {self._bytes:,} bytes{many}, as a model reads it"
            head.show(parts(("contract", "bold"), words))

    def _put(self, text: str) -> None:
        if self._area is not None:
            self._area.put(printable(text))
