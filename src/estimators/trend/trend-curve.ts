import type { PerSecond, Seconds } from '../../model/units.js'

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

/**
 * A Poisson process whose expected number of updates by time t is
 * expected (t / at)^exponent: the Weibull process and the Duane line are both
 * this law, and exponent 1 is the constant change rate. `at` is a time near the data, so that
 * large exponents neither overflow nor vanish where the law is used.
 */
export interface PowerLaw {
  /** 1: constant, above 1: the change rate rises, below 1: it falls. */
  readonly exponent: number
  readonly at: Seconds
  /** Expected updates by time `at`. */
  readonly expected: number
}

/** Whether every number of the law can be worked with. */
export function isUsable({ exponent, at, expected }: PowerLaw): boolean {
  return [exponent, at, expected].every((x) => Number.isFinite(x) && x > 0)
}

/** Expected number of updates in (0, t]; null where it is beyond the numbers. */
export function expectedUpdates(law: PowerLaw, t: Seconds): number | null {
  return t <= 0 ? 0 : finite(law.expected * (t / law.at) ** law.exponent)
}

/** Change rate at time t, the derivative of `expectedUpdates`; null at and before 0. */
export function changeRateAt(law: PowerLaw, t: Seconds): PerSecond | null {
  if (!(t > 0)) return null
  return finite(law.expected * law.exponent * (t / law.at) ** law.exponent * (1 / t))
}

/** The time by which so many updates are expected; null where it is beyond the numbers. */
export function timeOfExpected(law: PowerLaw, expected: number): Seconds | null {
  return finite(law.at * (expected / law.expected) ** (1 / law.exponent))
}

/** The mean time that belongs to a change rate, 1/lambda: null for a change rate of 0. */
export function periodOf(changeRate: PerSecond | null): Seconds | null {
  return changeRate === null || changeRate <= 0 ? null : finite(1 / changeRate)
}

/** A number that is beyond the numbers is null. */
export function finite(x: number): number | null {
  return Number.isFinite(x) ? x : null
}

/**
 * A change rate that varies in time, fitted to one window. All times are
 * seconds since the window's origin; null wherever there is no finite number.
 */
export interface TrendCurve {
  readonly method: string
  readonly verdict: TrendVerdict
  /** Update points the curve was fitted to. */
  readonly points: number
  /** Expected updates as a power of time; null where nothing could be fitted. */
  readonly law: PowerLaw | null
  changeRate(t: Seconds): PerSecond | null
  /** Mean time between updates at t. */
  mtbu(t: Seconds): Seconds | null
  /**
   * The time by which the next update has come with chance p, that the curve is
   * itself uncertain counted in. Only of methods that can tell.
   */
  next?(p: number): Seconds | null
}

export interface FitOptions {
  /**
   * Until when updates were looked for, since the window's origin. The silence
   * after the last update counts: without it a window that sped up and then
   * stopped seems to go on ever faster. Default, and least: the last update.
   */
  readonly until?: Seconds
}

/** A way to fit a curve to a window. */
export interface TrendEstimator {
  readonly name: string
  /** One sentence for a person who chooses a method. */
  readonly summary: string
  /** `times`: seconds since the window's origin, strictly increasing. Anything else is a verdict. */
  fit(times: readonly Seconds[], options?: FitOptions): TrendCurve
}

/** The curve of a window that cannot be fitted. */
export function noCurve(
  about: Pick<TrendCurve, 'method' | 'verdict' | 'points'>,
): TrendCurve & { readonly law: null } {
  return { ...about, law: null, changeRate: () => null, mtbu: () => null }
}
