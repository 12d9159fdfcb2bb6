import { type FoundProblems, Problems } from '../formats/problems.js'
import { type TimeKind, timeKinds } from '../formats/time/log-times.js'
import { normalUrl, trackingParameters } from '../formats/url.js'
import { GatheredVisits } from '../formats/visit-log/gathered-visits.js'
import { readParquet } from '../formats/visit-log/parquet.js'
import {
  type ReadReport,
  readVisits,
  type VisitFormat,
  visitFormats,
} from '../formats/visit-log/read-visits.js'
import type { TakeVisit } from '../formats/visit-log/visit-line.js'
import { InputError, OptionError } from '../model/errors.js'
import type { Seconds, UnixSeconds } from '../model/units.js'
import type { FlagsOf, OptionLine } from './command.js'
import type { Configured } from './configured.js'
import type { Environment, Source } from './environment.js'
import { counted, oneOf } from './text/numbers.js'
import { parseZone } from './text/time.js'

/** How the lines of a log are read. */
export const logOptions = [
  [
    '-f, --format <name>',
    'csv, jsonl, cdx, cdxj, warc or parquet; found from the content',
    oneOf(...visitFormats),
  ],
  [
    '-t, --time <kind>',
    'how times are written: seconds, milliseconds, iso or cdx',
    oneOf(...timeKinds),
  ],
  ['-z, --zone <zone>', 'zone of ISO times that name none: utc, or +02:00', parseZone],
] as const satisfies readonly OptionLine[]

export interface LogSettings {
  readonly format: VisitFormat | undefined
  readonly time: TimeKind | undefined
  readonly zone: Seconds | undefined
}

export function logSettings({ format, time, zone }: FlagsOf<typeof logOptions>): LogSettings {
  return { format, time, zone }
}

interface LogReading {
  /** A path, or `-` or nothing for what is piped in. */
  readonly file: string | undefined
  readonly take: TakeVisit
  /** Sorted: pages are written while the log is read. */
  readonly settings: LogSettings & { readonly now: UnixSeconds; readonly sorted?: boolean }
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
    writes: reading.settings.sorted === true,
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
  return readParquet(path, take, {
    ...settings,
    problems,
    loadDuckDb,
    pause: () => out.drained(),
  })
}

/**
 * The visits of a log, page by page, for the store of a collection: addresses
 * as they are kept there, lines that are none named on standard error.
 */
export async function gatheredVisits(
  { environment, crawler, config }: Configured,
  {
    file,
    flags,
    strict = false,
  }: {
    readonly file: string | undefined
    readonly flags: FlagsOf<typeof logOptions>
    readonly strict?: boolean
  },
): Promise<{ readonly gathered: GatheredVisits; readonly problems: Problems }> {
  const now = crawler.clock.now()
  const settings = { ...logSettings(flags), now }
  const problems = new Problems({ strict })
  const normal = config.dropTracking ? { without: trackingParameters } : {}
  const address = (text: string) => normalUrl(text, normal)
  const gathered = new GatheredVisits({ now, address })
  const read = await logOf(environment, { file, take: gathered.take, settings, problems })
  for (const line of problemLines(problems, read)) environment.err.write(`${line}\n`)
  return { gathered, problems }
}

/** What a run came to. */
export interface Tally {
  readonly pages: number
  readonly visits: number
  readonly changes: number
  readonly problems: FoundProblems
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
  const counts = [
    counted(pages, 'page'),
    counted(visits, 'visit'),
    counted(changes, 'change'),
  ].join(', ')
  const times =
    read.time === undefined || read.format === 'warc' ? '' : `; times read as ${kinds[read.time]}`
  const skipped = problems.total === 0 ? '' : `; ${counted(problems.total, unitOf(read))} skipped`
  return `${counts}${times}${skipped}`
}

/** The problems for a person: the first by number and reason, the rest counted by reason. */
export function problemLines(problems: FoundProblems, read: ReadReport | undefined): string[] {
  const unit = read === undefined ? 'line' : unitOf(read)
  const lines = problems.first.map(({ file, line, message }) => {
    const where = file === undefined ? '' : `${file}, `
    return `${where}${unit} ${line}: ${message}`
  })
  const more = problems.total - problems.first.length
  if (more === 0) return lines
  const reasons = [...problems.counts].sort((a, b) => b[1] - a[1])
  const tallied = reasons.map(([code, times]) => `${times} ${code}`).join(', ')
  return [...lines, `and ${counted(more, unit)} more; in all ${tallied}`]
}

function unitOf({ format }: ReadReport): 'line' | 'row' | 'record' {
  if (format === 'warc') return 'record'
  return format === 'parquet' ? 'row' : 'line'
}
