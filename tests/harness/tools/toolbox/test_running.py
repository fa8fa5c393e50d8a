"""One call, step by step: repairs, refusals, hooks, the permit, the end of it, and its answer as JSON."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.hooks import Blocked, CallDone, CallMade, Hooks, Replaced
from workbench.harness.tools.toolbox.host_tool import (
    HostContext,
    HostTool,
    ImageBlock,
    OnUpdate,
    Signal,
    TextBlock,
    ToolAnswer,
)
from workbench.harness.tools.toolbox.limits import MAX_RECEIVED_CHARS
from workbench.harness.tools.toolbox.prepare import take_file_path
from workbench.harness.tools.toolbox.running import answer_json, run_call


class Replacement(Struct, frozen=True, kw_only=True):
    """One of the edits of the little tool."""

    old_text: str = msgspec.field(name="oldText")
    new_text: str = msgspec.field(name="newText")


class Parameters(Struct, frozen=True, kw_only=True):
    """What the little tool takes."""

    path: str
    offset: float | msgspec.UnsetType = msgspec.UNSET
    edits: tuple[Replacement, ...] | msgspec.UnsetType = msgspec.UNSET


class Both(Struct, frozen=True, kw_only=True):
    """What a tool takes that needs two things."""

    path: str
    content: str


Executor = Callable[[Any, Signal, OnUpdate], Awaitable[ToolAnswer]]


async def says_path(params: Any, signal: Signal, on_update: OnUpdate) -> ToolAnswer:
    return ToolAnswer.of(f"path {params.path}", {"offset": None if params.offset is msgspec.UNSET else params.offset})


def tool_of(
    executor: Executor = says_path,
    *,
    parameters: type[Struct] = Parameters,
    prepare: Callable[[Any], Any] | None = take_file_path,
) -> HostTool:
    async def execute(call_id: str, params: Any, signal: Signal, on_update: OnUpdate, ctx: HostContext) -> ToolAnswer:
        return await executor(params, signal, on_update)

    return HostTool(
        name="read",
        label="read",
        summary="Reads.",
        description="Reads.",
        parameters=parameters,
        binding="toolbox:read",
        execute=execute,
        prepare_arguments=prepare,
    )


async def permitted(tool: HostTool, params: Mapping[str, Any]) -> None:
    return None


async def run(tool: HostTool, raw: Any, ctx: HostContext, **rest: Any) -> ToolAnswer:
    surroundings: dict[str, Any] = {"signal": Signal(), "on_update": lambda so_far: None} | rest
    return await run_call(tool, "c1", raw, ctx=ctx, **{"hooks": Hooks(), "permit": permitted} | surroundings)


async def fault_of(tool: HostTool, raw: Any, ctx: HostContext, **rest: Any) -> HarnessError:
    with pytest.raises(HarnessError) as caught:
        await run(tool, raw, ctx, **rest)
    return caught.value


def before(*hooks: Callable[[CallMade], Any]) -> Hooks:
    async def ask(hook: Callable[[CallMade], Any], made: CallMade) -> Any:
        return hook(made)

    return Hooks(before=tuple((lambda made, hook=hook: ask(hook, made)) for hook in hooks))


def after(*hooks: Callable[[CallDone], Any]) -> Hooks:
    async def tell(hook: Callable[[CallDone], Any], done: CallDone) -> Any:
        return hook(done)

    return Hooks(after=tuple((lambda done, hook=hook: tell(hook, done)) for hook in hooks))


def raising(error: BaseException) -> Callable[[Any], Any]:
    def hook(_: Any) -> Any:
        raise error

    return hook


# -- repairs and the schema -----------------------------------------------------------------------------------------


async def test_an_input_that_fits_is_executed(here: HostContext) -> None:
    answer = await run(tool_of(), {"path": "a", "offset": 3.0, "more": True}, here)
    assert (answer.text, answer.details) == ("path a", {"offset": 3})


async def test_repairs_come_before_the_schema_and_leave_what_was_sent(here: HostContext) -> None:
    sent = {"file_path": "a"}
    assert (await run(tool_of(), sent, here)).text == "path a"
    assert sent == {"file_path": "a"}


async def test_a_repair_that_changes_in_place_changes_a_copy(here: HostContext) -> None:
    def repair(args: Any) -> Any:
        args["edits"][0]["newText"] = "repaired"
        return args

    sent = {"path": "a", "edits": [{"oldText": "x", "newText": 1}]}
    await run(tool_of(prepare=repair), sent, here)
    assert sent == {"path": "a", "edits": [{"oldText": "x", "newText": 1}]}


async def test_a_repair_that_fails_says_why(here: HostContext) -> None:
    error = await fault_of(tool_of(), {"path": "a", "file_path": "b"}, here)
    assert error.code == "bad_input"
    assert "path is 'a' and file_path is 'b'" in error.message
    error = await fault_of(tool_of(prepare=raising(ValueError("cannot repair"))), {}, here)
    assert (error.code, error.message) == ("bad_input", "cannot repair")


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        (
            {},
            'Validation failed for tool "read":\n  - path: must have required properties path\n\n'
            "Received arguments:\n{}",
        ),
        (
            {"offset": "3", "file_path": "a"},
            'Validation failed for tool "read":\n  - offset: must be number\n\n'
            'Received arguments:\n{\n  "offset": "3",\n  "path": "a"\n}',
        ),
        ([], 'Validation failed for tool "read":\n  - root: must be object\n\nReceived arguments:\n[]'),
        (
            '{"path": "é"}',
            'Validation failed for tool "read":\n  - root: must be object\n\n'
            'Received arguments:\n"{\\"path\\": \\"é\\"}"',
        ),
    ],
)
async def test_a_refusal_has_this_shape(here: HostContext, sent: Any, words: str) -> None:
    error = await fault_of(tool_of(), sent, here)
    assert (error.code, error.message) == ("bad_input", words)


@pytest.mark.parametrize(
    ("sent", "rows"),
    [
        ({"path": None}, ["path: must be string"]),
        ({"path": "a", "offset": "7"}, ["offset: must be number"]),
        ({"path": "a", "offset": "30s"}, ["offset: must be number"]),
        ({"path": "a", "offset": None}, ["offset: must be number"]),
        ({"path": "a", "offset": True}, ["offset: must be number"]),
        ({"path": "a", "edits": "[]"}, ["edits: must be array"]),
        ({"path": "a", "edits": [{"oldText": "x"}]}, ["edits.0.newText: must have required properties newText"]),
        ({"path": "a", "edits": [{}]}, ["edits.0.oldText: must have required properties oldText, newText"]),
        ({"path": "a", "edits": [{"oldText": "x", "newText": None}]}, ["edits.0.newText: must be string"]),
        (
            {"offset": "x", "edits": [{"oldText": "a", "newText": "b"}, 3]},
            [
                "edits.1: must be object",
                "offset: must be number",
                "path: must have required properties path",
            ],
        ),
    ],
)
async def test_every_fault_has_its_row_and_nothing_is_coerced(
    here: HostContext, sent: dict[str, Any], rows: list[str]
) -> None:
    message = (await fault_of(tool_of(), sent, here)).message
    listed = message.partition("\n\n")[0].splitlines()[1:]
    assert listed == [f"  - {row}" for row in rows]


async def test_what_is_missing_at_one_place_shares_a_row(here: HostContext) -> None:
    message = (await fault_of(tool_of(parameters=Both), {}, here)).message
    assert message.splitlines()[1] == "  - path: must have required properties path, content"


async def test_a_long_input_is_repeated_in_part(here: HostContext) -> None:
    message = (await fault_of(tool_of(), {"path": "x" * 100_000, "offset": "1"}, here)).message
    assert len(message) < MAX_RECEIVED_CHARS + 500
    assert message.endswith(" more characters]")


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["path", "file_path", "offset", "edits"]),
        st.recursive(
            st.none() | st.integers(-5, 5) | st.text(max_size=3),
            lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["oldText"]), inner),
            max_leaves=4,
        ),
    )
)
def test_what_was_sent_is_never_changed(tmp_path_factory: pytest.TempPathFactory, sent: dict[str, Any]) -> None:
    def spoil(made: CallMade) -> Any:
        made.raw.clear()
        changed = dict(made.params)
        cast("dict[str, Any]", made.params).clear()
        return changed

    async def spoiling_permit(tool: HostTool, params: Mapping[str, Any]) -> None:
        cast("dict[str, Any]", params).clear()

    kept = copy.deepcopy(sent)
    ctx = HostContext(cwd=tmp_path_factory.getbasetemp())
    try:
        answer = asyncio.run(run(tool_of(), sent, ctx, hooks=before(spoil, spoil), permit=spoiling_permit))
    except HarnessError:
        pass
    else:
        assert answer.text == f"path {kept.get('path', kept.get('file_path'))}"
    assert sent == kept


# -- hooks before, and the permit -----------------------------------------------------------------------------------


async def test_a_hook_sees_the_call_and_lets_it_pass(here: HostContext) -> None:
    seen: list[CallMade] = []
    await run(tool_of(), {"file_path": "a"}, here, hooks=before(seen.append))
    (made,) = seen
    assert (made.call_id, made.raw, made.params, made.ctx) == ("c1", {"file_path": "a"}, {"path": "a"}, here)


@pytest.mark.parametrize(
    ("hook", "code", "words"),
    [
        (lambda made: Blocked("not today"), "refused", "not today"),
        (lambda made: Blocked(), "refused", "Tool execution was blocked"),
        (lambda made: Blocked(""), "refused", "Tool execution was blocked"),
        (raising(ValueError("the hook broke")), "failed", "the hook broke"),
        (raising(ValueError()), "failed", "ValueError"),
        (raising(HarnessError("limit", "too often")), "limit", "too often"),
    ],
)
async def test_a_hook_ends_a_call_before_it_is_executed(here: HostContext, hook: Any, code: str, words: str) -> None:
    told: list[Any] = []
    hooks = Hooks(before=before(hook, told.append).before, after=after(told.append).after)
    error = await fault_of(tool_of(raising_executor), {"path": "a"}, here, hooks=hooks)
    assert (error.code, error.message) == (code, words)
    assert told == []


async def raising_executor(params: Any, signal: Signal, on_update: OnUpdate) -> ToolAnswer:
    raise AssertionError("it was executed")


async def test_an_input_that_a_hook_changed_is_executed_and_checked_again(here: HostContext) -> None:
    def other(made: CallMade) -> Any:
        return {"path": f"{made.params['path']}b"}

    assert (await run(tool_of(), {"path": "a"}, here, hooks=before(other, other))).text == "path abb"
    error = await fault_of(tool_of(), {"path": "a"}, here, hooks=before(lambda made: {"path": 1}))
    assert error.message.splitlines()[:2] == ['Validation failed for tool "read":', "  - path: must be string"]


async def test_the_permit_is_asked_about_what_will_be_executed(here: HostContext) -> None:
    asked: list[Any] = []

    async def permit(tool: HostTool, params: Mapping[str, Any]) -> None:
        asked.append((tool.name, dict(params)))
        raise HarnessError("refused", "The owner said no.")

    tool = tool_of(raising_executor)
    error = await fault_of(tool, {"file_path": "a"}, here, hooks=before(lambda made: {"path": "b"}), permit=permit)
    assert (error.code, error.message) == ("refused", "The owner said no.")
    assert asked == [("read", {"path": "b"})]
    error = await fault_of(tool, {}, here, permit=permit)
    assert error.code == "bad_input"
    assert len(asked) == 1


async def test_a_call_aborted_by_then_is_not_executed(here: HostContext) -> None:
    signal = Signal()
    error = await fault_of(
        tool_of(raising_executor), {"path": "a"}, here, signal=signal, hooks=before(lambda made: signal.abort())
    )
    assert (error.code, error.message) == ("cancelled", "Operation aborted")


# -- executing ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raised", "code", "words"),
    [
        (HarnessError("timeout", "Command timed out after 1 seconds"), "timeout", "Command timed out after 1 seconds"),
        (OSError(28, "No space left on device"), "failed", "[Errno 28] No space left on device"),
        (ValueError(), "failed", "ValueError"),
        (ValueError("name \udcff"), "failed", "name \ufffd\ufffd\ufffd"),
        (asyncio.CancelledError(), "cancelled", "Operation aborted"),
    ],
)
async def test_what_a_tool_raises_is_its_failure(
    here: HostContext, raised: BaseException, code: str, words: str
) -> None:
    async def fails(params: Any, signal: Signal, on_update: OnUpdate) -> ToolAnswer:
        raise raised

    error = await fault_of(tool_of(fails), {"path": "a"}, here)
    assert (error.code, error.message) == (code, words)


async def test_updates_after_the_end_are_ignored(here: HostContext) -> None:
    told: list[str] = []
    late: list[OnUpdate] = []

    async def tells(params: Any, signal: Signal, on_update: OnUpdate) -> ToolAnswer:
        on_update(ToolAnswer.of("half"))
        late.append(on_update)
        return ToolAnswer.of("whole")

    await run(tool_of(tells), {"path": "a"}, here, on_update=lambda so_far: told.append(so_far.text))
    late[0](ToolAnswer.of("too late"))
    assert told == ["half"]


class Running:
    """A call that waits, and what its executor does once it is aborted."""

    def __init__(self, here: HostContext, then: Callable[[], ToolAnswer], hooks: Hooks | None = None) -> None:
        self.began = asyncio.Event()
        self.go_on = asyncio.Event()
        self.signal = Signal()
        self.ended = False
        self._then = then
        tool = tool_of(self._execute)
        self.task = asyncio.ensure_future(run(tool, {"path": "a"}, here, signal=self.signal, hooks=hooks or Hooks()))

    async def _execute(self, params: Any, signal: Signal, on_update: OnUpdate) -> ToolAnswer:
        self.began.set()
        try:
            await self.go_on.wait()
            return self._then()
        finally:
            self.ended = True

    async def cancelled(self) -> HarnessError:
        """Cancel it, let the executor end, and give what the cancellation holds."""
        await self.began.wait()
        self.task.cancel()
        await asyncio.sleep(0)
        assert self.signal.aborted
        assert not self.task.done()
        self.go_on.set()
        return await self.held()

    async def held(self) -> HarnessError:
        with pytest.raises(asyncio.CancelledError) as cut:
            await self.task
        assert self.task.cancelled()
        assert self.ended
        return HarnessError.of_cancellation(cut.value)


def answers() -> ToolAnswer:
    return ToolAnswer.of("Successfully wrote 1 bytes to a")


def fails_with(error: BaseException) -> Callable[[], ToolAnswer]:
    def fail() -> ToolAnswer:
        raise error

    return fail


@pytest.mark.parametrize(
    ("then", "words"),
    [
        (fails_with(HarnessError("cancelled", "a\n\nCommand aborted")), "a\n\nCommand aborted"),
        (fails_with(HarnessError("failed", "Command exited with code 3")), "Command exited with code 3"),
        (fails_with(ValueError("broke")), "Operation aborted"),
        (fails_with(asyncio.CancelledError()), "Operation aborted"),
        (
            answers,
            "Operation aborted\n\nIt had been done by then. Its answer was:\nSuccessfully wrote 1 bytes to a",
        ),
        (lambda: ToolAnswer(()), "Operation aborted\n\nIt had been done by then."),
    ],
)
async def test_a_cancelled_call_waits_for_its_executor_and_says_what_it_said(
    here: HostContext, then: Callable[[], ToolAnswer], words: str
) -> None:
    held = await Running(here, then).cancelled()
    assert (held.code, held.message) == ("cancelled", words)


async def test_a_long_answer_of_a_cancelled_call_is_cut(here: HostContext) -> None:
    held = await Running(here, lambda: ToolAnswer.of("x" * 10_000)).cancelled()
    assert len(held.message) < 1_000


async def test_who_cancels_twice_does_not_wait_for_the_executors_own_end(here: HostContext) -> None:
    running = Running(here, answers)
    await running.began.wait()
    running.task.cancel()
    await asyncio.sleep(0)
    running.task.cancel()
    assert (await running.held()).message == "Operation aborted"


async def test_an_abort_that_cannot_be_told_stops_the_executor_all_the_same(here: HostContext) -> None:
    running = Running(here, answers)
    await running.began.wait()
    running.signal.on_abort(lambda: raising(ValueError("deaf"))(None))
    running.task.cancel()
    assert (await running.held()).message == "Operation aborted"


async def test_hooks_after_are_not_told_of_a_cancelled_call(here: HostContext) -> None:
    told: list[Any] = []
    await Running(here, answers, after(told.append)).cancelled()
    assert told == []


async def test_an_abort_by_itself_is_a_failure_and_no_cancellation(here: HostContext) -> None:
    async def waits(params: Any, signal: Signal, on_update: OnUpdate) -> ToolAnswer:
        signal.abort()
        signal.check("a\n\nCommand aborted")
        return ToolAnswer.of("never")

    error = await fault_of(tool_of(waits), {"path": "a"}, here)
    assert (error.code, error.message) == ("cancelled", "a\n\nCommand aborted")


async def cancelled_while(step: str, here: HostContext, own: HarnessError | None = None) -> HarnessError:
    began = asyncio.Event()

    async def waits(*_: Any) -> Any:
        began.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError as cut:
            cut.args = (own,) if own else ()
            raise

    hooks = Hooks(before=(waits,) if step == "before" else (), after=(waits,) if step == "after" else ())
    permit = waits if step == "permit" else permitted
    executor = says_path if step == "after" else raising_executor
    task = asyncio.ensure_future(run(tool_of(executor), {"path": "a"}, here, hooks=hooks, permit=permit))
    await began.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError) as cut:
        await task
    return HarnessError.of_cancellation(cut.value)


@pytest.mark.parametrize("step", ["before", "permit"])
async def test_a_call_cancelled_before_it_is_executed_is_aborted(here: HostContext, step: str) -> None:
    held = await cancelled_while(step, here)
    assert (held.code, held.message) == ("cancelled", "Operation aborted")
    held = await cancelled_while(step, here, HarnessError("cancelled", "Nobody answered."))
    assert held.message == "Nobody answered."


async def test_a_call_cancelled_after_it_was_executed_says_that_it_was_done(here: HostContext) -> None:
    held = await cancelled_while("after", here)
    assert held.message == "Operation aborted\n\nIt had been done by then. Its answer was:\npath a"


# -- hooks after ----------------------------------------------------------------------------------------------------


async def says_no(params: Any, signal: Signal, on_update: OnUpdate) -> ToolAnswer:
    raise HarnessError("not_found", "ENOENT: no such file")


async def test_a_hook_after_replaces_parts_each_as_a_whole(here: HostContext) -> None:
    other = after(lambda done: Replaced(content=(TextBlock("other"),)))
    answer = await run(tool_of(), {"path": "a"}, here, hooks=other)
    assert (answer.text, answer.details) == ("other", {"offset": None})
    bare = after(lambda done: Replaced(details=None))
    answer = await run(tool_of(), {"path": "a"}, here, hooks=bare)
    assert (answer.text, answer.details) == ("path a", None)
    answer = await run(tool_of(), {"path": "a"}, here, hooks=after(lambda done: None))
    assert answer.text == "path a"


async def test_a_hook_after_turns_success_into_failure_and_back(here: HostContext) -> None:
    no = after(lambda done: Replaced(content=(TextBlock("It lied."),), is_error=True))
    error = await fault_of(tool_of(), {"path": "a"}, here, hooks=no)
    assert (error.code, error.message) == ("failed", "It lied.")
    yes = after(lambda done: Replaced(is_error=False, details={"was": done.error.code if done.error else None}))
    answer = await run(tool_of(says_no), {"path": "a"}, here, hooks=yes)
    assert (answer.text, answer.details) == ("ENOENT: no such file", {"was": "not_found"})
    both = Hooks(after=(*no.after, *yes.after))
    assert (await run(tool_of(), {"path": "a"}, here, hooks=both)).text == "It lied."


async def test_a_failure_keeps_its_kind_under_other_words(here: HostContext) -> None:
    other = after(lambda done: Replaced(content=(TextBlock("Look elsewhere."),)))
    error = await fault_of(tool_of(says_no), {"path": "a"}, here, hooks=other)
    assert (error.code, error.message) == ("not_found", "Look elsewhere.")
    error = await fault_of(tool_of(says_no), {"path": "a"}, here, hooks=after(lambda done: Replaced(details={})))
    assert (error.code, error.message) == ("not_found", "ENOENT: no such file")


async def test_a_hook_after_that_raises_makes_a_failure(here: HostContext) -> None:
    error = await fault_of(tool_of(), {"path": "a"}, here, hooks=after(raising(ValueError("the hook broke"))))
    assert (error.code, error.message) == ("failed", "the hook broke")
    error = await fault_of(tool_of(), {"path": "a"}, here, hooks=after(raising(HarnessError("refused", "no"))))
    assert (error.code, error.message) == ("refused", "no")


# -- as JSON --------------------------------------------------------------------------------------------------------

PICTURE = ToolAnswer(
    (TextBlock("Read image file [image/png]"), ImageBlock(b"\x89PNG", "image/png", 3, 2)), {"original": [30, 20]}
)


def test_the_log_holds_the_cid_of_an_image() -> None:
    kept: list[bytes] = []

    def keep(data: bytes) -> str:
        kept.append(data)
        return "bafy1"

    image = {"type": "image", "mimeType": "image/png", "cid": "bafy1", "width": 3, "height": 2, "bytes": 4}
    text = {"type": "text", "text": "Read image file [image/png]"}
    assert answer_json(PICTURE, keep) == {"content": [text, image], "details": {"original": [30, 20]}}
    assert kept == [b"\x89PNG"]


def test_details_are_left_out_where_there_are_none() -> None:
    assert answer_json(ToolAnswer.of("a"), lambda data: "") == {"content": [{"type": "text", "text": "a"}]}
