import {
  type GivenVisits,
  outcomeCodes,
  type VisitExtras,
} from '../../estimators/bulk/visit-outcomes.js'
import { sqlName } from '../../formats/duckdb.js'
import type { FoundProblems, Problem } from '../../formats/problems.js'
import { Problems } from '../../formats/problems.js'
import { earliest, type TimeKind, TimeReading } from '../../formats/time/log-times.js'
import {
  type FieldName,
  type FileColumn,
  kindOf,
  numberSql,
  outcomeSql,
  trimmedSql,
} from '../../formats/visit-log/parquet-columns.js'
import { VisitTaker } from '../../formats/visit-log/visit-line.js'
import { InputError, OptionError } from '../../model/errors.js'
import { outcomes, visitTimeFault } from '../../model/history.js'
import { type Seconds, type UnixSeconds, YEAR } from '../../model/units.js'
import { type BulkEngine, parquetSource } from './engine.js'
import type { PagesPart } from './pages-parts.js'

export interface TableSettings {
  readonly now: UnixSeconds
  readonly time: TimeKind | undefined
  readonly zone: Seconds | undefined
}

/** What the rows of a log come to. */
export interface CheckedLog {
  /** What its visits take of memory while those of each page are gathered. */
  readonly bytes: number
  readonly problems: FoundProblems
  /** Times of the first and the last visit; null where no row tells of one. */
  readonly span: { readonly from: UnixSeconds; readonly to: UnixSeconds } | null
}

/** Rows whose times settle the unit of all. */
const settlingRows = 1000
const shownProblems = 20

/** Bytes of a visit that is kept as one number, and of any other: see keptVisit. */
const bytesOfNumber = 38
const bytesOfVisit = 60

/** The visits of some Parquet files as a table of an engine: the rows that the reader of lines would take. */
export class VisitTable {
  readonly files: readonly string[]
  readonly extras: VisitExtras
  readonly kind: TimeKind
  readonly #engine: BulkEngine
  readonly #columns: Partial<Record<FieldName, FileColumn>>
  readonly #settings: TableSettings
  /** Whether addresses have blanks at their ends; known once the rows were checked. */
  #blanks = true
  /** Whether every row tells of a visit, and all times are whole microseconds; known then, too. */
  #clean = false
  #whole = false

  private constructor(about: {
    engine: BulkEngine
    files: readonly string[]
    columns: Partial<Record<FieldName, FileColumn>>
    settings: TableSettings
    kind: TimeKind
  }) {
    this.#engine = about.engine
    this.files = about.files
    this.#columns = about.columns
    this.#settings = about.settings
    this.kind = about.kind
    const { digest, last_modified: modified, unchanged_for: unchangedFor } = about.columns
    this.extras = {
      digest: digest !== undefined,
      lastModified: modified !== undefined,
      unchangedFor: unchangedFor !== undefined,
    }
  }

  static async open(
    engine: BulkEngine,
    { files, settings }: { files: readonly string[]; settings: TableSettings },
  ): Promise<VisitTable> {
    const source = parquetSource(files)
    const found = await engine.columns(source).catch((error) => {
      if (!(error instanceof InputError)) throw error
      throw new InputError(error.code, `${files[0]}: ${error.message.replace(/^line 1: /, '')}`, {
        cause: error,
      })
    })
    const columns = Object.fromEntries(found.map((column) => [column.field, column]))
    for (const field of ['at', 'last_modified', 'unchanged_for'])
      if (columns[field] !== undefined) refuseText(columns[field], files[0]!)
    const kind = await timeKind(engine, { source, column: columns.at!, settings })
    return new VisitTable({ engine, files, columns, settings, kind })
  }

  /**
   * A SELECT of the rows that are taken, as page-sums.ts wants them, with the
   * outcome by name too (`changed`); of one of
   * several parts of the pages, by a hash of the address, where one is named.
   */
  select(part?: PagesPart): string {
    const { digest, lastModified, unchangedFor } = this.extras
    const columns = [
      `${this.#url()} AS url`,
      `${this.#time('at')} AS visited_at`,
      `${this.#outcome()} AS outcome`,
      `${this.#word()} AS changed`,
      ...(digest ? [`${this.#digest()} AS digest`] : []),
      ...(lastModified ? [`${this.#time('last_modified')} AS last_modified`] : []),
      ...(unchangedFor ? [`${numberSql(this.#columns.unchanged_for!)} AS unchanged_for`] : []),
    ]
    const conditions = this.#clean ? ['true'] : [`(${this.#problem()}) IS NULL`]
    if (part !== undefined && part.of > 1)
      conditions.push(`hash(${this.#url()}) % ${part.of} = ${part.index}`)
    return `SELECT ${columns.join(', ')} FROM ${parquetSource(this.files)} WHERE ${conditions.join(' AND ')}`
  }

