import { twoPaceLaws } from '../../numeric/index.js'

/**
 * What visits are for: `freshness`, time in which the copy equals the page;
 * `copy-age`, as little time as possible since the copy went stale; `changes-caught`,
 * visits that find a change.
 */
export type Objective = 'freshness' | 'copy-age' | 'changes-caught'

/** Gaps at which worths are tabulated: a minute to 400 days in equal ratios. */
export const gridGaps = Float64Array.from(
  { length: 90 },
  (_, k) => 60 * ((400 * 86_400) / 60) ** (k / 89),
)

/**
 * What a gap brings a page at a pace, before the request is paid: seconds of
 * freshness, less the copy age summed over time, or the chance to see a change.
 */
export function reward(objective: Objective, { pace, gap }: { pace: number; gap: number }): number {
  const changed = -Math.expm1(-pace * gap)
  if (objective === 'freshness') return changed / pace
  if (objective === 'changes-caught') return changed
  // The integral of the expected copy age; its series where the terms would cancel.
  const expected = pace * gap
  if (expected < 1e-3) return (-pace * gap ** 3) / 6
  return -(gap * gap) / 2 + (gap - changed / pace) / pace
}

const tables = new Map<Objective, readonly Float64Array[]>()

/** Rewards by pace of the family and gap of the grid; made once. */
export function rewardTable(objective: Objective): readonly Float64Array[] {
  const known = tables.get(objective)
  if (known !== undefined) return known
  const made = Array.from(twoPaceLaws.changeRates, (pace) =>
    gridGaps.map((gap) => reward(objective, { pace, gap })),
  )
  tables.set(objective, made)
  return made
}
