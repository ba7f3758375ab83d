"""Runs `upright audit` or `upright normalize` on the workers of a Spark cluster, and writes their reports as one table.

    spark-submit upright_spark.py audit|normalize LIST RUN TABLE [OPTION-OF-UPRIGHT…]

LIST has one absolute path on each line. RUN is a new folder for reports and records, TABLE a new one for Parquet. Workers and
driver see the photos, LIST and RUN under the same paths.
"""

import os
import subprocess
import sys

from pyspark import TaskContext
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as f

PARTS_OF_A_CORE = 20


def part(number, count, command, files, run, options):
    """One task: the files of one shard. Each attempt has files of its own, because an earlier one may have been killed."""
    name = f"{run}/{number:06}.{TaskContext.get().attemptNumber()}"
    record = [f"--record={name}.record"] if command == "normalize" else []
    with open(f"{name}.ndjson", "wb") as reports:
        done = subprocess.run(
            ["upright", command, "--files-from", files, "--shard", f"{number}/{count}", "--jobs", str(TaskContext.get().cpus()),
             "--format", "ndjson", *record, *options], stdout=reports, stderr=subprocess.PIPE, check=False)
    # 1 and 2 are about single files, which have reports.
    if done.returncode not in (0, 1, 2) or done.returncode == 2 and done.stderr:
        raise RuntimeError(f"upright ended with status {done.returncode}: {done.stderr.decode(errors='replace')}")


def table(spark, run):
    """The reports of all attempts, one row for each file: what changed it, or else the first that is known."""
    rows = spark.read.json(f"{run}/*.ndjson", mode="DROPMALFORMED").withColumn("attempt", f.input_file_name())
    changed_first = Window.partitionBy("path").orderBy(f.col("status") == "already-upright", "attempt")
    return rows.withColumn("order", f.row_number().over(changed_first)).where("order = 1").drop("order", "attempt")


def main(command, files, run, target, *options):
    # A task that runs twice at the same time would find files that change.
    spark = SparkSession.builder.appName(f"upright {command}").config("spark.speculation", "false").getOrCreate()
    run = os.path.abspath(run)
    os.mkdir(run)
    context = spark.sparkContext
    count = PARTS_OF_A_CORE * context.defaultParallelism
    context.parallelize(range(count), count).foreach(
        lambda number: part(number, count, command, os.path.abspath(files), run, options))
    table(spark, run).write.partitionBy("status").parquet(target)
    spark.read.parquet(target).groupBy("status").count().orderBy(f.desc("count")).show()


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
