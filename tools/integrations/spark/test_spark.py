"""Tests the jobs on a cluster of two workers of this machine; `tools/integrations/spark/test` runs them.

UPRIGHT_BINARY names the program; the default is the release build.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")
if shutil.which("java") is None:
    pytest.skip("Java is not installed", allow_module_level=True)

from cluster import Cluster
from pyspark.sql import SparkSession
from upright_spark import command, listing, lists, schema
from upright_spark.program import Program
from upright_spark.rewriting import remove_abandoned, rewrite_in_place

ROOT = Path(__file__).parents[3]
UPRIGHT = os.path.abspath(os.environ.get("UPRIGHT_BINARY", ROOT / ".build/release/upright"))
COPIES = 8

SIDECAR = """<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6"/>
</rdf:RDF></x:xmpmeta>
"""


@pytest.fixture(scope="session")
def base() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="upright-spark-") as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def pristine(base: Path) -> Path:
    """More than 2,000 files, and what a walk meets besides."""
    tree = base / "pristine"
    for number in range(COPIES):
        shutil.copytree(ROOT / "fixtures", tree / f"{number:02}")
    photo = (ROOT / "fixtures/sample/portrait.jpg").read_bytes()
    odd = os.fsencode(tree) + b"/odd"
    os.makedirs(odd + b"/.hidden")
    for name in (b"line\nfeed.jpg", b"\xff\xfe.jpg", b"photo", b".hidden/a.jpg", b"._a.jpg"):
        Path(os.fsdecode(odd + b"/" + name)).write_bytes(photo)
    Path(os.fsdecode(odd), "line\nfeed.jpg.xmp").write_text(SIDECAR)
    Path(os.fsdecode(odd), "text").write_text("no photo")
    Path(os.fsdecode(odd), "empty.jpg").touch()
    Path(os.fsdecode(odd), "nowhere.jpg").symlink_to("nothing")
    Path(os.fsdecode(odd), "link.jpg").symlink_to(".hidden/a.jpg")
    assert sum(len(files) for _, _, files in os.walk(tree)) > 2000
    return tree


@pytest.fixture
def tree(base: Path, pristine: Path) -> Path:
    """A fresh copy, always at the same place, so that reports can be compared."""
    tree = base / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(pristine, tree, symlinks=True)
    return tree


@pytest.fixture
def folder(base: Path) -> Path:
    """An empty folder of the test."""
    return Path(tempfile.mkdtemp(dir=base))


@pytest.fixture(scope="session")
def cluster(base: Path) -> Iterator[Cluster]:
    with Cluster(base / "cluster", workers=2) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def session(cluster: Cluster) -> Iterator[SparkSession]:
    """A session whose slow tasks are started a second time, whenever there is a chance."""
    session = (
        SparkSession.builder.master(cluster.address)
        .config("spark.executor.memory", "512m")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.speculation", "true")
        .config("spark.speculation.quantile", "0.1")
        .config("spark.speculation.multiplier", "1.1")
        .getOrCreate()
    )
    yield session
    session.stop()


def reports(*arguments: object) -> list[dict]:
    """What one `upright` process reports."""
    run = [UPRIGHT, *map(str, arguments), "--format", "ndjson"]
    output = subprocess.run(run, stdout=subprocess.PIPE, check=False).stdout
    return [json.loads(line) for line in output.splitlines()]


def rows(session: SparkSession, table: Path) -> list[dict]:
    """The rows of a table as reports, which lack what has no value."""

    def present(value: object) -> object:
        if isinstance(value, dict):
            return {key: present(item) for key, item in value.items() if item is not None}
        return [present(item) for item in value] if isinstance(value, list) else value

    collected = session.read.schema(schema.COLUMNS).parquet(str(table)).collect()
    return [present(row.asDict(recursive=True)) for row in collected]


def ordered(some: list[dict]) -> list[str]:
    """Reports in an order that depends on nothing but themselves."""
    return sorted(json.dumps(report, sort_keys=True) for report in some)


def contents(tree: Path) -> dict[bytes, str]:
    """The hashes of all files."""
    found = {}
    for directory, _, names in os.walk(os.fsencode(tree)):
        for path in (os.path.join(directory, name) for name in names):
            if os.path.exists(path):
                with open(path, "rb") as file:
                    found[path] = sha256(file.read()).hexdigest()
    return found


def fresh(tree: Path, pristine: Path) -> None:
    shutil.rmtree(tree)
    shutil.copytree(pristine, tree, symlinks=True)


def run(job: str, folder: Path, *arguments: object, upright: str = UPRIGHT) -> Path:
    """Runs a job; its table."""
    table = folder / job
    places = ["--table", table, "--work", folder / f"{job}-work", "--upright", upright]
    assert command.main([job, *map(str, places), *map(str, arguments)]) == 0
    return table


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/usr/bin/env bash\n{text}\n")
    path.chmod(0o755)
    return str(path)


# -- Without a cluster


def test_a_walk_finds_what_upright_finds(tree: Path) -> None:
    found = list(listing.walk(os.fsencode(tree)))
    work_list = b"".join(file.path + b"\0" for file in found)
    audit = [UPRIGHT, "audit", "--format", "ndjson"]
    one = subprocess.run([*audit, tree], stdout=subprocess.PIPE, check=False).stdout
    other = subprocess.run(
        [*audit, "--files-from", "-", "-0"], input=work_list, stdout=subprocess.PIPE, check=False
    ).stdout
    assert sorted(other.splitlines()) == sorted(one.splitlines())
    assert len(one.splitlines()) > 2000


def test_ranges_of_a_list_share_its_paths(folder: Path) -> None:
    path = folder / "list"
    names = [f"/{'x' * (number % 17)}{number}".encode() for number in range(1000)]
    path.write_bytes(b"\n".join(names))
    parts = [listing.listed(str(path), b"\n", *part) for part in listing.ranges(str(path), 37)]
    assert [file.path for part in parts for file in part] == names


def test_lists_are_cut_by_bytes(folder: Path) -> None:
    files = [listing.Found(f"/{number}".encode(), number << 20) for number in range(100)]
    made = list(lists.cut(files, folder, "a", lists.normalize_cost, 500 << 20))
    assert all(item.bytes <= 500 << 20 for item in made)
    assert sum(item.files for item in made) == 100
    assert max(item.bytes for item in made) < 2 * min(item.bytes for item in made[:-1])
    assert b"".join((folder / item.name).read_bytes() for item in made).count(b"\0") == 100


def attempt(tree: Path, records: Path, name: str) -> list[dict]:
    paths = [file.path for file in listing.walk(os.fsencode(tree))]
    program = Program(UPRIGHT, ("normalize",))
    return [json.loads(line) for line in rewrite_in_place(program, paths, records, "a", name)]


def test_attempts_at_the_same_time_do_no_harm(tree: Path, pristine: Path, folder: Path) -> None:
    some = tree / "00"
    expected = reports("normalize", "-r", some)
    normalized = contents(tree)
    fresh(tree, pristine)
    with ProcessPoolExecutor(2) as pool:
        attempts = [pool.submit(attempt, some, folder, name) for name in ("1", "2")]
    assert contents(tree) == normalized
    for one in attempts:
        assert ordered(one.result()) == ordered(expected)


def test_a_file_that_upright_dies_of_is_a_report(tree: Path, folder: Path) -> None:
    paths = [file.path for file in listing.walk(os.fsencode(tree / "00"))]
    fatal = str(tree / "00/sample/portrait.jpg")
    upright = script(
        folder / "upright",
        f"""list=$(mktemp) && cat > "$list"
        grep -qzxF '{fatal}' "$list" && kill -SEGV $$
        "{UPRIGHT}" "$@" < "$list"; status=$?; rm "$list"; exit $status""",
    )
    lines = [json.loads(line) for line in Program(upright, ("audit",)).reports(paths)]
    expected = {report["path"]: report for report in reports("audit", tree / "00")}
    assert len(lines) == len(expected)
    for report in lines:
        if report["path"] == fatal:
            assert report["error"]["id"] == "crashed"
        else:
            assert report == expected[report["path"]]


def test_temporary_files_of_killed_attempts_are_removed(tree: Path) -> None:
    abandoned = tree / "00/sample/.portrait.jpg.upright-abc123.tmp"
    abandoned.touch()
    before = contents(tree)
    remove_abandoned(Program(UPRIGHT, ()), [os.fsencode(tree / "00/sample/portrait.jpg")])
    del before[os.fsencode(abandoned)]
    assert contents(tree) == before


# -- On a cluster


def test_columns_are_the_fields_of_reports(session: SparkSession, tree: Path, folder: Path) -> None:
    columns = leaves(session.createDataFrame([], schema.COLUMNS).schema.jsonValue())
    # What other commands report has no column.
    others = ("displayTransform:", "crop.", "sha256:", "quality:", "losses.")
    documented = json.loads((ROOT / "docs/schema/upright-2.schema.json").read_bytes())
    named = documented_fields(documented, documented["$defs"])
    assert sorted(columns) == sorted(field for field in named if not field.startswith(others))

    # Of no fixture that is upright the thumbnail is not.
    thumbnail = tree / "00/conflict/content-6.jpg"
    subprocess.run([UPRIGHT, "tag", "set", "1", thumbnail], stdout=subprocess.DEVNULL, check=True)
    printed = set()
    for arguments in (
        ["audit", tree, "--deep"],
        ["audit", tree, "--unaligned", "trim"],
        ["normalize", "-r", tree, "--output-dir", folder / "re-encoded"],
        ["normalize", "-r", tree, "--output-dir", folder / "trimmed", "--unaligned", "trim"],
        ["normalize", "-r", tree, "--regions", "follow", "--record", folder / "records"],
    ):
        for report in reports(*arguments):
            assert report["schema"] == schema.VERSION
            printed |= set(fields(report))
    # Attributes that cannot be kept are hard to come by.
    assert sorted(printed | {"warnings: string"}) == sorted(columns)


def documented_fields(node: dict, definitions: dict, name: str = "") -> Iterator[str]:
    """The fields that a JSON schema names, and their types."""
    if "$ref" in node:
        node = definitions[node["$ref"].removeprefix("#/$defs/")]
    if "properties" in node:
        for key, part in node["properties"].items():
            yield from documented_fields(part, definitions, f"{name}.{key}" if name else key)
    elif "items" in node:
        yield from documented_fields(node["items"], definitions, name)
    else:
        types = {"integer": "long", "number": "double"}
        kind = node.get("type", "string")
        yield f"{name}: {types.get(kind, kind)}"


def fields(value: object, name: str = "") -> Iterator[str]:
    """The same of a report."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from fields(item, f"{name}.{key}" if name else key)
    elif isinstance(value, list):
        for item in value:
            yield from fields(item, name)
    else:
        types = {str: "string", int: "long", float: "double", bool: "boolean"}
        yield f"{name}: {types[type(value)]}"


