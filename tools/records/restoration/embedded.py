"""Undo data in a photo itself (docs/record-format.md, section 10)."""

import base64
import hashlib
from dataclasses import dataclass

from .original import restore
from .record import Damaged, NotRestored, Reader, Record, content_of

MARKER, IDENTIFIER = 0xEF, b"Upright undo\0"
# The rewrites of a file that are followed.
MAX_CHAIN = 1000


@dataclass
class Embedded:
    """The undo data of a photo."""
    content: bytes
    """The photo without the segments."""
    sha256: bytes
    """The SHA-256 that this had when it was written."""
    record: Record
    """The rewrite of the file before."""


def _segments(photo):
    """The places of the segments before the first scan whose identifier is that of undo data."""
    at = 2
    while photo[at:at + 1] == b"\xff":
        marker = photo[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker in (0x01, *range(0xD0, 0xD8)):
            at += 2
            continue
        end = at + 2 + int.from_bytes(photo[at + 2:at + 4], "big")
        if marker in (0x00, 0xD9, 0xDA) or end > len(photo) or end < at + 4:
            return
        if marker == MARKER and photo[at + 4:end].startswith(IDENTIFIER):
            yield at, end
        at = end


def read(photo):
    """The undo data of a photo; None if it has none."""
    places = list(_segments(photo))
    if not places:
        return None
    start = 4 + len(IDENTIFIER)
    data = b""
    for number, (at, end) in enumerate(places, 1):
        if photo[at + start:at + start + 2] != bytes([number, len(places) & 0xFF]):
            raise Damaged("a segment of the undo data is missing or in another place")
        data += photo[at + start + 2:end]
    content, last = b"", 0
    for at, end in places:
        content += photo[last:at]
        last = end
    content += photo[last:]
    reader = Reader(data)
    try:
        if (version := reader.number()) != 1:
            raise Damaged(f"the undo data is of version {version}")
        sha256, size, before, undo = reader.bytes(), reader.number(), reader.bytes(), reader.bytes()
    except IndexError:
        raise Damaged("the undo data breaks off") from None
    record = Record((size, before.hex()), content_of(content), base64.b64encode(undo).decode(), None, None)
    return Embedded(content, sha256, record)


def original(photo, max_pixels):
    """The first original of a photo, by the undo data in it and in the files before; None without undo data."""
    found = None
    for _ in range(MAX_CHAIN):
        try:
            undo = read(photo)
            if undo and hashlib.sha256(undo.content).digest() != undo.sha256:
                raise NotRestored("the file was changed after it was rewritten")
        except (Damaged, NotRestored):
            # A file that another program changed between two rewrites is the first that can be restored.
            if found is None:
                raise
            break
        if undo is None:
            break
        found = photo = restore(undo.content, undo.record, max_pixels)
    return found
