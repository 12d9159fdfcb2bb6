"""Change rates of all pages of a log of visits, computed by Apache Spark.

    revisit estimate --print-sql spark > estimate.sql
    spark-submit spark_estimate.py estimate.sql 'logs/*.parquet' rates.parquet

The log has the columns url, at (a timestamp, or Unix seconds as a number) and
changed (true or false, or changed, unchanged, first, failed, gone, refused).
"""

import sys

from pyspark.sql import SparkSession

statement, log, result = sys.argv[1:4]
spark = (
    SparkSession.builder.appName("revisit estimate")
    .config("spark.sql.session.timeZone", "UTC")
    .getOrCreate()
)
spark.read.parquet(log).createOrReplaceTempView("visit_log")
# Each step by itself, under its name: resolved once, and nothing is computed before the end.
with open(statement, encoding="utf-8") as file:
    for step in file.read().strip().rstrip(";").split(";\n"):
        name, select = step.split("\n", 1)
        rates = spark.sql(select)
        rates.createOrReplaceTempView(name.removeprefix("-- "))
rates.write.mode("errorifexists").parquet(result)
spark.read.parquet(result).groupBy("verdict").count().show()
spark.stop()
