"""For every test: the owner's own folders stay untouched, and what cannot run here is skipped with the reason."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Generator, Iterator

import hypothesis
import pytest

hypothesis.settings.register_profile("dev", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, database=None, print_blob=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "dev")

OWN_FOLDERS = ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")

NO_SKIPS = bool(os.environ.get("WORKBENCH_NO_SKIPS"))
"""Set where everything must be able to run: there a skipped test is a failed one."""


@pytest.fixture(scope="session", autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Point the user's folders at empty ones, and see colours as a plain terminal does."""
    with pytest.MonkeyPatch.context() as patch:
        for name in OWN_FOLDERS:
            patch.setenv(name, str(tmp_path_factory.mktemp(name.lower())))
        for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
            patch.delenv(name, raising=False)
        yield


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what needs the sandbox where it cannot work, with the reason that `workbench doctor` gives.

    `sandbox("shell")` is for what starts processes in it: where nothing bounds their number, none are.
    """
    marker = item.get_closest_marker("sandbox")
    if marker is not None:
        reason = _sandbox_missing("shell" in marker.args)
        if reason is not None:
            pytest.skip(f"the sandbox cannot work here: {reason}")


def _sandbox_missing(shell: bool) -> str | None:
    from workbench.harness.tools.lambdas.probe import probe

    available = asyncio.run(probe())
    return available.python or available.typescript or (available.shell if shell else None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skip into a failure where none is allowed; an expected failure stays what it is."""
    report = yield
    if NO_SKIPS and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, and WORKBENCH_NO_SKIPS is set: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for a file that is skipped as a whole."""
    report = yield
    if NO_SKIPS and report.outcome == "skipped":
        report.outcome = "failed"
        report.longrepr = f"{collector.nodeid} was skipped, and WORKBENCH_NO_SKIPS is set: {report.longrepr}"
    return report
