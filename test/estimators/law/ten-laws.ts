import { bands, boundsAt } from '../../../src/estimators/law/bands.js'
import { lawBounds } from '../../../src/estimators/law/law-bounds.js'
import { pageLaw } from '../../../src/estimators/law/page-law.js'
import { resampled } from '../../../src/estimators/law/resampled.js'
import { staleness } from '../../../src/estimators/law/staleness.js'
import type { History } from '../../../src/model/history.js'
import { Random } from '../../../src/numeric/random.js'
import { logGamma, normalTail } from '../../../src/numeric/special-functions.js'
import { type Draw, renewalHistory } from './renewal.js'

/** A law of update gaps in days: its mean, a draw, and F_U in closed form. */
export interface UpdateGaps {
  readonly name: string
  readonly mean: number
  readonly draw: Draw
  readonly cdf: (x: number) => number
}

const weibull = (shape: number, mean: number): UpdateGaps => {
  const scale = mean / Math.exp(logGamma(1 + 1 / shape))
  return {
    name: `Weibull ${shape}`,
    mean,
    draw: (random) => scale * random.exponential() ** (1 / shape),
    cdf: (x) => -Math.expm1(-((x / scale) ** shape)),
  }
}

const pareto = (shape: number, mean: number): UpdateGaps => {
  const scale = mean * (shape - 1)
  return {
    name: `Pareto ${shape}`,
    mean,
    draw: (random) => scale * Math.expm1(random.exponential() / shape),
    cdf: (x) => 1 - (1 + x / scale) ** -shape,
  }
}

/**
 * From bursts to a clock. The first two are the pages of which false bounds were printed: Poisson
 * every 1.5 days, and the paper's Pareto with E[U] = 1/2.
 */
export const tenLaws: readonly UpdateGaps[] = [
  { ...weibull(1, 1.5), name: 'Poisson' },
  pareto(3, 0.5),
  pareto(2, 3),
  weibull(0.5, 2),
  weibull(0.66, 3),
  weibull(2, 2),
  {
    name: 'gamma 4',
    mean: 2.5,
    draw: (random) => (2.5 / 4) * random.gamma(4),
    cdf(x) {
      const y = (4 * x) / 2.5
      return 1 - Math.exp(-y) * (1 + y + y ** 2 / 2 + y ** 3 / 6)
    },
  },
  {
    name: 'uniform',
    mean: 1.5,
    draw: (random) => 3 * random.uniform(),
    cdf: (x) => Math.min(1, x / 3),
  },
  {
    name: 'bursts of an hour',
    mean: 0.8 / 24 + 0.2 * 5,
    draw: (random) => (random.uniform() < 0.8 ? 1 / 24 : 5) * random.exponential(),
    cdf: (x) => 1 - 0.8 * Math.exp(-24 * x) - 0.2 * Math.exp(-x / 5),
  },
  {
    name: 'lognormal',
    mean: 2,
    draw: (random) => Math.exp(Math.log(2) - 0.5 + random.normal()),
    cdf: (x) => normalTail(-(Math.log(x) - Math.log(2) + 0.5)),
  },
]

/** Laws that the bounds were not made with: run once after they were, and nothing was changed for them. */
export const unseenLaws: readonly UpdateGaps[] = [
  weibull(0.8, 0.7),
  weibull(3, 4),
  pareto(1.5, 2),
  {
    name: 'quick or slow',
    mean: 0.5 * 0.2 + 0.5 * 6,
    draw: (random) => (random.uniform() < 0.5 ? 0.2 : 6) * random.exponential(),
    cdf: (x) => 1 - 0.5 * Math.exp(-5 * x) - 0.5 * Math.exp(-x / 6),
  },
  {
    name: 'nearly every two days',
    mean: 2,
    draw: (random) => 1.8 + 0.4 * random.uniform(),
    cdf: (x) => Math.min(1, Math.max(0, (x - 1.8) / 0.4)),
  },
]

