"""How a call of `read` and its result are drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.harness.tools.toolbox.using import use
from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.drawn import Code, Picture, Words
from workbench.harness.tools.toolbox.host_tool import HostContext, Result, ToolAnswer
from workbench.harness.tools.toolbox.read import READ, render_call, render_result


async def read(ctx: HostContext, path: str, **options: Any) -> ToolAnswer:
    """What `read` gives."""
    return await use(READ, {"path": path, **options}, ctx)


@pytest.mark.parametrize(
    ("sent", "drawn"),
    [
        ({"path": "a.py"}, "read a.py"),
        ({"file_path": "a.py"}, "read a.py"),
        ({"path": "a.py", "offset": 41}, "read a.py:41"),
        ({"path": "a.py", "offset": 41, "limit": 20}, "read a.py:41-60"),
        ({"path": "a.py", "limit": 20.0}, "read a.py:1-20"),
        ({"path": "a.py", "offset": -3, "limit": 0}, "read a.py:1"),
        ({"path": 5, "offset": "x"}, "read "),
        (None, "read "),
        ([], "read "),
    ],
)
def test_a_call_is_drawn_in_one_line_whatever_was_sent(sent: Any, drawn: str) -> None:
    assert "".join(span.text for span in render_call(sent)) == drawn


def texts(text: str) -> Result:
    """A result that is one text, as the log has it."""
    return Result(({"type": "text", "text": text},))


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("a\nb\n", "a\nb\n", None),
        (
            "a\nb\n\n[Showing lines 3-4 of 9. Use offset=5 to continue.]",
            "a\nb",
            "[Showing lines 3-4 of 9. Use offset=5 to continue.]",
        ),
        (
            "a\n\n[Showing lines 3-3 of 9 (50.0KB limit). Use offset=4 to continue.]",
            "a",
            "[Showing lines 3-3 of 9 (50.0KB limit). Use offset=4 to continue.]",
        ),
        (
            "a\n\n[1 more lines in file. Use offset=4 to continue.]",
            "a",
            "[1 more lines in file. Use offset=4 to continue.]",
        ),
        ("a\n\n[tool]", "a\n\n[tool]", None),
    ],
)
def test_a_text_is_drawn_as_code_and_its_notice_as_words(text: str, code: str, words: str | None) -> None:
    drawn = render_result({"path": "a.py", "offset": 3}, texts(text), Path("/work"))
    assert drawn == (Code(code, "a.py", 3), *((Words(words),) if words else ()))


def test_what_is_no_text_of_the_file_is_drawn_as_words() -> None:
    too_long = "[Line 2 is 58.6KB, exceeds 50.0KB limit. Use bash: sed -n '2p' f | head -c 51200]"
    left_out = "Read image file [image/png]\n[Image omitted: could not be resized below the inline image size limit.]"
    assert render_result({"path": "f"}, texts(too_long), Path("/")) == (Words(too_long),)
    assert render_result({"path": "f"}, texts(left_out), Path("/")) == (Words(left_out),)
    assert render_result({"path": "f"}, texts(""), Path("/")) == (Words("The file is empty."),)
    assert render_result(None, Result(error="ENOENT: gone"), Path("/")) == (Words("ENOENT: gone", "error"),)


def test_an_image_is_drawn_as_a_picture_from_what_the_log_holds() -> None:
    block = {"type": "image", "mimeType": "image/png", "width": 40, "height": 30, "bytes": 99, "cid": "bafy"}
    result = Result(({"type": "text", "text": "Read image file [image/png]"}, block))
    assert render_result({"path": "f"}, result, Path("/")) == (
        Picture("image/png", 40, 30, 99),
        Words("Read image file [image/png]"),
    )


async def test_every_answer_can_be_drawn(here: HostContext) -> None:
    (here.cwd / "f").write_text("\n".join(str(number) for number in range(3000)))
    answer = await read(here, "f", offset=2)
    code, words = render_result({"path": "f", "offset": 2}, texts(answer.text), here.cwd)
    assert isinstance(code, Code)
    assert (code.first, code.text.split("\n")[0], len(code.text.split("\n"))) == (2, "1", 2000)
    assert words == Words("[Showing lines 2-2001 of 3000. Use offset=2002 to continue.]")
    with pytest.raises(HarnessError):
        await read(here, "f", offset=3001)
