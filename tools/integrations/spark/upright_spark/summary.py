"""A summary of the table for people."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as f


def summary(table: DataFrame) -> str:
    """The number of files for each status and reason, the most frequent first."""
    rows = (
        table.withColumn("why", f.coalesce("error.id", "reason.id", "edges"))
        .groupBy("status", "why")
        .agg(f.count("*").alias("files"), f.sum(f.coalesce("facts.size", "size")).alias("bytes"))
        .orderBy(f.desc("files"), "status", "why")
        .collect()
    )
    lines = [f"{'files':>14}  {'bytes':>18}  status"]
    for row in rows:
        size = "-" if row.bytes is None else f"{row.bytes:,}"
        why = f", {row.why}" if row.why else ""
        lines.append(f"{row.files:>14,}  {size:>18}  {row.status}{why}")
    lines.append(f"{sum(row.files for row in rows):>14,}  {'':>18}  in all")
    return "\n".join(lines)
