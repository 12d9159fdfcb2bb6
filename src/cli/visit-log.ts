import type { Problems } from '../formats/problems.js'
import { readParquet } from '../formats/visit-log/parquet.js'
import { type ReadReport, readVisits } from '../formats/visit-log/read-visits.js'
import type { TakeVisit } from '../formats/visit-log/visit-line.js'
import { InputError, OptionError } from '../model/errors.js'
import type { EstimateSettings } from './commands/estimate/options.js'
import type { Environment, Source } from './environment.js'

interface LogReading {
  /** A path, or `-` or nothing for what is piped in. */
  readonly file: string | undefined
  readonly take: TakeVisit
  readonly settings: EstimateSettings
  readonly problems: Problems
}

/** Reads the visits of a log, whatever its format, and shows how far it is. */
export async function logOf(environment: Environment, reading: LogReading): Promise<ReadReport> {
  const { file, settings } = reading
  const path = file === undefined || file === '-' ? undefined : file
  const source = path === undefined ? piped(environment) : await environment.open(path)
  if (settings.format === 'parquet' && path !== undefined)
    return parquet(environment, { reading, path })
  try {
    return await streamed(environment, { reading, source })
  } catch (error) {
    const isParquet = error instanceof InputError && error.code === 'parquet-stream'
    if (!isParquet || path === undefined) throw error
    return parquet(environment, { reading, path })
  }
}

function piped(environment: Environment): Source {
  if (environment.input !== undefined) return environment.input
  throw new OptionError(
    'no-input',
    'name the log to read, or pipe it in; see revisit estimate --help',
  )
}

async function streamed(
  environment: Environment,
  { reading, source }: { reading: LogReading; source: Source },
): Promise<ReadReport> {
  const progress = environment.progress({
    label: 'reading',
    total: source.size,
    writes: reading.settings.sorted,
  })
  const pause = async () => {
    progress.at(source.bytesRead())
    await environment.out.drained()
  }
  const { settings, problems, take } = reading
  try {
    return await readVisits(source.chunks, take, { ...settings, problems, pause })
  } finally {
    progress.stop()
  }
}

function parquet(
  { loadDuckDb, out }: Environment,
  { reading, path }: { reading: LogReading; path: string },
): Promise<ReadReport> {
  const { settings, problems, take } = reading
  return readParquet(path, take, { ...settings, problems, loadDuckDb, pause: () => out.drained() })
}

/** What a run came to. */
export interface Tally {
  readonly pages: number
  readonly visits: number
  readonly changes: number
  readonly problems: Problems
  readonly read: ReadReport
}

const kinds = {
  seconds: 'Unix seconds',
  milliseconds: 'Unix milliseconds',
  iso: 'ISO 8601',
  cdx: 'timestamps of 14 digits, UTC',
}

/** The closing line: what was counted, how times were read, what was skipped. */
export function closingLine({ pages, visits, changes, problems, read }: Tally): string {
  const counts = [count(pages, 'page'), count(visits, 'visit'), count(changes, 'change')].join(', ')
  const times = read.time === undefined ? '' : `; times read as ${kinds[read.time]}`
  const skipped = problems.total === 0 ? '' : `; ${count(problems.total, unitOf(read))} skipped`
  return `${counts}${times}${skipped}`
}

/** The problems for a person: the first by number and reason, the rest counted by reason. */
export function problemLines(problems: Problems, read: ReadReport | undefined): string[] {
  const unit = read === undefined ? 'line' : unitOf(read)
  const lines = problems.first.map(({ line, message }) => `${unit} ${line}: ${message}`)
  const more = problems.total - problems.first.length
  if (more === 0) return lines
  const reasons = [...problems.counts].sort((a, b) => b[1] - a[1])
  const counted = reasons.map(([code, times]) => `${times} ${code}`).join(', ')
  return [...lines, `and ${count(more, unit)} more; in all ${counted}`]
}

function unitOf(read: ReadReport): 'line' | 'row' {
  return read.format === 'parquet' ? 'row' : 'line'
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}
