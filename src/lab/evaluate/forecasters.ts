import {
  type GridPrior,
  logUniformPrior,
  typicalPeriod,
} from '../../estimators/prior/grid-prior.js'
import type { Learner, Seen } from '../../model/policy.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'
import { type AutoLearner, autoLearner } from '../../planner/posterior/learner.js'
import { chanceOfChange, type GroupChangeLaw } from '../../planner/posterior/posterior.js'
import { fitWeekClock, GapLog } from '../../planner/prior/fit-clock.js'
import { FirstGaps, fitNewShare } from '../../planner/prior/fit-prior.js'
import { fitMasses, mixedMasses } from '../../planner/prior/mixed-masses.js'

/** As how many pages the first law counts when a group's own is learned. */
const strength = 10
/** Fewer gaps tell nothing of hours, and every clock costs some milliseconds. */
const enoughGaps = 100

/** One visit of a page of the group, with its time. */
interface SeenThen {
  readonly at: UnixSeconds
  readonly gap: Seconds
  readonly changed: boolean
  /** Whether it ends the first gap of a page that reported no content age. */
  readonly isFirst: boolean
}

/** The law of pages that are thought to change alike: what was known first, and what their visits have taught so far. */
class LearningGroup {
  law: GroupChangeLaw
  learner: AutoLearner
  readonly #log = new GapLog()
  readonly #firstGaps = new FirstGaps()
  readonly #first: GroupChangeLaw

  constructor(law: GroupChangeLaw) {
    this.#first = law
    this.law = law
    this.learner = autoLearner({ law })
  }

  /** Chance that a visit sees a change, by what the page's memory holds before it. */
  chance(memory: Float64Array, next: { at: UnixSeconds; gap: Seconds }): number {
    return chanceOfChange(this.learner.posterior(memory), this.learner.clockGap(memory, next))
  }

  /** Notes a gap for the group's hours, before the memory takes it in. Gives the chance that a change had. */
  note(memory: Float64Array, { at, gap, changed, isFirst }: SeenThen): number {
    const chance = this.chance(memory, { at, gap })
    if (Number.isFinite(at)) this.#log.note({ at, gap, changed, chance })
    if (isFirst) this.#firstGaps.note({ gap, changed })
    return chance
  }

