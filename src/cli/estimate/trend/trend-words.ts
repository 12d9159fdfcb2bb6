import {
  type ConsistentWindow,
  type NextUpdate,
  shapeBounds,
  type Trend,
  type WindowState,
} from '../../../estimate/index.js'
import { humanTime, type UnixSeconds } from '../../../model/index.js'

export const stateWords: Readonly<Record<WindowState, string>> = {
  constant: 'steady',
  increasing: 'changing faster',
  decreasing: 'changing slower',
}

/**
 * What to call a window: faster or slower only where its fitted shape surely
 * differs from a steady page's. A window's own state says how it was cut, and
 * cuts of a steady page are seldom called steady.
 */
export function surelyState({ times }: Pick<ConsistentWindow, 'times'>): WindowState {
  const bounds = shapeBounds(times)
  if (bounds === null) return 'constant'
  if (bounds.low > 1) return 'increasing'
  return bounds.high < 1 ? 'decreasing' : 'constant'
}

/** Whether the change rate surely rises or falls over the whole history. */
export function isMoving({ test }: Trend): boolean {
  return test.direction === 'rising' || test.direction === 'falling'
}

/** The trend over the whole history, in a sentence. */
export function trendWords({ test }: Trend): string {
  if (test.direction === null || test.pValue === null)
    return 'Too few updates to tell whether it changes faster or slower than it did.'
  const chance = test.pValue < 0.001 ? 'under 0.001' : String(Number(test.pValue.toPrecision(2)))
  const words = {
    rising: 'It changes faster than it did',
    falling: 'It changes slower than it did',
    steady: 'No trend over the whole time is shown',
  }
  return `${words[test.direction]} (p = ${chance} if it were steady).`
}

/** When the next update is due by the last window, in a sentence; null where it cannot be told. */
export function nextWords(next: NextUpdate | null): string | null {
  if (next === null || next.at === null) return null
  const bounds =
    next.bounds === null
      ? ''
      : ` (between ${minute(next.bounds.low)} and ${minute(next.bounds.high)} with a chance of ${Math.round(100 * next.bounds.level)}%, if the last window goes on)`
  return `The next update is due about ${minute(next.at)}${bounds}.`
}

function minute(at: UnixSeconds): string {
  return humanTime(at)
    .replace('T', ' ')
    .replace(/:\d\dZ$/, ' UTC')
}
