"""Change rates of all pages of a log of visits, computed by Apache Spark.

    revisit estimate --print-sql spark > estimate.sql
    spark-submit spark_estimate.py estimate.sql 'logs/*.parquet' rates.parquet

The log has the columns url, at (a timestamp, or Unix seconds as a number) and
changed (true or false, or changed, unchanged, first, failed, gone, refused).

The same with a new log each day, whose sums are kept in place of it:

    revisit sums --print-sql spark > sums.sql
    revisit estimate --print-sql spark --sums > rates.sql
    spark-submit spark_estimate.py sums.sql logs/2026-11-17.parquet sums/2026-11-17
    spark-submit spark_estimate.py rates.sql 'sums/*' rates.parquet
"""

import sys

from pyspark.sql import SparkSession

statement, log, result = sys.argv[1:4]
spark = (
    SparkSession.builder.appName("revisit estimate")
    .config("spark.sql.session.timeZone", "UTC")
    .getOrCreate()
)
rows = spark.read.parquet(log)
rows.createOrReplaceTempView("visit_sums" if "ends" in rows.columns else "visit_log")
# Each step by itself, under its name. The rounds are written out, and Spark plans
# long chains slowly: what is there after some steps is kept, and planned from anew.
with open(statement, encoding="utf-8") as file:
    steps = file.read().strip().rstrip(";").split(";\n")
for number, step in enumerate(steps, start=1):
    name, select = step.split("\n", 1)
    found = spark.sql(select)
    if number % 16 == 0:
        found = found.localCheckpoint()
    found.createOrReplaceTempView(name.removeprefix("-- "))
found.write.mode("errorifexists").parquet(result)
print(spark.read.parquet(result).count(), "rows written to", result)
spark.stop()
