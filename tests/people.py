"""Being somebody else for a while: file permissions hold nobody back who is root."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager

NOBODY = 65534
"""The user and group without a home or a file of their own."""


@contextmanager
def ordinary_user() -> Generator[None]:
    """Act with an ordinary user's rights inside; whoever is one already stays so."""
    if os.geteuid() != 0:
        yield
        return
    groups, group = os.getgroups(), os.getegid()
    os.setgroups([])
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)
