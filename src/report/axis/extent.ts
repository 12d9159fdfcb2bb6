import { HOUR } from '../../model/index.js'
import type { Axis, Extent } from './axis.js'

/** Beyond these a sum or a ratio of two values may be no number any more. */
const largest = 1e100
const calendarEnd = 8.64e12

/** Whether an axis can show the value at all. */
export function canShow(axis: Pick<Axis, 'scale' | 'kind'>, value: unknown): value is number {
  if (typeof value !== 'number' || !(Math.abs(value) <= largest)) return false
  if (axis.kind === 'time') return Math.abs(value) <= calendarEnd
  return axis.scale === 'log' ? value >= 1 / largest : true
}

/**
 * From where to where an axis goes: the given domain, or the values with room
 * for one that stands alone. Null where there is nothing to show. O(values).
 */
export function extentOf(axis: Axis, values: Iterable<number | null | undefined>): Extent | null {
  const { domain } = axis
  if (domain?.every((end) => canShow(axis, end)) && domain[1] > domain[0])
    return opened(axis, { low: domain[0], high: domain[1] })
  let low = axis.fromZero === true && axis.scale !== 'log' ? 0 : Infinity
  let high = -Infinity
  if (axis.kind === 'share' && axis.scale !== 'log') return { low: 0, high: 1 }
  for (const value of values) {
    if (!canShow(axis, value)) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (high === -Infinity) return null
  return withMargin(axis, opened(axis, { low, high: Math.max(low, high) }))
}

/** Dates have room enough by themselves. */
function withMargin({ margin = 0, scale, kind }: Axis, { low, high }: Extent): Extent {
  if (margin === 0 || kind === 'time') return { low, high }
  if (scale !== 'log')
    return { low: low - margin * (high - low), high: high + margin * (high - low) }
  const by = (high / low) ** margin
  return { low: low / by, high: high * by }
}

/** Room around a single value, and around values too close for ticks between them. */
function opened(axis: Axis, { low, high }: Extent): Extent {
  if (axis.scale === 'log')
    return high / low > 1 + 1e-9 ? { low, high } : { low: low / 2, high: high * 2 }
  const size = Math.max(Math.abs(low), Math.abs(high))
  // Dates are held to the millisecond.
  const least = axis.kind === 'time' ? Math.max(0.1, size * 1e-9) : size * 1e-9
  if (high - low > least) return { low, high }
  if (axis.kind === 'time') return { low: low - HOUR, high: high + HOUR }
  const room = size === 0 ? 1 : size / 10
  return axis.fromZero === true && low >= 0
    ? { low: 0, high: high + room }
    : { low: low - room, high: high + room }
}
