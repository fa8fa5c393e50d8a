"""The contract of a tool: rendered plainly, or the very text that a model reads."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll

from workbench.app.seams import Change
from workbench.app.tools.contract.schema_text import SchemaLine, schema_lines, type_words
from workbench.app.tools.shown import Shown
from workbench.app.widgets.code import CodeArea
from workbench.app.widgets.columns import Columns, Row
from workbench.app.widgets.literal import Literal, OneLine, literal, parts
from workbench.harness.space.contract import contract_page, contract_text
from workbench.harness.space.document import Schema, ToolDocument
from workbench.harness.text import printable, size


class ContractPane(Vertical):
    """One tool's contract. `exact` says which of the two ways it is shown in."""

    DEFAULT_CSS = """
    ContractPane > VerticalScroll { height: 1fr; padding: 0 2 0 1; background: $surface; }
    ContractPane > VerticalScroll > Literal { width: 1fr; height: auto; }
    ContractPane > CodeArea { display: none; }
    ContractPane.-exact > CodeArea { display: block; }
    ContractPane.-exact > VerticalScroll { display: none; }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.exact = False
        self.text = ""
        self._shown: Shown | None = None

    def compose(self) -> ComposeResult:
        """A line that says which text this is, and the two ways to see it."""
        yield OneLine(classes="pane-head")
        with VerticalScroll(can_focus=True):
            yield Literal()
        yield CodeArea(read_only=True, wrap=True, numbers=False)

    def show(self, shown: Shown) -> None:
        """Show a tool's contract, from its beginning unless it is the same."""
        if self._shown is not None and (self._shown.name, self._shown.cid, self._shown.fault) == (
            shown.name,
            shown.cid,
            shown.fault,
        ):
            return
        self._shown = shown
        self._draw()

    def switch(self) -> None:
        """Show it the other way."""
        self.exact = not self.exact
        had_focus = self.has_focus_within
        self.set_class(self.exact, "-exact")
        self._draw()
        if had_focus:
            self.focus_content()

    def focus_content(self) -> None:
        """Go to what can be scrolled."""
        (self.query_one(CodeArea) if self.exact else self.query_one(VerticalScroll)).focus()

    def back(self) -> bool:
        """There is nothing to leave."""
        return False

    def copied(self) -> tuple[str, str] | None:
        """The exact text."""
        return (self.text, f"the contract of {self._shown.name}") if self._shown and self.text else None

    def space_changed(self, change: Change) -> None:
        """`show` says what matters here."""

    def _draw(self) -> None:
        shown = self._shown
        if shown is None:
            return
        head, plain, area = (
            self.query_one(".pane-head", OneLine),
            self.query_one("VerticalScroll Literal", Literal),
            self.query_one(CodeArea),
        )
        if shown.tool is None:
            self.text = ""
            head.show("")
            plain.show(literal(shown.absent, "$text-warning"))
            area.put(printable(shown.absent))
            return
        document, cid = shown.tool.document, shown.tool.cid
        page = contract_page(document, cid)
        self.text = page.content
        whole = size(contract_text(document, cid))
        counted = f"{size(self.text):,} bytes"
        if whole != size(self.text):
            counted += f" (page 1 of a contract of {whole:,})"
        if self.exact:
            head.show(parts(("exact text", "bold"), f" · {counted}, as read ~/tools/{shown.name} gives it · m: plain"))
            area.put(printable(self.text))
        else:
            head.show(parts(("contract", "bold"), f" · {counted} as a model reads it · m: the exact text"))
            plain.show(rendered(document))
            self.query_one(VerticalScroll).scroll_home(animate=False)


def rendered(document: ToolDocument) -> Columns:
    """The contract for a person: the description, then what goes in and what comes out."""
    rows: list[Row] = [
        (None, literal(document.description.strip("\n"))),
        (None, literal("")),
    ]
    if document.runtime is not None:
        rows += [(literal("runtime", "bold $text-primary"), literal(document.runtime)), (None, literal(""))]
    rows += _schema("input", document.input)
    if document.output is not None:
        rows += [(None, literal("")), *_schema("output", document.output)]
    return Columns(rows)


def _schema(title: str, schema: Schema) -> list[Row]:
    lines = schema_lines(schema)
    heading = parts(
        (title, "bold $text-primary"), ("  * is required", "$text-muted") if any(x.required for x in lines) else ""
    )
    if not lines:
        words = f"{type_words(schema)}: the schema names no properties"
        return [(None, heading), (None, literal(f"  {words}", "$text-muted"))]
    return [(None, heading), *(_line(line) for line in lines)]


def _line(line: SchemaLine) -> Row:
    name = "  " * (line.depth + 1) + line.name + ("*" if line.required else "")
    body = literal(line.type, "$text-success")
    if line.notes:
        body = parts(body, ("  " + ", ".join(line.notes), "$text-warning"))
    if line.description:
        body = parts(body, ("\n" + line.description, "$text-muted"))
    return literal(name, "bold" if line.required else ""), body
