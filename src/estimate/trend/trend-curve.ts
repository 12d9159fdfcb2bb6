import type { PerSecond, Seconds } from '../../model/index.js'
import type { PowerLaw } from './power-law.js'
import type { TrendVerdict } from './trend-verdict.js'

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
