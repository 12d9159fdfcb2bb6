import { type Outcome, outcomes } from '../../model/history.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'
import { ByteSlice, numberField } from '../bytes/byte-slice.js'
import { quoted } from '../printable-text.js'
import { type Problems, type Refusal, refusal } from '../problems.js'
import {
  LastModifiedReading,
  type TimeKind,
  type TimeOptions,
  TimeReading,
} from '../time/log-times.js'
import { type RecordTaker, VisitFields } from './visit-fields.js'

/**
 * One visit as a line of a log tells it. The reader fills the same object for
 * every line: copy what you keep.
 */
export class VisitLine {
  line = 0
  /** What tells pages apart: the URL, or the canonical key of a CDX line. */
  readonly key = new ByteSlice()
  /** What a person calls the page. */
  readonly url = new ByteSlice()
  at: UnixSeconds = 0
  /** `by-digest`: changed if the digest differs from that of the successful visit before. */
  outcome: Outcome | 'by-digest' = 'first'
  readonly digest = new ByteSlice()
  lastModified: UnixSeconds | undefined = undefined
  unchangedFor: Seconds | undefined = undefined
}

/** A visit of a table whose columns have types; filled anew for every row. */
export interface TypedVisit {
  readonly url: ByteSlice
  /** A number as the log has it, or Unix seconds where it is a timestamp. */
  at: number
  isTimestamp: boolean
  outcome: Outcome | 'by-digest'
  readonly digest: ByteSlice
  /** As `at`; NaN where there is none. */
  lastModified: number
  isTimestampModified: boolean
  /** NaN where there is none. */
  unchangedFor: Seconds
}

/** What the `changed` column may say, in lower case, and the outcome that it means. */
export const outcomeWords: ReadonlyMap<string, Outcome> = new Map<string, Outcome>([
  ['true', 'changed'],
  ['1', 'changed'],
  ['yes', 'changed'],
  ['false', 'unchanged'],
  ['0', 'unchanged'],
  ['no', 'unchanged'],
  ...outcomes.map((outcome) => [outcome, outcome] as const),
])

const longest = Math.max(...[...outcomeWords.keys()].map((word) => word.length))

/**
 * What the `changed` column says: true or false, 1 or 0, yes or no, or an
 * outcome by name, in any case. Undefined if it is none of these. The two
 * commonest spellings are read without making a text.
 */
function outcomeWord(field: ByteSlice): Outcome | undefined {
  const { bytes, start, end } = field
  if (end - start === 1) {
    if (bytes[start] === 0x30) return 'unchanged'
    if (bytes[start] === 0x31) return 'changed'
  }
  if (isWord(field, trueBytes)) return 'changed'
  if (isWord(field, falseBytes)) return 'unchanged'
  if (end - start > longest) return undefined
  return outcomeWords.get(field.text().toLowerCase())
}

const trueBytes = new TextEncoder().encode('true')
const falseBytes = new TextEncoder().encode('false')

function isWord({ bytes, start, end }: ByteSlice, word: Uint8Array): boolean {
  if (end - start !== word.length) return false
  for (let i = 0; i < word.length; i++) if (bytes[start + i] !== word[i]) return false
  return true
}

/**
 * Turns the fields of a record into a visit, or says why not. What the fields
 * mean is the same in every format; the formats only find them.
 */
class LineReader {
  readonly visit = new VisitLine()
  readonly times: TimeReading
  readonly #lastModified: LastModifiedReading

  constructor(options: TimeOptions) {
    this.times = new TimeReading(options)
    this.#lastModified = new LastModifiedReading(options, this.times)
  }

  /** Fills `visit`; a refusal if the record tells of no visit. */
  read(fields: VisitFields): Refusal | undefined {
    const { visit } = this
    if (fields.url.length === 0) return noUrl
    visit.url.copyFrom(fields.url)
    visit.key.copyFrom(fields.key.length === 0 ? fields.url : fields.key)
    const at = this.times.read(fields.at)
    if (typeof at !== 'number') return at
    visit.at = at
    const lastModified = this.#lastModified.read(fields.lastModified)
    if (typeof lastModified === 'object') return lastModified
    visit.lastModified = lastModified
    visit.unchangedFor =
      fields.unchangedFor.length === 0 ? undefined : unlessNaN(numberField(fields.unchangedFor))
    return this.#outcome(fields)
  }

