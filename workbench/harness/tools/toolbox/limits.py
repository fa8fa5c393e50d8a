"""The limits of the toolbox. Each stands here once; descriptions and executors both take it from here."""

from __future__ import annotations

from workbench.harness.paging import MAX_BYTES, MAX_LINES

__all__ = [
    "DIFF_BYTES",
    "DIFF_LINE_CHARS",
    "DIFF_ROWS",
    "EDIT_FILE_BYTES",
    "FIND_RESULTS",
    "GREP_LINE_CHARS",
    "GREP_MATCHES",
    "IMAGE_BASE64_BYTES",
    "IMAGE_FILE_BYTES",
    "IMAGE_PIXELS",
    "IMAGE_SIDE",
    "LS_ENTRIES",
    "MARKS_IN_A_ROW",
    "MAX_BYTES",
    "MAX_COMMAND_BYTES",
    "MAX_CONTEXT",
    "MAX_GLOB",
    "MAX_LINES",
    "MAX_RECEIVED_CHARS",
    "MAX_SAVED_BYTES",
    "MAX_TIMEOUT_SECS",
    "MEBIBYTE",
    "NEAREST_CHARS",
    "NEAREST_LINES",
    "PATCH_BYTES",
    "PROGRESS_CHARS",
    "QUIET_SECS",
    "SEARCH_MEMORY_BYTES",
    "UPDATE_SECS",
    "WEBP_PIXELS",
]

MEBIBYTE = 1024 * 1024
"""Bytes of a MiB."""

GREP_MATCHES = 100
"""Matching lines that `grep` gives unless it is asked for another number."""

GREP_LINE_CHARS = 500
"""Characters of a line that `grep` shows."""

MAX_CONTEXT = 1000
"""Lines before and after a match that `grep` shows at most."""

MAX_GLOB = 1024
"""Characters of a glob of `grep` or `find`."""

FIND_RESULTS = 1000
"""Paths that `find` gives unless it is asked for another number."""

LS_ENTRIES = 500
"""Entries that `ls` gives unless it is asked for another number."""

IMAGE_SIDE = 2000
"""Pixels of an image's longer side that a model is sent at most."""

IMAGE_BASE64_BYTES = 4_718_592
"""Bytes of an image in base64 that a model is sent at most: 4.5 MiB; the image stays below."""

IMAGE_FILE_BYTES = 64 * MEBIBYTE
"""Bytes of an image file that is looked at; a larger one is left out."""

IMAGE_PIXELS = 50_000_000
"""Pixels of an image that is decoded; a larger one is left out. Decoded, it takes 200 MB."""

WEBP_PIXELS = 20_000_000
"""Pixels of a WebP image that is decoded: its decoder holds it four times over."""

MAX_COMMAND_BYTES = 131_071
"""Bytes of a command: what the kernel takes as one argument."""

MAX_TIMEOUT_SECS = 2_147_483.647
"""Seconds that a command may ask for: what a timer of 32 bits counts in milliseconds."""

QUIET_SECS = 0.1
"""How long the output of a command must be quiet, after its shell ended, to be taken for complete."""

UPDATE_SECS = 0.1
"""How often a running command tells its output at most."""

MAX_SAVED_BYTES = 1024 * MEBIBYTE
"""Bytes of a command's output that are kept in a file; what comes after them is counted and dropped."""

EDIT_FILE_BYTES = 64 * MEBIBYTE
"""Bytes of a file that `edit` changes at most."""

MARKS_IN_A_ROW = 30
"""Combining marks behind a letter that are put in order to compare texts; more than that are compared as they stand."""

DIFF_ROWS = MAX_LINES
"""Rows of the diff of an edit that are kept at most."""

DIFF_BYTES = MAX_BYTES
"""Bytes of the diff of an edit that are kept at most."""

DIFF_LINE_CHARS = 2000
"""Characters of a line that a row of a diff shows."""

PATCH_BYTES = 256 * 1024
"""Bytes of the patch of an edit; a longer one is not kept, because half a patch is none."""

NEAREST_CHARS = 8 * MEBIBYTE
"""Characters of a file that are looked at for the place closest to a text that is not in it."""

NEAREST_LINES = 200_000
"""Lines of a file that are looked at for it."""

MAX_RECEIVED_CHARS = 4_000
"""Characters of a refused input that its refusal repeats."""

PROGRESS_CHARS = 2_000
"""Characters of a running call's output, its last, that are passed on as progress."""

SEARCH_MEMORY_BYTES = 1024 * MEBIBYTE
"""What ripgrep may take of the memory: it holds the whole of a line, however long that is."""

MAX_PATH_BYTES = 4_095
"""Bytes of a path: what the kernel takes. None longer is looked at, so that no form of it has to be made."""

MAX_LINKS = 40
"""Symbolic links on the way of one path: the kernel follows no more."""
