import type { UpdateSeries } from 'revisit/estimators'

/** Pages whose updates are known, to be walked through one after the other. */
export interface PageSet {
  readonly name: string
  /** What it is, for a reader. */
  readonly about: string
  readonly pages: number
  /** Pages without three updates tell no window and are passed over. */
  series(): Iterable<UpdateSeries>
}

/** A series of updates at given times, each put in the middle of the access unit that saw it. */
export function seriesOf(
  times: readonly number[],
  { until, unit }: { readonly until: number; readonly unit: number },
): UpdateSeries {
  const points = times.map((at) => ({
    at,
    kind: 'mid-gap' as const,
    after: at - unit / 2,
    seenAt: at + unit / 2,
  }))
  return { origin: 0, until, points }
}
