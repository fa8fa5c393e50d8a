"""References: inside the document they are followed, out of it they are refused, and nothing is ever fetched."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.space.schema import check_schema, unknown_keys, validate

TEXT = {"type": "string"}


@pytest.mark.parametrize(
    "schema",
    [
        {"$defs": {"t": TEXT}, "$ref": "#/$defs/t"},
        {"definitions": {"t": TEXT}, "$ref": "#/definitions/t"},
        {"$defs": {"t": {**TEXT, "$anchor": "text"}}, "$ref": "#text"},
        {"$defs": {"t": {**TEXT, "$dynamicAnchor": "text"}}, "$dynamicRef": "#text"},
        {"$defs": {"a/b~c": TEXT}, "$ref": "#/$defs/a~1b~0c"},
        {"$defs": {"a b": TEXT}, "$ref": "#/%24defs/a%20b"},
        {"anyOf": [TEXT], "allOf": [{"$ref": "#/anyOf/0"}]},
        {"components": {"t": TEXT}, "$ref": "#/components/t"},
        {"$defs": {"t": {"$ref": "#/$defs/u"}, "u": TEXT}, "$ref": "#/$defs/t"},
        {"$id": "https://example.com/s", "$defs": {"t": TEXT}, "$ref": "https://example.com/s#/$defs/t"},
        {"$defs": {"t": {"$id": "urn:t", "$defs": {"u": TEXT}, "$ref": "#/$defs/u"}}, "$ref": "#/$defs/t"},
        {"$defs": {"t": {"$id": "urn:t", **TEXT}}, "$ref": "urn:t"},
    ],
)
def test_a_local_reference_is_followed(schema: Any) -> None:
    assert check_schema(schema, "it") == ()
    assert validate(schema, "a").ok
    assert not validate(schema, 5).ok


@pytest.mark.parametrize(
    ("reference", "says"),
    [
        ("https://example.com/s.json", '"https://example.com/s.json" is a remote reference'),
        ("file:///etc/passwd", "remote reference"),
        ("other.json#/a", "remote reference"),
        ("//host/x", "remote reference"),
        ("http://[", "remote reference"),
        ("https://json-schema.org/draft/2020-12/schema", "remote reference"),
        ("#/nope", 'leads nowhere: there is no "nope"'),
        ("#/properties/a/type", "leads to something that is no schema"),
        ("#/required/7", "leads nowhere"),
        ("#nowhere", "$anchor"),
        ("#/%zz", "leads nowhere"),
    ],
)
@pytest.mark.parametrize("keyword", ["$ref", "$dynamicRef"])
def test_any_other_reference_is_refused_by_its_name(keyword: str, reference: str, says: str) -> None:
    schema = {"properties": {"a": {"type": "string"}, "b": {keyword: reference}}, "required": ["a"]}
    with pytest.raises(HarnessError) as caught:
        check_schema(schema, "input")
    assert f"$.properties.b.{keyword}" in caught.value.message
    assert says in caught.value.message
    verdict = validate(schema, {"a": "x"})
    assert "unsound" in verdict.errors[0].message
    assert unknown_keys(schema, {"a": "x", "c": 1}) == ()


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"$ref": {"type": "string"}, "$id": {}, "$anchor": {}}},
        {"default": {"$ref": "https://example.com/a"}},
        {"const": {"$ref": "https://example.com/a"}},
        {"enum": [{"$ref": "https://example.com/a"}]},
        {"examples": [{"$ref": "https://example.com/a"}]},
        {"x-extension": {"$ref": "https://example.com/a"}},
    ],
)
def test_where_no_schema_stands_there_is_no_reference(schema: Any) -> None:
    assert check_schema(schema, "input") == ()


def test_a_property_called_ref_is_a_property() -> None:
    schema = {"properties": {"$ref": {"type": "string"}}, "required": ["$ref"]}
    assert validate(schema, {"$ref": "https://example.com"}).ok
    assert [error.path for error in validate(schema, {"$ref": 5}).errors] == ["$.$ref"]


class Trap(BaseHTTPRequestHandler):
    """Answers everything with a schema, and remembers that it was asked."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the test's own output stays clean."""


@pytest.fixture
def trap() -> Iterator[str]:
    Trap.asked.clear()
    server = HTTPServer(("127.0.0.1", 0), Trap)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_no_schema_makes_a_request(trap: str, tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text("{}")
    schemas: list[Any] = [
        {"$ref": f"{trap}/ref"},
        {"$dynamicRef": f"{trap}/dynamic#x"},
        {"$recursiveRef": f"{trap}/recursive"},
        {"$schema": f"{trap}/schema"},
        {"properties": {"a": {"$schema": f"{trap}/inner", "type": "string"}}},
        {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": {"$ref": f"{trap}/seven"}}},
        {"$id": f"{trap}/id", "$ref": "sibling"},
        {"$id": f"{trap}/id", "$defs": {"a": {"$id": "sub", "$ref": "other"}}, "$ref": "#/$defs/a"},
        {"$vocabulary": {f"{trap}/vocabulary": True}},
        {"$ref": (tmp_path / "s.json").as_uri()},
    ]
    for schema in schemas:
        validate(schema, {"a": "b"})
        unknown_keys(schema, {"a": "b"})
    assert Trap.asked == []


def test_a_dialect_in_the_middle_does_not_bring_back_slow_patterns() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"a": {"$schema": "http://json-schema.org/draft-04/schema#", "pattern": "^(a+)+$"}},
    }
    assert not validate(schema, {"a": "a" * 50_000 + "b"}).ok
