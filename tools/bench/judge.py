"""Judges what a program that normalizes JPEG files did with each of them.

The judge shares no code with Upright: djpeg and jpegtran (libjpeg-turbo) decode and transform, exiftool reads the tags, and
the few lines of `Image` find the segments. Needs numpy.
"""

import base64
import json
import subprocess
import tempfile
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy

# For each Orientation: jpegtran's transform back to the stored image, and the displayed pixels of the stored ones.
BACK = {2: ["-flip", "horizontal"], 3: ["-rotate", "180"], 4: ["-flip", "vertical"], 5: ["-transpose"],
        6: ["-rotate", "270"], 7: ["-transverse"], 8: ["-rotate", "90"]}
DISPLAYED = {
    2: lambda p: p[:, ::-1], 3: lambda p: p[::-1, ::-1], 4: lambda p: p[::-1], 5: lambda p: p.swapaxes(0, 1),
    6: lambda p: p[::-1].swapaxes(0, 1), 7: lambda p: p[::-1, ::-1].swapaxes(0, 1), 8: lambda p: p.swapaxes(0, 1)[::-1],
}
SIMILAR = 30        # dB: below it, the image is another one
TORN = 40           # mean difference of a block of 8×8 pixels, of 255: above it, the block is in the wrong place
SIMILAR_SMALL = 20  # dB, for thumbnails and gain maps

# exiftool's groups and tags that are no metadata of the photo, or that say where something is in the file.
GROUPS = ("System", "ExifTool", "Composite", "JFIF", "JFXX", "Adobe", "MPF", "MPImage")
PLACES = ("Offset", "Start", "Length", "ByteCounts", "StripOffsets", "Positioning", "SubSampling", "ByteOrder", "Toolkit",
          "RowsPerStrip", "NumberOfImages")
# All fixtures have these, photos rarely: they would decide every comparison.
RARE = ("RelatedImageWidth", "RelatedImageHeight")
SIZES = {"ImageWidth": "ImageHeight", "ImageHeight": "ImageWidth", "ExifImageWidth": "ExifImageHeight",
         "ExifImageHeight": "ExifImageWidth"}
# Programs disagree whether these describe the stored image or the displayed one.
POSITIONS = ("Region", "SubjectArea", "SubjectLocation", "AppliedToDimensions")
RESOLUTIONS = {"XResolution": "YResolution", "YResolution": "XResolution", "FocalPlaneXResolution": "FocalPlaneYResolution",
               "FocalPlaneYResolution": "FocalPlaneXResolution"}


class Unreadable(Exception):
    """A file that djpeg does not decode without a warning."""


@lru_cache(8)
def pixels(data: bytes):
    """The pixels that djpeg shows, as an array of rows, columns and channels."""
    done = subprocess.run(["djpeg", "-pnm"], input=data, capture_output=True)
    if done.returncode or done.stderr:
        raise Unreadable(done.stderr.decode(errors="replace"))
    magic, width, height = done.stdout[:64].split()[:3]
    # Samples may look like white space, so the header is measured.
    start = len(done.stdout) - int(width) * int(height) * (3 if magic == b"P6" else 1)
    return numpy.frombuffer(done.stdout[start:], numpy.uint8).reshape(int(height), int(width), -1)


def psnr(first, second) -> float:
    error = float(((first.astype(float) - second) ** 2).mean())
    return float("inf") if error == 0 else 10 * numpy.log10(255 ** 2 / error)


