"""`find`: files and folders by their names."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.drawn import Drawn, Line, Place, Places, Span, Words, text_of
from workbench.harness.tools.toolbox.host_tool import HostContext, HostTool, OnUpdate, Result, Signal, ToolAnswer
from workbench.harness.tools.toolbox.in_thread import in_thread
from workbench.harness.tools.toolbox.limits import FIND_RESULTS, MAX_BYTES, MAX_GLOB
from workbench.harness.tools.toolbox.paths import resolve, shown
from workbench.harness.tools.toolbox.prepare import number_in, whole_number
from workbench.harness.tools.toolbox.ripgrep.globs import filter_rules, for_names
from workbench.harness.tools.toolbox.ripgrep.listed import MOST, Listed
from workbench.harness.tools.toolbox.ripgrep.run import Ended, run
from workbench.harness.tools.toolbox.ripgrep.searched import AND_BELOW, Searched, searched
from workbench.harness.tools.toolbox.truncate import head, size_words

NONE = "No files found matching pattern"
"""What is said where no name matches."""

_KB = MAX_BYTES // 1024

DESCRIPTION = f"""\
Find files and directories of this machine by name. Prefer this to find or ls -R in bash.

pattern is a glob of at most {MAX_GLOB} characters. Without a / it is held against names at any depth: *.ts, test_*, \
Makefile. With a / it is held against the end of paths: src/**/*.spec.ts is found below any directory; ./src/*.ts \
counts from path, and an absolute pattern is held against absolute paths. * and ? stay in one name, ** crosses \
directories, {{a,b}} and [a-z] are choices; write \\[ for a bracket in a name. A pattern without capitals takes either \
case, one with a capital only its own. A pattern that ends in / finds directories only.

path is the directory to search with all below it, relative to the working directory, or absolute; the working \
directory if absent. What .gitignore or .ignore leave out is skipped, also outside a git repository{AND_BELOW}; so is \
.git unless pattern names it. Hidden names are found. To look into what is skipped, name that directory in path. Not \
found are links, and directories that hold no file: ls shows these.

Rows are paths relative to path, sorted, with / after directories; control characters in a name are shown as signs (a \
newline as ␊), bytes that are not UTF-8 as U+FFFD. One answer holds at most {FIND_RESULTS} rows, or as many as limit \
says, and at most {_KB}KB. When rows are left out, the last line of the answer says so in brackets: narrow pattern or \
path, or give the larger limit that it names. To search what is in files, use grep."""


class Parameters(Struct, frozen=True, kw_only=True):
    """What `find` is asked for."""

    pattern: Annotated[str, Meta(description="The glob to find, such as *.ts or src/**/*.spec.ts")]
    path: Annotated[str, Meta(description="The directory to search; the working directory if absent")] | UnsetType = (
        UNSET
    )
    limit: (
        Annotated[float, Meta(description=f"The most rows to give, at least 1; {FIND_RESULTS} if absent")] | UnsetType
    ) = UNSET


async def execute(
    call_id: str, params: Parameters, signal: Signal, on_update: OnUpdate, ctx: HostContext
) -> ToolAnswer:
    """Find names.

    Raises:
        HarnessError: `not_found`, `bad_input` or `failed` for a path that cannot be searched, or a glob that is none;
            `unavailable` without ripgrep; `cancelled`.
    """
    signal.check()
    asked = whole_number(params.limit, "limit")
    limit = FIND_RESULTS if asked is None else max(1, asked)
    given = "" if isinstance(params.path, UnsetType) else params.path
    place = await in_thread(signal, lambda check: _folder(searched(given, ctx.cwd)))
    glob = for_names(params.pattern, place.folder)
    # ripgrep sorts as it goes, but in one thread then: that pays where the beginning of its list is all that is wanted.
    in_order = glob.everything and limit <= MOST
    listed = Listed(glob.matcher(), folders_only=glob.folders, limit=limit, in_order=in_order)
    options = (*place.options, *(("--sort=path",) if in_order else ()), "--files", "--null")
    rules = filter_rules(glob, params.pattern, below=True)
    ended = await run(options, cwd=place.folder, signal=signal, take=listed.take, ignore=rules)
    return await in_thread(signal, lambda check: _answer(*listed.rows(), limit, ended))


def _folder(place: Searched) -> Searched:
    if place.file is not None:
        raise HarnessError("bad_input", f"Not a directory: {shown(place.folder / place.file)}")
    return place


def _answer(rows: list[str], more: bool, limit: int, ended: Ended) -> ToolAnswer:
    cut = head("\n".join(rows) if rows else NONE, max_lines=None)
    notices: list[str] = []
    details: dict[str, Any] = {}
    if more:
        notices.append(f"{limit} results limit reached. Use limit={limit * 2} for more, or refine pattern")
        details["resultLimitReached"] = limit
    if cut.truncated:
        notices.append(f"{size_words(MAX_BYTES)} limit reached")
        details["truncation"] = cut.details()
    unread = ended.notice()
    if unread is not None:
        notices.append(unread)
        details["unread"] = ended.unread
    notice = f"\n\n[{'. '.join(notices)}]" if notices else ""
    return ToolAnswer.of(cut.content + notice, details or None)


def render_call(input: Any) -> Line:
    """The glob, where it is looked for, and how many rows at most where that was asked for."""
    spans = [Span("find", "name"), Span(" "), Span(text_of(input, "pattern"), "match"), Span(" in ", "dim")]
    spans.append(Span(text_of(input, "path") or ".", "path"))
    limit = number_in(input, "limit")
    if limit is not None:
        spans += [Span(" limit ", "dim"), Span(str(limit), "number")]
    return tuple(spans)


def render_result(input: Any, result: Result, cwd: Path) -> tuple[Drawn, ...]:
    """The paths found, to be opened, and what was said about them."""
    if result.error is not None:
        return (Words(result.error, "error"),)
    listed, _, notice = result.text.partition("\n\n")
    if listed == NONE:
        return (Words(result.text),)
    try:
        folder = resolve(text_of(input, "path"), cwd)
    except HarnessError:
        folder = cwd
    rows = tuple(Place(str(folder / name.removesuffix("/")), name) for name in listed.split("\n") if name)
    drawn: tuple[Drawn, ...] = (Places(rows),) if rows else ()
    return (*drawn, Words(notice)) if notice else drawn


FIND = HostTool(
    name="find",
    label="Find",
    summary="Find files and directories of this machine by name.",
    description=DESCRIPTION,
    parameters=Parameters,
    binding="toolbox:find",
    execution_mode="parallel",
    execute=execute,
    render_call=render_call,
    render_result=render_result,
)
"""The tool."""