  /** The rows that are taken as statements want them, of all pages or of one part. */
  given(part?: PagesPart): GivenVisits {
    const visits = `SELECT * EXCLUDE (changed) FROM (${this.select(part)})`
    return { visits, extras: this.extras, whole: this.#whole }
  }

  /** Counts the rows and those that are not taken, the first of them with their reasons. */
  async check(): Promise<CheckedLog> {
    const text = `CAST(${sqlName(this.#columns.url!.name)} AS VARCHAR)`
    const counted = await this.#engine.rows(
      `SELECT problem, count(*) AS many, sum(blanks) AS blanks, min(seconds) AS "from", max(seconds) AS "to", bool_and(abs(seconds) < 1e12 AND round(seconds * 1e6) / 1e6 = seconds) AS whole FROM (SELECT ${this.#problem()} AS problem, ${this.#time('at')} AS seconds, CASE WHEN ${trimmedSql(text)} <> ${text} THEN 1 ELSE 0 END AS blanks FROM ${parquetSource(this.files)}) GROUP BY problem`,
    )
    this.#blanks = counted.some(({ blanks }) => Number(blanks) > 0)
    const counts = new Map<string, number>()
    let rows = 0
    let span: CheckedLog['span'] = null
    for (const { problem, many, from, to, whole } of counted) {
      if (problem !== null) counts.set(String(problem), Number(many))
      else {
        // Only what is taken is held in memory.
        rows = Number(many)
        span = { from: Number(from), to: Number(to) }
        this.#whole = whole === true
      }
    }
    const total = [...counts.values()].reduce((sum, many) => sum + many, 0)
    this.#clean = total === 0
    const first = total === 0 ? [] : await this.#firstProblems()
    const plain = this.#whole && !Object.values(this.extras).includes(true)
    const bytes = rows * (plain ? bytesOfNumber : bytesOfVisit)
    return { bytes, span, problems: { first, counts, total } }
  }

  /** Each bad row given to the reader of lines, which says what is wrong with it. */
  async #firstProblems(): Promise<Problem[]> {
    const fields = Object.entries(this.#columns)
    const texts = fields.map(
      ([field, column]) => `${textSql(column)} AS ${sqlName(`text ${field}`)}`,
    )
    const source = parquetSource(this.files, ', filename = true, file_row_number = true')
    const rows = await this.#engine.rows(
      `SELECT filename, file_row_number, ${texts.join(', ')} FROM ${source} WHERE (${this.#problem()}) IS NOT NULL ORDER BY filename, file_row_number LIMIT ${shownProblems}`,
    )
    const found: Problem[] = []
    for (const row of rows) {
      const problems = new Problems()
      const taker = this.#lineTaker(problems)
      for (const [field] of fields) {
        const text = row[`text ${field}`]
        const slice = taker.fields.named(field as FieldName)
        if (text !== null) taker.fields.write(slice, String(text))
      }
      taker.take(Number(row.file_row_number) + 1)
      const file = String(row.filename)
      for (const problem of problems.first) found.push({ ...problem, file })
    }
    return found
  }

  /** A reader of lines that knows the unit of the times already, by a visit that is right. */
  #lineTaker(problems: Problems): VisitTaker {
    const { now, zone, time } = this.#settings
    const take = ({ at }: { at: UnixSeconds }) => visitTimeFault(at, { after: -Infinity, now })
    const taker = new VisitTaker(take, { now, zone, time, problems })
    const right = { seconds: now, milliseconds: now * 1000, iso: '1990-01-01T00:00:00Z', cdx: '' }
    taker.fields.clear()
    taker.fields.write(taker.fields.url, 'https://example.org/')
    taker.fields.write(taker.fields.at, String(right[this.kind]))
    taker.fields.write(taker.fields.changed, 'first')
    taker.take(0)
    taker.fields.clear()
    taker.fields.hasDigest = this.extras.digest
    return taker
  }

  #url(): string {
    const { name, type } = this.#columns.url!
    const text = type === 'VARCHAR' ? sqlName(name) : `CAST(${sqlName(name)} AS VARCHAR)`
    return this.#blanks ? trimmedSql(text) : text
  }

  #digest(): string {
    return `NULLIF(${trimmedSql(`CAST(${sqlName(this.#columns.digest!.name)} AS VARCHAR)`)}, '')`
  }

  /** Unix seconds. */
  #time(field: 'at' | 'last_modified'): string {
    const column = this.#columns[field]!
    const number = numberSql(column)
    const value = field === 'at' ? number : `CASE WHEN isfinite(${number}) THEN ${number} END`
    switch (kindOf(column)) {
      case 'number':
        return this.kind === 'milliseconds' ? `${value} / 1e3` : value
      case 'local timestamp':
        return `${value} - ${(this.#settings.zone ?? 0).toExponential()}`
      default:
        return value
    }
  }

  #outcome(): string {
    const { changed, digest } = this.#columns
    const codeOf = (outcome: keyof typeof outcomeCodes) => outcomeCodes[outcome]
    const byDigest = `CASE WHEN ${digest === undefined ? 'false' : `${this.#digest()} IS NULL`} THEN ${codeOf('failed')} ELSE ${codeOf('by-digest')} END`
    if (changed === undefined) return byDigest
    const given = outcomeSql(changed, codeOf)
    if (digest === undefined) return given
    const text = trimmedSql(`CAST(${sqlName(changed.name)} AS VARCHAR)`)
    return `CASE WHEN coalesce(${text}, '') = '' THEN ${byDigest} ELSE ${given} END`
  }

  /** What the log says of the outcome, by name; null where it leaves that to the digest. */
  #word(): string {
    const { changed } = this.#columns
    if (changed === undefined) return 'CAST(NULL AS VARCHAR)'
    const cases = outcomes.map((outcome, code) => `WHEN ${code} THEN '${outcome}'`)
    return `CASE ${outcomeSql(changed, (outcome) => outcomes.indexOf(outcome))} ${cases.join(' ')} END`
  }

  /** The code of what is wrong with a row, in the order in which the reader of lines asks; null where nothing is. */
  #problem(): string {
    const at = this.#time('at')
    const cases = [
      `WHEN ${this.#url()} IS NULL OR ${this.#url()} = '' THEN 'no-url'`,
      `WHEN ${sqlName(this.#columns.at!.name)} IS NULL THEN 'no-time'`,
      ...this.#timeProblems(at),
      ...this.#modifiedProblem(),
      `WHEN ${this.#outcome()} IS NULL THEN 'bad-outcome'`,
    ]
    return `CASE ${cases.join(' ')} END`
  }

  #timeProblems(at: string): string[] {
    const { now, time, zone } = this.#settings
    const kind = kindOf(this.#columns.at!)
    if (kind === 'local timestamp' && zone === undefined) return ["WHEN true THEN 'no-zone'"]
    const future = `WHEN ${at} > ${now.toExponential()} THEN 'time-in-future'`
    if (kind !== 'number') return [future]
    const odd = `WHEN NOT isfinite(${numberSql(this.#columns.at!)}) THEN 'bad-time'`
    if (time !== undefined) return [odd, future]
    const late = `WHEN ${at} > ${now.toExponential()} AND ${at} < ${(now + 10 * YEAR).toExponential()} THEN 'time-in-future'`
    const other = `WHEN ${at} < ${earliest.toExponential()} OR ${at} > ${now.toExponential()} THEN 'ambiguous-time'`
    return [odd, late, other]
  }

  /** Last-Modified in another unit than the visits; 0 is what servers say that know nothing. */
  #modifiedProblem(): string[] {
    const column = this.#columns.last_modified
    if (column === undefined || kindOf(column) !== 'number') return []
    if (this.#settings.time !== undefined) return []
    const at = this.#time('last_modified')
    const latest = this.#settings.now + YEAR
    return [
      `WHEN ${at} <> 0e0 AND (${at} < ${earliest.toExponential()} OR ${at} > ${latest.toExponential()}) THEN 'mixed-times'`,
    ]
  }
}

