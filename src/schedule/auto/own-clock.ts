import { calmerClock, twoPaceLaws as laws, type WeekClock } from '../../numeric/index.js'

/** A page's own clock: between its group's and the flat one, as its belief has it. */
export function ownClock(clock: WeekClock, belief: Float64Array | null | undefined): WeekClock {
  return calmerClock(clock, belief?.[2 * laws.size + 1] ?? 0)
}
