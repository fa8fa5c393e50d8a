"""Tool documents: the fields of a stored tool, their rules and limits, the canonical bytes, the CID.

Whatever becomes a document passes the same rules: what an author writes (`lambda_document`), what the code declares
(`builtin_document`), what is read back (`decode`). A document is therefore sound wherever it is met.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Literal, NoReturn, TypeAlias, cast

from msgspec import Struct

from workbench.harness.cid import CidParts, cid_of, cid_parts
from workbench.harness.errors import HarnessError
from workbench.harness.names import NAME_RULE, lambda_name_fault, reserved
from workbench.harness.space.schema import check_schema
from workbench.harness.strict_json import Json, check, normalise_numbers, parse
from workbench.harness.text import WHITE_SPACE, fold, size

__all__ = [
    "CONTENT_SHAPE",
    "MAX_BLOCK_BYTES",
    "MAX_DESCRIPTION_BYTES",
    "MAX_SOURCE_BYTES",
    "MAX_SUMMARY",
    "RUNTIMES",
    "CidParts",
    "Kind",
    "LambdaDraft",
    "Runtime",
    "Schema",
    "ToolDocument",
    "builtin_document",
    "cid_of",
    "cid_parts",
    "decode",
    "document_from_map",
    "encode",
    "first_sentence",
    "lambda_document",
    "verify_canonical",
]

Kind = Literal["builtin", "lambda"]
Runtime = Literal["typescript", "python"]
Schema: TypeAlias = "dict[str, Json] | bool"
"""A JSON Schema. A tool's `input` is always an object, its `output` may be true or false."""

RUNTIMES: tuple[Runtime, ...] = ("typescript", "python")
"""What a lambda can be written in; the first is the default."""

MAX_SUMMARY = 140
"""Code points of a summary."""

MAX_DESCRIPTION_BYTES = 16 * 1024
"""Bytes of a description, in UTF-8."""

MAX_SOURCE_BYTES = 256 * 1024
"""Bytes of a lambda's source, in UTF-8."""

MAX_BLOCK_BYTES = 1024 * 1024
"""Bytes of a whole document, encoded."""

CONTENT_SHAPE = "{description, input?, output?, summary?, source, runtime?}"
"""What a lambda is written as, for messages; `?` marks what may be left out."""

_STORED = ("name", "kind", "summary", "description", "input", "output", "source", "runtime", "binding")
_WRITTEN = ("description", "input", "output", "summary", "source", "runtime", "name", "kind", "cid")
_NAME = re.compile(NAME_RULE)
_LINE_END = re.compile(r"[\r\n]")
_SENTENCE_END = re.compile(f"[.!?](?=[{WHITE_SPACE}])")
_LEADING_SPACE = re.compile(f"[{WHITE_SPACE}]*")


class ToolDocument(Struct, frozen=True):
    """A tool as it is stored. Fields that are None are absent from the stored map.

    A lambda has `source` and `runtime`, a builtin has `binding`: the id of its executor.
    """

    name: str
    kind: Kind
    summary: str
    description: str
    input: dict[str, Json]
    output: Schema | None = None
    source: str | None = None
    runtime: Runtime | None = None
    binding: str | None = None

    def to_map(self) -> dict[str, Json]:
        """The map that is stored: absent fields left out."""
        fields: dict[str, Json] = {
            "name": self.name,
            "kind": self.kind,
            "summary": self.summary,
            "description": self.description,
            "input": self.input,
            "output": self.output,
            "source": self.source,
            "runtime": self.runtime,
            "binding": self.binding,
        }
        return {key: value for key, value in fields.items() if value is not None}


class LambdaDraft(Struct, frozen=True):
    """A lambda as written and judged, before it is saved.

    `base_cid` is the version that it was edited from, where the content says so. `notes` tell the author what is stored
    otherwise than it was written, and what of the schemas cannot be checked.
    """

    document: ToolDocument
    base_cid: str | None
    notes: tuple[str, ...]


