"""The owner's yes or no to a setting that waits: which one is meant, whether it may be answered, and the answer."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.harness.errors import HarnessError
from workbench.harness.identity import WORKSHOP
from workbench.harness.log.log import Log
from workbench.harness.space.agent_file import SettingsState
from workbench.harness.space.settings import Waiting
from workbench.harness.space.space import Space


def setting_meant(state: SettingsState, id: str, approved: bool, seen: Waiting | None, calls: Iterable[str]) -> Waiting:
    """The setting that an answer is to; `calls` are the ids of the calls that wait beside the settings.

    Raises:
        HarnessError: `not_found` when nothing of that id waits, `conflict` when it is not what was seen any more,
            `unavailable` for what this version cannot do.
    """
    asked = {setting.id: setting for setting in state.waiting}
    if not approved:
        asked |= {setting.id: setting for setting in state.approved}
    setting = asked.get(id)
    if setting is None:
        listed = ", ".join([*calls, *asked]) or "nothing"
        raise HarnessError("not_found", f"Nothing called {id[:80]} waits for an answer. Waiting: {listed}.")
    if seen is not None and (setting.value, setting.question) != (seen.value, seen.question):
        raise HarnessError("conflict", f"{id} was changed since you saw it. Nothing was answered: look at it again.")
    if approved and not setting.built:
        raise HarnessError(
            "unavailable",
            f"{id} is not part of this version of the workbench; it keeps waiting and its default acts.",
        )
    return setting


def answer(space: Space, log: Log, setting: Waiting, approved: bool) -> None:
    """Record the answer and keep it on this machine, both or neither."""
    with space.store.writing():
        log.approval(WORKSHOP, setting.id, setting.value, approved)
        space.agent_file.answer(setting, approved)
