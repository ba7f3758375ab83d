"""The lists of files that tasks work on, kept on shared storage.

They are written before anything else is done and never change, so that a task that is repeated, on
whatever worker and after whatever loss, has the same files as before.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from upright_spark.listing import Found

OPENING = 64 << 10
"""The cost of opening a file, as the number of bytes that could be read in the same time."""

Cost = Callable[[Found], int]


def audit_cost(file: Found) -> int:
    """An audit reads little more than the header."""
    return OPENING + min(file.size, 64 << 10)


def normalize_cost(file: Found) -> int:
    """A rewrite reads and writes everything."""
    return OPENING + file.size


@dataclass(frozen=True)
class WorkList:
    """The files of one task."""

    name: str
    files: int
    bytes: int


def cut(
    found: Iterable[Found], directory: Path, name: str, cost: Cost, limit: int
) -> Iterator[WorkList]:
    """Writes lists of about the same cost: at most `limit`, unless a single file costs more."""
    part: list[Found] = []
    number = sum_of_costs = 0

    def write() -> WorkList:
        path = directory / f"{name}-{number:05}"
        path.write_bytes(b"".join(file.path + b"\0" for file in part))
        return WorkList(path.name, len(part), sum(file.size for file in part))

    for file in found:
        if part and sum_of_costs + cost(file) > limit:
            yield write()
            part, number, sum_of_costs = [], number + 1, 0
        part.append(file)
        sum_of_costs += cost(file)
    if part:
        yield write()


@dataclass(frozen=True)
class Work:
    """The folder of a run: its lists, their sources, and the records of rewrites."""

    folder: Path

    @property
    def lists(self) -> Path:
        return self.folder / "lists"

    @property
    def records(self) -> Path:
        return self.folder / "records"

    def begin(self, run: dict[str, object]) -> list[WorkList] | None:
        """The lists of an earlier submission of the same run, or None if it made none.

        Raises ValueError where the folder is that of another run, or of one that is complete.
        """
        self.lists.mkdir(parents=True, exist_ok=True)
        self.records.mkdir(exist_ok=True)
        if not self._manifest.exists():
            return None
        manifest = json.loads(self._manifest.read_bytes())
        if manifest["run"] != run:
            raise ValueError(f"{self.folder} is the folder of another run; choose a new one")
        if manifest["done"]:
            raise ValueError(f"the run of {self.folder} is complete; choose a new folder")
        return [WorkList(**item) for item in manifest["lists"]]

    def keep(self, run: dict[str, object], lists: list[WorkList]) -> None:
        """Records that all lists are complete."""
        self._write({"run": run, "done": False, "lists": [asdict(item) for item in lists]})

    def finish(self, run: dict[str, object]) -> None:
        """Records that the table is complete, and removes the lists."""
        self._write({"run": run, "done": True, "lists": []})
        for path in self.lists.iterdir():
            path.unlink()
        for path in self.records.iterdir():
            if path.stat().st_size == 0:
                path.unlink()

    def paths(self, item: WorkList) -> list[bytes]:
        """The files of a list."""
        return (self.lists / item.name).read_bytes().split(b"\0")[:-1]

    @property
    def _manifest(self) -> Path:
        return self.folder / "run.json"

    def _write(self, manifest: dict[str, object]) -> None:
        temporary = self._manifest.with_suffix(".tmp")
        temporary.write_text(json.dumps(manifest))
        os.replace(temporary, self._manifest)