  /** Fills `visit` from values that are no texts; false where only `read` can say what they are. */
  readTyped(typed: TypedVisit): boolean {
    const { visit } = this
    if (typed.url.length === 0) return false
    const at = typed.isTimestamp ? this.times.ofTimestamp(typed.at) : this.times.ofNumber(typed.at)
    if (Number.isNaN(at)) return false
    visit.at = at
    visit.lastModified = undefined
    if (!Number.isNaN(typed.lastModified)) {
      const modified = typed.isTimestampModified
        ? typed.lastModified
        : this.#lastModified.ofNumber(typed.lastModified)
      if (Number.isNaN(modified)) return false
      visit.lastModified = modified
    }
    visit.unchangedFor = Number.isFinite(typed.unchangedFor) ? typed.unchangedFor : undefined
    visit.url.copyFrom(typed.url)
    visit.key.copyFrom(typed.url)
    visit.outcome = typed.outcome
    visit.digest.copyFrom(typed.digest)
    return true
  }

  #outcome({ changed, digest, hasDigest }: VisitFields): Refusal | undefined {
    const { visit } = this
    if (changed.length > 0) {
      const outcome = outcomeWord(changed)
      if (outcome === undefined) return badOutcome(changed)
      visit.outcome = outcome
      return undefined
    }
    if (!hasDigest) return noOutcome
    visit.outcome = digest.length === 0 ? 'failed' : 'by-digest'
    visit.digest.copyFrom(digest)
    return undefined
  }
}

/** Left out where it is no number, as one that cannot be is left out when gaps are made of visits. */
function unlessNaN(number: number): number | undefined {
  return Number.isNaN(number) ? undefined : number
}

const noOutcome = refusal(
  'bad-outcome',
  () => 'nothing says whether the page changed; write failed for a visit that failed',
)
const noUrl = refusal('no-url', () => 'the url is empty')

function badOutcome(field: VisitFields['changed']): Refusal {
  return refusal(
    'bad-outcome',
    () =>
      `changed is ${quoted(field)}; write true or false, or one of changed, unchanged, first, failed, gone, refused`,
  )
}

/** Takes a visit, or says why it cannot be. The visit is filled anew for the next line. */
export type TakeVisit = (visit: VisitLine) => Refusal | undefined

/** Stands between a format and the taker of visits: each record ends as a visit or a problem. */
export class VisitTaker implements RecordTaker {
  readonly fields = new VisitFields()
  readonly #reader: LineReader
  readonly #take: TakeVisit
  readonly #problems: Problems

  constructor(take: TakeVisit, options: TimeOptions & { readonly problems: Problems }) {
    this.#take = take
    this.#reader = new LineReader(options)
    this.#problems = options.problems
  }

  take(line: number): void {
    const refused = this.#reader.read(this.fields) ?? this.#hand(line)
    if (refused !== undefined) this.refuse(line, refused)
  }

  /** The same for a row of types; false where it has to be given again as texts. */
  takeTyped(line: number, typed: TypedVisit): boolean {
    if (!this.#reader.readTyped(typed)) return false
    const refused = this.#hand(line)
    if (refused !== undefined) this.refuse(line, refused)
    return true
  }

  refuse(line: number, refused: Refusal): void {
    this.#problems.add(line, refused)
  }

  /** How times were read so far, and whether that was given rather than found. */
  get times(): { readonly time: TimeKind | undefined; readonly timeGiven: boolean } {
    const { kind, given } = this.#reader.times
    return { time: kind, timeGiven: given }
  }

  #hand(line: number): Refusal | undefined {
    this.#reader.visit.line = line
    return this.#take(this.#reader.visit)
  }
}
