"""Content identifiers: CID version 1, sha2-256, base32."""

from __future__ import annotations

import hashlib
from base64 import b32encode
from typing import Literal

from msgspec import Struct

from workbench.harness.errors import HarnessError

Codec = Literal["dag-cbor", "raw"]

_PREFIX: dict[str, bytes] = {"dag-cbor": b"\x01\x71\x12\x20", "raw": b"\x01\x55\x12\x20"}


class CidParts(Struct, frozen=True):
    """What a CID says about its block. `digest` is in hex."""

    base: str
    version: int
    codec: str
    hash: str
    digest: str


def cid_of(block: bytes, codec: Codec = "dag-cbor") -> str:
    """The CID of a block.

    Written out because the library's own way costs forty times as much and every read re-hashes; a test holds the
    two together.
    """
    raw = _PREFIX[codec] + hashlib.sha256(block).digest()
    return "b" + b32encode(raw).decode("ascii").lower().rstrip("=")


def codec_of(cid: str) -> Codec:
    """Which of our two codecs a CID names. Raises HarnessError `bad_input` for any other text."""
    if cid.startswith("bafyrei"):
        return "dag-cbor"
    if cid.startswith("bafkrei"):
        return "raw"
    raise HarnessError("bad_input", "Not a CID of this Space: it begins with bafyrei (a document) or bafkrei (bytes).")


def cid_parts(cid: str) -> CidParts:
    """Take a CID apart. Raises HarnessError `bad_input` when it is none."""
    from multiformats import CID

    try:
        parsed = CID.decode(cid)
    except (ValueError, KeyError) as error:
        raise HarnessError("bad_input", f"Not a CID: {error}") from error
    return CidParts(
        base=parsed.base.name,
        version=parsed.version,
        codec=parsed.codec.name,
        hash=parsed.hashfun.name,
        digest=parsed.raw_digest.hex(),
    )
