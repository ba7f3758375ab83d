"""Files: new ones that are never there by half, and paths for people."""

import hashlib
import os
import re
import secrets
import stat
from contextlib import contextmanager


def shown(path):
    """A path on one line, without characters that a terminal would obey."""
    text = os.fsdecode(path)
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]",
                  lambda found: ascii(found[0])[1:-1], text)


def digest_of(path):
    """The SHA-256 of a file."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.digest()


def is_replaceable(path):
    """Whether a result may be written to a path: nothing is there, or a regular file."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except FileNotFoundError:
        return True


@contextmanager
def created(path, mode=0o666, replaces=False):
    """A new file, which gets its name only when its content is on the disk.

    Without `replaces` it never takes the name of another file; FileExistsError is raised instead.
    """
    path = os.fsencode(path)
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, b".upright-" + secrets.token_hex(8).encode())
    descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with open(descriptor, "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if replaces:
            os.replace(temporary, path)
        else:
            _take_name(temporary, path)
    except BaseException:
        try:
            os.unlink(temporary)
        except FileNotFoundError:
            pass
        raise
    sync_folder(folder)


def _take_name(temporary, path):
    """Renames a file, unless the new name is taken."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:
        # A file system without hard links: between the two steps another program could take the name.
        if os.path.lexists(path):
            raise FileExistsError(17, "File exists", os.fsdecode(path)) from None
        os.rename(temporary, path)
    else:
        os.unlink(temporary)


def sync_folder(folder):
    """Brings the names in a folder to the disk."""
    descriptor = os.open(folder or b".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
