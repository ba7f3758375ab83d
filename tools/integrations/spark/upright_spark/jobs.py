"""The stages of a run: listing the files, then one task for each list."""

import atexit
import functools
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pyspark import RDD, SparkContext, TaskContext
from pyspark.sql import DataFrame, SparkSession

from upright_spark import listing, schema
from upright_spark.listing import Found
from upright_spark.lists import Cost, Work, WorkList, cut
from upright_spark.program import Program
from upright_spark.rewriting import remove_abandoned, rewrite_in_place


def distribute_package(context: SparkContext) -> None:
    """Distributes this package to the workers."""
    context.addPyFile(_archive())


@functools.cache
def _archive() -> str:
    """The package as a file, which workers may load until the driver ends."""
    source = Path(__file__).parent
    folder = tempfile.mkdtemp(prefix="upright-spark-")
    atexit.register(shutil.rmtree, folder)
    base = os.path.join(folder, source.name)
    return shutil.make_archive(base, "zip", source.parent, source.name)


@dataclass(frozen=True)
class Lister:
    """Makes lists of the files that tasks find."""

    work: Work
    cost: Cost
    limit: int

    def of_trees(self, context: SparkContext, roots: list[bytes]) -> list[WorkList]:
        """The files below directories, which the workers walk."""
        tasks = 2 * context.defaultParallelism
        directories, files = listing.expand(roots, enough=16 * tasks)
        lists = list(cut(files, self.work.lists, "top", self.cost, self.limit))
        if not directories:
            return lists
        found = context.parallelize(directories, min(tasks, len(directories))).flatMap(listing.walk)
        return lists + self.cut(found)

    def of_list(self, context: SparkContext, path: str, separator: bytes) -> list[WorkList]:
        """The files of a list, which the workers read."""
        ranges = listing.ranges(path)
        if not ranges:
            return []
        return self.cut(
            context.parallelize(ranges, len(ranges)).flatMap(
                lambda part: listing.listed(path, separator, *part)
            )
        )

    def of_audit(self, session: SparkSession, table: str) -> list[WorkList]:
        """The files with the status `planned` in the table of an audit."""
        rows = session.read.parquet(table).where("status = 'planned'")
        columns = rows.select("path", "pathBytes", "facts.size").sortWithinPartitions("path")
        return self.cut(
            columns.rdd.map(
                lambda row: Found(
                    bytes.fromhex(row.pathBytes) if row.pathBytes else row.path.encode(), row.size
                )
            )
        )

    def cut(self, found: RDD[Found]) -> list[WorkList]:
        """Writes the lists; each task writes its own."""
        work, cost, limit = self.work, self.cost, self.limit

        def write(part: Iterator[Found]) -> Iterator[WorkList]:
            task = TaskContext.get()
            name = f"{task.partitionId():05}-{task.taskAttemptId()}"
            return cut(part, work.lists, name, cost, limit)

        return found.mapPartitions(write).collect()


@dataclass(frozen=True)
class Worker:
    """The work of a task on its list."""

    work: Work
    program: Program
    target: bytes | None
    """The folder for results; empty to rewrite files in place."""
    is_repeated: bool
    """Whether an earlier submission of the run processed some of the lists."""

    def reports(self, lists: Iterator[WorkList]) -> Iterator[str]:
        """Yields a line with the report of each file of the lists."""
        task = TaskContext.get()
        program = replace(self.program, jobs=task.cpus())
        attempt = f"{os.getpid()}-{task.taskAttemptId()}"
        for item in lists:
            paths = self.work.paths(item)
            if self.target == b"":
                yield from rewrite_in_place(program, paths, self.work.records, item.name, attempt)
            else:
                yield from program.reports(paths)
            if self.target is not None and (self.is_repeated or task.attemptNumber() > 0):
                remove_abandoned(program, [self.target + path for path in paths])


def write_table(
    session: SparkSession, lists: list[WorkList], worker: Worker, output: str, description: str
) -> DataFrame:
    """Processes all lists and writes the reports as Parquet, atomically."""
    context = session.sparkContext
    context.setJobDescription(description)
    # Lists cost about the same, except those of a single large file, which go first.
    lists = sorted(lists, key=lambda item: item.bytes, reverse=True)
    reports = context.parallelize(lists, max(len(lists), 1)).mapPartitions(worker.reports)
    table = session.read.schema(schema.COLUMNS).option("mode", "FAILFAST").json(reports)
    writer = table.write.partitionBy(schema.PARTITION).mode("errorifexists")
    writer.option("compression", "zstd").parquet(output)
    return session.read.schema(schema.COLUMNS).parquet(output)
