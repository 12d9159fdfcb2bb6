import { DAY, type Seconds, type UnixSeconds } from '../../model/index.js'
import { type AgeTeller, tellsNothing, tellsTruth } from '../visit-loop.js'
import type { ReplayCollection } from './collection.js'
import type { Forecaster, GroupForecaster } from './forecaster.js'
import { PageReplay } from './page-replay.js'
import { Relearning } from './relearning.js'

/** What was foretold of one visit, and what it then saw. */
export interface Forecast {
  readonly page: number
  readonly at: UnixSeconds
  /** Observations of the page before this one. */
  readonly before: number
  readonly chance: number
  readonly changed: boolean
}

/** One log for everyone: every page visited at even gaps, whatever anyone believes. */
export interface EvenLog {
  readonly gap: Seconds
  /** Whether pages tell when they last changed. */
  readonly lastModified?: boolean
}

/** Foretells each visit of one page from its visits before. */
export function* pageForecasts(
  collection: ReplayCollection,
  { page, forecaster, ...log }: EvenLog & { page: number; forecaster: Forecaster },
): Generator<Forecast> {
  yield* new ForetoldPage(collection, { ...log, page, forecaster }).before(Infinity)
}

/**
 * Foretells each visit of the pages of a group, day by day as a crawler runs:
 * on some mornings what such pages are like is learned anew, from visits
 * before that morning alone. The forecasts of a day need none of each other.
 */
export function* groupForecasts(
  collection: ReplayCollection,
  {
    pages,
    forecaster,
    ...log
  }: EvenLog & { pages: readonly number[]; forecaster: GroupForecaster },
): Generator<Forecast> {
  const group = pages.map((page) => new ForetoldPage(collection, { ...log, page, forecaster }))
  const relearning = new Relearning()
  for (let day = 0; day * DAY < collection.length; day++) {
    if (relearning.isTime(day)) relearn(group, forecaster)
    for (const page of group) yield* page.before((day + 1) * DAY)
  }
  for (const page of group) yield* page.before(Infinity)
}

function relearn(group: readonly ForetoldPage[], forecaster: GroupForecaster): void {
  const seen = group.filter((page) => page.visits > 0)
  if (seen.length > 0) forecaster.relearn(seen.map((page) => page.memory))
}

/** One page, foretold visit by visit. */
class ForetoldPage {
  readonly memory: Float64Array
  visits = 0
  #begun = false
  readonly #page: number
  readonly #forecaster: Forecaster
  readonly #timeline: PageReplay
  readonly #told: AgeTeller
  readonly #until: UnixSeconds
  readonly #seen: { at: UnixSeconds; gap: Seconds; changed: boolean; contentAge: Seconds }

  constructor(
    collection: ReplayCollection,
    { page, forecaster, gap, lastModified }: EvenLog & { page: number; forecaster: Forecaster },
  ) {
    this.#page = page
    this.#forecaster = forecaster
    this.#timeline = new PageReplay(collection, page)
    this.#told = lastModified ? tellsTruth : tellsNothing
    this.#until = collection.until[page]!
    this.#seen = { at: collection.from[page]!, gap, changed: false, contentAge: Number.NaN }
    this.memory = new Float64Array(forecaster.size)
  }

  /** The visits before some time that are still to come. */
  *before(end: UnixSeconds): Generator<Forecast> {
    const seen = this.#seen
    if (seen.at >= end) return
    if (!this.#begun) this.#forecaster.start(this.memory, this.#told(this.#timeline, seen.at))
    this.#begun = true
    for (let at = seen.at + seen.gap; at <= this.#until && at < end; at += seen.gap) {
      seen.at = at
      const chance = this.#forecaster.chance(this.memory, seen)
      seen.changed = this.#timeline.advance(at)
      seen.contentAge = this.#told(this.#timeline, at)
      this.#forecaster.learn(this.memory, seen)
      yield { page: this.#page, at, before: this.visits++, chance, changed: seen.changed }
    }
  }
}
