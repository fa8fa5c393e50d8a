"""The pictures of the README come from the real app."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from workbench.app.screenshots import take

PROJECT = Path(__file__).parents[2]


@pytest.mark.sandbox
def test_a_picture_is_posed_by_the_app_and_loads_nothing(tmp_path: Path) -> None:
    picture = take("dark", "transcript", tmp_path)
    text = picture.read_text("utf-8")
    shown = "".join(ET.fromstring(text).itertext()).replace("\xa0", " ")
    assert "word_count promoted" in shown
    assert "~/space" in shown
    assert "url(" not in re.sub(r"url\(#", "", text)
    assert str(tmp_path) not in text


def test_the_readme_shows_pictures_that_are_there() -> None:
    shown = re.findall(r"\]\((screenshots/[^)]+)\)", (PROJECT / "README.md").read_text("utf-8"))
    assert shown
    for name in shown:
        ET.parse(PROJECT / name)
