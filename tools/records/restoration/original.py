"""Restores an original (docs/record-format.md, section 3)."""

import hashlib

import numpy as np

from . import coding, decoding, reencoded, structure
from .record import Damaged, read_undo
from .transform import TRANSFORMS, blocks_of, in_zigzag_order, original_blocks


class NotRestored(ValueError):
    """What comes out is not the original, or there is no way to it."""


def restore(result, record):
    """The original of a result, by its record."""
    if record.undo is None:
        raise NotRestored("the record has no undo data")
    if len(result) != record.after["size"] or _sha256(result) != record.after["sha256"]:
        raise NotRestored("the file is not the one that the record was made for")
    original = undone(result, read_undo(record.undo))
    if len(original) != record.before["size"] or _sha256(original) != record.before["sha256"]:
        raise NotRestored("what comes out has not the SHA-256 of the original")
    return original


def _sha256(content):
    return hashlib.sha256(content).hexdigest()


def undone(result, undo):
    """What the undo record makes of a result."""
    if len(result) != undo.result_size:
        raise Damaged("the file is not the one that the record was made for")
    file = skeleton(result, undo.steps)
    for image in undo.images:
        file = filled(file, result, image)
    return file


def skeleton(result, steps):
    """The original without the entropy-coded data that is coded again."""
    parts, at = [], 0
    for kind, *arguments in steps:
        if kind == "insert":
            parts.append(arguments[0])
            continue
        count = 3 * arguments[0] * arguments[1] if kind == "pixels" else arguments[0]
        content = result[at:at + count]
        if len(content) != count:
            raise Damaged("a step goes beyond the result")
        at += count
        if kind == "copy":
            parts.append(content)
        elif kind == "pixels":
            width, height, number = arguments
            transform = TRANSFORMS[number]
            size = (width, height) if transform.transposes else (height, width)
            pixels = np.frombuffer(content, np.uint8).reshape(*size, 3)
            parts.append(transform.undone(pixels).tobytes())
    if at != len(result):
        raise Damaged("the steps end before the result")
    return b"".join(parts)


def filled(file, result, image):
    """The file being restored, with the data of an image's scans."""
    source = structure.read(result, image.result_start)
    target = structure.read(file, image.start)
    transform = TRANSFORMS[image.transform]
    found = decoding.coefficients(result, source)
    if image.exceptions is None:
        coefficients = [in_zigzag_order(original_blocks(blocks_of(component), transform))
                        for component in found]
    else:
        coefficients = reencoded.coefficients(source, found, target, transform, image.exceptions)
    datas = [
        coding.scan_data(target.frame, scan, coefficients, image.scans and image.scans[number],
                         image.padding)
        for number, scan in enumerate(target.scans)]
    for number, prefix, suffix, content in image.patches:
        data = datas[number]
        datas[number] = data[:prefix] + content + data[len(data) - suffix:]
    parts, at = [], 0
    for scan, data in zip(target.scans, datas):
        if scan.data:
            raise Damaged("a scan has data already")
        parts += [file[at:scan.data.start], data]
        at = scan.data.start
    return b"".join(parts) + file[at:]
