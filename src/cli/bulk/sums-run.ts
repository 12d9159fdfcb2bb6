import { basename } from 'node:path'
import { dialectNamed } from '../../estimators/bulk/dialect.js'
import { mergeSteps, oneStatement, sumsSteps } from '../../estimators/bulk/statement.js'
import type { Step } from '../../estimators/bulk/visit-outcomes.js'
import { sqlText } from '../../formats/duckdb.js'
import { OptionError } from '../../model/errors.js'
import type { UnixSeconds } from '../../model/units.js'
import type { Environment } from '../environment.js'
import { type BulkEngine, parquetSource, type ShareDone } from './engine.js'
import { type PagesPart, partByPart, partsFor } from './pages-parts.js'
import { type SumsFolder, type SumsPeriod, toMerge } from './sums-folder.js'
import type { VisitTable } from './visit-table.js'
import { visitsByPart } from './visits-by-part.js'

const dialect = dialectNamed('duckdb')

/** Bytes of memory that a row of sums takes while those of its page are put together, and a changed gap of it. */
const bytesOfRow = 400
const bytesOfGap = 24

/** In how many parts of the pages sums are taken, so that each fits into memory. */
export function partsOfSums(periods: readonly SumsPeriod[], engine: BulkEngine): number {
  const bytes = periods.reduce(
    (sum, { rows, changes }) => sum + rows * bytesOfRow + changes * bytesOfGap,
    0,
  )
  return partsFor(bytes, engine)
}

/** The rows of some files of sums; of one of several parts of the pages. */
export function sumsSelect(files: readonly string[], { index, of }: PagesPart): string {
  const part = of === 1 ? '' : ` WHERE hash(url) % ${of} = ${index}`
  return `SELECT * FROM ${parquetSource(files)}${part}`
}

/** Adds the visits of a log, all of them after those that are there, and merges periods where it is time. */
export async function addVisits(
  { engine, progress }: { engine: BulkEngine; progress: Environment['progress'] },
  asked: {
    readonly folder: SumsFolder
    readonly table: VisitTable
    readonly log: { readonly bytes: number; readonly from: UnixSeconds; readonly to: UnixSeconds }
    readonly bins: boolean | undefined
  },
): Promise<SumsPeriod> {
  const { folder, table } = asked
  const { bytes, ...span } = asked.log
  const bins = binsOf(folder, asked.bins)
  const { parts: of, given } = await visitsByPart({ engine, progress }, { table, bytes })
  const bar = progress({ label: 'adding', total: 1000, writes: false })
  try {
    const added = await written(engine, {
      folder,
      of,
      steps: (part) => sumsSteps({ ...given(part), dialect, bins }),
      what: { ...span, level: 0 },
      done: (share) => bar.at(Math.round(1000 * share)),
    })
    let periods = [...folder.periods, added]
    for (let some = toMerge(periods); some.length > 0; some = toMerge(periods)) {
      const merged = await mergedPeriod(engine, { folder, periods: some, bins })
      periods = [...periods.slice(0, -some.length), merged]
    }
    await folder.replace({ version: 1, bins, periods })
    return added
  } finally {
    bar.stop()
  }
}

/** As the folder has it; asked for only where it has nothing yet. */
function binsOf({ list, path }: SumsFolder, asked: boolean | undefined): boolean {
  if (list === null) return asked === true
  if (asked !== true || list.bins) return list.bins
  throw new OptionError(
    'options-conflict',
    `${path} was begun without bins; leave out --bins, or begin another folder with it`,
  )
}

function mergedPeriod(
  engine: BulkEngine,
  about: { folder: SumsFolder; periods: readonly SumsPeriod[]; bins: boolean },
): Promise<SumsPeriod> {
  const { folder, periods, bins } = about
  const files = periods.flatMap((each) => each.files.map((file) => folder.pathOf(file)))
  const of = partsOfSums(periods, engine)
  return written(engine, {
    folder,
    of,
    steps: (part) => mergeSteps({ dialect, sums: sumsSelect(files, part), bins }),
    what: { from: periods[0]!.from, to: periods.at(-1)!.to, level: periods[0]!.level + 1 },
  })
}

/** Writes the sums of a period, a file for each part of the pages. */
async function written(
  engine: BulkEngine,
  about: {
    folder: SumsFolder
    of: number
    steps: (part: PagesPart) => Step[]
    what: Pick<SumsPeriod, 'from' | 'to' | 'level'>
    done?: ShareDone
  },
): Promise<SumsPeriod> {
  const { folder, of, steps, what, done = () => {} } = about
  const summed = async (part: PagesPart, share: ShareDone) => {
    const name = `${what.level}-${part.index}${part.of === of ? '' : `-${part.of}`}`
    const file = folder.newFile(`${basename(engine.folder).slice(-6)}-${name}`)
    const statement = oneStatement(dialect, steps(part))
    const copy = (partial: string) =>
      engine.run(`COPY (${statement}) TO ${sqlText(partial)} (FORMAT parquet)`, share)
    await engine.publish(file, copy).catch((error) => folder.orBusy(error))
    return file
  }
  const files = await partByPart({ engine, of }, summed, done)
  const [counts] = await engine.rows(
    `SELECT count(*) AS rows, coalesce(sum(tried - repeated), 0)::BIGINT AS visits, coalesce(sum(changes), 0)::BIGINT AS changes FROM ${parquetSource(files)}`,
  )
  return {
    from: what.from,
    to: what.to,
    level: what.level,
    rows: Number(counts!.rows),
    visits: Number(counts!.visits),
    changes: Number(counts!.changes),
    files: files.map((file) => basename(file)),
  }
}