def leaves(kind: dict | str, name: str = "") -> set[str]:
    """The same of a schema."""
    if isinstance(kind, str):
        return {f"{name}: {kind}"}
    if kind["type"] == "array":
        return leaves(kind["elementType"], name)
    parts = ((field["type"], field["name"]) for field in kind["fields"])
    return set().union(*(leaves(part, f"{name}.{key}" if name else key) for part, key in parts))


def test_an_audit_is_what_one_process_reports(
    session: SparkSession, tree: Path, folder: Path, capsys: pytest.CaptureFixture
) -> None:
    table = run("audit", folder, tree, "--task-bytes", "16m")
    expected = reports("audit", tree)
    assert len(expected) > 2000
    assert ordered(rows(session, table)) == ordered(expected)
    assert f"{len(expected):,}" in capsys.readouterr().out.splitlines()[-1]

    # What an audit found to do is done, and its table is what one process reports.
    planned = {report["path"] for report in expected if report["status"] == "planned"}
    table = run("normalize", folder, "--audit", table, "--task-bytes", "16m")
    status = {report["path"]: report["status"] for report in rows(session, table)}
    assert status.keys() == planned
    assert "normalized" in status.values()
    assert set(status.values()) <= {"normalized", "reset", "skipped", "failed"}
    # What the header does not show has stopped some.
    pending = {path for path in planned if status[path] in ("skipped", "failed")}
    after = reports("audit", tree)
    assert {report["path"] for report in after if report["status"] == "planned"} == pending


