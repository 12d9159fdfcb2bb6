import { estimateSteps, oneStatement, script } from '../../../estimators/bulk/statement.js'
import { visitLogSelect } from '../../../estimators/bulk/visit-log.js'
import { isNoParquet, sqlText } from '../../../formats/duckdb.js'
import { Problems } from '../../../formats/problems.js'
import type { TimeKind } from '../../../formats/time/log-times.js'
import { EnvironmentError, InputError, OptionError } from '../../../model/errors.js'
import { type BulkResults, bulkEstimates } from '../../bulk/bulk-run.js'
import type { BulkEngine } from '../../bulk/engine.js'
import { resultColumns, resultRecords, rowEstimate } from '../../bulk/estimate-rows.js'
import { SumsFolder } from '../../bulk/sums-folder.js'
import { partsOfSums, sumsSelect } from '../../bulk/sums-run.js'
import { strictly, VisitTable } from '../../bulk/visit-table.js'
import { visitsByPart } from '../../bulk/visits-by-part.js'
import { type Environment, exitCode } from '../../environment.js'
import { JsonArray } from '../../text/json.js'
import { counted } from '../../text/numbers.js'
import { closingLine, problemLines, type Tally } from '../../visit-log.js'
import { type BulkSettings, bulkSettings } from './bulk-options.js'
import { estimateTable } from './estimate-table.js'
import type { EstimateFlags, EstimateSettings, Order } from './options.js'

interface Asked {
  readonly files: readonly string[]
  readonly flags: EstimateFlags
  readonly settings: EstimateSettings
}

/** The statement itself, over a table or view `visit_log` with url, at and changed, or `visit_sums`. */
export function printStatement(environment: Environment, { flags, settings }: Asked): number {
  const dialect = flags.printSql!
  const { method } = bulkSettings(flags, settings)
  const extras = { digest: false, lastModified: false, unchangedFor: false }
  const given =
    flags.sums === true
      ? { sums: 'SELECT * FROM visit_sums' }
      : { visits: visitLogSelect(dialect, 'visit_log'), extras }
  const { level, pseudoGaps } = settings
  const steps = estimateSteps({ ...given, dialect, method, level, pseudoGaps })
  const text = dialect.name === 'spark' ? script(steps) : oneStatement(dialect, steps)
  environment.out.write(`${text.trimEnd()}\n`)
  return exitCode.done
}

/** Estimates by an engine, over as many files as there are. */
export async function bulkEstimate(environment: Environment, asked: Asked): Promise<number> {
  const settings = bulkSettings(asked.flags, asked.settings)
  const { output } = settings
  const { progress } = environment
  if (output !== undefined) await environment.mayReplace(output.path)
  const engine = await environment.engine(settings)
  try {
    const log =
      (await sumsLog(engine, asked)) ??
      (await visitsLog({ engine, progress }, asked).catch(adviseLines))
    if (output !== undefined) await environment.mayReplace(output.path, log.files)
    const { method } = settings
    const { level, pseudoGaps } = asked.settings
    const estimates = { given: log.given, parts: log.parts, method, level, pseudoGaps }
    const results = await bulkEstimates({ engine, progress }, estimates)
    if (output === undefined) await show(environment, { engine, results, settings: asked.settings })
    // The result of another day is not replaced by none.
    else if (results.visits > 0) await write({ engine, results, output, settings: asked.settings })
    report(environment, { results, log, asked })
    return results.visits === 0 ? exitCode.nothingLeft : exitCode.done
  } finally {
    await engine.close()
  }
}

/** What estimates are made of: visits, or sums of them. */
interface BulkLog extends Pick<Parameters<typeof bulkEstimates>[1], 'given' | 'parts'> {
  readonly files: readonly string[]
  /** How rows were read; undefined for sums, whose rows were read when they were added. */
  readonly read: (Pick<Tally, 'problems'> & { readonly time: TimeKind }) | undefined
}

async function visitsLog(
  running: { engine: BulkEngine; progress: Environment['progress'] },
  { files: named, settings }: Asked,
): Promise<BulkLog> {
  const { engine } = running
  const files = await engine.files(named)
  const table = await VisitTable.open(engine, { files, settings })
  const { bytes, problems } = await table.check()
  if (settings.strict && problems.first[0] !== undefined) throw strictly(problems)
  return {
    files,
    ...(await visitsByPart(running, { table, bytes })),
    read: { problems, time: table.kind },
  }
}

