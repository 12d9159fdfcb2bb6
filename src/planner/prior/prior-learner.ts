import type { History } from '../../model/history.js'
import type { Seconds } from '../../model/units.js'
import { type AutoLearner, predictions } from '../posterior/learner.js'
import type { GroupChangeLaw } from '../posterior/posterior.js'
import type { Sliced } from '../sliced.js'
import {
  clockFrom,
  fitWeekClock,
  GapLog,
  type HourTally,
  overDispersion,
  tallyHours,
} from './fit-clock.js'
import { FirstGaps, fitNewShare } from './fit-prior.js'
import { lawRow, mixedMasses } from './mixed-masses.js'
import { type AutoPrior, entryOfChangeLaw, type GroupEntry } from './prior.js'

/** As many expected changes for which predictions are taken to be right until a group's own record speaks. */
const trusted = 20
/** However bad the record, predictions are corrected no further. */
const [least, most] = [0.4, 3]

/**
 * How a group's predictions came out: each visit says whether the copy was
 * still fresh, and before it a chance of that was predicted. Gaps weigh by
 * their length, since a long gap that ends stale was stale for long.
 */
class StaleRecord {
  #found = 0
  #expected = 0
  #chances = 0

  /** A visit, with the chance that was given to a change before it. */
  note({ gap, changed, chance }: { gap: Seconds; changed: boolean; chance: number }): void {
    if (changed) this.#found += gap
    this.#expected += gap * chance
    this.#chances += chance
  }

