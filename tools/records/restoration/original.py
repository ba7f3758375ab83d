"""Restores an original (docs/record-format.md, section 3)."""

import numpy as np

from . import coding, decoding, reencoded, structure
from .record import MAX_PIXELS, Damaged, NotRestored, content_of
from .transform import TRANSFORMS, TRANSPOSED, blocks_of, in_zigzag_order, original_blocks


def restore(result, record, max_pixels=MAX_PIXELS):
    """The original of a result, by its record; images with more pixels are refused."""
    if record.undo is None:
        raise NotRestored("the record has no undo data")
    if content_of(result) != record.after:
        raise NotRestored("the file is not the one that the record was made for")
    try:
        original = undone(result, record.undo_record(), max_pixels)
    except (NotRestored, Damaged, structure.Unreadable):
        raise
    except Exception as error:
        # Whatever a hostile record or file leads to is this file's failure alone.
        raise Damaged(f"the record or the file is damaged ({type(error).__name__}: {error})") from None
    if content_of(original) != record.before:
        raise NotRestored("what comes out has not the SHA-256 of the original")
    return original


def undone(result, undo, max_pixels):
    """What the undo record makes of a result."""
    if len(result) != undo.result_size:
        raise Damaged("the file is not the one that the record was made for")
    file = skeleton(result, undo.steps)
    for image in undo.images:
        source, target = structure.read(result, image.result_start), structure.read(file, image.start)
        if max(source.frame.width * source.frame.height, target.frame.width * target.frame.height) > max_pixels:
            raise Damaged("an image has too many pixels")
        file = filled(file, result, image, source, target)
    return file


def skeleton(result, steps):
    """The original without the entropy-coded data that is coded again."""
    parts, at = [], 0
    for kind, *arguments in steps:
        if kind == "insert":
            parts.append(arguments[0])
            continue
        if kind == "pixels":
            count = 3 * arguments[0] * arguments[1]
        else:
            count = arguments[0] * (64 if kind == "table" else 1)
        content = result[at:at + count]
        if len(content) != count:
            raise Damaged("a step goes beyond the result")
        at += count
        if kind == "copy":
            parts.append(content)
        elif kind == "table":
            parts.append(np.frombuffer(content, np.uint8).reshape(64, arguments[0])[TRANSPOSED].tobytes())
        elif kind == "pixels":
            width, height, number = arguments
            transform = TRANSFORMS[number]
            size = (width, height) if transform.transposes else (height, width)
            pixels = np.frombuffer(content, np.uint8).reshape(*size, 3)
            parts.append(transform.undone(pixels).tobytes())
    if at != len(result):
        raise Damaged("the steps end before the result")
    return b"".join(parts)


def filled(file, result, image, source, target):
    """The file being restored, with the data of an image's scans."""
    if image.scans is not None and len(image.scans) != len(target.scans):
        raise Damaged("the conventions are those of another image")
    transform = TRANSFORMS[image.transform]
    grids = [source.frame.blocks(index) for index in range(len(source.frame.components))]
    if [grid[::-1] if transform.transposes else grid for grid in grids] != [
            target.frame.blocks(index) for index in range(len(target.frame.components))]:
        raise Damaged("the image of the result has other components or dimensions")
    found = decoding.coefficients(result, source)
    if image.exceptions is None:
        coefficients = [in_zigzag_order(original_blocks(blocks_of(component), transform))
                        for component in found]
    else:
        coefficients = reencoded.coefficients(source, found, target, transform, image.exceptions)
    if any((component != component.astype(np.int16)).any() for component in coefficients):
        raise Damaged("a coefficient has more than 16 bits")
    datas = [
        coding.scan_data(target.frame, scan, coefficients, image.scans and image.scans[number],
                         image.padding)
        for number, scan in enumerate(target.scans)]
    for number, prefix, suffix, content in image.patches:
        data = datas[number]
        if prefix + suffix > len(data):
            raise Damaged("a patch is longer than its scan")
        datas[number] = data[:prefix] + content + data[len(data) - suffix:]
    parts, at = [], 0
    for scan, data in zip(target.scans, datas):
        if scan.data:
            raise Damaged("a scan has data already")
        parts += [file[at:scan.data.start], data]
        at = scan.data.start
    return b"".join(parts) + file[at:]
