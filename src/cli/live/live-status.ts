import { VisitTally } from '../../crawler/visit-tally.js'
import { humanDuration, humanMoment } from '../../model/duration.js'
import type { Store, StoreHealth } from '../../model/store.js'
import { percent, type UnixSeconds } from '../../model/units.js'
import type { VisitRecord } from '../../model/visit-record.js'
import type { CrawlerEnvironment } from '../environment.js'
import { counted, humanBytes } from '../text/numbers.js'
import { shortened, textWidth } from '../text/table.js'
import type { VisitWords } from './visit-line.js'

/** Lines on a terminal that are written again in their place. */
export class Redrawn {
  readonly #say: (text: string) => void
  #height = 0

  constructor(say: (text: string) => void) {
    this.#say = say
  }

  draw(lines: readonly string[]): void {
    const up = this.#height === 0 ? '' : `\u001b[${this.#height}A`
    // Each line is cleared to its end, and all that was below the last.
    this.#say(`${up}\r${lines.map((line) => `${line}\u001b[K\n`).join('')}\u001b[J`)
    this.#height = lines.length
  }
}

/** A line but for its address: what stands before it and what after. */
interface Frame {
  readonly before: string
  readonly after: string
}

type Shape = (words: VisitWords) => Frame

/** From the whole line to the barest, what a person misses least going first: the date, how long it took, the size, the hour. */
const shapes: readonly Shape[] = [
  (it) => ({
    before: `${it.time}  ${head(it)}`,
    after: `${it.size} in ${it.duration}; ${it.next}`,
  }),
  (it) => ({
    before: `${clock(it)}  ${head(it)}`,
    after: `${it.size} in ${it.duration}; ${it.next}`,
  }),
  (it) => ({ before: `${clock(it)}  ${head(it)}`, after: `${it.size}; ${it.next}` }),
  (it) => ({ before: `${clock(it)}  ${head(it)}`, after: it.next }),
  (it) => ({ before: head(it), after: it.next }),
  (it) => ({ before: head(it), after: '' }),
]
/** So many shapes give way to one that has the whole address; the next visit is left out only for a third of the line. */
const cheap = 4

/** Advice in less room than this says nothing. */
const leastAdvice = 20

/** The last visits as lines within a width, all of one shape, in which each page can be known by its address. */
function fittedVisits(visits: readonly VisitWords[], width: number): string[] {
  const shape = shapes[Math.max(0, ...visits.map((words) => shapeFor(words, width)))]!
  return visits.map((words) => fitted(words, { frame: shape(words), width }))
}

/** The first shape that has room for the address: all of it, or else a third of the width. */
function shapeFor(words: VisitWords, width: number): number {
  const whole = textWidth(words.address)
  const third = Math.min(whole, Math.ceil(width / 3))
  const found = shapes.findIndex(
    (shape, i) => roomBeside(shape(words), width) >= (i < cheap ? whole : third),
  )
  return found < 0 ? shapes.length - 1 : found
}

function roomBeside({ before, after }: Frame, width: number): number {
  return width - textWidth(before) - 2 - (after === '' ? 0 : 2 + textWidth(after))
}

function fitted(
  { address, advice }: VisitWords,
  { frame, width }: { readonly frame: Frame; readonly width: number },
): string {
  const least = Math.min(textWidth(address), Math.ceil(width / 3))
  const room = Math.max(least, roomBeside(frame, width))
  const before = beginning(frame.before, Math.max(0, width - least - 2))
  const after = frame.after === '' ? '' : `  ${frame.after}`
  const line = `${before}  ${shortened(address, room)}${after}`
  const left = width - textWidth(line) - 3
  if (advice === '' || left < leastAdvice) return shortened(line, width)
  return `${line} (${beginning(advice, left)})`
}

function head({ outcome, answer }: VisitWords): string {
  return `${outcome.padEnd(9)}  ${answer.padEnd(4)}`
}

/** `12:00:00Z`. */
function clock({ time }: VisitWords): string {
  return time.replace(/^.*T/, '')
}

/** A text that fits a width: its end gives way, since words are known by their beginning. */
function beginning(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  return `${[...text].slice(0, Math.max(0, width - 1)).join('')}…`
}

