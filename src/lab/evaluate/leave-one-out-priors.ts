import { type GridPrior, gridPrior, logGrid } from '../../estimators/prior/grid-prior.js'
import {
  EqualGapTally,
  predictivePseudoGaps,
} from '../../estimators/prior/predictive-pseudo-gaps.js'
import { irregularMleLearner } from '../../estimators/rate/irregular-mle.js'
import type { Learner } from '../../model/policy.js'
import { DAY, type Seconds } from '../../model/units.js'
import { autoLearner } from '../../planner/posterior/learner.js'
import {
  chanceOfChange,
  type GroupChangeLaw,
  openChangeLaw,
} from '../../planner/posterior/posterior.js'
import { fitWeekClock, GapLog } from '../../planner/prior/fit-clock.js'
import { FirstGaps, fitNewShare } from '../../planner/prior/fit-prior.js'
import { lawRow, mixedMasses } from '../../planner/prior/mixed-masses.js'
import type { ReplayCollection } from './collection.js'
import type { Trial } from './contender.js'
import { PageReplay } from './policy-replay.js'

/** Gaps at which the others' pages are visited to learn from: odd, so that all hours are met. */
const trainingGaps: readonly Seconds[] = [0.34 * DAY, 2.06 * DAY, 12.1 * DAY, 30.3 * DAY]
const mostVisits = 400
/** Gaps kept of each source, so that a large source does not set everyone's clock. */
const room = 1500

const fitted = new WeakMap<ReplayCollection, readonly GroupChangeLaw[]>()

/**
 * For each source the law that all the other sources' pages teach: masses by
 * EM on what visits at four gaps would have shown, a clock of the week on the
 * same, and from the first gaps how many pages are followed from their beginning. With more than thirty sources whole lots are left out. With a single source there is none to learn from: every law alike.
 */
export function changeLawsElsewhere(
  collection: ReplayCollection,
): (source: number) => GroupChangeLaw {
  const laws = fitted.get(collection) ?? learnedLaws(collection)
  fitted.set(collection, laws)
  return (source) => laws[source]!
}

interface Training {
  readonly rows: Float64Array[]
  readonly log: GapLog
  readonly firstGaps: FirstGaps
}

/** Sources are left out one by one up to so many, in as many lots beyond. */
const mostLots = 30

function learnedLaws(collection: ReplayCollection): readonly GroupChangeLaw[] {
  const lots = Math.min(mostLots, collection.sourceNames.length)
  const trained = collection.sourceNames.map(
    (): Training => ({ rows: [], log: new GapLog({ room }), firstGaps: new FirstGaps() }),
  )
  for (let page = 0; page < collection.ids.length; page++) {
    const training = trained[collection.sources[page]!]!
    for (const gap of trainingGaps) train(collection, { ...training, page, gap })
  }
  const laws = Array.from({ length: lots }, (_, lot) =>
    trainedOn(trained.filter((each, source) => source % lots !== lot && each.rows.length > 0)),
  )
  return collection.sourceNames.map((_, source) => laws[source % lots]!)
}

function trainedOn(others: readonly Training[]): GroupChangeLaw {
  const rows = others.flatMap((each) => each.rows)
  if (rows.length === 0) return openChangeLaw
  const strength = 0.02 * rows.length
  const masses = mixedMasses(rows, { towards: openChangeLaw.masses, strength })
  const logs = others.map((each) => each.log)
  const firstGaps = others.map((each) => each.firstGaps)
  return {
    masses,
    clock: fitWeekClock(logs, { towards: openChangeLaw.clock }),
    newShare: fitNewShare(firstGaps, { masses, towards: openChangeLaw.newShare!, strength }),
  }
}

const learner = autoLearner({ law: openChangeLaw })
const memory = new Float64Array(learner.size)
const seen = { at: 0, gap: 0, changed: false, contentAge: Number.NaN }

/** Visits one page at equal gaps; its likelihoods are a row, its gaps go to the log. */
function train(
  collection: ReplayCollection,
  { page, gap, rows, log, firstGaps }: { page: number; gap: Seconds } & Training,
): void {
  const timeline = new PageReplay(collection, page)
  const until = collection.until[page]!
  learner.start(memory, Number.NaN)
  seen.at = collection.from[page]!
  seen.gap = gap
  let visits = 0
  for (; seen.at + gap <= until && visits < mostVisits; visits++) {
    seen.at += gap
    seen.changed = timeline.advance(seen.at)
    if (visits === 0) firstGaps.note(seen)
    log.note({ ...seen, chance: chanceOfChange(learner.posterior(memory), gap) })
    learner.learn(memory, seen)
  }
  if (visits > 0) rows.push(lawRow(memory))
}

