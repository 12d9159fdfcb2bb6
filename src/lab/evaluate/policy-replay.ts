import { OptionError } from '../../model/errors.js'
import type { Declared } from '../../model/hint.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'
import { Random } from '../../numeric/random.js'
import { PageState, type Planner } from '../../planner/step.js'
import type { Timeline } from '../process/change-process.js'
import { Scores } from '../scores.js'
import { reportsNothing, reportsTruth, visitPage } from '../visit-loop.js'
import type { ReplayCollection } from './collection.js'

/** One page of a collection, walked forward over its recorded changes. */
export class PageReplay implements Timeline {
  lastChange: UnixSeconds
  firstChange: UnixSeconds = Infinity
  changes = 0
  readonly #times: Float64Array
  readonly #end: number
  #next: number

  constructor(collection: ReplayCollection, page: number) {
    this.#times = collection.times
    this.#next = collection.offsets[page]!
    this.#end = collection.offsets[page + 1]!
    this.lastChange = collection.before[page]!
  }

  advance(to: UnixSeconds): boolean {
    const times = this.#times
    const begin = this.#next
    let next = begin
    while (next < this.#end && times[next]! <= to) next++
    this.#next = next
    this.changes = next - begin
    if (next === begin) {
      this.firstChange = Infinity
      return false
    }
    this.firstChange = times[begin]!
    this.lastChange = times[next - 1]!
    return true
  }
}

/** After so many observations of a page its bounds are put to the test. */
export const boundsAfter: readonly number[] = [10, 30, 100]

/**
 * What a policy predicted of a page, next to what came true; sums and counts
 * only, so those of many pages add up. A contender that predicts keeps one for
 * each page and hands them over as `Outcome.calibration`.
 */
export class PageCalibration {
  /** The time of all gaps that were predicted, and the fresh part of it: predicted, and realised. */
  time: Seconds = 0
  predictedFresh: Seconds = 0
  realisedFresh: Seconds = 0
  /** Bounds that were put to the test after each number of `boundsAfter`, and those that held. */
  readonly asked: number[] = boundsAfter.map(() => 0)
  readonly held: number[] = boundsAfter.map(() => 0)

  /** One gap: what was predicted as it began, and what it was. Gaps cut by the page's end count as cut. */
  gap(g: {
    readonly length: Seconds
    readonly predictedFresh: Seconds
    readonly realisedFresh: Seconds
  }): void {
    this.time += g.length
    this.predictedFresh += g.predictedFresh
    this.realisedFresh += g.realisedFresh
  }

  /** The 90% bounds of the mean change rate after an observation; those that are not asked for are passed over. */
  bounds(
    observations: number,
    b: { readonly low: number; readonly high: number; readonly truth: number },
  ): void {
    const i = boundsAfter.indexOf(observations)
    if (i < 0) return
    this.asked[i]! += 1
    if (b.low <= b.truth && b.truth <= b.high) this.held[i]! += 1
  }