def lambda_document(name: str, content: object) -> LambdaDraft:
    """Make the document of the lambda `name` from what was written: JSON as text or bytes, or the object itself.

    Raises HarnessError: `refused` (a reserved name), `limit` (with both figures), `bad_input` (everything else, with
    the shape of what is wanted).
    """
    fault = lambda_name_fault(name)
    if fault is not None:
        raise HarnessError("refused" if _NAME.match(name) and reserved(name) else "bad_input", _sentence(fault))
    what = f"the content of ~/tools/{name}"
    written = _read_content(content, what)
    _refuse_unknown(written, _WRITTEN, what)
    for key, so in (("name", name), ("kind", "lambda")):
        if key in written and written[key] != so:
            _refuse(f'{what} has another {key}: it can only be "{so}" here. Leave {key} out')
    base_cid = written.get("cid")
    if "cid" in written and not isinstance(base_cid, str):
        _refuse(f"cid in {what} must be the text of the version that was edited. Leave it out for a new tool")
    for key in ("description", "source"):
        if key not in written:
            _refuse(f"{what} has no {key}: a lambda is written as {CONTENT_SHAPE}")
    for key, value in written.items():
        if value is None:
            _refuse(f"{key} in {what} is null: leave it out, or give it a value")

    fields = {key: value for key, value in written.items() if key != "cid"}
    stored, notes = normalise_numbers(fields)
    fields = cast("dict[str, Json]", stored)
    fields |= {"name": name, "kind": "lambda"}
    fields.setdefault("input", {"type": "object"})
    fields.setdefault("runtime", RUNTIMES[0])
    description, summary = fields["description"], fields.get("summary")
    if isinstance(summary, str):
        fields["summary"] = fold(summary)
    elif summary is None and isinstance(description, str):
        fields["summary"] = first_sentence(description)
    document, unchecked = _judge(fields, what)
    encode(document)
    return LambdaDraft(document, base_cid if isinstance(base_cid, str) else None, (*notes, *unchecked))


def builtin_document(
    name: str,
    description: str,
    input: dict[str, Json],
    binding: str,
    *,
    summary: str | None = None,
    output: Schema | None = None,
) -> ToolDocument:
    """Make the document of a tool that the code (or a connected server) declares; `binding` is its executor's id.

    The summary is folded; absent, it is the description's first sentence. Raises HarnessError as `lambda_document`
    does: a schema that comes from a server may be unsound.
    """
    fields: dict[str, Json] = {
        "name": name,
        "kind": "builtin",
        "summary": first_sentence(description) if summary is None else fold(summary),
        "description": description,
        "input": input,
        "binding": binding,
    }
    if output is not None:
        fields["output"] = output
    what = f"the document of {name}"
    check(fields, what=what)
    stored, _ = normalise_numbers(fields)
    document, _ = _judge(cast("dict[str, Json]", stored), what)
    encode(document)
    return document


def document_from_map(value: object, *, what: str = "the document") -> ToolDocument:
    """Read a whole document, lambda or builtin, as `to_map` gives it; nothing is derived, only numbers are normalised.

    Raises HarnessError `bad_input` or `limit` when it breaks a rule of tool documents.
    """
    check(value, what=what)
    if not isinstance(value, dict):
        _refuse(f"{what} is not an object")
    stored, _ = normalise_numbers(cast("dict[str, Json]", value))
    fields = cast("dict[str, Json]", stored)
    _refuse_unknown(fields, _STORED, what)
    for key, field in fields.items():
        if field is None:
            _refuse(f"{key} in {what} is null: an absent field is left out")
    document, _ = _judge(fields, what)
    return document


def encode(document: ToolDocument) -> bytes:
    """The document's canonical DAG-CBOR. Raises HarnessError `limit` when it is over `MAX_BLOCK_BYTES`."""
    import dag_cbor

    block = dag_cbor.encode(cast("dag_cbor.IPLDKind", document.to_map()))
    if len(block) > MAX_BLOCK_BYTES:
        raise HarnessError(
            "limit",
            f"the document of {document.name} is {len(block)} bytes, at most {MAX_BLOCK_BYTES}. Make it smaller.",
        )
    return block


def decode(block: bytes) -> ToolDocument:
    """Read a stored document. Raises HarnessError `corrupt` for bytes that are no canonical DAG-CBOR, or no document.

    That the numbers are normalised is only seen by encoding it again: see `verify_canonical`.
    """
    import dag_cbor

    if len(block) > MAX_BLOCK_BYTES:
        raise HarnessError(
            "corrupt", f"this block is {len(block)} bytes, a tool document has at most {MAX_BLOCK_BYTES}."
        )
    try:
        value: object = dag_cbor.decode(block)
    except Exception as fault:
        # the decoder has a dozen kinds of errors and none in common; hostile nesting ends in RecursionError
        reason = (str(fault).strip().splitlines() or [type(fault).__name__])[0]
        raise HarnessError("corrupt", f"this block is no canonical DAG-CBOR: {reason}") from None
    try:
        return document_from_map(value)
    except HarnessError as fault:
        raise HarnessError("corrupt", f"this block is no tool document: {fault.message}") from None


def verify_canonical(block: bytes) -> ToolDocument:
    """Do what `decode` does and see that the document encodes to the very same bytes, as fsck and import ask.

    Raises HarnessError `corrupt`.
    """
    document = decode(block)
    if encode(document) != block:
        raise HarnessError("corrupt", "this block is not the canonical form of its document.")
    return document


def first_sentence(description: str) -> str:
    """The summary of a description that comes without one: its first sentence on one line, at most `MAX_SUMMARY`.

    It ends at a `.`, `!` or `?` before white space, or at the line's end; what is too long is cut and ends in `…`.
    """
    begin = cast("re.Match[str]", _LEADING_SPACE.match(description)).end()
    line_end = _LINE_END.search(description, begin)
    line = description[begin : line_end.start() if line_end else len(description)]
    sentence_end = _SENTENCE_END.search(line)
    sentence = fold(line[: sentence_end.end()] if sentence_end else line)
    return sentence if len(sentence) <= MAX_SUMMARY else sentence[: MAX_SUMMARY - 3] + "…"


