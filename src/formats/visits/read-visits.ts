import { InputError } from '../../model/index.js'
import { type Chunks, plainBytes } from '../bytes/gunzip.js'
import { type RecordScanner, RecordWindow } from '../bytes/record-window.js'
import { refusal } from '../refusal.js'
import type { TimeKind, TimeOptions } from '../time/time-reading.js'
import { CdxScanner } from './cdx.js'
import { CdxjScanner } from './cdxj.js'
import { CsvScanner } from './csv.js'
import { detectFormat, type VisitFormat } from './detect.js'
import { headed } from './head.js'
import { JsonlScanner } from './jsonl.js'
import { Problems } from './problems.js'
import type { RecordTaker } from './record-taker.js'
import { type TakeVisit, VisitTaker } from './visit-taker.js'

export interface ReadOptions extends TimeOptions {
  /** Found from the content unless said. */
  readonly format?: VisitFormat | undefined
  /** Where the lines that are not taken go; strict ones throw at the first. */
  readonly problems?: Problems
  /** Called between chunks, and waited for: the place to let output drain. */
  readonly pause?: (() => Promise<void> | void) | undefined
}

export interface ReadReport {
  readonly format: VisitFormat
  /** How times were read; undefined if there were none. */
  readonly time: TimeKind | undefined
  /** Whether that was given rather than found. */
  readonly timeGiven: boolean
}

/**
 * Reads the visits of a log from bytes, gzipped or not: CSV, JSON lines, CDX
 * or CDXJ. Every line ends as a visit or as a problem with its number and
 * reason. Constant memory, one pass.
 */
export async function readVisits(
  chunks: Chunks,
  take: TakeVisit,
  options: ReadOptions,
): Promise<ReadReport> {
  const problems = options.problems ?? new Problems()
  const { head, whole } = await headed(plainBytes(chunks))
  const format = options.format ?? detectFormat(head)
  // The timestamps of archives are always written in one way.
  const time = format === 'cdx' || format === 'cdxj' ? 'cdx' : options.time
  const taker = new VisitTaker(take, { ...options, time, problems })
  const window = new RecordWindow(scannerFor(format, taker), problems)
  try {
    for await (const chunk of whole) {
      window.push(chunk)
      await options.pause?.()
    }
    window.end()
  } catch (error) {
    reportDamage(error, { problems, line: window.line })
  }
  return { format, ...taker.times }
}

/** A stream that breaks off is a problem of its last line, which is lost; what came before counts. */
function reportDamage(error: unknown, { problems, line }: { problems: Problems; line: number }) {
  const broken =
    error instanceof InputError && (error.code === 'cut-short' || error.code === 'damaged')
  if (!broken) throw error
  problems.add(
    line,
    refusal(error.code, () => error.message),
  )
}

function scannerFor(format: VisitFormat, taker: RecordTaker): RecordScanner {
  switch (format) {
    case 'csv':
      return new CsvScanner(taker)
    case 'jsonl':
      return new JsonlScanner(taker)
    case 'cdx':
      return new CdxScanner(taker)
    case 'cdxj':
      return new CdxjScanner(taker)
    case 'parquet':
      throw new InputError(
        'parquet-stream',
        'Parquet is not read from a stream; name the file itself',
      )
  }
}
