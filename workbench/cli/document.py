"""`cid`: what saving a document would store, and its content address. No Space is needed and nothing is written."""

from __future__ import annotations

from typing import Annotated

import typer

from workbench.cli import output
from workbench.cli.face import Json, SpaceDir, face_of


def cid(
    ctx: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="JSON as `write ~/tools/NAME` takes it; - is standard input.")
    ],
    name: Annotated[
        str | None, typer.Option("--name", help="The tool's name. Without it the document's own, else the file's.")
    ] = None,
    json: Json = False,
    space: SpaceDir = None,
) -> None:
    """Show what saving would store.

    The document and its content address; nothing is written and no Space is needed.
    """
    face = face_of(ctx, json, space)

    from workbench.cli.inputs import data_of, stem_of
    from workbench.harness import strict_json
    from workbench.harness.errors import HarnessError
    from workbench.harness.space.document import cid_of, encode, lambda_document

    value = strict_json.parse(data_of(file), what="standard input" if file == "-" else file)
    if name is None and isinstance(value, dict) and isinstance(value.get("name"), str):
        name = str(value["name"])
    if name is None and file == "-":
        raise HarnessError("bad_input", "Nothing names this tool: give --name, or a name in the document.")
    draft = lambda_document(stem_of(file) if name is None else name, value)
    block = encode(draft.document)
    document = draft.document.to_map()
    found = cid_of(block)
    if face.value({"cid": found, "document": document, "bytes": len(block), "notes": list(draft.notes)}):
        return
    output.out_text(f"{found}\n{strict_json.pretty(document)}\n")
    for note in draft.notes:
        output.err_line(f"note: {note}")
    output.err_line(f"{len(block):,} bytes of DAG-CBOR")
