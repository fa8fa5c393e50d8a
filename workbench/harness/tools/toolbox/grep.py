"""`grep`: the lines of files that match a pattern."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, cast

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.drawn import Drawn, Line, Place, Places, Span, Words, text_of
from workbench.harness.tools.toolbox.host_tool import HostContext, HostTool, OnUpdate, Result, Signal, ToolAnswer
from workbench.harness.tools.toolbox.in_thread import in_thread
from workbench.harness.tools.toolbox.limits import GREP_LINE_CHARS, GREP_MATCHES, MAX_BYTES, MAX_CONTEXT, MAX_GLOB
from workbench.harness.tools.toolbox.links import real_or_none
from workbench.harness.tools.toolbox.ls import one_line
from workbench.harness.tools.toolbox.opening import refuse_processes
from workbench.harness.tools.toolbox.paths import resolve
from workbench.harness.tools.toolbox.prepare import number_in, whole_number
from workbench.harness.tools.toolbox.ripgrep.globs import filter_rules, for_files
from workbench.harness.tools.toolbox.ripgrep.rows import FORMAT, Found, Matches
from workbench.harness.tools.toolbox.ripgrep.run import Ended, run
from workbench.harness.tools.toolbox.ripgrep.searched import AND_BELOW, Searched, searched
from workbench.harness.tools.toolbox.truncate import head, size_words

NONE = "No matches found"
"""What is said where no line matches."""

_KB = MAX_BYTES // 1024
_ENDLESS = 2**40

DESCRIPTION = f"""\
Search the contents of files on this machine for a pattern, line by line. Prefer this to grep or rg in bash.

pattern is a regular expression in the syntax of Rust's regex crate (as ripgrep takes it): upper and lower case differ \
unless ignoreCase is true, and there is no look-around, no back-reference and no match across lines. With literal true \
it is searched for as it stands: use that for code with brackets, dots or backslashes.

path is a directory, searched with all below it, or one file; relative to the working directory, or absolute; the \
working directory if absent. Files and directories that .gitignore or .ignore leave out are skipped, also outside a \
git repository{AND_BELOW}; so are .git and files with NUL bytes. Where a file's first NUL comes late, the rows found \
before it are given, and the answer says so. Hidden files are searched, links are not followed. To search what is \
skipped, name it in path: a file named there is always searched, and all of it. Of /proc only a single file can be \
searched, and none that shows the variables or the memory of a process. glob, of at most {MAX_GLOB} characters, keeps \
to some files: *.ts takes names at any depth, src/**/*.ts is counted from path, *.{{ts,tsx}} takes either, and a ! in \
front takes all others.

