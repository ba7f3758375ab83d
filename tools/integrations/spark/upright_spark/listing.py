"""Finds the files to process, by the rules of `upright` for directories."""

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

JPEG_NAME = re.compile(rb"\.(jpe?g|jpe|jfif)$", re.IGNORECASE)
TEMPORARY_NAME = re.compile(rb"^\..*\.upright-[a-z0-9]{6}\.tmp$", re.DOTALL)


class Found(NamedTuple):
    """A file and its size, or a directory that `upright` walks; its path ends with a slash."""

    path: bytes
    size: int


class Scan(NamedTuple):
    """The contents of a directory."""

    directories: list[bytes]
    files: list[Found]


def scan(directory: bytes) -> Scan:
    """Lists a directory. If that fails, the directory is passed to `upright`, which reports the error."""
    result = Scan([], [])
    try:
        with os.scandir(directory) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                _sort(entry, result)
    except OSError:
        return Scan([], [Found(directory.rstrip(b"/") + b"/", 0)])
    return result


def walk(directory: bytes) -> Iterator[Found]:
    """All files below a directory."""
    waiting = [directory]
    while waiting:
        directories, files = scan(waiting.pop())
        yield from files
        waiting += reversed(directories)


def expand(roots: list[bytes], enough: int) -> Scan:
    """Enters directories from the top until there are enough to walk in parallel."""
    result = Scan([os.path.abspath(root) for root in roots], [])
    while result.directories and len(result.directories) < enough:
        level, result.directories[:] = result.directories[:], []
        for directory in level:
            directories, files = scan(directory)
            result.directories.extend(directories)
            result.files.extend(files)
    return result


def ranges(path: str, length: int = 8 << 20) -> list[tuple[int, int]]:
    """Divides a list of paths for several tasks."""
    size = os.path.getsize(path)
    return [(start, min(start + length, size)) for start in range(0, size, length)]


def listed(path: str, separator: bytes, start: int, end: int) -> Iterator[Found]:
    """The paths that begin in a range of a list, which must be absolute, with their sizes."""
    with open(path, "rb") as file:
        if start > 0:
            file.seek(start - 1)
            _skip(file, separator)
        position = file.tell()
        for line in _lines(file, separator):
            if position >= end:
                return
            position += len(line) + 1
            if not line:
                continue
            if not line.startswith(b"/"):
                raise ValueError(
                    f"{path}: {os.fsdecode(line)!r} is relative; workers need absolute paths"
                )
            yield Found(line, _size(line))


def _sort(entry: os.DirEntry[bytes], result: Scan) -> None:
    name = entry.name
    if TEMPORARY_NAME.match(name):
        return
    if entry.is_dir(follow_symlinks=False):
        if not name.startswith(b"."):
            result.directories.append(entry.path)
        return
    if name.startswith(b"._"):
        return
    is_broken_link = entry.is_symlink() and not os.path.exists(entry.path)
    if entry.is_file() or (is_broken_link and JPEG_NAME.search(name)):
        result.files.append(Found(entry.path, _size(entry.path)))


def _size(path: bytes) -> int:
    """A file's size; `upright` will say what is wrong with one that has none."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _lines(file, separator: bytes) -> Iterator[bytes]:
    rest = b""
    while block := file.read(1 << 20):
        *lines, rest = (rest + block).split(separator)
        yield from lines
    if rest:
        yield rest


def _skip(file, separator: bytes) -> None:
    """Seeks to the byte after the next separator."""
    while block := file.read(4096):
        found = block.find(separator)
        if found >= 0:
            file.seek(found + 1 - len(block), os.SEEK_CUR)
            return