def _read_content(content: object, what: str) -> dict[str, Json]:
    if isinstance(content, (str, bytes)):
        try:
            value = parse(content, what=what)
        except HarnessError as fault:
            advice = f" A lambda is written as JSON: {CONTENT_SHAPE}." if fault.code == "bad_input" else ""
            raise HarnessError(fault.code, f"{fault.message}{advice}") from None
    else:
        value = dict(cast("Mapping[str, Json]", content)) if isinstance(content, Mapping) else cast("Json", content)
        check(value, what=what)
    if not isinstance(value, dict):
        _refuse(f"{what} is not an object: a lambda is written as {CONTENT_SHAPE}")
    return value


def _refuse_unknown(fields: dict[str, Json], allowed: tuple[str, ...], what: str) -> None:
    unknown = [key for key in fields if key not in allowed]
    if unknown:
        shown = ", ".join(f'"{key[:60]}"' for key in unknown[:8])
        close = get_close_matches(unknown[0][:60], allowed, n=1)
        advice = f" Did you mean {close[0]}?" if close else ""
        _refuse(f"{what} has unknown keys: {shown}. Allowed are {', '.join(allowed)}.{advice}".removesuffix("."))


def _judge(fields: dict[str, Json], what: str) -> tuple[ToolDocument, tuple[str, ...]]:
    """Hold a normalised map against the rules; answers the document and what of its schemas cannot be checked."""
    kind = fields.get("kind")
    if kind not in ("builtin", "lambda"):
        _refuse(f'kind in {what} must be "builtin" or "lambda"')
    name = _text(fields, "name", what)
    if not _NAME.match(name):
        _refuse(f"name in {what} must match {NAME_RULE}")
    description = _text(fields, "description", what)
    _limit_bytes(description, "description", MAX_DESCRIPTION_BYTES, what)
    summary = _text(fields, "summary", what)
    if summary != fold(summary):
        _refuse(f"summary in {what} must be on one line, with single spaces and none at its ends")
    if len(summary) > MAX_SUMMARY:
        raise HarnessError(
            "limit", f"summary in {what} is {len(summary)} code points, at most {MAX_SUMMARY}. Shorten it."
        )
    schema = fields.get("input")
    unchecked = check_schema(schema, f"input in {what}", object_root=True)
    notes = [f"input, {note}" for note in unchecked]
    output = fields.get("output")
    if output is not None:
        notes.extend(f"output, {note}" for note in check_schema(output, f"output in {what}"))

    source: str | None = None
    runtime: Runtime | None = None
    binding: str | None = None
    if kind == "lambda":
        fault = lambda_name_fault(name)
        if fault is not None:
            _refuse(f"name in {what}: {fault}")
        _refuse_foreign(fields, ("binding",), kind, what)
        source = _text(fields, "source", what)
        _limit_bytes(source, "source", MAX_SOURCE_BYTES, what)
        runtime = _runtime(fields.get("runtime"), what)
    else:
        _refuse_foreign(fields, ("source", "runtime"), kind, what)
        binding = _text(fields, "binding", what)
    document = ToolDocument(
        name=name,
        kind="lambda" if kind == "lambda" else "builtin",
        summary=summary,
        description=description,
        input=cast("dict[str, Json]", schema),
        output=cast("Schema | None", output),
        source=source,
        runtime=runtime,
        binding=binding,
    )
    return document, tuple(notes)


def _text(fields: dict[str, Json], key: str, what: str) -> str:
    if key not in fields:
        _refuse(f"{what} has no {key}")
    value = fields[key]
    if not isinstance(value, str):
        _refuse(f"{key} in {what} must be a text")
    if not fold(value[:1000]) and not fold(value):
        _refuse(f"{what} has a blank {key}: it must say something")
    return value


def _limit_bytes(text: str, key: str, limit: int, what: str) -> None:
    length = size(text)
    if length > limit:
        raise HarnessError("limit", f"{key} in {what} is {length} bytes, at most {limit}. Shorten it.")


def _runtime(value: Json, what: str) -> Runtime:
    for runtime in RUNTIMES:
        if value == runtime:
            return runtime
    _refuse(f"runtime in {what} must be {' or '.join(RUNTIMES)}")


def _refuse_foreign(fields: dict[str, Json], keys: tuple[str, ...], kind: str, what: str) -> None:
    for key in keys:
        if key in fields:
            _refuse(f"{what} has a {key}, which a {kind} has not")


def _refuse(message: str) -> NoReturn:
    raise HarnessError("bad_input", _sentence(message))


def _sentence(text: str) -> str:
    return text if text.endswith("?") else f"{text}."
