import { OptionError } from '../../model/errors.js'
import type { Observation } from '../../model/history.js'
import { DAY, HOUR, type Seconds } from '../../model/units.js'
import type { Random } from '../../numeric/random.js'
import { median } from '../../numeric/summary.js'
import type { PseudoGaps } from '../rate/irregular-mle.js'
import { mostLikelyRate } from '../rate/likelihood.js'
import { type GridPrior, type Summary, typicalPeriod } from './grid-prior.js'

/**
 * The irregular MLE of a page that grows visit by visit, with the papers'
 * substitutes: all time sampled while nothing changed, the shortest gap while
 * everything did. The number that `irregularMle` gives for the same gaps,
 * without building a History or bounds each time.
 *
 * Before any visit it is the first period given, or what the pseudo-gaps say.
 */
export class GrowingMle {
  #hidden = new Float64Array(8)
  #hiddenCount = 0
  #exposure = 0
  #shortest = Infinity
  #sampled = 0
  readonly #firstPeriod: Seconds

  constructor(start: { readonly firstPeriod: Seconds } | { readonly pseudoGaps: PseudoGaps }) {
    const durations = 'pseudoGaps' in start ? Object.values(start.pseudoGaps) : [start.firstPeriod]
    if (!durations.every((each) => each > 0 && each < Infinity)) {
      throw new OptionError(
        'bad-start',
        `a new page starts from positive durations; got ${durations}`,
      )
    }
    this.#firstPeriod = durations[0]!
    if (!('pseudoGaps' in start)) return
    this.see({ gap: start.pseudoGaps.changed, changed: true })
    this.see({ gap: start.pseudoGaps.unchanged, changed: false })
  }

  see({ gap, changed }: Pick<Observation, 'gap' | 'changed'>): void {
    this.#sampled += gap
    this.#shortest = Math.min(this.#shortest, gap)
    if (changed) this.#hide(gap)
    else this.#exposure += gap
  }

