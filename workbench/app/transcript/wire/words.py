"""A request in words: where it comes from, its bytes, what it keeps of the one before, what it took. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.app.transcript.rows import answered_outcome, one_line, usage_words
from workbench.app.widgets.columns import Row
from workbench.app.widgets.literal import literal

if TYPE_CHECKING:
    from workbench.agent.models.model import Loss
    from workbench.agent.wire import Wire

SEND_NOTHING = ("scripted:", "replay:")
"""How the names of models begin that answer out of a file or a thread."""

LOSSES = 3
"""How many losses are named here; the Contract pane has those of each tool."""

NEW_TOOLS = 4
"""How many new tools are named."""


def head(wire: Wire, losses: Sequence[Loss], unprojected: str = "") -> list[Row]:
    """Everything that is said of a request; `unprojected` is why its model's losses are not known."""
    lines = [_origin(wire), _bytes(wire), _images(wire), _kept(wire), _new(wire), _tokens(wire)]
    lines.append(_losses(wire, losses, unprojected))
    return [line for line in lines if line is not None]


def share(bytes: int, total: int) -> str:
    """How large a part is of all, in percent."""
    if not total:
        return "0 %"
    percent = 100 * bytes / total
    return f"{percent:.0f} %" if percent >= 1 or not bytes else "<1 %"


def _line(name: str, words: str, style: str = "") -> Row:
    return literal(name, "bold $text-primary"), literal(words, style)


def _origin(wire: Wire) -> Row:
    model = one_line(wire.model, 60)[0] if wire.model else "the provider, once a model is set,"
    if wire.sent is not None:
        at = f"event {wire.sent.seq}"
        left = f", without {wire.request.left_out} older messages" if wire.request.left_out else ""
        if wire.model is not None and wire.model.startswith(SEND_NOTHING):
            return _line("recorded", f"as it was made for {model} at {at}, which is sent nothing{left}")
        ended = wire.ended
        if ended is not None and ended.error is not None and ended.first_ms is None and ended.usage is None:
            # Whether it got there is not known; what it says is where it was meant for, and how it ended.
            why = one_line(ended.error["message"], 160)[0]
            return _line("recorded", f"made for {model} at {at}{left}; it failed: {why}", "$text-error")
        return _line("recorded", f"as it was sent to {model} at {at}, byte for byte{left}")
    if wire.request.note:
        return _line("made now", wire.request.note, "$text-warning")
    return _line("next", f"what {model} would be sent now")


def _bytes(wire: Wire) -> Row:
    each = [f"{kind} {wire.bytes[kind]:,} B ({share(wire.bytes[kind], wire.total)})" for kind in wire.order]
    if wire.images is not None and wire.images.sent:
        each[-1] += f" and their images {wire.images.bytes:,} B ({share(wire.images.bytes, wire.total)})"
    return _line("bytes", f"{wire.total:,} B: {' · '.join(each)}, in the order in which the provider reads it")


def _images(wire: Wire) -> Row | None:
    images = wire.images
    if images is None or images.sent:
        return None
    many = "1 image is" if images.count == 1 else f"{images.count:,} images are"
    return _line("images", f"{many} not sent: {one_line(images.why, 240)[0]}", "$text-warning")


def _kept(wire: Wire) -> Row:
    kept, before = wire.kept, wire.previous
    if before is not None and wire.notes:
        return _line("prefix", " ".join(wire.notes), "$text-warning")
    if kept is None or before is None:
        return _line("prefix", "no request was sent before this one")
    where = f"event {before.seq}" if before.thread == wire.thread else f"event {before.seq} of {before.thread}"
    said = f"keeps {kept.bytes:,} of the {kept.of:,} B of the request before ({where}): {kept.why}"
    return _line("prefix", said, "" if kept.whole else "$text-warning")


def _new(wire: Wire) -> Row | None:
    said: list[str] = []
    for tool in wire.new_tools[:NEW_TOOLS]:
        since = f", touched at event {tool.seq}" if tool.seq is not None else ""
        said.append(f"▲ {one_line(tool.name, 60)[0]} +{tool.bytes:,} B{since}")
    if len(wire.new_tools) > NEW_TOOLS:
        said.append(f"and {len(wire.new_tools) - NEW_TOOLS} more")
    if wire.unsent_tools:
        tools = f"{wire.unsent_tools} tool" + ("" if wire.unsent_tools == 1 else "s")
        said.append(f"{tools} not declared: with every contract the tools would have {wire.all_schemas_bytes:,} B")
    return _line("tools", " · ".join(said)) if said else None


def _tokens(wire: Wire) -> Row | None:
    if wire.sent is None:
        return None
    if wire.ended is None:
        return _line("answer", "none yet")
    told = answered_outcome(wire.ended)
    reported = usage_words(wire.usage) or "no tokens reported"
    # What it took begins with the tokens, where there are any.
    rest = [part for part in (told.word, told.says, told.took) if part and not part.startswith(reported)]
    took = next((part for part in (told.took, told.says) if part.startswith(reported)), reported)
    return _line("answer", " · ".join([took, *rest]), "$text-error" if told.tone == "failed" else "")


def _losses(wire: Wire, losses: Sequence[Loss], unprojected: str) -> Row | None:
    if unprojected:
        return _line("losses", f"not known: {unprojected}", "$text-warning")
    if wire.model is None:
        return None
    if not losses:
        return _line("losses", "none: the provider is sent the contracts whole")
    said = [f"{one_line(loss.tool, 40)[0]}{one_line(loss.path, 60)[0]} {loss.keyword}: {loss.why}" for loss in losses]
    more = f"  … and {len(said) - LOSSES} more" if len(said) > LOSSES else ""
    return _line("losses", f"{len(said)} · {' · '.join(said[:LOSSES])}{more}", "$text-warning")