interface Status {
  readonly tally: RunTally
  readonly health: StoreHealth
  readonly underWay: number
  readonly now: UnixSeconds
  /** What was last visited. */
  readonly last: readonly VisitWords[]
  /** What a person should know just now, such as that it is stopping. */
  readonly note?: string | undefined
}

/** The live view as lines that fit the terminal: what is due, what is done, what came last. */
export function statusLines(status: Status, { columns }: { readonly columns: number }): string[] {
  const { tally, health, now } = status
  const next =
    health.dueNow === 0 && health.oldestDue !== null
      ? `  next ${humanMoment(health.oldestDue, now)}`
      : ''
  const lines = [
    `${counted(health.pages, 'page')} on ${counted(health.hosts, 'host')}  running for ${humanDuration(Math.max(1, Math.round(now - tally.since)))}`,
    `due ${health.dueNow}  in flight ${status.underWay}${next}`,
    `visits ${tally.total} (${perSecond(tally.visitsPerSecond(now))})  changes ${tally.byOutcome.changed}  304 ${percent(tally.notModifiedShare)}  failed ${tally.byOutcome.failed}  ${humanBytes(tally.bytes)}`,
    ...(status.note === undefined ? [] : [status.note]),
  ]
  // The last column stays free: some terminals go to the next line when it is written.
  const room = columns - 1
  return [
    ...lines.map((line) => shortened(line, room)),
    ...fittedVisits(status.last, room - 2).map((line) => `  ${line}`),
  ]
}

function perSecond(value: number): string {
  return `${value >= 10 ? Math.round(value) : Number(value.toFixed(1))}/s`
}

/** Visits shown below the counts. */
const lastVisits = 5

interface LiveParts {
  readonly crawler: CrawlerEnvironment
  readonly store: Store
  readonly collection: string
  readonly columns: () => number
  readonly tally: RunTally
  readonly underWay: () => number
}

/** The view of a run on a terminal, rendered again once a second until it is ended. */
export class LiveStatus {
  readonly #parts: LiveParts
  readonly #screen: Redrawn
  readonly #over = new AbortController()
  readonly #last: VisitWords[] = []
  readonly #running: Promise<void>
  #note: string | undefined

  constructor(parts: LiveParts) {
    this.#parts = parts
    this.#screen = new Redrawn(parts.crawler.say)
    // A view that cannot be rendered must not end the run.
    this.#running = this.#run().catch(() => {})
  }

  note(text: string): void {
    this.#note = text
  }

  visited(words: VisitWords): void {
    this.#last.unshift(words)
    this.#last.length = Math.min(this.#last.length, lastVisits)
  }

  /** Renders once more and ends. */
  async end(): Promise<void> {
    this.#over.abort()
    await this.#running
    this.#note = undefined
    await this.#draw()
  }

  async #run(): Promise<void> {
    while (!this.#over.signal.aborted) {
      await this.#draw()
      await this.#parts.crawler.clock.sleep(1, this.#over.signal)
    }
  }

  async #draw(): Promise<void> {
    const { store, collection, crawler, tally, underWay, columns } = this.#parts
    const now = crawler.clock.now()
    const health = await store.health({ collection, now })
    const status = { tally, health, now, underWay: underWay(), last: this.#last, note: this.#note }
    this.#screen.draw(statusLines(status, { columns: columns() }))
  }
}

/** Visits a second are counted over this many seconds. */
const recentSeconds = 10

/** What a run has done so far, and how fast it is of late. */
export class RunTally extends VisitTally {
  readonly since: UnixSeconds
  /** Visits by second, the last of them. */
  readonly #recent = new Map<number, number>()

  constructor(since: UnixSeconds) {
    super()
    this.since = since
  }

  override add(visit: VisitRecord, now: UnixSeconds = visit.at): void {
    super.add(visit)
    const second = Math.floor(now)
    this.#recent.set(second, (this.#recent.get(second) ?? 0) + 1)
    if (this.#recent.size > 2 * recentSeconds) this.#forget(second)
  }

  /** Visits a second of late. */
  visitsPerSecond(now: UnixSeconds): number {
    const length = Math.max(1, Math.min(recentSeconds, now - this.since))
    let sum = 0
    for (const [second, visits] of this.#recent) if (second >= now - length) sum += visits
    return sum / length
  }

  #forget(now: number): void {
    for (const second of this.#recent.keys())
      if (second < now - recentSeconds) this.#recent.delete(second)
  }
}
