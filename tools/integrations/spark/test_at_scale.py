"""Runs the examples of docs/at-scale.md and tools/integrations/arrays, each part after the other, on a small archive."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[3]
ARRAYS = ROOT / "tools/integrations/arrays"
UPRIGHT = os.path.abspath(os.environ.get("UPRIGHT_BINARY", ROOT / ".build/release/upright"))
PARTS = 5


def block(heading: str, language: str, number: int = 0) -> str:
    """An example of a section."""
    text = (ROOT / "docs/at-scale.md").read_text()
    section = re.split(r"\n##+ ", text.split(f"### {heading}\n")[1], maxsplit=1)[0]
    return re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)[number]


class Archive:
    """A small archive, a folder for the run, and programs in place of those of a cluster."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.photos = folder / "photos"
        self.run = folder / "run"
        self.run.mkdir()
        shutil.copytree(ROOT / "fixtures", self.photos)
        programs = folder / "programs"
        programs.mkdir()
        (programs / "upright").symlink_to(UPRIGHT)
        (programs / "srun").write_text('#!/bin/sh\nexec "$@"\n')
        (programs / "srun").chmod(0o755)
        self.path = f"{programs}:{os.environ['PATH']}"
        text = (ROOT / "docs/at-scale.md").read_text()
        listing = re.search(r"^\$ (find .*)$", text, re.MULTILINE)[1]
        self.shell(self.here(listing.replace("archive/", "/archive/")))

    def here(self, example: str) -> str:
        """An example, for this archive and fewer parts."""
        return (
            example.replace("/archive/", f"{self.folder}/")
            .replace("/100", f"/{PARTS}")
            .replace("{0..99}", f"{{0..{PARTS - 1}}}")
        )

    def shell(self, text: str, shell: str = "bash", **variables: object) -> None:
        environment = {**os.environ, **{key: str(value) for key, value in variables.items()}}
        environment["PATH"] = self.path
        subprocess.run([shell, "-c", text], cwd=self.run, env=environment, check=True)

    def check(self) -> None:
        """Checks that the parts together equal one run."""
        reports = [self.run / f"{part}.ndjson" for part in range(PARTS)]
        found = [line for path in reports for line in path.read_bytes().splitlines()]
        for ending in ("journal", "record"):
            assert len(list(self.run.glob(f"*.{ending}"))) == PARTS
        done = contents(self.photos)
        shutil.rmtree(self.photos)
        shutil.copytree(ROOT / "fixtures", self.photos)
        one = subprocess.run(
            [UPRIGHT, "normalize", "-r", "--format", "ndjson", self.photos],
            stdout=subprocess.PIPE,
            check=False,
        )
        assert sorted(found) == sorted(one.stdout.splitlines())
        assert done == contents(self.photos)


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path)


# A single part of these ends with status 2 because the fixtures hold damaged files.
TOLERANT = "{}\n[ $? -le 2 ]"


def test_slurm(archive: Archive) -> None:
    script = archive.here(block("Slurm", "sh"))
    for part in range(PARTS):
        text = TOLERANT.format(script)
        archive.shell(text, SLURM_ARRAY_TASK_ID=part, SLURM_CPUS_PER_TASK=2)
    archive.check()


def test_kubernetes(archive: Archive) -> None:
    job = yaml.safe_load((ARRAYS / "kubernetes.yaml").read_text())
    assert job["spec"]["completionMode"] == "Indexed"
    shell, _, script = job["spec"]["template"]["spec"]["containers"][0]["command"]
    for part in range(PARTS):
        text = TOLERANT.format(archive.here(script))
        archive.shell(text, shell=shell, JOB_COMPLETION_INDEX=part)
    archive.check()


def test_aws_batch(archive: Archive) -> None:
    definition = json.loads((ARRAYS / "aws-batch.json").read_text())
    shell = definition["containerProperties"]["command"][0]
    script = archive.here((ARRAYS / "aws-batch.sh").read_text())
    for part in range(PARTS):
        archive.shell(TOLERANT.format(script), shell=shell, AWS_BATCH_JOB_ARRAY_INDEX=part)
    archive.check()


@pytest.mark.skipif(shutil.which("parallel") is None, reason="GNU parallel is not installed")
def test_gnu_parallel(archive: Archive) -> None:
    (archive.run / "hosts").write_text("2/:\n")
    # Its status is the number of parts with files that failed.
    archive.shell(f"{archive.here(block('GNU parallel', 'sh'))}\n[ $? -le {PARTS} ]")
    archive.check()
