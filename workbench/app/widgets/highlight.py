"""Colouring code line by line with Pygments, only as far down as somebody looks.

Tree-sitter, which `TextArea` would use, is native code run on texts that strangers wrote, and releases of it crash the
whole process on sound ones; a lexer in Python cannot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from pygments.lexer import Lexer
from pygments.token import Token

LONGEST_LINE = 5_000
"""A text with a longer line is not coloured: patterns may take very long on such."""

Span = tuple[int, int, str]
"""From and to a column of a line, and what stands there: a key of the theme's `syntax`."""

_KINDS: dict[Any, str] = {
    Token.Comment: "comment",
    Token.Keyword: "keyword",
    Token.Keyword.Constant: "constant",
    Token.Keyword.Type: "type",
    Token.Literal.String: "string",
    Token.Literal.String.Escape: "constant",
    Token.Literal.String.Interpol: "constant",
    Token.Literal.String.Doc: "comment",
    Token.Literal.Number: "number",
    Token.Name.Function: "function",
    Token.Name.Class: "type",
    Token.Name.Builtin: "function",
    Token.Name.Builtin.Pseudo: "constant",
    Token.Name.Exception: "type",
    Token.Name.Decorator: "property",
    Token.Name.Tag: "property",
    Token.Name.Attribute: "property",
    Token.Name.Constant: "constant",
    Token.Operator: "operator",
    Token.Operator.Word: "keyword",
    Token.Punctuation: "punctuation",
    Token.Error: "error",
}


class Highlighter:
    """The spans of a text's lines. After a change only what lies behind it is looked at again."""

    def __init__(self, language: str | None) -> None:
        """`language` is `python`, `typescript`, `json`, or None for no colours."""
        self._lexer = lexer_of(language) if language else None
        self._lines: list[str] = []
        self._spans: list[list[Span]] = []
        self._restarts: list[int] = []
        self._tokens: Iterator[tuple[int, Any, str]] | None = None
        self._row = self._column = 0

    def take(self, lines: Sequence[str]) -> None:
        """Be about this text now."""
        lines = list(lines)
        if self._lexer is None or any(len(line) > LONGEST_LINE for line in lines):
            self._lines, self._spans, self._restarts, self._tokens = [], [], [], None
            return
        same = next(
            (row for row, (old, new) in enumerate(zip(self._lines, lines, strict=False)) if old != new),
            min(len(self._lines), len(lines)),
        )
        begin = max((row for row in self._restarts if row < same and row <= self._row), default=0)
        self._restarts = [row for row in self._restarts if row < begin]
        self._lines = lines
        self._spans[begin:] = [[] for _ in range(len(lines) - begin)]
        self._row, self._column = begin, 0
        self._tokens = self._lexer.get_tokens_unprocessed("\n".join(lines[begin:]))

    def spans(self, row: int) -> list[Span]:
        """The spans of one line."""
        if self._tokens is not None:
            while self._row <= row:
                token = next(self._tokens, None)
                if token is None:
                    self._tokens = None
                    break
                self._place(token[1], token[2])
        return self._spans[row] if row < len(self._spans) else []

    def _place(self, token: Any, value: str) -> None:
        kind = kind_of(token)
        # A keyword at the margin is outside of every string, comment and block, so a lexer can begin anew there.
        if self._column == 0 and token in Token.Keyword and value[:1].strip():
            self._restarts.append(self._row)
        for number, piece in enumerate(value.split("\n")):
            if number:
                self._row, self._column = self._row + 1, 0
            if piece and kind and self._row < len(self._spans):
                self._spans[self._row].append((self._column, self._column + len(piece), kind))
            self._column += len(piece)


@cache
def kind_of(token: Any) -> str | None:
    """What a token is coloured as: its own entry, or that of the nearest token above it."""
    while token is not None:
        if token in _KINDS:
            return _KINDS[token]
        token = token.parent
    return None


@cache
def lexer_of(language: str) -> Lexer | None:
    """The lexer of a language, None where there is none."""
    match language:
        case "python":
            from pygments.lexers.python import PythonLexer

            return PythonLexer()
        case "typescript":
            from pygments.lexers.javascript import TypeScriptLexer

            return TypeScriptLexer()
        case "json":
            from pygments.lexers.data import JsonLexer

            return JsonLexer()
        case _:
            return None
