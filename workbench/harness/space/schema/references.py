"""References inside one document. Nothing is ever fetched: what does not lead to a place in the document is a fault."""

from __future__ import annotations

import re
from urllib.parse import unquote

from workbench.harness.space.schema.values import shorten
from workbench.harness.strict_json import Json

_INDEX = re.compile(r"(?:0|[1-9][0-9]{0,8})\Z")


class ReferenceFault(Exception):
    """A reference that leads nowhere or out of the document; the text says which and what to do."""


class Resource:
    """One resource of a schema document: the document, or a subschema with an `$id`, and the anchors in it."""

    def __init__(self, root: Json) -> None:
        self.root = root
        self.anchors: dict[str, Json] = {}

    def resolve(self, reference: str, embedded: dict[str, Resource]) -> Json:
        """The place that `#`, `#/pointer`, `#anchor` or the `$id` of an embedded resource leads to.

        Raises ReferenceFault; a reference to another document is named in it.
        """
        base, _, fragment = reference.partition("#")
        resource = self if not base else embedded.get(base)
        name = shorten(reference, 100)
        if resource is None:
            raise ReferenceFault(
                f'"{name}" is a remote reference, and nothing is fetched: put that schema under "$defs" and refer to '
                'it as "#/$defs/NAME"'
            )
        fragment = unquote(fragment)
        if not fragment:
            return resource.root
        if not fragment.startswith("/"):
            if fragment not in resource.anchors:
                raise ReferenceFault(f'the reference "{name}" leads nowhere: no "$anchor" of that name')
            return resource.anchors[fragment]
        return _follow(resource.root, fragment, name)


def _follow(place: Json, pointer: str, name: str) -> Json:
    for part in pointer[1:].split("/"):
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(place, dict) and key in place:
            place = place[key]
        elif isinstance(place, list) and _INDEX.match(key) and int(key) < len(place):
            place = place[int(key)]
        else:
            raise ReferenceFault(f'the reference "{name}" leads nowhere: there is no "{shorten(key, 60)}"')
    if not isinstance(place, (dict, bool)):
        raise ReferenceFault(f'the reference "{name}" leads to something that is no schema')
    return place