  changePeriod(): Seconds {
    if (this.#sampled === 0) return this.#firstPeriod
    if (this.#hiddenCount === 0) return this.#sampled
    if (this.#exposure === 0) return this.#shortest
    const hidden = this.#hidden.subarray(0, this.#hiddenCount)
    return 1 / mostLikelyRate({ events: 0, exposure: this.#exposure, hidden })
  }

  #hide(gap: Seconds): void {
    if (this.#hiddenCount === this.#hidden.length) {
      const wider = new Float64Array(2 * this.#hidden.length)
      wider.set(this.#hidden)
      this.#hidden = wider
    }
    this.#hidden[this.#hiddenCount++] = gap
  }
}

/**
 * The posterior of a page that grows visit by visit: one pass over the grid a
 * visit, nothing of the past kept. The number that `posteriorWith` gives for
 * the same gaps. Median of the change period by default.
 */
export class GrowingPosterior {
  readonly #prior: GridPrior
  readonly #choice: { summary: Summary; of: 'period' | 'rate' }
  readonly #logMasses: Float64Array
  readonly #law: GridPrior

  constructor(
    prior: GridPrior,
    { summary = 'median', of = 'period' }: { summary?: Summary; of?: 'period' | 'rate' } = {},
  ) {
    this.#prior = prior
    this.#choice = { summary, of }
    this.#logMasses = prior.masses.map(Math.log)
    this.#law = { periods: prior.periods, masses: prior.masses.slice() }
  }

  see({ gap, changed }: Pick<Observation, 'gap' | 'changed'>): void {
    const { periods } = this.#prior
    for (let i = 0; i < periods.length; i++) {
      const expected = gap / periods[i]!
      this.#logMasses[i]! += changed ? Math.log(-Math.expm1(-expected)) : -expected
    }
  }

  changePeriod(): Seconds {
    return typicalPeriod(this.law(), this.#choice)
  }

  /** The law now; the prior where the visits contradict every node. Overwritten by the next call. */
  law(): GridPrior {
    const { masses } = this.#law
    let peak = -Infinity
    for (const each of this.#logMasses) peak = Math.max(peak, each)
    if (peak === -Infinity) return this.#prior
    let total = 0
    for (let i = 0; i < masses.length; i++)
      total += masses[i] = Math.exp(this.#logMasses[i]! - peak)
    for (let i = 0; i < masses.length; i++) masses[i]! /= total
    return this.#law
  }
}

/** What is thought of a page, visit by visit: `GrowingMle` and `GrowingPosterior` are two. */
export interface Growing {
  see(observation: Pick<Observation, 'gap' | 'changed'>): void
  changePeriod(): Seconds
}

export interface NewPageOptions {
  /** The true change periods, one a page. */
  readonly changePeriods: ArrayLike<Seconds>
  /** What is thought of page number `page` before its first visit. */
  readonly newPage: (page: number) => Growing
  /** How many visits each page gets. */
  readonly visits: number
  /** The next gap as a share of the estimated change period; 1 by default (Grimes & Ford 5). */
  readonly gapShare?: number
  /** The very first gap; a share of the estimate like the others by default. */
  readonly firstGap?: Seconds
  readonly random: Pick<Random, 'uniform'>
}

/**
 * How far the estimates of new pages are from the truth at each visit: page by
 * page a Poisson process is visited at gaps that follow the estimate, and the
 * error |estimated - true change period| is kept. `errors[v]` holds one error
 * a page after v visits; `errors[0]` is before the first.
 *
 * Exactly one random number a page and visit is sampled, in that order, so that
 * runs with the same seed are comparable. Grimes & Ford 5.
 */
export function newPageErrors(options: NewPageOptions): Float64Array[] {
  const { changePeriods, visits, gapShare = 1, random } = options
  if (!(changePeriods.length > 0 && visits >= 0 && gapShare > 0)) {
    throw new OptionError('bad-simulation', 'needs at least one change period and a positive share')
  }
  const errors = Array.from({ length: visits + 1 }, () => new Float64Array(changePeriods.length))
  for (let page = 0; page < changePeriods.length; page++) {
    const truth = changePeriods[page]!
    const growing = options.newPage(page)
    errors[0]![page] = Math.abs(growing.changePeriod() - truth)
    for (let visit = 1; visit <= visits; visit++) {
      const gap =
        visit === 1 && options.firstGap !== undefined
          ? options.firstGap
          : gapShare * growing.changePeriod()
      growing.see({ gap, changed: random.uniform() < -Math.expm1(-gap / truth) })
      errors[visit]![page] = Math.abs(growing.changePeriod() - truth)
    }
  }
  return errors
}

/** The median of those errors at each visit: the median absolute deviation of Grimes & Ford 5. */
export function newPageDeviation(options: NewPageOptions): Float64Array {
  return Float64Array.from(newPageErrors(options), median)
}

export interface FirstGapOptions {
  /** True change periods of likely pages, such as 1000 sampled from the collection's law. */
  readonly changePeriods: ArrayLike<Seconds>
  /** First gaps to try; every six hours up to 25 days by default. */
  readonly firstGaps?: ArrayLike<Seconds>
  /** How many first visits count; 5 by default. */
  readonly visits?: number
  /** The next gap as a share of the estimated change period; 0.8 by default. */
  readonly gapShare?: number
  readonly random: Random
}

export interface FirstGapPoint {
  readonly firstGap: Seconds
  /** Median absolute deviation over all pages and all of the first visits. */
  readonly deviation: Seconds
}

export interface FirstGapCurve {
  readonly curve: readonly FirstGapPoint[]
  readonly best: FirstGapPoint
}

/**
 * The first gap after which the irregular MLE of a new page comes nearest to
 * the truth over its first five visits, and the whole curve of Figure 4.
 *
 * A gap of 0 shows nothing and is left out. Read as the median over pages and
 * visits together; the paper does not say how it joins the five. Every first
 * gap meets the same random numbers, so the curve is smooth enough to compare.
 *
 * Grimes & Ford 4.2. O(first gaps x pages x visits) fits.
 */
export function bestFirstGap(options: FirstGapOptions): FirstGapCurve {
  const { changePeriods, visits = 5, gapShare = 0.8 } = options
  const replay = sampled(options.random, { count: changePeriods.length * visits })
  const curve = Array.from(options.firstGaps ?? sixHourly(), (firstGap) => {
    if (!(firstGap > 0 && firstGap < Infinity)) {
      throw new OptionError('bad-gap', `first gaps are positive durations; got ${firstGap}`)
    }
    const newPage = () => new GrowingMle({ firstPeriod: firstGap })
    const random = replay()
    const errors = newPageErrors({ changePeriods, newPage, visits, gapShare, firstGap, random })
    return { firstGap, deviation: median(pooled(errors.slice(1))) }
  })
  if (curve.length === 0 || !(visits >= 1)) {
    throw new OptionError('bad-gap', 'needs at least one first gap and one visit')
  }
  const best = curve.reduce((least, each) => (each.deviation < least.deviation ? each : least))
  return { curve, best }
}

/** Random numbers sampled once, to be met again from the start on every call. */
function sampled(random: Random, { count }: { count: number }): () => { uniform: () => number } {
  const numbers = Float64Array.from({ length: count }, () => random.uniform())
  return () => {
    let next = 0
    return { uniform: () => numbers[next++]! }
  }
}

function sixHourly(): Seconds[] {
  return Array.from({ length: (25 * DAY) / (6 * HOUR) }, (_, i) => (i + 1) * 6 * HOUR)
}

function pooled(parts: readonly Float64Array[]): Float64Array {
  const size = parts[0]?.length ?? 0
  const all = new Float64Array(size * parts.length)
  parts.forEach((part, i) => {
    all.set(part, i * size)
  })
  return all
}
