import { named } from '../../model/named-spec.js'

/** An expression of SQL. */
export type Sql = string

/** What two engines write differently, of the little that the statements need. */
export interface Dialect {
  readonly name: 'duckdb' | 'spark'
  /** A number as a double; engines take 0.5 for a decimal. */
  number(value: number): Sql
  /** The name of a column that is a word of SQL too. */
  quoted(name: string): Sql
  struct(fields: Readonly<Record<string, Sql>>): Sql
  /** The values of a group's rows that keep a condition; an empty list where there are none. */
  collect(value: Sql, where: Sql): Sql
  /** Ascending, structs by their fields in order. */
  sorted(list: Sql): Sql
  size(list: Sql): Sql
  /** Each element made into another. */
  map(list: Sql, made: (element: Sql) => Sql): Sql
  /** The same, given the element before; null for the first. `list` must be a column. */
  mapPairs(list: Sql, made: (element: Sql, before: Sql) => Sql): Sql
  filter(list: Sql, kept: (element: Sql) => Sql): Sql
  filterPairs(list: Sql, kept: (element: Sql, before: Sql) => Sql): Sql
  concat(one: Sql, other: Sql): Sql
  /** A list of lists as one. */
  flatten(lists: Sql): Sql
  /** The first element, or the last; null where there is none. */
  first(list: Sql): Sql
  last(list: Sql): Sql
  /** One value so many times. */
  repeat(value: Sql, times: Sql): Sql
  emptyList(type: ListType): Sql
  listOf(...values: readonly Sql[]): Sql
  /** The element at a place, counted from 1; the elements from one place to another. */
  element(list: Sql, at: Sql): Sql
  slice(list: Sql, from: Sql, to: Sql): Sql
  /** The places, counted from 1, at which runs of elements with the same key end. `list` must be a column. */
  runEnds(list: Sql, key: (element: Sql) => Sql): Sql
  /** Sum, least and greatest of a list of numbers; 0 and null where it is empty. */
  sum(list: Sql): Sql
  least(list: Sql): Sql
  greatest(list: Sql): Sql
  /** Sum of the products of two lists of one length. */
  dot(one: Sql, other: Sql): Sql
  /** e^x - 1, also where x is tiny: a gap of a second of a page that changes once a year; of 700 at the most, to be finite. */
  expm1(x: Sql): Sql
  /** A step of a statement, computed where it is used: DuckDB would keep all its rows. */
  step(name: string, select: Sql): Sql
}

/** What a list that may be empty holds. */
type ListType = 'DOUBLE' | 'BIN'

const sum = (dialect: Dialect, list: Sql) =>
  dialect.name === 'duckdb'
    ? `coalesce(list_sum(${list}), 0e0)`
    : `aggregate(${list}, 0e0, (total, each) -> total + each)`

/**
 * DuckDB 1.3 and later. It has no expm1: 2 sinh(x/2) e^(x/2) is the same and
 * loses nothing near 0; above 700 it would not be finite, and no change is seen.
 */
