import type { UpdateSeries } from '../../../src/estimators/trend/update-points.js'
import type { History, Observation } from '../../../src/model/history.js'
import type { Random } from '../../../src/numeric/random.js'

/** Known updates as a series that starts at 0, each told by Last-Modified. */
export function seriesAt(times: readonly number[], until = times.at(-1) ?? 0): UpdateSeries {
  const points = times.map((at, i) => ({
    at,
    kind: 'last-modified' as const,
    after: times[i - 1] ?? 0,
    seenAt: at,
  }))
  return { origin: 0, until, points }
}

/** The times that gaps add up to. */
export function timesOf(gaps: readonly number[]): number[] {
  let at = 0
  return gaps.map((gap) => {
    at += gap
    return at
  })
}

/** Visits one time unit apart from time 0, with what each saw. */
export function historyOfVisits(seen: ReadonlyArray<Omit<Observation, 'at' | 'gap'>>): History {
  return { start: { at: 0 }, observations: seen.map((each, i) => ({ at: i + 1, gap: 1, ...each })) }
}

/** n updates of a power-law process: the nth arrival of rate 1 is stretched to scale g^(1/shape). */
export function powerLawTimes(
  random: Random,
  { n, shape, scale = 1 }: { n: number; shape: number; scale?: number },
): number[] {
  let arrivals = 0
  return Array.from({ length: n }, () => {
    arrivals += random.exponential()
    return scale * arrivals ** (1 / shape)
  })
}
