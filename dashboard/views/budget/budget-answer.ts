import type { Seconds } from '../../../src/model/index.js'

/** What may be spent, and what it buys on this collection. */
export interface BudgetAnswer {
  /** Null where none is set. */
  readonly requestsPerDay: number | null
  /** Predicted freshness by requests a day, in ascending order. */
  readonly curve: readonly CurvePoint[]
  readonly hosts?: readonly {
    readonly host: string
    readonly pages: number
    readonly requestsPerDay: number
    readonly freshness: number
  }[]
  /** Pages that the curve rests on, and those not known yet. */
  readonly pagesKnown?: number
  readonly pagesUnknown?: number
}

export interface CurvePoint {
  readonly requestsPerDay: number
  readonly freshness: number
  readonly copyAge?: Seconds
}

/** The curve at any budget, joined linearly; undefined where there is none. */
export function freshnessAt(
  curve: readonly CurvePoint[],
  requestsPerDay: number,
): number | undefined {
  const above = curve.findIndex((point) => point.requestsPerDay >= requestsPerDay)
  if (above < 0) return curve[curve.length - 1]?.freshness
  const high = curve[above]!
  const low = curve[above - 1] ?? { requestsPerDay: 0, freshness: 0 }
  const width = high.requestsPerDay - low.requestsPerDay
  if (width <= 0) return high.freshness
  const share = (requestsPerDay - low.requestsPerDay) / width
  return low.freshness + share * (high.freshness - low.freshness)
}
