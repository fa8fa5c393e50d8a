"""What is said of a draft while it is edited, in a few lines."""

from __future__ import annotations

import re
from itertools import pairwise

from textual.content import Content

from workbench.app.tools.source.drafts import Draft
from workbench.app.tools.source.findings import Findings
from workbench.app.tools.source.judgement import Judgement
from workbench.app.widgets.literal import literal, parts

_SIZE = re.compile(r"(?:· )?[\d,]+ B\b")


def live_words(draft: Draft, findings: Findings | None, warning: str, width: int = 0) -> Content:
    """A warning, whether it can be saved and what it would be then, its line in the index, and what else to know.

    In a `width` no number is parted from its unit.
    """
    lines: list[Content] = []
    if warning:
        lines.append(literal(f"! {warning}", "$text-warning"))
    if findings is None:
        lines.append(literal("looking it over …", "$text-muted"))
    else:
        lines += _of_findings(draft, findings)
    return Content("\n").join(_whole(line, width) for line in lines)


def _whole(line: Content, width: int) -> Content:
    """A line in which numbers stay with their unit: Textual breaks lines at a no-break space too."""
    for size in reversed(list(_SIZE.finditer(line.plain))) if width > 0 else ():
        number = size[0].removesuffix(" B")
        shown = [part.plain.strip() for part in line.wrap(width)]
        if any(one.endswith(number) and other.startswith("B") for one, other in pairwise(shown)):
            line = line[: size.start()] + Content("\n") + line[size.start() :]
    return line


def _of_findings(draft: Draft, findings: Findings) -> list[Content]:
    judgement = findings.judgement
    wrong = any(fault.weight == "wrong" for fault in findings.faults)
    if judgement.problem is not None:
        lines = [parts(("✗ cannot be saved so", "bold $text-error"), (_where(findings), "$text-muted"))]
        if not findings.faults:
            lines.append(literal(judgement.problem, "$text-error"))
    elif judgement.cid == draft.base_cid:
        lines = [
            parts(
                ("△ as stored " if wrong else "= as stored ", "bold $text-warning" if wrong else "bold"),
                judgement.cid or "",
                (_size(judgement), "$text-muted"),
                (", and calls of it fail" if wrong else "", "$text-warning"),
            )
        ]
    else:
        lines = [
            parts(
                ("△ would be " if wrong else "✓ would be ", "bold $text-warning" if wrong else "bold $text-success"),
                judgement.cid or "",
                (_size(judgement), "$text-muted"),
                (", and calls of it would fail" if wrong else "", "$text-warning"),
            )
        ]
    if judgement.problem is None:
        lines.append(_index(judgement))
    if findings.unchecked:
        lines.append(literal(f"△ {findings.unchecked}", "$text-warning"))
    return [*lines, *(literal(f"△ {note}", "$text-muted") for note in judgement.notes)]


def _where(findings: Findings) -> str:
    count = len(findings.faults)
    return f" · {count} to see, f9 goes to {'it' if count == 1 else 'the next'}" if count else ""


def _size(judgement: Judgement) -> str:
    return f" · {judgement.size:,} B"


def _index(judgement: Judgement) -> Content:
    index = judgement.index
    if index is None or not judgement.line:
        return literal(f"index: not listed now, {judgement.unlisted}", "$text-muted")
    if judgement.unlisted:
        words = f" · {judgement.line_bytes} B, not listed now: {judgement.unlisted}"
    else:
        words = f" · {judgement.line_bytes} B of {index.bytes:,} / {index.budget:,}, stage {index.stage}"
    return parts(("index: ", "$text-muted"), judgement.line, (words, "$text-muted"))
