"""Which lexer colours a file, by its name. Only well-known ones: a rare one may take for ever on bad text."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module

from pygments.lexer import Lexer

from workbench.app.widgets.highlight import Highlighter, Span

_LEXERS: dict[str, tuple[str, str]] = {
    "c": ("c_cpp", "CLexer"),
    "cpp": ("c_cpp", "CppLexer"),
    "css": ("css", "CssLexer"),
    "diff": ("diff", "DiffLexer"),
    "go": ("go", "GoLexer"),
    "html": ("html", "HtmlLexer"),
    "ini": ("configs", "IniLexer"),
    "java": ("jvm", "JavaLexer"),
    "javascript": ("javascript", "JavascriptLexer"),
    "json": ("data", "JsonLexer"),
    "make": ("make", "MakefileLexer"),
    "markdown": ("markup", "MarkdownLexer"),
    "python": ("python", "PythonLexer"),
    "ruby": ("ruby", "RubyLexer"),
    "rust": ("rust", "RustLexer"),
    "shell": ("shell", "BashLexer"),
    "sql": ("sql", "SqlLexer"),
    "toml": ("configs", "TOMLLexer"),
    "typescript": ("javascript", "TypeScriptLexer"),
    "xml": ("html", "XmlLexer"),
    "yaml": ("data", "YamlLexer"),
}
"""Each language's module in `pygments.lexers`, and its class."""

_SUFFIXES = {
    "bash": "shell", "c": "c", "cc": "cpp", "cfg": "ini", "cjs": "javascript", "cpp": "cpp", "css": "css",
    "cxx": "cpp", "diff": "diff", "go": "go", "h": "c", "hpp": "cpp", "htm": "html", "html": "html", "ini": "ini",
    "java": "java", "js": "javascript", "json": "json", "jsonl": "json", "jsx": "javascript", "md": "markdown",
    "mjs": "javascript", "mk": "make", "patch": "diff", "py": "python", "pyi": "python", "rb": "ruby", "rs": "rust",
    "sh": "shell", "sql": "sql", "svg": "xml", "toml": "toml", "ts": "typescript", "tsx": "typescript",
    "xml": "xml", "yaml": "yaml", "yml": "yaml", "zsh": "shell",
}  # fmt: skip
_NAMES = {"makefile": "make", "gnumakefile": "make", ".bashrc": "shell", ".profile": "shell", ".zshrc": "shell"}


class FileHighlighter(Highlighter):
    """The spans of a file's lines, in the language that its name says. To be worked out off the UI's thread."""

    def __init__(self, path: str) -> None:
        super().__init__(None)
        language = language_of(path)
        self._lexer = _lexer(language) if language is not None else None

    def all_spans(self, lines: list[str]) -> list[list[Span]]:
        """The spans of all of these lines; none where they stay plain."""
        if self._lexer is None or not lines:
            return []
        self.take(lines)
        self.spans(len(lines) - 1)
        return self._spans


def language_of(path: str) -> str | None:
    """The language of a file; None where its name does not say one that is coloured."""
    name = os.path.basename(path).casefold()
    return _NAMES.get(name) or _SUFFIXES.get(name.rpartition(".")[2] if "." in name else "")


@cache
def _lexer(language: str) -> Lexer:
    module, name = _LEXERS[language]
    lexer: Lexer = getattr(import_module(f"pygments.lexers.{module}"), name)()
    return lexer
