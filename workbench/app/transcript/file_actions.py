"""What keys do while a file of the machine is looked at."""

from __future__ import annotations

from workbench.app.actions import Action

FILE = (
    Action("file.close", "close", "escape,q", "Back", "Back to where the file was opened."),
    Action("file.editor", "editor", "f4", "Your editor", "Open the file itself, at that line, in $VISUAL or $EDITOR."),
    Action("file.copy", "copy_path", "y", "Copy path", "Copy the path of the file, with the line."),
)
"""On the whole screen; in its lines the keys of any list work too."""