  /** Learns masses and clock anew, from the pages' memories and the gaps noted. */
  refresh(memories: readonly Float64Array[]): void {
    const { masses: towards, clock, newShare = 0 } = this.#first
    const masses = fitMasses(memories, { towards, start: this.law.masses, strength, rounds: 20 })
    const known = this.#log.size >= enoughGaps
    this.law = {
      masses,
      newShare: fitNewShare([this.#firstGaps], { masses, towards: newShare, strength }),
      clock: known ? fitWeekClock([this.#log], { towards: clock, start: this.law.clock }) : clock,
    }
    this.learner = autoLearner({ law: this.law })
  }
}

/** Someone who gives a chance before each visit, and remembers what it saw in a few numbers. */
export interface Forecaster {
  readonly name: string
  readonly size: number
  start(memory: Float64Array, contentAge: Seconds): void
  learn(memory: Float64Array, seen: Seen): void
  chance(memory: Float64Array, next: { at: UnixSeconds; gap: Seconds }): number
}

/** One for the pages of a group, that learns now and then what such pages are like. */
export interface GroupForecaster extends Forecaster {
  /** Learns anew from what pages of the group remember. */
  relearn(memories: readonly Float64Array[]): void
}

/** A learner's change period, with changes taken to be Poisson; 1/2 while it has none to give. */
export function poissonForecaster(learner: Learner): Forecaster {
  return {
    name: learner.name,
    size: learner.size,
    start: (memory, contentAge) => learner.start(memory, contentAge),
    learn: (memory, seen) => learner.learn(memory, seen),
    chance(memory, { gap }) {
      const changePeriod = learner.changePeriod(memory)
      return changePeriod > 0 ? -Math.expm1(-gap / changePeriod) : 0.5
    },
  }
}

/** The default's estimator with one law and clock all along. */
export function autoAloneForecaster(law: GroupChangeLaw): Forecaster {
  const learner = autoLearner({ law })
  return {
    name: 'auto-without-group',
    size: learner.size,
    start: (memory, contentAge) => learner.start(memory, contentAge),
    learn: (memory, seen) => learner.learn(memory, seen),
    chance: (memory, next) =>
      chanceOfChange(learner.posterior(memory), learner.clockGap(memory, next)),
  }
}

/** The default as it runs: it starts with a law, and learns the group's own and its clock from the group's visits. */
export function autoForecaster(law: GroupChangeLaw): GroupForecaster {
  const group = new LearningGroup(law)
  const unknown = new WeakSet<Float64Array>()
  return {
    name: 'auto',
    size: group.learner.size,
    start(memory, contentAge) {
      group.learner.start(memory, contentAge)
      if (!(contentAge >= 0)) unknown.add(memory)
    },
    learn(memory, seen) {
      const { at = Number.NaN, gap, changed } = seen
      group.note(memory, { at, gap, changed, isFirst: unknown.delete(memory) })
      group.learner.learn(memory, seen)
    },
    chance: (memory, next) => group.chance(memory, next),
    relearn: (memories) => group.refresh(memories),
  }
}

/** All that equal gaps tell of a Poisson page. */
interface Counts {
  readonly visits: number
  readonly changes: number
}

/** A prior over change periods with, for each of them, the chances of one gap. */
class PoissonTable {
  readonly prior: GridPrior
  readonly #logPrior: Float64Array
  /** Chance of a change in a gap, its log, and changes expected in it. */
  readonly #stirred: Float64Array
  readonly #logStirred: Float64Array
  readonly #expected: Float64Array
  readonly #law: GridPrior

  constructor(prior: GridPrior, gap: Seconds) {
    this.prior = prior
    this.#logPrior = prior.masses.map(Math.log)
    this.#expected = prior.periods.map((period) => gap / period)
    this.#stirred = this.#expected.map((each) => -Math.expm1(-each))
    this.#logStirred = this.#stirred.map(Math.log)
    this.#law = { periods: prior.periods, masses: new Float64Array(prior.masses.length) }
  }

  /** The law after so many gaps; overwritten by the next call. */
  after(counts: Counts): GridPrior {
    const { masses } = this.#law
    let peak = -Infinity
    for (let i = 0; i < masses.length; i++) {
      masses[i] = this.#logPrior[i]! + this.#logLikelihood(i, counts)
      peak = Math.max(peak, masses[i]!)
    }
    if (peak === -Infinity) return this.prior
    let total = 0
    for (let i = 0; i < masses.length; i++) total += masses[i] = Math.exp(masses[i]! - peak)
    for (let i = 0; i < masses.length; i++) masses[i]! /= total
    return this.#law
  }

  /** Chance of a change in the next gap, averaged over the law after so many. */
  chanceAfter(counts: Counts): number {
    const { masses } = this.after(counts)
    let total = 0
    for (let i = 0; i < masses.length; i++) total += masses[i]! * this.#stirred[i]!
    return total
  }

  /** How likely so many gaps are by change period, whatever the prior; the likeliest 1. */
  likelihoods(counts: Counts): Float64Array {
    const logs = this.#expected.map((_, i) => this.#logLikelihood(i, counts))
    const peak = logs.reduce((a, b) => Math.max(a, b))
    return logs.map((each) => Math.exp(each - peak))
  }

  #logLikelihood(i: number, { visits, changes }: Counts): number {
    const unchanged = (visits - changes) * this.#expected[i]!
    return (changes > 0 ? changes * this.#logStirred[i]! : 0) - unchanged
  }
}

const counting = {
  size: 2,
  start(memory: Float64Array): void {
    memory.fill(0)
  },
  learn(memory: Float64Array, { changed }: Seen): void {
    memory[0]! += 1
    if (changed) memory[1]! += 1
  },
}

function countsIn(memory: Float64Array): Counts {
  return { visits: memory[0]!, changes: memory[1]! }
}

/**
 * The estimator `posterior` at equal gaps, where only the number of gaps and of
 * changes count: the median of the change period under the wide prior that it
 * takes for so long a log. O(241) a visit.
 */
export function widePosteriorForecaster(gap: Seconds): Forecaster {
  const tables = new Map<number, PoissonTable>()
  const tableFor = (visits: number) => {
    const range = { shortest: gap / 100, longest: 100 * visits * gap }
    const made = tables.get(visits) ?? new PoissonTable(logUniformPrior(range), gap)
    tables.set(visits, made)
    return made
  }
  return {
    name: 'posterior',
    ...counting,
    chance(memory) {
      const counts = countsIn(memory)
      if (counts.visits === 0) return 0.5
      const law = tableFor(counts.visits).after(counts)
      return -Math.expm1(-gap / typicalPeriod(law, { summary: 'median', of: 'period' }))
    },
  }
}

/** A posterior over Poisson pages from a learned prior: the chance itself, averaged over the posterior. */
export function posteriorForecaster(prior: GridPrior, gap: Seconds): Forecaster {
  const table = new PoissonTable(prior, gap)
  return {
    name: 'posterior-with-prior',
    ...counting,
    chance: (memory) => table.chanceAfter(countsIn(memory)),
  }
}
const rounds = 20

/** The same with what the default has besides: the prior of the group learned anew from the group's own visits. */
export function groupPosteriorForecaster(prior: GridPrior, gap: Seconds): GroupForecaster {
  let table = new PoissonTable(prior, gap)
  return {
    name: 'posterior-with-group-prior',
    ...counting,
    chance: (memory) => table.chanceAfter(countsIn(memory)),
    relearn(memories) {
      const rows = memories.map((memory) => table.likelihoods(countsIn(memory)))
      const { periods, masses: start } = table.prior
      const masses = mixedMasses(rows, { towards: prior.masses, strength, start, rounds })
      table = new PoissonTable({ periods, masses }, gap)
    },
  }
}