def test_results_go_into_another_tree(
    session: SparkSession, tree: Path, base: Path, folder: Path
) -> None:
    files = folder / "files"
    paths = [file.path for file in listing.walk(os.fsencode(tree))]
    files.write_bytes(b"".join(path + b"\0" for path in paths))
    before, output = contents(tree), base / "output"
    options = ["--files-from", files, "-0", "--output-dir", output]
    expected = reports("normalize", *options)
    made = contents(output)
    shutil.rmtree(output)
    table = run("normalize", folder, *options, "--task-bytes", "16m")
    assert contents(tree) == before
    assert contents(output) == made
    assert ordered(rows(session, table)) == ordered(expected)


def test_a_worker_without_upright_says_so(session: SparkSession, tree: Path, folder: Path) -> None:
    with pytest.raises(Exception, match="cannot run /nowhere/upright.*Install upright"):
        run("audit", folder, tree, upright="/nowhere/upright")


def test_a_run_that_ended_early_goes_on(
    session: SparkSession, tree: Path, pristine: Path, folder: Path
) -> None:
    expected = reports("normalize", "-r", tree)
    normalized = contents(tree)
    fresh(tree, pristine)
    breaking = script(
        folder / "upright", f"""head -z -n 200 | "{UPRIGHT}" "$@"; echo broken >&2; exit 70"""
    )
    with pytest.raises(Exception, match="status 70: broken"):
        run("normalize", folder, tree, upright=breaking)
    assert contents(tree) != contents(pristine)
    table = run("normalize", folder, tree)
    assert contents(tree) == normalized
    assert ordered(rows(session, table)) == ordered(expected)


def test_a_killed_worker_changes_nothing(
    session: SparkSession, cluster: Cluster, tree: Path, pristine: Path, folder: Path
) -> None:
    expected = reports("normalize", "-r", tree)
    normalized = contents(tree)
    fresh(tree, pristine)
    records = folder / "normalize-work/records"
    killer = threading.Thread(target=kill_when, args=(lambda: lines(records) > 200, cluster))
    killer.start()
    table = run("normalize", folder, tree, "--task-bytes", "40m")
    killer.join()
    assert len(cluster.workers) == 1
    # A list that the dead worker had in hand was begun again.
    names = [path.name.split(".")[0] for path in records.iterdir()]
    assert len(names) > len(set(names))
    assert contents(tree) == normalized
    assert ordered(rows(session, table)) == ordered(expected)


def lines(folder: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in folder.glob("*.ndjson"))


def kill_when(condition: Callable[[], bool], cluster: Cluster) -> None:
    deadline = time.monotonic() + 120
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    cluster.kill_worker()


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, *sys.argv[1:]]))