  add(other: PageCalibration): void {
    this.time += other.time
    this.predictedFresh += other.predictedFresh
    this.realisedFresh += other.realisedFresh
    boundsAfter.forEach((_, i) => {
      this.asked[i]! += other.asked[i]!
      this.held[i]! += other.held[i]!
    })
  }
}

/** A page's true mean change rate over its window, a second: what its bounds should hold. */
export function trueMeanRate({ offsets, from, until }: ReplayCollection, page: number): number {
  return (offsets[page + 1]! - offsets[page]!) / (until[page]! - from[page]!)
}

export interface RunOptions {
  readonly seed: number
  /** Scores count as late from so long after a page appears. */
  readonly warmUp: Seconds
  /** Whether pages tell their true Last-Modified; not by default. */
  readonly lastModified?: boolean
}

/** The scores of every page, in the collection's order. */
export type PageScores = readonly Scores[]

/** How a page is thought about; by its source, so that nothing is judged on what it was fitted on. */
export type PlannerFor = (source: number) => Planner

export interface RuleOptions extends RunOptions {
  /** Every gap is made so many times as long. */
  readonly stretch: number
  /** Stops, with the pages not reached left out, once this many visits were made. */
  readonly maxVisits?: number
  /** What a page's publisher declares; nothing by default. */
  readonly declaredFor?: (page: number) => Declared | null
}

/** Visits every page by its own rule. */
export function runRule(
  collection: ReplayCollection,
  plannerFor: PlannerFor,
  options: RuleOptions,
): PageScores {
  const all: Scores[] = []
  let left = options.maxVisits ?? Infinity
  for (let page = 0; page < collection.ids.length && left > 0; page++) {
    const planner = plannerFor(collection.sources[page]!)
    const random = Random.stream({ seed: options.seed, index: page })
    const state = new PageState({ learner: planner.learner, random })
    state.declared = options.declaredFor?.(page) ?? null
    const scores = new Scores({ notices: true })
    visitPage(planner, state, scores, {
      timeline: new PageReplay(collection, page),
      from: collection.from[page]!,
      until: collection.until[page]!,
      stretch: options.stretch,
      warmUp: options.warmUp,
      contentAge: options.lastModified ? reportsTruth : reportsNothing,
      maxVisits: left,
    })
    all.push(scores)
    left -= scores.visits
  }
  return all
}

/** Visits that a budget of visits a page and day allows, beyond each page's first. */
export function visitsAllowed(
  collection: ReplayCollection,
  { perDay }: { perDay: number },
): number {
  let days = 0
  for (let page = 0; page < collection.ids.length; page++)
    days += (collection.until[page]! - collection.from[page]!) / 86_400
  return days * perDay
}

export function visitsUsed(scores: PageScores): number {
  return scores.reduce((total, each) => total + each.visits - each.firstVisits, 0)
}

interface Trial {
  /** Base-2 logarithm of the stretch. */
  readonly at: number
  readonly scores: PageScores
  /** Base-2 logarithm of visits used over visits allowed. */
  readonly excess: number
}

/** Spending may stay this share below what is allowed. */
const near = 0.0005
/** Some rules answer to the smallest stretch with visits that jump by some percent; no use in going nearer. */
const narrow = 1e-3

/**
 * The stretch at which a rule that knows no budget uses just the visits
 * allowed: one multiplier for all pages, found in hindsight, so the rule's
 * best case. Visits fall about as 1 / stretch, so the search interpolates in
 * logarithms, every third round it halves; some eight runs. Never over budget.
 * Null where no stretch makes the difference: a history so short that the budget
 * is less than a visit, or a rule that never spends it.
 */
export function stretchForBudget(
  run: (stretch: number) => PageScores,
  { allowed }: { allowed: number },
): { stretch: number | null; scores: PageScores } {
  if (!(allowed > 0))
    throw new OptionError(
      'bad-budget',
      'a budget must be a positive number of visits a page and day',
    )
  const tried = (at: number): Trial => {
    const scores = run(2 ** at)
    return { at, scores, excess: Math.log2(Math.max(0.5, visitsUsed(scores)) / allowed) }
  }
  let { over, under } = bracket(tried)
  if (over.excess <= 0) return { stretch: null, scores: over.scores }
  if (under.excess > 0) return { stretch: null, scores: under.scores }
  let best = under
  for (let round = 0; round < 24 && best.excess < -near && under.at - over.at > narrow; round++) {
    const straight = over.excess / (over.excess - under.excess)
    const share = round % 3 === 2 ? 0.5 : Math.min(0.95, Math.max(0.05, straight))
    const middle = tried(over.at + share * (under.at - over.at))
    if (middle.excess > 0) over = middle
    else under = middle
    if (under.excess > best.excess) best = under
  }
  return { stretch: 2 ** best.at, scores: best.scores }
}

/** Two trials with the budget between them, from stretch 1 outwards. */
function bracket(tried: (at: number) => Trial): { over: Trial; under: Trial } {
  let over = tried(0)
  let under = over
  for (let step = 0.2; over.excess <= 0 && over.at > -30; step *= 2) {
    under = over
    over = tried(over.at + 1.1 * over.excess - step)
  }
  for (let step = 0.2; under.excess > 0 && under.at < 30; step *= 2) {
    over = under
    under = tried(under.at + 1.1 * under.excess + step)
  }
  return { over, under }
}
