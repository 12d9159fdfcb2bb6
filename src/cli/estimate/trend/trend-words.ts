import {
  type FittedWindow,
  type NextUpdate,
  shapeBounds,
  type Trend,
  type TrendVerdict,
  type WindowState,
} from '../../../estimate/index.js'
import { humanTime, type UnixSeconds } from '../../../model/index.js'

/** A window's state as far as its updates tell. */
export type ShownState = WindowState | 'unknown'

export const stateWords: Readonly<Record<ShownState, string>> = {
  constant: 'steady',
  increasing: 'changing faster',
  decreasing: 'changing slower',
  unknown: 'too little to tell',
}

/**
 * What to call a window: faster or slower only where its fitted shape surely
 * differs from a steady page's, and unknown where it was fitted to fewer points
 * than the method's least, or to visits rather than updates. A window's own
 * state says how it was cut, and cuts of a steady page are seldom called steady.
 */
export function surelyState(
  { window, until, curve }: FittedWindow,
  { counted }: Pick<Trend, 'counted'>,
): ShownState {
  const bounds = shapeBounds(window.times, { until: until - window.origin })
  if (bounds === null || curve.verdict !== 'ok' || !counted) return 'unknown'
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

const untoldWords: Partial<Record<TrendVerdict, string>> = {
  'too-few-points': 'Too few updates to foresee the next one: it takes four.',
  'under-four-points': 'Too few updates to foresee the next one: it takes four.',
  'visits-too-rare':
    'Visits are too far apart to foresee the next update: each visit that found a change counts as one update, and there were very likely more.',
}

/** When the next update is due by the last window, in a sentence, or why it cannot be told; null where there is nothing to say. */
export function nextWords(next: NextUpdate | null): string | null {
  if (next === null) return null
  if (next.at === null) return untoldWords[next.verdict] ?? null
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
