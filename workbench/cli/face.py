"""What every command is told: which Space, and whether its output is for a machine."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from workbench.cli import output
from workbench.cli.launch import space_folder

Json = Annotated[bool, typer.Option("--json", help="Print one JSON value (a stream: one a line) and nothing else.")]
"""The option that every command has."""

SpaceDir = Annotated[
    str | None,
    typer.Option("--space", metavar="DIR", help="The Space to use. Without it: the one in your data folder."),
]
"""The other option that every command has."""

ThreadName = Annotated[str, typer.Argument(metavar="THREAD", help="The thread's name, as `workbench threads` has it.")]
AtSeq = Annotated[int | None, typer.Option("--at", metavar="SEQ", help="As of this event, with it included.")]


class Misused(Exception):
    """A command was put together in a way that means nothing; the words say what to change."""


@dataclass
class Face:
    """One run of the command line. Options stand before or behind the command's name; both places count."""

    space: str | None = None
    json: bool = False

    def root(self) -> Path:
        """The folder of the Space that was asked for, else the user's own."""
        return space_folder(self.space)

    def value(self, value: Any) -> bool:
        """Print a value where output is for a machine; tells whether it did."""
        if self.json:
            output.out_value(value)
        return self.json


def face_of(ctx: typer.Context, json: bool, space: str | None) -> Face:
    """Put together what was said before and behind the command's name.

    Raises:
        Misused: two different Spaces were named.
    """
    face = ctx.find_object(Face)
    assert face is not None
    face.json = face.json or json
    if space is not None:
        if space == "":
            raise Misused("--space needs the name of a folder.")
        if face.space is not None and _whole(face.space) != _whole(space):
            raise Misused(f"--space was given twice: {face.space} and {space}. Name one.")
        face.space = space
    return face


def _whole(folder: str) -> str:
    try:
        return os.path.abspath(folder)
    except FileNotFoundError:
        # In a folder that was removed no relative name means anything: whoever uses it says so.
        return folder
