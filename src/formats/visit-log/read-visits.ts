import { InputError } from '../../model/errors.js'
import { LF } from '../bytes/byte-slice.js'
import { type Chunks, plainBytes } from '../bytes/gunzip.js'
import { type RecordScanner, RecordWindow } from '../bytes/record-window.js'
import { Problems, refusal } from '../problems.js'
import type { TimeKind, TimeOptions } from '../time/log-times.js'
import { CdxjScanner, CdxScanner, cdxHeader } from './cdx.js'
import { CsvScanner } from './csv.js'
import { JsonlScanner } from './jsonl.js'
import type { RecordTaker } from './visit-fields.js'
import { type TakeVisit, VisitTaker } from './visit-line.js'
import { warcVisits } from './warc.js'

export const visitFormats = ['csv', 'jsonl', 'cdx', 'cdxj', 'warc', 'parquet'] as const
export type VisitFormat = (typeof visitFormats)[number]

/** As many bytes as are read to find the format. */
const headLength = 1 << 16

/** Whether the head holds all that is needed: a whole line that is not blank. */
function headIsEnough(head: Uint8Array): boolean {
  return head.length >= headLength || textOf(head).trimStart().includes('\n')
}

/**
 * The format of a log, from its first line; throws, naming the option that
 * settles it, if the line fits none. Bytes that say nothing (an empty file)
 * are a CSV without a header.
 */
function detectFormat(head: Uint8Array): VisitFormat {
  const text = textOf(head)
  if (text.startsWith('PAR1')) return 'parquet'
  // An ARC file begins with filedesc: what reads WARC says what to do with it.
  if (/^(?:WARC\/|filedesc:)/.test(text)) return 'warc'
  const line = text.split('\n').find((each) => each.trim() !== '') ?? ''
  if (cdxHeader(Buffer.from(line, 'latin1')) !== undefined) return 'cdx'
  if (line.startsWith('!') || /^\S+ \d{14} \{/.test(line)) return 'cdxj'
  if (/^\S+ \d{14} \S+ \S+ \S+ \S+/.test(line)) return 'cdx'
  if (line.trimStart().startsWith('{')) return 'jsonl'
  if (line.trim() === '' || line.includes(',')) return 'csv'
  if (line.startsWith('['))
    throw new InputError('json-array', 'a JSON array; write one object a line (jq -c ".[]")')
  throw new InputError(
    'unknown-format',
    'the first line fits no format of a log; a CSV begins with a header such as url,at,changed. If you know the format, give --format csv, jsonl, cdx, cdxj, warc or parquet',
  )
}

function textOf(head: Uint8Array): string {
  return Buffer.from(head.subarray(0, headLength)).toString('latin1')
}

/** The beginning of a stream, and all of it: the first chunks are given again. */
interface Headed {
  readonly head: Uint8Array
  readonly whole: Chunks
}

/**
 * Reads the beginning of a stream without losing it. The byte order mark
 * that some programs write first is dropped.
 */
async function headed(chunks: AsyncGenerator<Uint8Array>): Promise<Headed> {
  let head: Uint8Array = new Uint8Array(0)
  let fault: unknown
  try {
    for (let enough = false; !enough; ) {
      const next = await chunks.next()
      if (next.done === true) break
      head = Buffer.concat([head, next.value])
      enough = next.value.includes(LF) && headIsEnough(head)
      enough ||= head.length > 1 << 16
    }
  } catch (error) {
    fault = error
  }
  const plain = withoutMark(head)
  return { head: plain, whole: again({ head: plain, fault, rest: chunks }) }
}

async function* again(stream: {
  head: Uint8Array
  fault: unknown
  rest: Chunks
}): AsyncGenerator<Uint8Array> {
  yield stream.head
  if (stream.fault !== undefined) throw stream.fault
  yield* stream.rest
}

function withoutMark(head: Uint8Array): Uint8Array {
  const marked = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf
  return marked ? head.subarray(3) : head
}

export interface ReadOptions extends TimeOptions {
  /** Found from the content by default. */
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
 * Reads the visits of a log from bytes, gzipped or not: CSV, JSON lines, CDX,
 * CDXJ or WARC. Every line ends as a visit or as a problem with its number and
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
  const time =
    format === 'cdx' || format === 'cdxj' ? 'cdx' : format === 'warc' ? 'seconds' : options.time
  const taker = new VisitTaker(take, { ...options, time, problems })
  const window = format === 'warc' ? null : new RecordWindow(scannerFor(format, taker), problems)
  let record = 0
  try {
    if (window === null) for await (record of warcVisits(whole, taker)) await options.pause?.()
    else {
      for await (const chunk of whole) {
        window.push(chunk)
        await options.pause?.()
      }
      window.end()
    }
  } catch (error) {
    reportDamage(error, { problems, line: window?.line ?? record + 1 })
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

function scannerFor(format: Exclude<VisitFormat, 'warc'>, taker: RecordTaker): RecordScanner {
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
