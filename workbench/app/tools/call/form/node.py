"""One field of a form that is being filled in: what it holds, and how that came about."""

from __future__ import annotations

from enum import Enum

from workbench.app.tools.call.form.shape import Kind, Shape, Spot
from workbench.app.tools.call.form.texts import Refused, read_json, read_number
from workbench.harness.strict_json import Json


class State(Enum):
    """What of a field will be sent. An empty text is a value."""

    ABSENT = "absent"
    NULL = "null"
    VALUE = "value"


class Origin(Enum):
    """Why a field holds what it holds."""

    NOBODY = "nobody"
    """Nothing happened to it."""
    DEFAULT = "default"
    """The schema's default was filled in."""
    ALONE = "alone"
    """It must be there, and there is one way only."""
    IMPLIED = "implied"
    """Something inside of it was filled in."""
    PERSON = "person"
    """Somebody wanted it so."""


class Node:
    """A field. It is the same object for as long as the field is there, whatever it is called and wherever it moves.

    `text` is what stands in it, which need not mean anything yet; `value` follows when it does.
    """

    __slots__ = (
        "_read", "_state", "branch", "chosen", "forms", "json", "key", "known", "members", "open", "order", "origin",
        "parent", "required", "spot", "text",
    )  # fmt: skip

    def __init__(
        self, spot: Spot, key: str = "", *, parent: Node | None = None, required: bool = False, known: bool = True
    ) -> None:
        self.spot = spot
        self.key = key
        self.parent = parent
        self.required = required
        self.known = known
        """Whether the schema names it; otherwise somebody added the key."""
        self.open: bool | None = None
        """Whether it is unfolded; None while nobody said."""
        self.branch = 0
        self.forms: dict[int, Node] = {}
        """Of a choice: the forms that were looked at, each with what was filled in."""
        self._read: tuple[str, str, Json | Refused] | None = None
        self.empty()

    def empty(self) -> None:
        """Hold nothing."""
        self._state = State.ABSENT
        self.origin = Origin.NOBODY
        self.text = ""
        self.chosen = 0
        self.json = False
        """Whether it is edited as JSON though it could be drawn."""
        self.members: list[Node] | None = None
        """Of an object or an array: the fields in it, once they were looked at."""
        self.order: tuple[str, ...] = ()
        """Of an object: the order in which JSON had its keys."""
        self.forms = {}

    @property
    def shape(self) -> Shape:
        """What it may hold."""
        return self.spot.shape

    @property
    def kind(self) -> Kind:
        """How it is edited."""
        return "json" if self.json else self.shape.kind

    @property
    def content(self) -> Node:
        """The node that holds what is in this field: of a choice, the chosen form."""
        node = self
        while node.kind == "choice":
            node = node.form
        return node

    @property
    def form(self) -> Node:
        """The chosen form of a choice."""
        return self.form_at(self.branch)

    def form_at(self, number: int) -> Node:
        """One form of a choice."""
        if number not in self.forms:
            self.forms[number] = Node(
                self.shape.branches[number].spot, self.key, parent=self, required=self.required, known=self.known
            )
        return self.forms[number]

    @property
    def state(self) -> State:
        """Whether it will be sent, and as null."""
        if self._delegates:
            return self.form.state
        return self._state

    @state.setter
    def state(self, state: State) -> None:
        self._state = state

    @property
    def _delegates(self) -> bool:
        # asked for every field at every key: nothing is read of fields that nobody was at
        return bool(self.forms) and self._state is not State.NULL and self.kind == "choice"

    @property
    def blank(self) -> bool:
        """Whether nobody asked for anything here yet; known without reading its schema."""
        return self._state is State.ABSENT and self.open is None and not self.forms and not self.required

    @property
    def touched(self) -> bool:
        """Whether somebody filled in something here."""
        if self._delegates:
            return self.form.touched
        return self._state is not State.ABSENT and self.origin in {Origin.PERSON, Origin.IMPLIED}

    @property
    def is_default(self) -> bool:
        """Whether it holds the schema's default."""
        holder = self if self._state is State.NULL else self.content
        return holder.origin is Origin.DEFAULT and holder.state is not State.ABSENT

    @property
    def field(self) -> Node:
        """The field that this is a form of."""
        node = self
        while node.parent is not None and node.parent.kind == "choice":
            node = node.parent
        return node

    @property
    def around(self) -> Node | None:
        """The object or array that this field is in."""
        return self.field.parent

    @property
    def is_item(self) -> bool:
        """Whether it is an item of an array."""
        around = self.around
        return around is not None and around.kind == "array"

    @property
    def removable(self) -> bool:
        """Whether it can be taken away: items, and keys that somebody added."""
        return self.is_item or (not self.field.known and self.field.parent is not None)

    @property
    def steps(self) -> tuple[str | int, ...]:
        """The way to it from the whole."""
        steps: list[str | int] = []
        node = self.field
        while (around := node.parent) is not None:
            if around.kind == "array" and around.members is not None:
                steps.append(next(index for index, member in enumerate(around.members) if member is node))
            else:
                steps.append(node.key)
            node = around.field
        return tuple(reversed(steps))

    def read(self) -> Json:
        """The value that its text means, for a text, a number or JSON. Raises Refused."""
        if self.kind == "string":
            return self.text
        if self._read is None or self._read[:2] != (self.kind, self.text):
            self._read = self.kind, self.text, self._meant()
        found = self._read[2]
        if isinstance(found, Refused):
            raise found
        return found

    def _meant(self) -> Json | Refused:
        try:
            return read_json(self.text) if self.kind == "json" else read_number(self.text, whole=self.kind == "integer")
        except Refused as refused:
            return refused
