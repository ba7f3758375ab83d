#!/usr/bin/env python3
"""Prints what upright-jpeg returns for the photos below a folder, to compare it on two machines: a line for each call.

  outcomes.py FOLDER

A line has the photo, the call, hashes of the new file and the undo data, and the report. Each rewrite is undone.
"""

import hashlib
import json
import sys
from pathlib import Path

import upright

OPTIONS = {"on_conflict": "trust-tag", "content_credentials": "keep", "registered_data": "keep"}
CALLS = [("normalize", (), {}), ("normalize", (), {**OPTIONS, "verify": "reference"}), ("rotate", (90,), {}),
         ("flip", ("transpose",), {}), ("crop", (5, 3, 40, 30), {"snap": "exact"}), ("audit", (), {})]


def digest(data):
    return None if data is None else hashlib.sha256(data).hexdigest()


def outcome(name, photo, arguments, options):
    """The hashes, the report, and whether the original is restored; None where there is nothing to restore."""
    try:
        result = getattr(upright, name)(photo, *arguments, **options)
    except upright.UprightError as error:
        return [None, None, error.report, None]
    data, undo = getattr(result, "bytes", None), getattr(result, "undo", None)
    restored = None if undo is None else upright.undo(data, undo) == photo
    return [digest(data), digest(undo), result.report, restored]


def main():
    folder = Path(sys.argv[1])
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        photo = path.read_bytes()
        for name, arguments, options in CALLS:
            line = [str(path.relative_to(folder)), name, options, *outcome(name, photo, arguments, options)]
            print(json.dumps(line, ensure_ascii=False, sort_keys=True))


main()
