import type { Refusal } from '../refusal.js'
import type { TimeKind, TimeOptions } from '../time/time-reading.js'
import { LineReader } from './line-reader.js'
import type { Problems } from './problems.js'
import type { RecordTaker } from './record-taker.js'
import { VisitFields } from './visit-fields.js'
import type { VisitLine } from './visit-line.js'

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
