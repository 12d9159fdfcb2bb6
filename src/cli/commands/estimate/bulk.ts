import { estimateScript, estimateStatement } from '../../../estimators/bulk/statement.js'
import { visitLogSelect } from '../../../estimators/bulk/visit-log.js'
import { sqlText } from '../../../formats/duckdb.js'
import type { FoundProblems } from '../../../formats/problems.js'
import { InputError } from '../../../model/errors.js'
import { type BulkResults, bulkEstimates } from '../../bulk/bulk-run.js'
import type { BulkEngine } from '../../bulk/engine.js'
import { resultColumns, resultRecords, rowEstimate } from '../../bulk/estimate-rows.js'
import { VisitTable } from '../../bulk/visit-table.js'
import { type Environment, exitCode } from '../../environment.js'
import { JsonArray } from '../../text/json.js'
import { counted } from '../../text/numbers.js'
import { closingLine, problemLines, type Tally } from '../../visit-log.js'
import { type BulkSettings, bulkSettings, printedDialect } from './bulk-options.js'
import { estimateTable } from './estimate-table.js'
import type { EstimateFlags, EstimateSettings, Order } from './options.js'

interface Asked {
  readonly files: readonly string[]
  readonly flags: EstimateFlags
  readonly settings: EstimateSettings
}

/** The statement itself, over a table or view `visit_log` with url, at and changed. */
export function printStatement(environment: Environment, { flags, settings }: Asked): number {
  const dialect = printedDialect(flags)!
  const { method } = bulkSettings(flags, settings)
  const extras = { digest: false, lastModified: false, unchangedFor: false }
  const visits = visitLogSelect(dialect, 'visit_log')
  const { level } = settings
  const asked = { dialect, visits, extras, method, level }
  const script = dialect.name === 'spark' ? estimateScript(asked) : estimateStatement(asked)
  environment.out.write(`${script.trimEnd()}\n`)
  return exitCode.done
}

/** Estimates by an engine, over as many files as there are. */
export async function bulkEstimate(environment: Environment, asked: Asked): Promise<number> {
  const settings = bulkSettings(asked.flags, asked.settings)
  const { output } = settings
  const engine = await environment.engine(settings)
  try {
    const files = await engine.files(asked.files)
    if (output !== undefined) await environment.mayReplace(output.path, files)
    const table = await VisitTable.open(engine, { files, settings: asked.settings })
    const { rows, problems } = await table.check()
    if (asked.settings.strict && problems.first[0] !== undefined) throw strictly(problems)
    const { method } = settings
    const { level } = asked.settings
    const { progress } = environment
    const results = await bulkEstimates({ engine, progress }, { table, rows, method, level })
    if (output === undefined) await show(environment, { engine, results, settings: asked.settings })
    else await write({ engine, results, output, settings: asked.settings })
    const read = { format: 'parquet', time: table.kind, timeGiven: false } as const
    report(environment, { tally: { ...results, problems, read }, asked, files })
    return results.visits === 0 ? exitCode.nothingLeft : exitCode.done
  } finally {
    await engine.close()
  }
}

function strictly({ first: [problem] }: FoundProblems): InputError {
  const { code, file, line, message } = problem!
  return new InputError(code, `${file}, row ${line}: ${message}`)
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
  about: { tally: Tally & { readonly repeated: number }; asked: Asked; files: readonly string[] },
): void {
  const { tally, asked, files } = about
  for (const line of problemLines(tally.problems, tally.read)) err.write(`${line}\n`)
  if (tally.repeated > 0)
    err.write(
      `${counted(tally.repeated, 'visit')} at the same time as another of the page: one of each is kept (do files overlap?)\n`,
    )
  const from = files.length > 1 ? ` of ${counted(files.length, 'file')}` : ''
  // Visits at the time of another are skipped as --sort skips them.
  const problems = { ...tally.problems, total: tally.problems.total + tally.repeated }
  const closing = `${closingLine({ ...tally, problems })}${from}\n`
  if (tally.visits === 0)
    err.write(
      `${closing.trimEnd()}: there was no visit to estimate from; see revisit estimate --help\n`,
    )
  else if (asked.settings.json || asked.flags.output !== undefined) err.write(closing)
  else out.write(`\n${closing}`)
}
