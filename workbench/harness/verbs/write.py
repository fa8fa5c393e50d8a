"""`write`: files of memory, lambdas, and by the owner the settings."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any, cast

import msgspec

from workbench.harness import address as addresses
from workbench.harness.address import (
    MemoryAddress,
    SelfAddress,
    ThreadAddress,
    ThreadsAddress,
    ToolAddress,
    ToolsAddress,
)
from workbench.harness.errors import HarnessError
from workbench.harness.names import BUILTINS, VERBS
from workbench.harness.space.agent_file import parse as parse_settings
from workbench.harness.space.document import lambda_document
from workbench.harness.space.memory import MAX_FILE_BYTES
from workbench.harness.strict_json import parse
from workbench.harness.tools.definition import ToolDefinition
from workbench.harness.verbs.act import Act, known_options
from workbench.harness.verbs.later import not_built


class WriteInput(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What to write where."""

    address: Annotated[str, msgspec.Meta(min_length=1, description="Where: ~/memory/<path> or ~/tools/<name>.")]
    content: Annotated[
        Any, msgspec.Meta(description="Text for a file; for a tool its JSON, as text or as the object itself.")
    ] = msgspec.UNSET
    options: Annotated[
        dict[str, Any],
        msgspec.Meta(
            description="delete: true takes away what stands at the address. For a tool, create: true writes only "
            "where there is none of that name."
        ),
    ] = {}


WRITE = ToolDefinition(
    name="write",
    summary="Write a file of memory, or a tool.",
    description=(
        "Write what should last. ~/memory/<path> takes text and replaces the whole file, making folders as needed. "
        "~/tools/<name> takes JSON {description, input?, output?, summary?, source, runtime?} and saves a lambda: "
        "runtime python with def main(input), or typescript (the default) with export default function (input); input "
        "and output are JSON Schemas; what it returns is its output, what it prints are logs. Its working folder "
        "/workspace is ~/memory/. Names are lower case letters, digits, _ and -. options.delete takes it away, "
        "options.create refuses to replace a tool that is there. "
        f"At most {MAX_FILE_BYTES // (1024 * 1024)} MiB."
    ),
    parameters=WriteInput,
    binding="verb:write",
    execution_mode="sequential",
)


async def run(act: Act, params: WriteInput) -> dict[str, Any]:
    """Write to an address.

    Raises:
        HarnessError: `bad_input`, `refused`, `limit`, `conflict`, `unavailable` as the address has them.
    """
    where = addresses.parse(params.address)
    options = params.options
    has_content = params.content is not msgspec.UNSET
    match where:
        case MemoryAddress() | ToolAddress():
            known = ("delete",) if isinstance(where, MemoryAddress) else ("delete", "create")
            known_options(options, known, "writing to " + str(where))
            delete, create = _flag(options, "delete"), _flag(options, "create")
            if delete and create:
                raise HarnessError("bad_input", "Give options.delete or options.create, not both. Nothing was done.")
            if delete and has_content:
                raise HarnessError("bad_input", "Give content or options.delete, not both. Nothing was done.")
            if not delete and not has_content:
                raise HarnessError(
                    "bad_input", "There is no content. Give it, or options.delete to take the thing away."
                )
            if isinstance(where, MemoryAddress):
                return await (_delete_file(act, where) if delete else _write_file(act, where, params.content))
            return _delete_tool(act, where) if delete else await _write_tool(act, where, params.content, create)
        case SelfAddress():
            known_options(options, (), "writing to ~/self")
            return _write_settings(act, params.content if has_content else None)
        case ToolsAddress() | ThreadsAddress() | ThreadAddress():
            raise HarnessError(
                "bad_input",
                f"{where} cannot be written. Write ~/memory/<path> or ~/tools/<name>.",
            )
        case _:
            raise not_built(where)


def _flag(options: Mapping[str, Any], name: str) -> bool:
    value = options.get(name, False)
    if not isinstance(value, bool):
        raise HarnessError("bad_input", f"options.{name} is true or false.")
    return value


async def _write_file(act: Act, where: MemoryAddress, content: Any) -> dict[str, Any]:
    if not isinstance(content, str):
        raise HarnessError("bad_input", "The content of a file is text. Encode anything else as text first.")
    written = await asyncio.to_thread(act.space.memory.write, where.path, content)
    return {"status": "saved", "address": f"~/memory/{written.path}", "changed": written.changed}


async def _delete_file(act: Act, where: MemoryAddress) -> dict[str, Any]:
    deleted = await asyncio.to_thread(act.space.memory.delete, where.path)
    return {"status": "deleted", "address": str(where), "existed": deleted.existed}


async def _write_tool(act: Act, where: ToolAddress, content: Any, create: bool) -> dict[str, Any]:
    _refuse_builtin(where.name)
    draft = await asyncio.to_thread(lambda_document, where.name, content)
    if create and draft.base_cid is not None:
        raise HarnessError(
            "bad_input",
            "The content has the cid that it was edited from, and options.create says that there is none yet. Leave "
            "one of them out. Nothing was written.",
        )
    cid, changed = act.space.library.save(draft.document, act.actor, draft.base_cid, create=create)
    answer: dict[str, Any] = {
        "status": "saved",
        "address": str(where),
        "name": where.name,
        "cid": cid,
        "changed": changed,
    }
    if draft.notes:
        answer["notes"] = list(draft.notes)
    return answer


def _delete_tool(act: Act, where: ToolAddress) -> dict[str, Any]:
    _refuse_builtin(where.name)
    return {"status": "deleted", "address": str(where), "existed": act.space.library.delete(where.name, act.actor)}


def _refuse_builtin(name: str) -> None:
    if name in BUILTINS:
        raise HarnessError(
            "refused",
            f"{name} is a builtin: it cannot be replaced or deleted. The owner switches it off with the grants, by "
            "naming the others in the list tools of ~/self.",
        )
    if name in VERBS:
        raise HarnessError("refused", f"{name} is a verb; its name is reserved. Choose another name.")


def _settings_patch(content: Any) -> Mapping[str, Any]:
    if isinstance(content, str):
        content = parse(content, what="the settings")
    if not isinstance(content, dict):
        raise HarnessError(
            "bad_input", 'Settings are written as a patch, such as {"tools": ["search"]}; null takes a key away.'
        )
    return cast("dict[str, Any]", content)


def _write_settings(act: Act, content: Any) -> dict[str, Any]:
    if act.actor != "user":
        raise HarnessError("refused", "~/self is the owner's to write. Nothing was changed; ask the owner.")
    file = act.space.agent_file
    with act.space.store.writing():
        before, text = file.state().values, file.patched(_settings_patch(content))
        after = parse_settings(text).values
        act.space.note_settings(after, act.actor)
        changed = after != before
        if changed:
            file.write(text)
    state = file.state()
    answer: dict[str, Any] = {"status": "saved", "address": "~/self", "changed": changed}
    if state.waiting:
        answer["waiting"] = [setting.id for setting in state.waiting]
    if state.faults:
        answer["faults"] = list(state.faults)
    return answer
