import { OptionError } from '../../model/errors.js'
import { DAY, HOUR } from '../../model/units.js'
import { hyperexponentialLaws as laws } from '../../numeric/hyperexponential.js'

/**
 * What visits are for: `freshness`, time in which the copy equals the page;
 * `delay`, as little time as possible from each change to the visit that
 * notices it; `changes-caught`, visits that find a change.
 */
export const objectives = ['freshness', 'delay', 'changes-caught'] as const
export type Objective = (typeof objectives)[number]

export function isObjective(text: unknown): text is Objective {
  return (objectives as readonly unknown[]).includes(text)
}

export function objectiveNamed(text: string): Objective {
  if (isObjective(text)) return text
  throw new OptionError(
    'unknown-objective',
    `there is no objective "${text}"; there are: ${objectives.join(', ')}`,
  )
}

/**
 * What a request costs in each objective's unit, before anything is known:
 * seconds of freshness, seconds of waiting summed over changes (the same thing
 * while a gap holds one change at most), or a chance to catch a change.
 */
export const usualPrices: Readonly<Record<Objective, number>> = {
  freshness: 6 * HOUR,
  delay: 6 * HOUR,
  'changes-caught': 0.2,
}

/** The lowest and the highest price that a budget may come to. */
export const priceRanges: Readonly<Record<Objective, readonly [number, number]>> = {
  freshness: [1, 400 * DAY],
  // A page that changes every two minutes, left alone for a month, comes to 3e10 seconds.
  delay: [1e-2, 1e12],
  'changes-caught': [1e-5, 1],
}

/** Gaps at which values are tabulated: a minute to 400 days in equal ratios. */
export const gridGaps = Float64Array.from(
  { length: 90 },
  (_, k) => 60 * ((400 * DAY) / 60) ** (k / 89),
)

/**
 * What a gap brings a page that begins it at a rate, before the request is
 * paid: seconds of freshness, less the seconds that its changes wait for the
 * visit in all, or the chance to see a change. Only the waiting depends on the
 * law too: after its first change the page may go on at the other rate.
 */
export function reward(
  objective: Objective,
  { changeRate, gap, law }: { changeRate: number; gap: number; law?: number },
): number {
  if (objective === 'delay') return -waiting(law ?? null, { changeRate, gap })
  const changed = -Math.expm1(-changeRate * gap)
  return objective === 'freshness' ? changed / changeRate : changed
}

/**
 * Seconds that the changes of a gap wait for the visit at its end, summed and
 * expected: the integral of the changes expected by then, m t + (r - m) (1 -
 * e^(-f t)) / f for a law of mean rate m that starts at rate r and forgets its
 * start at rate f. For a Poisson page, r gap^2 / 2.
 */
function waiting(
  law: number | null,
  { changeRate, gap }: { changeRate: number; gap: number },
): number {
  const forgets = law === null ? 0 : laws.relaxation[law]!
  if (forgets === 0) return (changeRate * gap * gap) / 2
  const mean = laws.meanRates[law!]!
  const passed = forgets * gap
  // Its series where the terms would cancel.
  const start = passed < 1e-3 ? 0.5 - passed / 6 : (passed + Math.expm1(-passed)) / passed ** 2
  return gap * gap * (mean / 2 + (changeRate - mean) * start)
}

const tables = new Map<Objective, RewardTable>()

/** By law, rewards at each gap of the grid for a start at its fast and at its slow rate. */
interface RewardTable {
  readonly fast: readonly Float64Array[]
  readonly slow: readonly Float64Array[]
}

/** Made once; laws share rows where only the rate counts. */
export function rewardTable(objective: Objective): RewardTable {
  const known = tables.get(objective)
  if (known !== undefined) return known
  const { changeRates } = laws
  const byRate = Array.from(changeRates, (changeRate) =>
    gridGaps.map((gap) => reward(objective, { changeRate, gap })),
  )
  const row = (at: number, law: number) =>
    objective === 'delay' && laws.relaxation[law]! > 0
      ? gridGaps.map((gap) => reward(objective, { changeRate: changeRates[at]!, gap, law }))
      : byRate[at]!
  const made = { fast: Array.from(laws.fast, row), slow: Array.from(laws.slow, row) }
  tables.set(objective, made)
  return made
}
