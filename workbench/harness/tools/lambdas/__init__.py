"""Lambdas and code: their ABI, and the sandbox they run in.

`run` runs one call, `probe` says whether calls can run on this machine and what is missing where they cannot.
"""

from __future__ import annotations

from workbench.harness.tools.lambdas.availability import Availability, Check, probe
from workbench.harness.tools.lambdas.sandbox import LAMBDA_IMPORTS, run
from workbench.harness.tools.lambdas.values import (
    ChangedFile,
    Job,
    Limits,
    Outcome,
    Progress,
    Runtime,
)

__all__ = [
    "LAMBDA_IMPORTS",
    "Availability",
    "ChangedFile",
    "Check",
    "Job",
    "Limits",
    "Outcome",
    "Progress",
    "Runtime",
    "probe",
    "run",
]
