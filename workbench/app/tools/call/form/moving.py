"""Taking what was filled in over to another field: another form of a choice, or a contract that changed."""

from __future__ import annotations

from workbench.app.tools.call.form.fitting import OTHER_TYPE, best_branch, distance
from workbench.app.tools.call.form.gathering import value_of
from workbench.app.tools.call.form.loading import anything, begin, load, members_of, spot_at, spot_for_key
from workbench.app.tools.call.form.node import Node, Origin, State
from workbench.app.tools.call.form.shape import TEXT_KINDS
from workbench.app.tools.call.form.texts import Refused
from workbench.harness.strict_json import Json


def carry(old: Node, new: Node, *, keep: bool = True) -> None:
    """Put what somebody filled into `old` into `new`. With `keep` nothing is lost: what does not fit becomes JSON."""
    _Carrier(keep).carry(old, new)


class _Carrier:
    def __init__(self, keep: bool) -> None:
        self.keep = keep

    def carry(self, old: Node, new: Node) -> None:
        if not old.touched:
            self._left_out(old, new)
            return
        if old.state is State.NULL:
            self._value(None, new)
            return
        source = old.content
        if source.kind == "object":
            self._object(source, new)
        elif source.kind == "array":
            self._array(source, new)
        elif source.kind in TEXT_KINDS or source.kind == "json":
            self._text(source, new)
        else:
            self._value(_picked(source), new)

    def _left_out(self, old: Node, new: Node) -> None:
        """A default that somebody left out stays out."""
        source, target = old.content, new.content
        if source.state is State.ABSENT and source.origin is Origin.PERSON and new.is_default:
            new.empty()
            new.origin = Origin.PERSON
        elif source.kind == target.kind == "object" and source.members and source.state is State.VALUE:
            by_key = {member.key: member for member in members_of(target)}
            for member in source.members:
                if member.key in by_key:
                    self._left_out(member, by_key[member.key])

    def _text(self, source: Node, new: Node) -> None:
        try:
            value = source.read()
        except Refused:
            if self.keep:
                holder = self._holder(new, source.kind)
                self._put(holder, source.text, as_json=holder.kind not in TEXT_KINDS)
            return
        if source.kind == "string" or (isinstance(value, str) and source.kind == "json"):
            # A text that reads as a number fits a number too.
            holder = new.content
            if holder.kind in {"integer", "number"} and self._reads(holder, source.text):
                return
        target = new.content
        if target.kind == "string" and source.kind in {"integer", "number"} and not self.keep:
            self._put(target, source.text, as_json=False)
            return
        if target.kind == source.kind and not target.json:
            self._put(target, source.text, as_json=False)
            return
        self._value(value, new)

    def _reads(self, target: Node, text: str) -> bool:
        before = target.text
        target.text = text
        try:
            target.read()
        except Refused:
            target.text = before
            return False
        self._put(target, text, as_json=False)
        return True

    def _value(self, value: Json, new: Node) -> None:
        if self.keep or distance(new.spot, value) < OTHER_TYPE:
            load(new, value, Origin.PERSON)
            self._imply(new)

    def _object(self, source: Node, new: Node) -> None:
        target = self._target(source, new, "object")
        if target is None:
            return
        members = members_of(target)
        by_key = {member.key: member for member in members}
        for member in source.members or ():
            if member.key in by_key:
                self._part(member, by_key[member.key])
            elif member.touched or (not member.known and self.keep):
                if not self.keep and (target.shape.closed or member.known):
                    continue
                self._add(target, member)
        target.order = source.order
        target.state = State.VALUE
        target.origin = source.origin
        self._imply(target)

    def _part(self, source: Node, new: Node) -> None:
        """What is in something that was touched; a default that the whole was given counts too."""
        around = source.around
        given = around is not None and (around.kind == "array" or around.shape.has_default)
        if given and source.is_default and not new.is_default:
            value, _ = value_of(source)
            self._value(value, new)
        else:
            self.carry(source, new)

    def _add(self, target: Node, member: Node) -> None:
        field = Node(spot_for_key(target, member.key) or anything(target), member.key, parent=target, known=False)
        members_of(target).append(field)
        self.carry(member, field)

    def _array(self, source: Node, new: Node) -> None:
        target = self._target(source, new, "array")
        if target is None:
            return
        target.members = []
        for index, member in enumerate(source.members or ()):
            item = Node(spot_at(target, index), parent=target, required=True)
            target.members.append(item)
            begin(item)
            self._part(member, item)
        target.state = State.VALUE
        target.origin = source.origin
        self._imply(target)

    def _target(self, source: Node, new: Node, kind: str) -> Node | None:
        """The object or array that takes the parts over; where there is none, the value goes as JSON."""
        holder = self._holder(new, kind, source)
        if holder.kind == kind:
            return holder
        if self.keep:
            value, _ = value_of(source, raw=True)
            load(new, value, Origin.PERSON)
            self._imply(new)
        return None

    def _holder(self, new: Node, kind: str, source: Node | None = None) -> Node:
        """Of a choice, the form that is of a kind: the one that fits best."""
        while new.kind == "choice":
            shape = new.shape
            number = next((n for n, branch in enumerate(shape.branches) if branch.spot.shape.kind == kind), None)
            if source is not None:
                fitting = best_branch(shape, value_of(source, raw=True)[0])
                number = fitting if fitting is not None else number
            new.branch = number if number is not None else new.branch
            new.state = State.VALUE
            new = new.form
        return new

    def _put(self, node: Node, text: str, *, as_json: bool) -> None:
        node.empty()
        node.json = as_json and node.shape.kind != "json"
        node.text = text
        node.state = State.VALUE
        node.origin = Origin.PERSON
        self._imply(node)

    def _imply(self, node: Node) -> None:
        around = node.parent
        while around is not None and around.origin is not Origin.PERSON:
            around.state = State.VALUE
            if around.kind != "choice":
                around.origin = Origin.IMPLIED
            around = around.parent


def _picked(node: Node) -> Json:
    return bool(node.chosen) if node.kind == "boolean" else node.shape.options[node.chosen].value
