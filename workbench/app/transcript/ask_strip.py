"""The strip above the composer that asks the owner before a call acts on the real machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message

from workbench.app.transcript.ask_words import Question
from workbench.app.widgets.drawn import Piece, broken, fitted
from workbench.app.widgets.literal import Literal, parts, title

STYLES = {
    "": "",
    "strong": "bold",
    "quiet": "$text-muted",
    "path": "bold $text-primary",
    "number": "$text-secondary",
    "command": "bold",
    "match": "bold $text-accent",
    "added": "$text-success",
    "removed": "$text-error",
    "warning": "$text-warning",
    "alert": "bold $text-warning",
    "bad": "bold $text-error",
}
"""The style of each look of a call's line, and of what is said with it."""

MOST_ROWS = 16
"""Rows of the screen that the words take; on a low screen fewer, a third of it and more: the log is there too."""

LEAST_ROWS = 3

AND_MORE = "… and more: look at all of it before you say yes (f9)"
"""Said where a line is cut; where whole lines are left out, they are counted."""


class AskKey(Literal):
    """A key and what it does; a click does it too."""

    DEFAULT_CSS = """
    AskKey { width: auto; padding: 0 1; margin-right: 1; text-style: bold reverse; }
    AskKey:hover { color: $text-warning; }
    """

    class Pressed(Message):
        """It was clicked."""

        def __init__(self, key: AskKey) -> None:
            super().__init__()
            self.key = key

    def on_click(self, event: events.Click) -> None:
        """Do it."""
        event.stop()
        self.post_message(self.Pressed(self))


class AskStrip(Vertical):
    """Hidden while nothing waits."""

    DEFAULT_CSS = """
    AskStrip { height: auto; max-height: 20; display: none; border-top: heavy $warning; padding: 0 1;
        background: $warning 8%; border-title-color: $text-warning; }
    AskStrip.-asks { display: block; }
    AskStrip > #ask-words { width: 1fr; height: auto; text-wrap: nowrap; }
    AskStrip > #ask-keys { height: 1; width: 1fr; }
    AskStrip.-elsewhere #ask-yes, AskStrip.-elsewhere #ask-no { display: none; }
    AskStrip #ask-says { width: 1fr; height: 1; color: $text-warning; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    class Answered(Message):
        """The owner says yes or no."""

        def __init__(self, yes: bool) -> None:
            super().__init__()
            self.yes = yes

    class Look(Message):
        """The owner wants to see the call that asks."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._question: Question | None = None
        self._room = (0, 0)
        self._opened: str | None = None

    def compose(self) -> ComposeResult:
        """What is asked, and the keys."""
        yield Literal(id="ask-words")
        with Horizontal(id="ask-keys"):
            yield AskKey("f6 yes, do it", id="ask-yes")
            yield AskKey("f7 no", id="ask-no")
            yield AskKey("f9 show it", id="ask-look")
            yield Literal(id="ask-says")

    @property
    def is_opened(self) -> bool:
        """Whether the call that asks is what is opened above: there it is read whole."""
        return self._question is not None and self._question.here and self._question.id == self._opened

    def show(self, question: Question | None) -> None:
        """Ask, or nothing."""
        if question == self._question:
            return
        self._question = question
        self.set_class(question is not None, "-asks")
        if question is None:
            return
        self.set_class(not question.here, "-elsewhere")
        title(self, _heading(question))
        self._room = (0, 0)
        self.fit()
        self.query_one("#ask-look", AskKey).show("f9 shows it whole" if question.here else "f9 goes there")

    def on_resize(self) -> None:
        self.fit()

    def opened(self, call: str | None) -> None:
        """This call is opened above, or none."""
        self._opened = call
        self.fit()

    def fit(self) -> None:
        """Lay the words out for the room that there is, so that whatever is left out is said to be."""
        question, screen = self._question, self.app.size
        # Before it is laid out the strip is as wide as the screen, but for its padding.
        room = (
            self.content_size.width or max(screen.width - 2, 1),
            LEAST_ROWS if self.is_opened else rows_for(screen.height),
        )
        if question is None or room == self._room:
            return
        self._room = room
        rows = rows_of(question, *room) if question.here else [fitted(_elsewhere(question), room[0])]
        self.query_one("#ask-words", Literal).show(Content("\n").join(_line(row) for row in rows))

    def say(self, text: str) -> None:
        """Say something beside the keys."""
        self.query_one("#ask-says", Literal).show(text, layout=False)

    @on(AskKey.Pressed)
    def _pressed(self, message: AskKey.Pressed) -> None:
        message.stop()
        match message.key.id:
            case "ask-yes" | "ask-no":
                self.post_message(self.Answered(message.key.id == "ask-yes"))
            case _:
                self.post_message(self.Look())


def _heading(question: Question) -> str:
    if not question.here:
        return "another thread asks for your yes"
    count = f" · 1 of {question.own}" if question.own > 1 else ""
    behind = f" · {question.behind}" if question.behind else ""
    return f"{question.tool} asks for your yes{count}{behind}"


def rows_for(height: int) -> int:
    """How many rows the words may take on a screen of this height."""
    return max(min(MOST_ROWS, height // 2 - 4), LEAST_ROWS)


def rows_of(question: Question, width: int, most: int) -> list[list[Piece]]:
    """The words in at most so many rows of so many cells: what is to be done, and where and why it asks."""
    about: list[list[Piece]] = []
    if question.sent:
        about.append([("this is not what was sent: ", "alert"), (question.sent, "")])
    about.append([("in ", "quiet"), (question.cwd, "strong"), (f" · {question.why}", "quiet")])
    if question.others:
        about.append([(_also(question.others), "warning")])
    said = [row for line in about for row in broken(line, width)]
    more = (((question.more, "quiet"),),) if question.more else ()
    lines = [broken(line, width) for line in (*question.lines, *more, *question.body)]
    doing = [row for line in lines for row in line]
    if len(said) > max(most - len(doing), most // 2):
        said = [fitted(line, width) for line in about][-max(most - 2, 1) :]
    room = most - len(said)
    total = question.total + len(more)
    if question.cut or len(doing) > room or len(lines) < total:
        doing = doing[: room - 1]
        doing.append(fitted([(_left_out(question, lines, total, len(doing)), "alert")], width))
    return [*doing, *said]


def _left_out(question: Question, lines: Sequence[Sequence[object]], total: int, rows: int) -> str:
    """What is said of that which does not stand in so many rows: how many lines, where it is whole lines."""
    whole = 0
    for line in lines:
        if rows < len(line):
            break
        rows -= len(line)
        whole += 1
    if question.cut or rows or whole == total:
        return AND_MORE
    # How many lines a file has is said above them, and is none of them.
    left = total - whole - (bool(question.more) and whole <= len(question.lines))
    return f"… {left:,} more {'line' if left == 1 else 'lines'}, f9 shows it whole"


def _elsewhere(question: Question) -> list[Piece]:
    return [(f"thread {question.thread}: {question.tool} asks", "strong"), (" · ", ""), *question.lines[0]]


def _also(threads: tuple[str, ...]) -> str:
    more = f" and {len(threads) - 3} more" if len(threads) > 3 else ""
    verb = "asks" if len(threads) == 1 else "ask"
    return f"{'thread' if len(threads) == 1 else 'threads'} {', '.join(threads[:3])}{more} {verb} too"


def _line(pieces: Iterable[Piece]) -> Content:
    return parts(*((text, STYLES.get(look, "")) for text, look in pieces))
