"""The optional extra that the providers' models need."""

from __future__ import annotations

from importlib.util import find_spec

from workbench.harness.errors import HarnessError

INSTALL = "Install it with: pip install 'harness-workbench[models]', in a checkout: pip install -e '.[models]'"


def need(package: str, *, what: str) -> None:
    """See that a package of the extra is there, without loading it.

    Raises:
        HarnessError: `unavailable`, naming the package and how to install it.
    """
    if find_spec(package) is None:
        raise HarnessError("unavailable", f"{what} needs the package {package}, which is not installed. {INSTALL}")
