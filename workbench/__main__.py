"""`python -m workbench` is the command `workbench`."""

from __future__ import annotations

import sys

from workbench.cli.entry import main

sys.exit(main())