def is_torn(first, second) -> bool:
    """Whether a block of 8×8 pixels has another content."""
    difference = numpy.abs(first.astype(float) - second).mean(axis=2)
    height, width = (side // 8 * 8 for side in difference.shape)
    if not height or not width:
        return bool(difference.mean() > TORN)
    # The last rows and columns are looked at twice, because tears are there.
    for part in (difference[:height, :width], difference[-height:, -width:]):
        if part.reshape(height // 8, 8, width // 8, 8).mean(axis=(1, 3)).max() > TORN:
            return True
    return False


class Image(NamedTuple):
    """The segments of a JPEG image, and where it ends."""

    segments: list[tuple[int, bytes]]
    end: int

    @staticmethod
    def read(data: bytes, start: int = 0) -> "Image":
        segments, at = [], start + 2
        while at + 4 <= len(data):
            if data[at] != 0xFF or data[at + 1] in (0x00, 0xFF, *range(0xD0, 0xD8)):
                at += 1  # entropy-coded data and fill bytes
                continue
            marker = data[at + 1]
            if marker == 0xD9:
                return Image(segments, at + 2)
            length = int.from_bytes(data[at + 2:at + 4], "big")
            segments.append((marker, data[at + 4:at + 2 + length]))
            at += 2 + length
        return Image(segments, len(data))

    @property
    def others(self) -> Counter:
        """The segments that no program needs to change, and whose content exiftool does not list."""
        known = (b"Exif\0", b"http://ns.adobe.com/", b"MPF\0", b"JFIF\0", b"JFXX\0", b"Adobe", b"ICC_PROFILE\0",
                 b"Photoshop 3.0\0")
        return Counter((marker, content) for marker, content in self.segments
                       if (0xE0 <= marker <= 0xEF or marker == 0xFE) and not content.startswith(known))


def after_image(data: bytes) -> tuple[list[bytes], bytes]:
    """The JPEG images after the primary one, and the other bytes there, without fill bytes."""
    at, images, rest = Image.read(data).end, [], b""
    while at < len(data):
        if data[at:at + 3] == b"\xff\xd8\xff":
            end = Image.read(data, at).end
            images.append(data[at:end])
            at = end
        else:
            following = data.find(b"\xff\xd8\xff", at)
            end = len(data) if following < 0 else following
            rest += data[at:end]
            at = end
    return images, rest.strip(b"\xff\0")


def tags(folder: Path) -> dict[str, dict[str, object]]:
    """All tags that exiftool reads in the files of a folder, by the file's name."""
    text = subprocess.run(["exiftool", "-q", "-q", "-j", "-a", "-u", "-b", "-n", "-G1:4", str(folder)], capture_output=True).stdout
    return {Path(entry["SourceFile"]).name: entry for entry in json.loads(text or b"[]")}


def group_and_name(key: str) -> tuple[str, str]:
    parts = key.split(":")
    return parts[0], parts[-1]


def binary(value: object) -> bytes | None:
    return base64.b64decode(value[7:]) if isinstance(value, str) and value.startswith("base64:") else None


def lost_tags(old: dict, new: dict, size: tuple[int, int], new_size: tuple[int, int]) -> list[str]:
    """The tags that are missing, changed, or no longer true."""
    found = []
    for key, value in old.items():
        group, name = group_and_name(key)
        if group == "SourceFile" or group.startswith(GROUPS) or name.endswith(PLACES) or name.startswith(POSITIONS) \
                or any(word in key for word in POSITIONS) or (group == "File" and name != "Comment"):
            continue
        if name in ("ThumbnailImage", "ThumbnailTIFF", "PhotoshopThumbnail", "PreviewImage", *RARE) or group == "IFD1":
            continue
        present = new.get(key)
        if name == "Orientation":
            if present not in (None, 1):
                found.append(f"{key} is {present}")
        elif name in SIZES:
            axis = name.endswith("Height")
            known = (value, old.get(key.replace(name, SIZES[name])), *new_size)
            if present is None or present not in known or (value == size[axis] and present != new_size[axis]):
                found.append(f"{key}: {value} → {present}")
        elif name in RESOLUTIONS:
            if present not in (value, old.get(key.replace(name, RESOLUTIONS[name]))):
                found.append(f"{key}: {value} → {present}")
        elif present != value:
            found.append(f"{key}: {str(value)[:40]} → {str(present)[:40]}")
    return found


def fits(old: bytes, new: bytes | None, orientation: int, must_move: bool) -> bool:
    """Whether a thumbnail or another image in the file is transformed, or may stay as it is."""
    try:
        before = pixels(old)
    except Unreadable:
        return new is not None
    if new is None:
        return False
    try:
        after = pixels(new)
    except Unreadable:
        return False
    expected = DISPLAYED[orientation](before)
    if new == old:
        return not must_move or bool((expected.shape == before.shape and psnr(expected, before) > SIMILAR))
    if after.shape != expected.shape:
        # Edges may be cut off.
        return all(0 <= old_side - side < 16 for old_side, side in zip(expected.shape[:2], after.shape[:2]))
    return psnr(expected, after) >= SIMILAR_SMALL


def shape_is_upright(thumbnail: bytes, size: tuple[int, int]) -> bool:
    """Whether a thumbnail already has the shape of the displayed image, so that it may stay."""
    try:
        height, width = pixels(thumbnail).shape[:2]
    except Unreadable:
        return False
    return (width > height) == (size[0] > size[1]) and width != height


def thumbnail(entry: dict) -> bytes | None:
    for key, value in entry.items():
        if group_and_name(key)[1] == "ThumbnailImage":
            return binary(value)
    return None


def indexed_images(entry: dict) -> dict[str, bytes]:
    """The images that exiftool finds by MPF's index."""
    found = {key: binary(value) for key, value in entry.items() if group_and_name(key)[1].startswith("MPImage")}
    return {key: value for key, value in found.items() if value and value.startswith(b"\xff\xd8")}


class Verdict(NamedTuple):
    """What a program did with a file."""

    outcome: str            # lossless, re-encoded, damaged or not rotated
    losses: dict[str, list[str]]  # of the columns: image, metadata, other images
    psnr: float | None = None


def judge(original: bytes, result: bytes | None, orientation: int, old: dict, new: dict | None) -> Verdict:
    """Judges one result.

    old and new are the tags of both files, as `tags` returns them.
    """
    if result is None or result == original or new is None:
        return Verdict("not rotated", {})
    losses: dict[str, list[str]] = {}

    def note(column: str, what: str):
        losses.setdefault(column, []).append(what)

    stored = pixels(original)
    expected = DISPLAYED[orientation](stored)
    quality, outcome = None, "lossless"
    try:
        shown = pixels(result)
        if shown.shape != expected.shape:
            note("image", f"{expected.shape} became {shown.shape}")
        else:
            back = subprocess.run(["jpegtran", "-copy", "none", "-perfect", *BACK[orientation]], input=result, capture_output=True)
            if back.returncode or back.stderr or not numpy.array_equal(pixels(back.stdout), stored):
                quality = psnr(expected, shown)
                outcome = "lossless" if quality == float("inf") else "re-encoded"
                if quality < SIMILAR or is_torn(expected, shown):
                    note("image", f"{quality:.1f} dB")
    except Unreadable as problem:
        note("image", str(problem))
    sides = (stored.shape[1], stored.shape[0]), (expected.shape[1], expected.shape[0])
    for what in lost_tags(old, new, *sides):
        note("metadata", what)
    for (marker, content), count in (Image.read(original).others - Image.read(result).others).items():
        note("metadata", f"segment {marker:02X} {content[:12]!r}")

    small = thumbnail(old)
    if small is not None:
        kept = thumbnail(new)
        if not (kept == small and shape_is_upright(small, sides[1])) and not fits(small, kept, orientation, must_move=True):
            note("other images", "thumbnail")
    (images, rest), (new_images, new_rest) = after_image(original), after_image(result)
    if rest != new_rest:
        note("other images", f"{len(rest)} bytes after the image → {len(new_rest)}")
    if len(images) != len(new_images):
        note("other images", f"{len(images)} images after the image → {len(new_images)}")
    for image, new_image in zip(images, new_images):
        is_gain_map = b"hdrgm:" in image or b"urn:iso:std:iso:ts:21496" in image
        if not fits(image, new_image, orientation, must_move=is_gain_map):
            note("other images", "an image after the image")
    if len(indexed_images(old)) != len(indexed_images(new)):
        note("other images", "the index of MPF")
    return Verdict("damaged" if losses else outcome, losses, quality)


def cases(folders: list[Path]) -> dict[str, tuple[Path, int]]:
    """The files that need a rotation and that djpeg decodes without a warning, with their Orientation."""
    listed = subprocess.run(["exiftool", "-q", "-q", "-r", "-j", "-n", "-IFD0:Orientation", "-ext", "jpg", *map(str, folders)],
                            capture_output=True).stdout
    found: dict[str, tuple[Path, int]] = {}
    for entry in sorted(json.loads(listed or b"[]"), key=lambda entry: entry["SourceFile"]):
        path, number = Path(entry["SourceFile"]), entry.get("Orientation")
        try:
            if number in BACK and pixels(path.read_bytes()) is not None:
                found[f"{len(found):04}-{path.name}"] = (path, number)
        except Unreadable:
            pass
    return found


def run(command: list[str], found: dict[str, tuple[Path, int]], work: Path) -> dict[str, int]:
    """Runs a program on a copy of each file; results are in `work/out`.

    `{in}`, `{out}` and `{file}` (in place) in the command are replaced by paths. Returns the exit statuses.
    """
    (work / "out").mkdir()
    statuses = {}
    for name, (path, _) in found.items():
        source, target = work / "in.jpg", work / "out" / name
        source.write_bytes(path.read_bytes())
        if any("{file}" in word for word in command):
            target.write_bytes(path.read_bytes())
        words = [word.replace("{in}", str(source)).replace("{out}", str(target)).replace("{file}", str(target))
                 for word in command]
        statuses[name] = subprocess.run(words, capture_output=True, timeout=120).returncode
    return statuses


def judge_all(command: list[str], found: dict[str, tuple[Path, int]]) -> dict[str, tuple[Verdict, int]]:
    """Runs a program on all files, and judges each result; with the verdict comes the exit status."""
    with tempfile.TemporaryDirectory(prefix="judge-") as place:
        work = Path(place)
        (work / "originals").mkdir()
        for name, (path, _) in found.items():
            (work / "originals" / name).write_bytes(path.read_bytes())
        statuses = run(command, found, work)
        before, after = tags(work / "originals"), tags(work / "out")
        verdicts = {}
        for name, (path, orientation) in found.items():
            result = work / "out" / name
            data = result.read_bytes() if result.is_file() and result.stat().st_size else None
            verdict = judge(path.read_bytes(), data, orientation, before.get(name, {}), after.get(name))
            verdicts[name] = verdict, statuses[name]
        return verdicts
