"""One call of the toolbox, step by step: repaired, checked, let pass or not, executed, and its answer as JSON."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.hooks import CallDone, CallMade, Hooks, ask_after, ask_before
from workbench.harness.tools.toolbox.host_tool import (
    ABORTED,
    HostContext,
    HostTool,
    ImageBlock,
    OnUpdate,
    Signal,
    TextBlock,
    ToolAnswer,
)
from workbench.harness.tools.toolbox.refusal import Checked, checked, prepared, words_of

Permit = Callable[[HostTool, Mapping[str, Any]], Awaitable[None]]
"""Asked whether a call may act, with the input that it will be executed with; raises HarnessError where it may not."""

_DONE_CHARS = 500


async def run_call(
    tool: HostTool,
    call_id: str,
    raw: Any,
    *,
    signal: Signal,
    on_update: OnUpdate,
    ctx: HostContext,
    hooks: Hooks,
    permit: Permit,
) -> ToolAnswer:
    """Run one call and give its answer. `raw` is its input as it was sent, which is never changed.

    The input is repaired and checked, the hooks before may block or change it (then it is checked again), the permit
    is asked about what is left, the tool is executed, the hooks after are told. Those are not told of a call that was
    not executed. Updates after the end are ignored.

    Raises:
        HarnessError: why it failed, in the words that the model reads; another exception of the tool becomes `failed`.
        CancelledError: when the task is cancelled, and only once the executor has ended; it holds a HarnessError
            `cancelled` with the executor's own last words where it had some.
    """
    try:
        made, params = await _let_pass(tool, call_id, raw, signal=signal, ctx=ctx, hooks=hooks, permit=permit)
    except asyncio.CancelledError as cut:
        if not (cut.args and isinstance(cut.args[0], HarnessError)):
            cut.args = (HarnessError("cancelled", ABORTED),)
        raise
    try:
        done = CallDone(made=made, answer=await _executed(made, params, on_update))
    except HarnessError as error:
        done = CallDone(made=made, answer=ToolAnswer.of(error.message), error=error)
    try:
        for hook in hooks.after:
            done = await ask_after(hook, done)
    except asyncio.CancelledError as cut:
        cut.args = (HarnessError("cancelled", done.error.message if done.error else _was_done(done.answer)),)
        raise
    if done.error is not None:
        raise done.error
    return done.answer


async def _let_pass(
    tool: HostTool,
    call_id: str,
    raw: Any,
    *,
    signal: Signal,
    ctx: HostContext,
    hooks: Hooks,
    permit: Permit,
) -> tuple[CallMade, Any]:
    """All that stands before the executor: the call as it is made, and the value to execute."""
    fitting = await asyncio.to_thread(lambda: checked(tool, prepared(tool, raw)))

    def made(now: Checked) -> CallMade:
        return CallMade(
            tool=tool,
            call_id=call_id,
            raw=copy.deepcopy(raw),
            params=copy.deepcopy(now.params),
            signal=signal,
            ctx=ctx,
        )

    for hook in hooks.before:
        changed = await ask_before(hook, made(fitting))
        if changed is not None:
            fitting = await asyncio.to_thread(checked, tool, dict(changed))
    last = made(fitting)
    await permit(tool, copy.deepcopy(fitting.params))
    signal.check()
    return last, fitting.value


async def _executed(made: CallMade, value: Any, on_update: OnUpdate) -> ToolAnswer:
    """Execute, in a task of its own: a cancellation here aborts the call and waits until the executor has ended."""
    running = True

    def update(so_far: ToolAnswer) -> None:
        if running:
            on_update(so_far)

    async def execute() -> ToolAnswer:
        return await made.tool.execute(made.call_id, value, made.signal, update, made.ctx)

    task = asyncio.ensure_future(execute())
    cut: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError as cancelled:
            if cut is None:
                cut = cancelled
                _abort(made.signal, task)
            else:
                # Whoever cancels twice does not want to wait for the executor's own end.
                task.cancel()
    running = False
    if cut is not None:
        cut.args = (HarnessError("cancelled", _last_words(task)),)
        raise cut
    try:
        return task.result()
    except HarnessError:
        raise
    except asyncio.CancelledError as error:
        raise HarnessError("cancelled", ABORTED) from error
    except Exception as error:
        raise HarnessError("failed", words_of(error)) from error


def _abort(signal: Signal, task: asyncio.Task[ToolAnswer]) -> None:
    try:
        signal.abort()
    except Exception:
        # What was to be told of the abort failed at it, so nobody else may stop the executor.
        task.cancel()


def _last_words(task: asyncio.Task[ToolAnswer]) -> str:
    """What is said of a call that was cancelled while it was executed; it may have been done all the same."""
    if task.cancelled():
        return ABORTED
    error = task.exception()
    if error is not None:
        return error.message if isinstance(error, HarnessError) else ABORTED
    return _was_done(task.result())


def _was_done(answer: ToolAnswer) -> str:
    text = answer.text
    said = text if len(text) <= _DONE_CHARS else f"{text[:_DONE_CHARS]}…"
    return f"{ABORTED}\n\nIt had been done by then." + (f" Its answer was:\n{said}" if said else "")


def answer_json(answer: ToolAnswer, keep: Callable[[bytes], str]) -> dict[str, Any]:
    """An answer as it stands in the log. `keep` stores the bytes of an image and gives their CID."""
    content = [_block(block, keep) for block in answer.content]
    details = {} if answer.details is None else {"details": dict(answer.details)}
    return {"content": content, **details}


def _block(block: TextBlock | ImageBlock, keep: Callable[[bytes], str]) -> dict[str, Any]:
    if isinstance(block, TextBlock):
        return {"type": "text", "text": block.text}
    size = {"width": block.width, "height": block.height, "bytes": len(block.data)}
    return {"type": "image", "mimeType": block.mime_type, "cid": keep(block.data), **size}
