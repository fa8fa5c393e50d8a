"""The programs that run inside the sandbox before a call's own code: data files beside this module."""

from __future__ import annotations

import marshal
from functools import cache
from importlib.resources import files
from importlib.util import MAGIC_NUMBER

FOLDER = "/lambda"
"""Where the program of a call and what starts it lie in the sandbox."""

RESULT = f"{FOLDER}/result"
"""The named pipe of the result channel where no descriptor can be: Deno writes to none that it inherits, and a plain
shell to none above 9."""

_PYC_HEADER_REST = bytes(12)  # flags, time and size of the source: checked on import only


@cache
def program(name: str) -> bytes:
    """The bytes of the data file `name`, such as "boot.js"."""
    return files("workbench.harness.tools.lambdas").joinpath(name).read_bytes()


@cache
def compiled(name: str) -> bytes:
    """The Python program `name`, compiled as a `.pyc` file: compiling it in each call would cost a tenth of the call.

    The interpreter of the sandbox is the one that runs the workbench, so it reads the same code.
    """
    code = compile(program(name), f"{FOLDER}/{name}", "exec", dont_inherit=True, optimize=0)
    return MAGIC_NUMBER + _PYC_HEADER_REST + marshal.dumps(code)
