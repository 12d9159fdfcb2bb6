import type { Bounds } from './estimate.js'
import { humanDuration } from './human.js'
import type { Seconds } from './units.js'

/** Bounds of a change period; null where they are open. */
export interface PeriodRange {
  readonly shortest: Seconds | null
  readonly longest: Seconds | null
}

/** Bounds of a change rate as a range of the change period. */
export function periodRange(bounds: Pick<Bounds, 'low' | 'high'> | null): PeriodRange {
  if (bounds === null) return { shortest: null, longest: null }
  return {
    shortest: bounds.high === null ? null : finite(1 / bounds.high),
    longest: bounds.low > 0 ? finite(1 / bounds.low) : null,
  }
}

function finite(value: number): number | null {
  return Number.isFinite(value) && value > 0 ? value : null
}

/** In words: `2.1 to 5.5 days`, `at least 12 days`, `at most 3 hours`; null where nothing is known. */
export function rangeWords({ shortest, longest }: PeriodRange): string | null {
  if (longest === null) return shortest === null ? null : `at least ${humanDuration(shortest)}`
  if (shortest === null) return `at most ${humanDuration(longest)}`
  const [from, to] = [humanDuration(shortest), humanDuration(longest)]
  const unit = (text: string) => text.replace(/^\S+ /, '').replace(/s$/, '')
  return unit(from) === unit(to) ? `${from.replace(/ .*/, '')} to ${to}` : `${from} to ${to}`
}
