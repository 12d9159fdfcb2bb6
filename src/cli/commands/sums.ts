import { dialectNamed } from '../../estimators/bulk/dialect.js'
import { oneStatement, script, sumsSteps } from '../../estimators/bulk/statement.js'
import { visitLogSelect } from '../../estimators/bulk/visit-log.js'
import { humanTime } from '../../model/duration.js'
import { InputError, OptionError } from '../../model/errors.js'
import type { BulkEngine } from '../bulk/engine.js'
import { engineOptions, engineSettings } from '../bulk/engine-options.js'
import { SumsFolder, type SumsPeriod } from '../bulk/sums-folder.js'
import { addVisits } from '../bulk/sums-run.js'
import { strictly, VisitTable } from '../bulk/visit-table.js'
import { type FlagsOf, plainCommand } from '../command.js'
import { type Environment, exitCode } from '../environment.js'
import { answer } from '../text/json.js'
import { counted } from '../text/numbers.js'
import { parseNow } from '../text/time.js'
import { logOptions, logSettings, problemLines } from '../visit-log.js'

const sumsOptions = [
  ['--into <folder>', 'the folder of sums; made where it is not there'],
  ['--bins', 'keep changed gaps in bins: smaller, and rates up to 1.08% too low'],
  ...logOptions,
  ['--now <time>', 'the present, after which nothing was seen (default: the clock)', parseNow],
  ['--strict', 'stop at the first bad row'],
  ...engineOptions,
  ['--print-sql <name>', 'print the statement for duckdb or spark, and do nothing', dialectNamed],
  ['-j, --json', 'what was added as JSON'],
] as const

/** `revisit sums FILES --into FOLDER`: a day's visits added to sums, from which years are estimated without their logs. */
export const sumsCommand = plainCommand({
  description:
    'Add the visits of Parquet files to a folder of sums, a row a page and period. revisit estimate FOLDER then gives the rates of all that was added, without the logs. Days are added once each, in order of time; what is not after the visits that are there is refused as a whole. A run that is stopped changes nothing.',
  arguments: [['[FILES...]', 'Parquet files, folders or patterns: the visits of a day or more']],
  options: sumsOptions,
  more: `Examples:
  revisit sums logs/2026-11-17.parquet --into sums
  revisit sums 'logs/2026-1*.parquet' --into sums --bins
  revisit estimate sums --output rates.parquet
  revisit sums --print-sql spark > sums.sql`,
  async run(environment, [files], flags) {
    if (flags.printSql !== undefined) return printSums(environment, flags)
    if (files.length === 0)
      throw new OptionError('no-input', 'name the Parquet files to add; see revisit sums --help')
    if (flags.into === undefined)
      throw new OptionError('no-folder', 'name the folder of sums: --into sums')
    const added = await addFiles(environment, { files, into: flags.into, flags })
    answer(environment, { json: flags.json, record: added, text: addedText(added) })
    return exitCode.done
  },
})

interface Added extends Omit<SumsPeriod, 'files' | 'level' | 'rows'> {
  readonly pages: number
  readonly folder: string
}

async function addFiles(
  environment: Environment,
  asked: { files: readonly string[]; into: string; flags: FlagsOf<typeof sumsOptions> },
): Promise<Added> {
  const { into, flags } = asked
  const { now = environment.now() } = flags
  const engine = await environment.engine(engineSettings(flags))
  try {
    const files = await engine.files(asked.files)
    const folder = await SumsFolder.open(engine, into)
    if (folder.list === null) await refuseLogs(engine, into)
    const table = await VisitTable.open(engine, { files, settings: { ...logSettings(flags), now } })
    const { bytes, span, problems } = await table.check()
    if (flags.strict === true && problems.first[0] !== undefined) throw strictly(problems)
    const read = { format: 'parquet', time: table.kind, timeGiven: false } as const
    for (const line of problemLines(problems, read)) environment.err.write(`${line}\n`)
    if (span === null)
      throw new InputError('no-visits', 'no row of these files tells of a visit; nothing was added')
    folder.checkAfter(span)
    await environment.makeFolder(into)
    const { progress } = environment
    const {
      files: _,
      level,
      rows: pages,
      ...added
    } = await addVisits(
      { engine, progress },
      { folder, table, log: { bytes, ...span }, bins: flags.bins },
    )
    return { folder: into, pages, ...added }
  } finally {
    await engine.close()
  }
}

/** A folder that holds other Parquet files is likely one of logs. */
async function refuseLogs(engine: BulkEngine, into: string): Promise<void> {
  const other = (await engine.names(into)).find((name) => name.endsWith('.parquet'))
  if (other === undefined || other.startsWith('sums-')) return
  throw new OptionError(
    'not-sums',
    `${into} holds Parquet files that are no sums (${other}); name a folder of its own with --into`,
  )
}

function addedText({ pages, visits, from, to, folder }: Added): string {
  return `${counted(visits, 'visit')} of ${counted(pages, 'page')} added to ${folder}, ${humanTime(from)} to ${humanTime(to)}\n`
}

/** Over a table or view `visit_log` with url, at and changed. */
function printSums({ out }: Environment, flags: FlagsOf<typeof sumsOptions>): number {
  const dialect = flags.printSql!
  const extras = { digest: false, lastModified: false, unchangedFor: false }
  const visits = visitLogSelect(dialect, 'visit_log')
  const steps = sumsSteps({ dialect, visits, extras, bins: flags.bins === true })
  const text = dialect.name === 'spark' ? script(steps) : oneStatement(dialect, steps)
  out.write(`${text.trimEnd()}\n`)
  return exitCode.done
}
