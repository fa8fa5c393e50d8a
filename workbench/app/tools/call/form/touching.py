"""What a change of one field means for the objects, arrays and choices that it is in."""

from __future__ import annotations

from workbench.app.tools.call.form.loading import begin
from workbench.app.tools.call.form.node import Node, Origin, State


def touch(node: Node) -> None:
    """Somebody changed this: what it is in will be sent too."""
    node.origin = Origin.PERSON
    around = node.parent
    while around is not None:
        if around.kind == "choice" or around.state is not State.VALUE:
            around.state = State.VALUE
        if around.kind != "choice" and around.origin is not Origin.PERSON:
            around.origin = Origin.IMPLIED
        around = around.parent


def untouch(node: Node) -> None:
    """This was changed back: an object that was there only because of it goes too."""
    around = node.parent
    while around is not None:
        if around.kind != "choice":
            if around.origin is not Origin.IMPLIED or any(member.touched for member in around.members or ()):
                return
            if around.shape.has_default:
                around.empty()
                begin(around)
            else:
                alone = around.required and around.kind == "object"
                around.state = State.VALUE if alone else State.ABSENT
                around.origin = Origin.ALONE if alone else Origin.NOBODY
        around = around.parent