Each row is file:line: text, with the file relative to path, sorted by path and line. context gives that many lines \
before and after each match as file-line- text (at most {MAX_CONTEXT}); no line comes twice. A line with more than \
{GREP_LINE_CHARS} characters is cut there, so the match itself may be out of sight: see it with read. One answer holds \
at most {GREP_MATCHES} matching lines, or as many as limit says, and at most {_KB}KB. When something was left out, the \
last line of the answer says so in brackets: narrow pattern, path or glob, or give the larger limit that it names."""


class Parameters(Struct, frozen=True, kw_only=True, rename={"ignore_case": "ignoreCase"}):
    """What `grep` is asked for."""

    pattern: Annotated[str, Meta(description="What to search for: a regular expression, or text with literal")]
    path: (
        Annotated[str, Meta(description="The directory or file to search; the working directory if absent")] | UnsetType
    ) = UNSET
    glob: (
        Annotated[str, Meta(description="Which files to search, such as *.ts or src/**/*.ts or !*.min.js")] | UnsetType
    ) = UNSET
    ignore_case: Annotated[bool, Meta(description="Whether upper and lower case are the same; false if absent")] = False
    literal: Annotated[bool, Meta(description="Whether pattern is text as it stands; false if absent")] = False
    context: (
        Annotated[float, Meta(description="Lines to show before and after each match; 0 if absent")] | UnsetType
    ) = UNSET
    limit: (
        Annotated[float, Meta(description=f"The most matching lines to give, at least 1; {GREP_MATCHES} if absent")]
        | UnsetType
    ) = UNSET


async def execute(
    call_id: str, params: Parameters, signal: Signal, on_update: OnUpdate, ctx: HostContext
) -> ToolAnswer:
    """Search files.

    Raises:
        HarnessError: `not_found`, `refused` or `failed` for a path that cannot be searched; `bad_input` for a pattern,
            a glob or a number that is none; `unavailable` without ripgrep; `cancelled`.
    """
    signal.check()
    asked = whole_number(params.limit, "limit")
    limit = GREP_MATCHES if asked is None else max(1, asked)
    context = min(max(0, whole_number(params.context, "context") or 0), MAX_CONTEXT)
    given = "" if isinstance(params.path, UnsetType) else params.path
    place = await in_thread(signal, lambda check: _searched(given, ctx.cwd))
    pattern = "" if isinstance(params.glob, UnsetType) or place.file is not None else params.glob
    wanted, rules = _files(pattern, place.folder)
    matches = Matches(wanted, limit=limit, context=context)
    options = [
        *place.options,
        *place.unread,
        *FORMAT,
        f"--max-count={min(limit, _ENDLESS) + 1}",
        "--ignore-case" if params.ignore_case else "--case-sensitive",
    ]
    if context:
        options.append(f"--context={context}")
    if params.literal:
        options.append("--fixed-strings")
    if place.file is not None:
        options.append("--text")
    # A log that is cut short while it is mapped into memory would kill the search.
    options += ["--no-mmap", "--", params.pattern, f"./{place.file or ''}"]
    ended = await run(options, cwd=place.folder, signal=signal, take=matches.take, ignore=rules)
    folder = place.folder if place.file is None else None
    return await in_thread(signal, lambda check: _answer(matches.found(), limit, ended, folder))


def _searched(given: str, cwd: Path) -> Searched:
    place = searched(given, cwd)
    if place.file is None:
        refuse_processes(real_or_none(place.folder) or str(place.folder), place.folder)
    return place


def _files(pattern: str, folder: Path) -> tuple[Callable[[str], bool] | None, str]:
    """Which files a glob admits, by their path from the folder, and the rules that leave out the others early."""
    if not pattern:
        return None, filter_rules(None, "")
    excluded = pattern.startswith("!")
    glob = for_files(pattern.removeprefix("!"), folder)
    matches = glob.matcher()
    rules = filter_rules(glob, pattern, excluded=excluded)
    if not excluded:
        return matches, rules
    return lambda path: not any(matches(part) for part in _with_folders(path)), rules


def _with_folders(path: str) -> list[str]:
    return [path, *(path[: found.start()] for found in re.finditer("/", path))]


def _answer(found: Found, limit: int, ended: Ended, folder: Path | None) -> ToolAnswer:
    """The answer; `folder` is what was searched, None for a file."""
    cut = head("\n".join(found.rows) if found.rows else NONE, max_lines=None)
    if found.unkept:
        cut = replace(
            cut,
            by="bytes",
            total_lines=cut.total_lines + found.unkept,
            total_bytes=cut.total_bytes + found.unkept_bytes,
        )
    notices: list[str] = []
    details: dict[str, Any] = {}
    if found.more:
        notices.append(f"{limit} matches limit reached. Use limit={limit * 2} for more, or refine pattern")
        details["matchLimitReached"] = limit
    if cut.truncated:
        notices.append(f"{size_words(MAX_BYTES)} limit reached")
        details["truncation"] = cut.details()
    if found.cut:
        notices.append(f"Some lines truncated to {GREP_LINE_CHARS} chars. Use read tool to see full lines")
        details["linesTruncated"] = True
    if found.broken_off:
        notices.append(_broken_off(found.broken_off))
        details["brokenOff"] = len(found.broken_off)
    unread = ended.notice()
    if unread is not None:
        notices.append(unread)
        details["unread"] = ended.unread
    if folder is not None and _all_named(cut.content.split("\n"), folder):
        # Drawn, they would be taken for rows of a file that was named in path.
        details["searched"] = "directory"
    notice = f"\n\n[{'. '.join(notices)}]" if notices else ""
    return ToolAnswer.of(cut.content + notice, details or None)


def _broken_off(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"{names[0]} was searched only up to a NUL byte. Name it in path to search all of it"
    others = "1 other file" if len(names) == 2 else f"{len(names) - 1} other files"
    return f"{names[0]} and {others} were searched only up to a NUL byte. Name one in path to search all of it"


def render_call(input: Any) -> Line:
    """The pattern, where it is searched for, and what was said about how."""
    pattern = text_of(input, "pattern")
    flags = cast("dict[str, Any]", input) if isinstance(input, dict) else {}
    spans = [Span("grep", "name"), Span(" "), Span(pattern, "match"), Span(" in ", "dim")]
    spans.append(Span(text_of(input, "path") or ".", "path"))
    if glob := text_of(input, "glob"):
        spans += [Span(" files ", "dim"), Span(glob, "path")]
    for key, words in (("ignoreCase", " any case"), ("literal", " literal")):
        if flags.get(key) is True:
            spans.append(Span(words, "dim"))
    for key in ("context", "limit"):
        number = number_in(input, key)
        if number is not None:
            spans += [Span(f" {key} ", "dim"), Span(str(number), "number")]
    return tuple(spans)


_ROW = re.compile(r"(.+?)(?::(\d{1,18}): |-(\d{1,18})- )(.*)")


def render_result(input: Any, result: Result, cwd: Path) -> tuple[Drawn, ...]:
    """The lines found, to be opened, and what was said about them."""
    if result.error is not None:
        return (Words(result.error, "error"),)
    listed, _, notice = result.text.partition("\n\n")
    if listed == NONE:
        return (Words(result.text),)
    try:
        root = resolve(text_of(input, "path"), cwd)
    except HarnessError:
        root = cwd
    lines = listed.split("\n")
    is_file = _all_named(lines, root) and (result.details or {}).get("searched") != "directory"
    rows: list[Place] = []
    strange: list[str] = []
    for line in lines:
        found = _ROW.fullmatch(line)
        if found is None:
            strange.append(line)
        else:
            name, number, beside, text = found[1], found[2], found[3], found[4]
            path = root if is_file else root / name
            rows.append(Place(str(path), name, int(number or beside), text, number is not None))
    drawn: tuple[Drawn, ...] = (Places(tuple(rows)),) if rows else ()
    if any(strange):
        # A log may come from elsewhere; what is no row of ours is shown as it is.
        drawn = (*drawn, Words("\n".join(strange), "plain"))
    return (*drawn, Words(notice)) if notice else drawn


def _all_named(lines: Iterable[str], path: Path) -> bool:
    """Whether all rows have the name of a path, as they do where that is the one file that was searched."""
    names = {found[1] for found in map(_ROW.fullmatch, lines) if found is not None}
    return names == {one_line(path.name)}


GREP = HostTool(
    name="grep",
    label="Grep",
    summary="Search the contents of files on this machine for a pattern.",
    description=DESCRIPTION,
    parameters=Parameters,
    binding="toolbox:grep",
    execution_mode="parallel",
    execute=execute,
    render_call=render_call,
    render_result=render_result,
)
"""The tool."""
