"""Every fixture with each Orientation, rewritten once for all checks that read results or records.

The files are in .build/ci/results, one folder for each Orientation, until the program or a fixture is another one.
"""

import fcntl
import hashlib
import shutil

from checks import FIXTURES, ROOT, UPRIGHT, upright
from photos import jpegs, with_orientation

PLACE = ROOT / ".build/ci/results"
QUALITIES = ("standard", "max", "compact")


class Results:
    """The rewrites of files in a folder. Originals and results have the same names; undo data is in the results, too."""

    def __init__(self, folder):
        self.folder, self.originals, self.results = folder, folder / "originals", folder / "results"
        self.records = folder / "records.ndjson"

    def make(self, files, quality):
        """Rewrites copies of files, which are names and contents, and with a quality of the redraw."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.originals.mkdir(parents=True)
        for name, content in files:
            (self.originals / name).write_bytes(content)
        # Damaged files are failures, so there is a status.
        upright("normalize", "-r", "--on-conflict", "trust-tag", "--content-credentials", "keep", "--redraw-quality", quality,
                "--embed-undo", "--record", self.records, "--output-dir", self.results, "-q", self.originals)


def rewritten():
    """The results of Orientation 2 to 8, which are made if they are not there."""
    PLACE.parent.mkdir(parents=True, exist_ok=True)
    found = {value: Results(PLACE / str(value)) for value in range(2, 9)}
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
            for value, made in found.items():
                made.make([(f"{value}-{number}-{path.parent.name}-{path.stem}.jpg", with_orientation(path.read_bytes(), value))
                           for number, path in enumerate(photos)], QUALITIES[value % 3])
            mark.write_text(state.hexdigest())
    return list(found.values())