/** Of the commands that read Parquet, this one takes logs of lines too: where there is no Parquet it says how. */
function adviseLines(error: unknown): never {
  if (error instanceof EnvironmentError && error.code === 'no-parquet')
    throw new EnvironmentError(
      error.code,
      `${error.message}; name a log as CSV or JSON lines by its file`,
    )
  if (error instanceof InputError && isNoParquet(error.cause))
    throw new InputError(
      error.code,
      `${error.message} (a log as CSV or JSON lines is named alone, without --engine)`,
      { cause: error.cause },
    )
  throw error
}

/** A folder of `revisit sums`; undefined where it is none. */
async function sumsLog(engine: BulkEngine, { files }: Asked): Promise<BulkLog | undefined> {
  const folders = await Promise.all(files.map((path) => SumsFolder.open(engine, path)))
  const folder = folders.find(({ list }) => list !== null)
  if (folder === undefined) return undefined
  if (folders.length > 1)
    throw new OptionError(
      'options-conflict',
      `${folder.path} holds sums, which are estimated by themselves; name no other file beside it`,
    )
  return {
    files: folder.files,
    given: (part) => ({ sums: sumsSelect(folder.files, part) }),
    parts: partsOfSums(folder.periods, engine),
    read: undefined,
  }
}

const orders: Record<Order, string> = {
  url: 'url',
  period:
    "CASE WHEN verdict = 'always-changed' THEN CASE WHEN low > 0 THEN 1 / low END ELSE change_period END NULLS LAST, url",
  changes: 'changes DESC, url',
}

/** Results as they are asked for: `what` of them in which order, and how many. */
function selected(
  { source }: BulkResults,
  { what, order, top }: { what: string; order: Order | undefined; top: number },
): string {
  const sorted = order === undefined ? '' : ` ORDER BY ${orders[order]}`
  const limited = top === Infinity ? '' : ` LIMIT ${top}`
  return `SELECT ${what} FROM (SELECT * FROM ${source}${sorted}${limited})`
}

async function show(
  { out }: Environment,
  about: { engine: BulkEngine; results: BulkResults; settings: EstimateSettings },
): Promise<void> {
  const { engine, results, settings } = about
  const { json, order = 'url', top, level } = settings
  const array = new JsonArray(out)
  const table = json ? undefined : estimateTable({ level }, out)
  await engine.each(selected(results, { what: resultColumns, order, top }), async (rows) => {
    for (const row of rows) {
      const { url, estimate } = rowEstimate(row)
      if (table === undefined) array.record({ url, ...estimate })
      else table.page(url, estimate)
    }
    await out.drained()
  })
  if (table === undefined) array.end()
  else table.end()
}

const formats = {
  parquet: { what: resultColumns, options: 'FORMAT parquet' },
  csv: { what: resultColumns, options: 'FORMAT csv, HEADER' },
  jsonl: { what: resultRecords, options: 'FORMAT json' },
}

async function write(about: {
  engine: BulkEngine
  results: BulkResults
  output: NonNullable<BulkSettings['output']>
  settings: EstimateSettings
}): Promise<void> {
  const { engine, results, output, settings } = about
  const { what, options } = formats[output.format]
  const { order, top } = settings
  const sql = selected(results, { what, order, top })
  await engine.publish(output.path, (partial) =>
    engine.run(`COPY (${sql}) TO ${sqlText(partial)} (${options})`),
  )
}

function report(
  { out, err }: Environment,
  about: { results: BulkResults; log: BulkLog; asked: Asked },
): void {
  const { results, asked, log } = about
  const { files } = log
  const problems = log.read?.problems ?? new Problems()
  const read = { format: 'parquet', time: log.read?.time, timeGiven: false } as const
  for (const line of problemLines(problems, read)) err.write(`${line}\n`)
  if (results.repeated > 0)
    err.write(
      `${counted(results.repeated, 'visit')} at the same time as another of the page: one of each is kept (do files overlap?)\n`,
    )
  const from = files.length > 1 ? ` of ${counted(files.length, 'file')}` : ''
  // Visits at the time of another are skipped as --sort skips them.
  const skipped = { ...problems, total: problems.total + results.repeated }
  const closing = `${closingLine({ ...results, problems: skipped, read })}${from}\n`
  if (results.visits === 0)
    err.write(
      `${closing.trimEnd()}: there was no visit to estimate from; see revisit estimate --help\n`,
    )
  else if (asked.settings.json || asked.flags.output !== undefined) err.write(closing)
  else out.write(`\n${closing}`)
}
