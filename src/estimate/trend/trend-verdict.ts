import type { Seconds } from '../../model/index.js'

/**
 * What kind of answer a fit or a test is. `ok` and `under-four-points` come
 * with numbers, the rest with nulls:
 *
 * - `no-update`: no update point at all
 * - `too-few-points`: fewer than the method needs
 * - `under-four-points`: numbers, but fewer points than the paper's shortest window
 * - `bad-times`: a time at or before the origin, or not a finite number
 * - `equal-times`: two points at one time, or out of order
 * - `no-spread`: the points are too close together, seen from the origin, for logarithms to tell apart
 * - `intercept-not-positive`: Duane's intercept, taken without its exponential, is no duration
 * - `visits-too-rare`: each changed gap counts as one update, and the gaps tell that more were missed
 * - `out-of-range`: the result is beyond the numbers a computer holds
 */
export type TrendVerdict =
  | 'ok'
  | 'no-update'
  | 'too-few-points'
  | 'under-four-points'
  | 'bad-times'
  | 'equal-times'
  | 'no-spread'
  | 'intercept-not-positive'
  | 'visits-too-rare'
  | 'out-of-range'

/** What the times alone say, before any fit; O(n). */
export function verdictOfTimes(
  times: readonly Seconds[],
  { needs }: { readonly needs: number },
): TrendVerdict {
  if (times.length === 0) return 'no-update'
  let ascending = true
  let before = 0
  for (let i = 0; i < times.length; i++) {
    const t = times[i]!
    if (!(t > 0 && t < Infinity)) return 'bad-times'
    if (t <= before) ascending = false
    before = t
  }
  if (!ascending) return 'equal-times'
  if (times.length < needs) return 'too-few-points'
  return times.length < 4 ? 'under-four-points' : 'ok'
}

/** Whether the verdict comes with numbers. */
export function hasNumbers(verdict: TrendVerdict): boolean {
  return verdict === 'ok' || verdict === 'under-four-points'
}
