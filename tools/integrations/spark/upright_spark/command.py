"""The command line."""

import argparse
import os
import re
import sys
from pathlib import Path

from pyspark.sql import SparkSession

from upright_spark.jobs import Lister, Worker, distribute_package, write_table
from upright_spark.lists import Work, WorkList, audit_cost, normalize_cost
from upright_spark.program import Program
from upright_spark.summary import summary

UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}

RESERVED = {
    *("--files-from", "-0", "--null", "--format", "--jobs", "-j"),
    *("--quiet", "-q", "--verbose", "-v", "--html", "--check"),
    *("--shard", "--journal", "--record", "--output", "-o", "--output-dir", "--dry-run", "-n"),
}
"""Options of `upright` that the jobs set themselves, or that have no meaning here."""


def size(text: str) -> int:
    """A number of bytes, as in `512m`."""
    match = re.fullmatch(r"(\d+)([kmg]?)", text.lower())
    if not match:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 512m or 4g")
    return int(match[1]) * UNITS[match[2]]


def parser() -> argparse.ArgumentParser:
    """The parser of both jobs; arguments after `--` are for `upright`."""
    result = argparse.ArgumentParser(prog="main.py", description="Runs upright on a Spark cluster.")
    jobs = result.add_subparsers(dest="job", required=True)
    audit = jobs.add_parser("audit", help="report what would be done with each file; write nothing")
    normalize = jobs.add_parser("normalize", help="normalize the orientation of files")
    for job in (audit, normalize):
        job.add_argument("directories", nargs="*", help="directories that all workers mount")
        job.add_argument("--files-from", metavar="FILE", help="a list of absolute paths")
        job.add_argument("-0", "--null", action="store_true", help="paths of the list end with NUL")
        job.add_argument("--table", required=True, help="the folder of the Parquet table")
        job.add_argument(
            "--work", required=True, type=Path, help="a new folder for the run, on shared storage"
        )
        job.add_argument(
            "--task-bytes", type=size, default="1g", help="the bytes that a task reads; default: 1g"
        )
        job.add_argument("--upright", default="upright", help="the program on the workers")
    normalize.add_argument("--audit", metavar="TABLE", help="take the files to rewrite from this audit")
    normalize.add_argument(
        "--output-dir", metavar="DIR", help="write results here, below the files' absolute paths"
    )
    return result


def main(arguments: list[str]) -> int:
    """Runs a job and prints a summary; 64 where the command line is wrong."""
    split = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser().parse_args(arguments[:split])
    extra = tuple(arguments[split + 1 :])
    if problem := _problem(options, extra):
        print(problem, file=sys.stderr)
        return 64
    session = SparkSession.builder.appName(f"upright {options.job}").getOrCreate()
    distribute_package(session.sparkContext)
    work = Work(options.work.absolute())
    named = {key: str(value) for key, value in vars(options).items() if key != "upright"}
    run = {**named, "options": list(extra)}
    try:
        lists = work.begin(run)
        prepare_output(session, options.table)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 64
    is_repeated = lists is not None
    if lists is None:
        session.sparkContext.setJobDescription("upright: list the files")
        lists = list_files(session, work, options)
        work.keep(run, lists)
    worker = Worker(work, _program(options, extra), _target(options), is_repeated)
    files, total = sum(item.files for item in lists), sum(item.bytes for item in lists)
    description = f"upright {options.job}: {files:,} files, {total:,} bytes, {len(lists):,} lists"
    print(description)
    table = write_table(session, lists, worker, options.table, description)
    work.finish(run)
    session.sparkContext.setJobDescription("upright: sum up")
    print(summary(table))
    return 0


def list_files(session: SparkSession, work: Work, options: argparse.Namespace) -> list[WorkList]:
    """Lists the files that the options name."""
    cost = audit_cost if options.job == "audit" else normalize_cost
    lister = Lister(work, cost, options.task_bytes)
    if getattr(options, "audit", None):
        return lister.of_audit(session, options.audit)
    roots = [os.fsencode(path) for path in options.directories]
    lists = lister.of_trees(session.sparkContext, roots)
    if options.files_from:
        path, separator = os.path.abspath(options.files_from), b"\0" if options.null else b"\n"
        lists += lister.of_list(session.sparkContext, path, separator)
    return lists


def prepare_output(session: SparkSession, table: str) -> None:
    """Removes the partial table of a submission that did not finish.

    Raises ValueError where anything else is there.
    """
    context = session.sparkContext
    path = context._jvm.org.apache.hadoop.fs.Path(table)
    files = path.getFileSystem(context._jsc.hadoopConfiguration())
    if not files.exists(path):
        return
    if any(item.getPath().getName() != "_temporary" for item in files.listStatus(path)):
        raise ValueError(f"{table} already exists")
    files.delete(path, True)


def _program(options: argparse.Namespace, extra: tuple[str, ...]) -> Program:
    if options.job == "audit":
        return Program(options.upright, ("audit", *extra))
    target = _target(options)
    elsewhere = ("--output-dir", os.fsdecode(target)) if target else ()
    return Program(options.upright, ("normalize", "--recursive", *elsewhere, *extra))


def _target(options: argparse.Namespace) -> bytes | None:
    """The folder for results; empty to rewrite files in place, None for an audit."""
    if options.job == "audit":
        return None
    return os.fsencode(os.path.abspath(options.output_dir)) if options.output_dir else b""


def _problem(options: argparse.Namespace, extra: tuple[str, ...]) -> str | None:
    """The first problem with the options, or None."""
    for option in extra:
        if option.split("=")[0] in RESERVED:
            return f"{option} is not for upright on a cluster"
    sources = [options.directories or options.files_from, getattr(options, "audit", None)]
    if sum(map(bool, sources)) != 1:
        return "name directories or a list of files, or an audit's table"
    for directory in options.directories:
        if not os.path.isdir(directory):
            return f"{directory} is no directory"
        if _is_below(getattr(options, "output_dir", None), directory):
            return f"the output directory is within {directory}"
    return None


def _is_below(path: str | None, directory: str) -> bool:
    if path is None:
        return False
    return os.path.commonpath([os.path.realpath(path), os.path.realpath(directory)]) == (
        os.path.realpath(directory)
    )