/** Visits of a page that the fit uses: a prior is for pages of which little is known. */
const earlyVisits = 20

const fittedOfLearnersElsewhere = new WeakMap<ReplayCollection, Map<number, readonly Learner[]>>()

/**
 * For each source a learner whose two pseudo-gaps were fitted on all the other
 * sources: on what their pages would have shown in their first twenty visits
 * if the budget had been shared out evenly. With a single source, or one whose
 * pages are too short for that gap, the learner has no prior.
 */
export function learnersElsewhere({ collection, perDay }: Trial): (source: number) => Learner {
  const byBudget =
    fittedOfLearnersElsewhere.get(collection) ?? new Map<number, readonly Learner[]>()
  fittedOfLearnersElsewhere.set(collection, byBudget)
  const learners = byBudget.get(perDay) ?? learnersFor(collection, perDay)
  byBudget.set(perDay, learners)
  return (source) => learners[source]!
}

function learnersFor(collection: ReplayCollection, perDay: number): readonly Learner[] {
  const options = { gap: DAY / perDay, most: earlyVisits }
  const bySource = collection.sourceNames.map(() => new EqualGapTally(options))
  for (let page = 0; page < collection.ids.length; page++)
    bySource[collection.sources[page]!]!.page(earlyGaps(collection, { page, gap: options.gap }))
  const elsewhere = new EqualGapTally(options)
  for (const tally of bySource) elsewhere.add(tally)
  return bySource.map((home) => {
    elsewhere.add(home, { times: -1 })
    const found = predictivePseudoGaps(elsewhere)
    elsewhere.add(home)
    return irregularMleLearner(found === null ? {} : { pseudoGaps: found.pseudoGaps })
  })
}

/** Whether the page changed in each of its gaps, from its first visit on. */
function* earlyGaps(
  collection: ReplayCollection,
  { page, gap }: { page: number; gap: number },
): Generator<boolean> {
  const timeline = new PageReplay(collection, page)
  const until = collection.until[page]!
  for (let at = collection.from[page]! + gap; at <= until; at += gap) yield timeline.advance(at)
}

/** Change periods of the prior: from ten minutes to ten years. */
const grid = logGrid({ shortest: DAY / 144, longest: 3650 * DAY, nodes: 121 })
/** Further rounds only sharpen spikes. */
const rounds = 60

/**
 * For each source the law of change periods, Poisson each, that all the other
 * sources' pages teach: EM over their whole logs at one equal gap. With no other
 * page to learn from, every period of the grid alike.
 */
export function ratePriorsElsewhere(
  collection: ReplayCollection,
  { gap }: { readonly gap: Seconds },
): (source: number) => GridPrior {
  const bySource: Float64Array[][] = collection.sourceNames.map(() => [])
  for (let page = 0; page < collection.ids.length; page++) {
    const row = likelihoods(collection, { page, gap })
    if (row !== null) bySource[collection.sources[page]!]!.push(row)
  }
  const even = new Float64Array(grid.length).fill(1 / grid.length)
  const priors = new Map<number, GridPrior>()
  const priorFor = (source: number) => {
    const others = bySource.flatMap((rows, each) => (each === source ? [] : rows))
    if (others.length === 0) return gridPrior(grid, even)
    const strength = 0.02 * others.length
    return gridPrior(grid, mixedMasses(others, { towards: even, strength, rounds }))
  }
  return (source) => {
    const prior = priors.get(source) ?? priorFor(source)
    priors.set(source, prior)
    return prior
  }
}

/** How likely a page's log is by change period, the likeliest 1; null where it has no gap. */
function likelihoods(
  collection: ReplayCollection,
  { page, gap }: { page: number; gap: Seconds },
): Float64Array | null {
  const timeline = new PageReplay(collection, page)
  let [visits, changes] = [0, 0]
  for (let at = collection.from[page]! + gap; at <= collection.until[page]!; at += gap) {
    visits++
    if (timeline.advance(at)) changes++
  }
  if (visits === 0) return null
  const row = grid.map((period) => {
    const unchanged = ((visits - changes) * gap) / period
    return (changes > 0 ? changes * Math.log(-Math.expm1(-gap / period)) : 0) - unchanged
  })
  const peak = row.reduce((a, b) => Math.max(a, b))
  return row.map((each) => Math.exp(each - peak))
}