/** Ways to visit, a day apart on average. */
export const threeGaps: readonly (readonly [name: string, gap: Draw])[] = [
  ['equal', () => 1],
  ['jittered', (random) => 0.75 + random.uniform() / 2],
  ['random', (random) => Math.max(1e-3, random.exponential())],
]

/** G_U by the midpoint rule in the root of x: F_U may be steep at 0. */
function ageShare({ cdf, mean }: UpdateGaps, x: number): number {
  const steps = 800
  let total = 0
  for (let i = 0; i < steps; i++) {
    const u = (i + 0.5) / steps
    total += (1 - cdf(x * u * u)) * 2 * u * x
  }
  return Math.min(1, total / steps / mean)
}

const places = [0.25, 0.5, 1, 2, 4]
const refreshedEvery = 1.5

/** How often bounds held, of the chances they had. */
export interface Held {
  held: number
  of: number
}

export interface Coverage {
  readonly contentAges: Held
  readonly updateGaps: Held
  readonly changePeriod: Held
  readonly stale: Held
  readonly updatesBehind: Held
  /** Pages whose mean was printed as known from both sides. */
  bounded: number
  pages: number
}

/** Counts how often 95% bounds hold the truth, over pages of one law visited in one way. */
export function coverageOf(
  law: UpdateGaps,
  about: {
    gap: Draw
    pages: number
    visits: number
    copies: number
    seed: number
    dated?: boolean
  },
): Coverage {
  const none = (): Held => ({ held: 0, of: 0 })
  const found: Coverage = {
    contentAges: none(),
    updateGaps: none(),
    changePeriod: none(),
    stale: none(),
    updatesBehind: none(),
    bounded: 0,
    pages: 0,
  }
  const truth = places.map((x) => ({ x, age: ageShare(law, x), gap: law.cdf(x) }))
  const staleTruth = meanAge(law)
  const random = new Random(about.seed)
  for (let i = 0; i < about.pages; i++) {
    const history = seenPage(law, { ...about, random })
    const page = pageLaw(history)
    const known = resampled(history, page.method, { random, copies: about.copies })
    const ages = bands(known)
    const gaps = lawBounds(known, page)
    if (ages.kind === 'none' || gaps.kind === 'none') continue
    found.pages++
    if (gaps.changePeriod.low > 0) found.bounded++
    for (const { x, age, gap } of truth) {
      count(found.contentAges, { ...boundsAt(ages, x), value: age })
      count(found.updateGaps, { ...boundsAt(gaps, x), value: gap })
    }
    count(found.changePeriod, { ...gaps.changePeriod, value: law.mean })
    const copy = staleness(page, { gap: refreshedEvery, known })
    count(found.stale, { low: copy.stale.low!, high: copy.stale.high!, value: staleTruth })
    count(found.updatesBehind, {
      low: copy.updatesBehind.low!,
      high: copy.updatesBehind.high ?? Infinity,
      value: refreshedEvery / 2 / law.mean,
    })
  }
  return found
}

function count(held: Held, { low, high, value }: { low: number; high: number; value: number }) {
  held.of++
  if (low <= value + 1e-9 && value <= high + 1e-9) held.held++
}

function meanAge(law: UpdateGaps): number {
  const steps = 100
  let total = 0
  for (let i = 0; i < steps; i++) total += ageShare(law, (refreshedEvery * (i + 0.5)) / steps)
  return total / steps
}

function seenPage(
  law: UpdateGaps,
  {
    random,
    gap,
    visits,
    dated = false,
  }: { random: Random; gap: Draw; visits: number; dated?: boolean },
): History {
  const { start, observations } = renewalHistory({
    random,
    update: law.draw,
    gap,
    visits,
    warmUp: 60 * law.mean,
  })
  if (dated) return { start, observations }
  return {
    start: { at: 0 },
    observations: observations.map(({ contentAge: _, ...seen }) => seen),
  }
}
