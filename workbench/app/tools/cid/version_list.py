"""The versions of a tool as a list, newest first, with a cursor and a mark."""

from __future__ import annotations

from collections.abc import Sequence

from textual.message import Message

from workbench.app.actions import bindings
from workbench.app.tools.cid.actions import MARKS
from workbench.app.tools.cid.version_words import first_of, version_line
from workbench.app.widgets.lines.line import Line
from workbench.app.widgets.lines.view import LineView
from workbench.app.widgets.wrapping import fit
from workbench.harness.space.library import Version

MARKED = "*"
"""Stands before the version that others are compared with."""


class VersionList(LineView):
    """One line a version."""

    BINDINGS = bindings(*MARKS)

    class Marked(Message):
        """Another version, or none, is the one to compare with."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._versions: tuple[Version, ...] = ()
        self._present: int | None = None
        self._first: dict[str, int] = {}
        self._words = ""
        self.marked: Version | None = None
        """The version that others are compared with."""

    def show(self, versions: Sequence[Version], present: int | None, words: str, *, anew: bool) -> None:
        """Show these versions, oldest first as they are given; where there are none, `words`.

        The cursor and the mark stay on their versions, but with `anew` they begin at the newest.
        """
        at, marked = self.version, self.marked
        self._versions = tuple(reversed(versions))
        self._present, self._words, self._first = present, words, first_of(versions)
        numbers = {version.version: index for index, version in enumerate(self._versions)}
        self.marked = marked if not anew and marked is not None and marked.version in numbers else None
        self.reset(len(self._versions))
        keep = None if anew or at is None else numbers.get(at.version)
        if self._versions:
            self.move_to(keep if keep is not None else 0)

    @property
    def version(self) -> Version | None:
        """The version at the cursor."""
        return self._versions[self.cursor] if self.cursor is not None and self.cursor < len(self._versions) else None

    def before(self, version: Version) -> Version | None:
        """The newest version with a document before another one."""
        return next((each for each in self._versions if each.version < version.version and each.cid is not None), None)

    def nothing(self) -> Sequence[str]:
        """Why there are none."""
        return (self._words,)

    def estimate(self, index: int, width: int) -> int:
        """One line each."""
        return 1

    def lines_of(self, index: int, width: int) -> Sequence[Line]:
        """The mark, and the version."""
        version = self._versions[index]
        digits = len(str(self._versions[0].version))
        text = version_line(version, self._present, digits, width - 1, self._first.get(version.cid or ""))
        look = "quiet" if version.cid is None else "strong" if version.version == self._present else ""
        mark = MARKED if version == self.marked else " "
        return [[(mark, "mark" if version == self.marked else ""), (fit(text, max(width - 1, 1)), look)]]

    def action_mark(self) -> None:
        """Mark the version at the cursor, or take its mark back."""
        version = self.version
        if version is None or version.cid is None:
            return
        self.marked = None if version == self.marked else version
        self.repaint_items()
        self.post_message(self.Marked())

    def action_move(self, step: int) -> None:
        """Move the cursor."""
        to = self.near(self.cursor, step)
        if to is not None:
            self.move_to(to)

    def action_page(self, pages: int) -> None:
        """Move the cursor by what fits on the screen."""
        if self.items:
            lines = pages * max(self.size.height - 1, 1)
            self.move_to(min(max((self.cursor or 0) + lines, 0), self.items - 1))

    def action_follow(self) -> None:
        """Go to the oldest version."""
        if self.items:
            self.move_to(self.items - 1)