/** The first bad row, for whoever wants none. */
export function strictly({ first: [problem] }: FoundProblems): InputError {
  const { code, file, line, message } = problem!
  return new InputError(code, `${file}, row ${line}: ${message}`)
}

/** Of bare numbers the unit that the first settle; a timestamp is as good as ISO. */
async function timeKind(
  engine: BulkEngine,
  about: { source: string; column: FileColumn; settings: TableSettings },
): Promise<TimeKind> {
  const { source, column, settings } = about
  if (kindOf(column) !== 'number') return 'iso'
  if (settings.time === 'cdx' || settings.time === 'iso')
    throw new OptionError(
      'options-conflict',
      `an engine does not read numbers as ${settings.time}; leave out --time, or --engine`,
    )
  if (settings.time !== undefined) return settings.time
  const times = new TimeReading(settings)
  const rows = await engine.rows(
    `SELECT ${numberSql(column)} AS value FROM ${source} LIMIT ${settlingRows}`,
  )
  for (const { value } of rows) if (value !== null) times.ofNumber(Number(value))
  return times.kind ?? 'seconds'
}

function refuseText(column: FileColumn, file: string): void {
  if (kindOf(column) !== 'text') return
  throw new InputError(
    'text-column',
    `${file}: the column ${column.name} is of type ${column.type}, which an engine does not read as a time; write numbers or timestamps, or leave out --engine and name one file`,
  )
}

function textSql(column: FileColumn): string {
  const name = sqlName(column.name)
  switch (kindOf(column)) {
    case 'timestamp':
      return `strftime(make_timestamp(epoch_us(${name})), '%Y-%m-%dT%H:%M:%S.%fZ')`
    case 'local timestamp':
      return `strftime(make_timestamp(epoch_us(${name})), '%Y-%m-%dT%H:%M:%S.%f')`
    default:
      return `CAST(${name} AS VARCHAR)`
  }
}
