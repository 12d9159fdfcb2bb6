/**
 * What the numbers of an axis are. `duration`: seconds, shown in the unit a
 * person would use; `time`: Unix seconds, shown as dates in UTC; `share`: 0 to
 * 1, shown in percent.
 */
export type AxisKind = 'number' | 'share' | 'duration' | 'time'

/** One axis of a figure, as a caller describes it. */
export interface Axis {
  /** With its unit, unless the kind tells it. */
  readonly title: string
  readonly kind?: AxisKind
  readonly scale?: 'linear' | 'log'
  /** From where to where; as far as the data reach unless said. Points beyond are left out. */
  readonly domain?: readonly [number, number]
  /** Share of its length left free at either end, so that no dot is cut; 0 unless said. */
  readonly margin?: number
  /** Whether a linear axis starts at 0; it does for shares. */
  readonly fromZero?: boolean
}

/** The lowest and the highest value that an axis shows; the second is above the first. */
export interface Extent {
  readonly low: number
  readonly high: number
}