const duckdb: Dialect = {
  name: 'duckdb',
  number: exponential,
  quoted: (name) => `"${name}"`,
  struct: (fields) =>
    `{${Object.entries(fields)
      .map(([key, value]) => `${key}: ${value}`)
      .join(', ')}}`,
  collect: (value, where) => `coalesce(list(${value}) FILTER (WHERE ${where}), [])`,
  sorted: (list) => `list_sort(${list})`,
  size: (list) => `len(${list})`,
  map: (list, made) => `list_transform(${list}, lambda each: ${made('each')})`,
  mapPairs: (list, made) =>
    `list_transform(${list}, lambda each, i: ${made('each', `${list}[i - 1]`)})`,
  filter: (list, kept) => `list_filter(${list}, lambda each: ${kept('each')})`,
  filterPairs: (list, kept) =>
    `list_filter(${list}, lambda each, i: ${kept('each', `${list}[i - 1]`)})`,
  concat: (one, other) => `list_concat(${one}, ${other})`,
  flatten: (lists) => `flatten(${lists})`,
  first: (list) => `${list}[1]`,
  last: (list) => `${list}[-1]`,
  repeat: (value, times) => `list_resize([${value}], ${times}, ${value})`,
  emptyList: (type) =>
    `CAST([] AS ${type === 'BIN' ? 'STRUCT(bin BIGINT, changes BIGINT, time DOUBLE)' : type}[])`,
  listOf: (...values) => `[${values.join(', ')}]`,
  element: (list, at) => `${list}[${at}]`,
  slice: (list, from, to) => `${list}[${from}:${to}]`,
  runEnds: (list, key) =>
    duckdb.filter(
      `list_transform(${list}, lambda each, i: CASE WHEN i = len(${list}) OR ${key('each')} <> ${key(`${list}[i + 1]`)} THEN i END)`,
      (each) => `${each} IS NOT NULL`,
    ),
  sum: (list) => sum(duckdb, list),
  least: (list) => `list_min(${list})`,
  greatest: (list) => `list_max(${list})`,
  dot: (one, other) => `list_dot_product(${one}, ${other})`,
  expm1: (x) => `(2e0 * sinh(least(${x}, 7e2) / 2e0) * exp(least(${x}, 7e2) / 2e0))`,
  step: (name, select) => `${name} AS NOT MATERIALIZED (\n  ${select}\n)`,
}

/** Apache Spark 3.5 and later; it stops at a division by zero, which the statements leave out. */
const spark: Dialect = {
  name: 'spark',
  number: exponential,
  quoted: (name) => `\`${name}\``,
  struct: (fields) =>
    `named_struct(${Object.entries(fields)
      .map(([key, value]) => `'${key}', ${value}`)
      .join(', ')})`,
  collect: (value, where) => `collect_list(${value}) FILTER (WHERE ${where})`,
  sorted: (list) => `array_sort(${list})`,
  size: (list) => `size(${list})`,
  map: (list, made) => `transform(${list}, each -> ${made('each')})`,
  mapPairs: (list, made) =>
    `transform(${list}, (each, i) -> ${made('each', `get(${list}, i - 1)`)})`,
  filter: (list, kept) => `filter(${list}, each -> ${kept('each')})`,
  filterPairs: (list, kept) =>
    `filter(${list}, (each, i) -> ${kept('each', `get(${list}, i - 1)`)})`,
  concat: (one, other) => `concat(${one}, ${other})`,
  flatten: (lists) => `flatten(${lists})`,
  first: (list) => `get(${list}, 0)`,
  last: (list) => `get(${list}, size(${list}) - 1)`,
  repeat: (value, times) => `array_repeat(${value}, CAST(${times} AS INT))`,
  emptyList: (type) =>
    `CAST(array() AS ARRAY<${type === 'BIN' ? 'STRUCT<bin: BIGINT, changes: BIGINT, time: DOUBLE>' : type}>)`,
  listOf: (...values) => `array(${values.join(', ')})`,
  element: (list, at) => `get(${list}, CAST(${at} - 1 AS INT))`,
  slice: (list, from, to) =>
    `slice(${list}, CAST(${from} AS INT), CAST(${to} - (${from}) + 1 AS INT))`,
  runEnds: (list, key) =>
    spark.filter(
      `transform(${list}, (each, i) -> CASE WHEN i + 1 = size(${list}) OR ${key('each')} <> ${key(`get(${list}, i + 1)`)} THEN i + 1 END)`,
      (each) => `${each} IS NOT NULL`,
    ),
  sum: (list) => sum(spark, list),
  least: (list) => `array_min(${list})`,
  greatest: (list) => `array_max(${list})`,
  dot: (one, other) => spark.sum(`zip_with(${one}, ${other}, (a, b) -> a * b)`),
  expm1: (x) => `expm1(least(${x}, 7e2))`,
  step: (name, select) => `${name} AS (\n  ${select}\n)`,
}

const dialects: readonly Dialect[] = [duckdb, spark]

export function dialectNamed(name: string): Dialect {
  return named(dialects, { what: 'dialect', name })
}

function exponential(value: number): Sql {
  return value.toExponential()
}
