"""Every fixture with each Orientation, rewritten once for all checks that read results, reports or records.

The files are in .build/ci/results, one folder for each Orientation, until the program or a fixture is another one.
"""

import fcntl
import hashlib
import json
import shutil

from checks import FIXTURES, ROOT, UPRIGHT, upright
from photos import jpegs, with_orientation

PLACE = ROOT / ".build/ci/results"
QUALITIES = ("standard", "max", "compact")


class Results:
    """The rewrites of one Orientation. Originals and results have the same names; undo data is in the results, too."""

    def __init__(self, value):
        self.value, self.folder = value, PLACE / str(value)
        self.originals, self.results = self.folder / "originals", self.folder / "results"
        self.records = self.folder / "records.ndjson"

    def make(self, photos):
        self.originals.mkdir(parents=True)
        for number, path in enumerate(photos):
            name = f"{self.value}-{number}-{path.parent.name}-{path.stem}.jpg"
            (self.originals / name).write_bytes(with_orientation(path.read_bytes(), self.value))
        # Damaged files are failures, so there is a status.
        done = upright("normalize", "-r", "--on-conflict", "trust-tag", "--content-credentials", "keep", "--redraw-quality",
                       QUALITIES[self.value % 3], "--embed-undo", "--record", self.records, "--output-dir", self.results,
                       "--format", "ndjson", self.originals)
        (self.folder / "reports.ndjson").write_bytes(done.stdout)

    def reports(self):
        return [json.loads(line) for line in (self.folder / "reports.ndjson").read_text("utf-8").splitlines()]


def rewritten():
    """The results of Orientation 2 to 8, which are made if they are not there."""
    PLACE.parent.mkdir(parents=True, exist_ok=True)
    found = [Results(value) for value in range(2, 9)]
    with open(PLACE.parent / "results.lock", "w") as lock:
        # Other checks wait for the one that comes first.
        fcntl.flock(lock, fcntl.LOCK_EX)
        state = hashlib.sha256(UPRIGHT.read_bytes())
        photos = jpegs(FIXTURES)
        for path in photos:
            state.update(path.read_bytes())
        mark = PLACE / "state"
        if not mark.exists() or mark.read_text() != state.hexdigest():
            shutil.rmtree(PLACE, ignore_errors=True)
            for each in found:
                each.make(photos)
            mark.write_text(state.hexdigest())
    return found