  /** Stale time over predicted stale time; 1 where nothing is known. */
  get ratio(): number {
    if (!(this.#chances > 0)) return 1
    const prior = (trusted * this.#expected) / this.#chances
    const ratio = (this.#found + prior) / (this.#expected + prior)
    return Number(Math.min(most, Math.max(least, ratio)).toPrecision(6))
  }
}

/** Rows kept for all groups together: 16 MB. */
const mostRows = 20_000
/** Rows that the law of the whole is learned from. */
const wholeRows = 1_500
/** Pages of a group, and of all groups, whose histories are read: hours, beginnings and what came of predictions. */
const historiesOfGroup = 40
const mostHistories = 1_200
/** Of a page's history the newest visits are read, where there are enough to tell of hours. */
export const [newestVisits, fewestVisits] = [120, 4]
/** Groups that get a law of their own: those with most pages; and a clock, those with most gaps. */
const mostGroups = 200
const mostClocks = 30
const fewestPages = 1
const fewestGaps = 200
/** As how many pages the law above counts. */
const strength = 10
const rounds = 20
/** As how many pages the base counts in the law of the whole: it was learned from whole histories, these are glimpses. */
const wholeStrength = 1000

interface Gathered<T> {
  readonly rows: Float64Array[]
  /** An even sample of its pages, for their histories. */
  readonly sample: EvenSample<T>
  /** Made once a history comes: it holds room for 4,000 gaps. */
  log: GapLog | null
  readonly firstGaps: FirstGaps
  readonly stale: StaleRecord
}

export interface PriorLearnerOptions {
  /** Pages that are to come, so that an even sample of them is kept. */
  readonly pages: number
  /** The learner in force for a group: what it predicted is held against what came. */
  readonly learnerFor: (group: string) => AutoLearner
}

/**
 * The prior learner of crawler, replay, demo and lab: what a collection's own
 * pages teach of their laws and hours. Gathered page by page and learned in
 * slices, so that nothing holds the loop up for more than some milliseconds;
 * memory is bounded. Masses by EM on the pages' memories, hours of the week on
 * the histories of some; groups are shrunk towards the whole, the whole towards `base`.
 * `T` is whatever names a page to the caller.
 */
export class PriorLearner<T> {
  readonly #groups = new Map<string, Gathered<T>>()
  readonly #stride: number
  readonly #learnerFor: PriorLearnerOptions['learnerFor']
  #met = 0
  pages = 0

  constructor({ pages, learnerFor }: PriorLearnerOptions) {
    this.#stride = Math.max(1, Math.ceil(pages / mostRows))
    this.#learnerFor = learnerFor
  }

  /** The memory of one page that was compared at least once. */
  add(group: string, { page, memory }: { readonly page: T; readonly memory: Float64Array }): void {
    if (this.#met++ % this.#stride !== 0) return
    this.pages++
    const own = this.#of(group)
    own.rows.push(lawRow(memory))
    own.sample.meet(page)
  }

  /** The pages whose histories should be added, once all memories were. */
  *wanted(): Generator<{ readonly group: string; readonly page: T }> {
    const each = Math.max(2, Math.floor(mostHistories / Math.max(1, this.#groups.size)))
    for (const [group, { sample }] of this.#groups)
      for (const page of sample.some(each)) yield { group, page }
  }

  /**
   * A page's history, for the hours in which its group changes, for what came
   * of predictions and, where it goes back to the first visit, for how pages
   * come to be followed. O(observations).
   */
  addHistory(
    group: string,
    history: History,
    { fromFirst }: { readonly fromFirst: boolean },
  ): void {
    const own = this.#of(group)
    const learner = this.#learnerFor(group)
    const predicted = [...predictions(learner, history)]
    if (fromFirst && history.start.contentAge === undefined && predicted.length > 0)
      own.firstGaps.note(predicted[0]!)
    own.log ??= new GapLog({ room: 4_000 })
    for (const [i, seen] of predicted.entries()) {
      own.log.note(seen)
      // What was predicted while a page was still new says nothing of what is predicted now.
      if (2 * i >= predicted.length) own.stale.note(seen)
    }
  }

  /** The prior, by group, or of the groups that are named. */
  *learn({
    how,
    base,
    shipped = false,
    only,
  }: {
    readonly how: string
    readonly base: GroupChangeLaw
    /** Whether the base is the shipped law, so that its weight is named. */
    readonly shipped?: boolean
    readonly only?: ReadonlySet<string>
  }): Sliced<AutoPrior> {
    const all = [...this.#groups.values()]
    const rows = all.flatMap((each) => each.rows)
    const pull = Math.max(strength, 0.02 * rows.length)
    const sampled = evenly(rows, wholeRows)
    const masses = yield* sliced(sampled, {
      towards: base.masses,
      strength: wholeStrength,
    })
    const large = [...this.#groups]
      .filter(([, { rows }]) => rows.length >= fewestPages)
      .sort((a, b) => b[1].rows.length - a[1].rows.length)
      .slice(0, mostGroups)
    const tallies = yield* this.#tallies(base)
    const clock = clockFrom([...tallies.values()], { towards: base.clock })
    const newShare = fitNewShare(
      all.map((each) => each.firstGaps),
      { masses, towards: base.newShare ?? 0, strength: pull },
    )
    const whole = { masses, clock, newShare }
    const groups: Record<string, GroupEntry> = {}
    for (const [group, { rows, firstGaps, stale, log }] of large) {
      if (only !== undefined && !only.has(group)) continue
      const own = yield* sliced(rows, { towards: whole.masses, strength })
      const timed = log !== null && log.size >= fewestGaps ? tallies.get(group) : undefined
      const hours = timed === undefined ? clock : clockFrom([timed], { towards: clock })
      const share = { masses: own, towards: newShare, strength }
      const law = { masses: own, clock: hours, newShare: fitNewShare([firstGaps], share) }
      groups[group] = { ...entryOfChangeLaw(law, { pages: rows.length }), staleRatio: stale.ratio }
    }
    const share = wholeStrength / (wholeStrength + sampled.length)
    const entry = {
      ...entryOfChangeLaw(whole, { pages: rows.length }),
      ...(shipped
        ? { shipped: { pages: wholeStrength, share: Number(share.toPrecision(6)) } }
        : {}),
    }
    return { format: 'revisit-auto-prior', version: 1, how, whole: entry, groups }
  }

  /** Changes by hour of the groups that have most gaps, each on its own clock; the others' on the base's. */
  *#tallies(base: GroupChangeLaw): Sliced<Map<string, HourTally>> {
    const timed = [...this.#groups]
      .filter(([, { log }]) => log !== null && log.size > 0)
      .sort((a, b) => b[1].log!.size - a[1].log!.size)
      .slice(0, mostClocks)
    const tallies = new Map<string, HourTally>()
    for (const [group, { log }] of timed) {
      const enough = log!.size >= fewestGaps
      // EM goes on where it stood: sharp hours take more rounds than one call has.
      const start = this.#learnerFor(group).law.clock
      const clock = enough
        ? fitWeekClock([log!], { towards: base.clock, start, rounds: 3 })
        : base.clock
      tallies.set(group, tallyHours(log!, { clock, weight: 1 / overDispersion(log!) }))
      yield
    }
    return tallies
  }

  #of(group: string): Gathered<T> {
    const known = this.#groups.get(group)
    if (known !== undefined) return known
    const made: Gathered<T> = {
      rows: [],
      sample: new EvenSample(historiesOfGroup),
      log: null,
      firstGaps: new FirstGaps(),
      stale: new StaleRecord(),
    }
    this.#groups.set(group, made)
    return made
  }
}

/** An even sample of things that come one after another: when full, every other is dropped, and from then on only every other taken. */
class EvenSample<T> {
  readonly #room: number
  #kept: T[] = []
  #stride = 1
  #met = 0

  constructor(room: number) {
    this.#room = room
  }

  meet(one: T): void {
    if (this.#met++ % this.#stride !== 0) return
    this.#kept.push(one)
    if (this.#kept.length < 2 * this.#room) return
    this.#kept = this.#kept.filter((_, i) => i % 2 === 0)
    this.#stride *= 2
  }

  /** So many of them at most. */
  some(most: number): readonly T[] {
    return evenly(this.#kept, Math.min(most, this.#room))
  }
}

function evenly<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list
  const step = list.length / most
  return Array.from({ length: most }, (_, i) => list[Math.floor(i * step)]!)
}

/** EM round by round, with a pause after each. */
function* sliced(
  rows: readonly Float64Array[],
  about: { towards: Float64Array; strength: number },
): Sliced<Float64Array> {
  const { towards, strength } = about
  let masses = towards
  for (let round = 0; round < rounds; round++) {
    masses = mixedMasses(rows, { towards, strength, start: masses, rounds: 1 })
    if (rows.length > 500) yield
  }
  return masses
}
