import { parseDuration } from '../../model/duration.js'
import { OptionError } from '../../model/errors.js'
import { DAY, type Seconds } from '../../model/units.js'

/** What the change rate does within a window: gaps stay, shrink or grow. */
export type WindowState = 'constant' | 'increasing' | 'decreasing'

/**
 * How far a point may stray and still belong to its window. The paper says
 * "a threshold value of 3" without a unit; its data count in days. `meanGaps`
 * is in multiples of the window's mean gap so far, so that it means the same
 * for a page that changes by the minute and one that changes by the year.
 */
export type Threshold = { readonly seconds: Seconds } | { readonly meanGaps: number }

/** The paper's threshold, read in its unit of update. */
export const paperThreshold: Threshold = { seconds: 3 * DAY }

/** A threshold as a person writes it: `3` mean gaps, or a duration such as `3d`. */
export function readThreshold(text: string): Threshold {
  const bare = /^\s*(\d+\.?\d*|\.\d+)\s*$/.exec(text)
  if (bare !== null) return { meanGaps: Number(bare[1]) }
  const seconds = parseDuration(text)
  if (seconds >= 0 && Number.isFinite(seconds)) return { seconds }
  throw bad('threshold', 'must be 0 or more: mean gaps (3) or a duration (3d)')
}

/** Every choice the paper leaves open when it cuts a history into windows. */
export interface WindowOptions {
  /** From the first three points on, or from the last three back. Default: forward. */
  readonly direction?: 'forward' | 'backward'
  /** Default: three mean gaps. */
  readonly threshold?: Threshold
  /** Whether each point's discrepancy is held against the threshold, or their sum. Default: per-point. */
  readonly discrepancy?: 'per-point' | 'summed'
  /** What must stay, shrink or grow: the gaps (default), or the mean gap since the window's start. */
  readonly judgedBy?: 'gaps' | 'running-means'
  /** What a new value is compared with: the one before it (default), or the mean of the window's. */
  readonly comparedWith?: 'previous' | 'window-mean'
  /** Values count as equal within this share of what they are compared with. Default: 0.1. */
  readonly equalWithin?: number
  /** Windows with fewer points are merged into their neighbours. Default: 4, as in the paper. */
  readonly minimumPoints?: number
  /** Which neighbour gets the middle point of a short window with an odd count. Default: earlier. */
  readonly oddPoint?: 'earlier' | 'later'
}

export type WindowRule = Required<WindowOptions>

/** The options with their defaults, checked. */
export function windowRule(options: WindowOptions = {}): WindowRule {
  const rule: WindowRule = {
    direction: 'forward',
    threshold: { meanGaps: 3 },
    discrepancy: 'per-point',
    judgedBy: 'gaps',
    comparedWith: 'previous',
    equalWithin: 0.1,
    minimumPoints: 4,
    oddPoint: 'earlier',
    ...options,
  }
  const limit = 'seconds' in rule.threshold ? rule.threshold.seconds : rule.threshold.meanGaps
  if (!(limit >= 0)) throw bad('threshold', 'must be 0 or more')
  if (!(rule.equalWithin >= 0)) throw bad('equalWithin', 'must be 0 or more, such as 0.1')
  if (!(rule.minimumPoints >= 1)) throw bad('minimumPoints', 'must be 1 or more; the paper has 4')
  return rule
}

function bad(name: string, must: string): OptionError {
  return new OptionError('bad-window-option', `${name} ${must}`)
}

/** How many points make a first window: the paper's three. */
export const initialPoints = 3

/**
 * What a window that takes gaps in one after the other has seen so far.
 * Written in place: cutting a history makes no object a point.
 */
export class WindowGrowth {
  readonly state: WindowState
  readonly #rule: WindowRule
  count = 0
  totalGap: Seconds = 0
  /** Sum of what the points stray by. */
  discrepancy: Seconds = 0
  /** Points that stray at all. */
  noise = 0
  #lastValue: Seconds = 0
  #totalValue: Seconds = 0

  constructor({ state, rule }: { state: WindowState; rule: WindowRule }) {
    this.state = state
    this.#rule = rule
  }

  /** Takes a gap in, whether it fits or not. The first has nothing to be compared with. */
  grow(gap: Seconds): void {
    const value = this.#judged(gap)
    const astray = this.#astray(value)
    this.count++
    this.totalGap += gap
    this.#lastValue = value
    this.#totalValue += value
    if (astray === 0) return
    this.discrepancy += astray
    this.noise++
  }

  /** Whether one more gap is consistent, or strays by no more than the threshold. */
  fits(gap: Seconds): boolean {
    const astray = this.#astray(this.#judged(gap))
    if (astray === 0) return true
    const { threshold, discrepancy } = this.#rule
    const held = discrepancy === 'summed' ? this.discrepancy + astray : astray
    const limit =
      'seconds' in threshold
        ? threshold.seconds
        : threshold.meanGaps * (this.totalGap / Math.max(1, this.count))
    return held <= limit
  }

  #judged(gap: Seconds): Seconds {
    return this.#rule.judgedBy === 'gaps' ? gap : (this.totalGap + gap) / (this.count + 1)
  }

  /** By how much a value strays from what the state allows; 0 within the equal share. */
  #astray(value: Seconds): Seconds {
    if (this.count === 0) return 0
    const { comparedWith, equalWithin } = this.#rule
    const reference = comparedWith === 'previous' ? this.#lastValue : this.#totalValue / this.count
    const over = value - reference
    const wrong =
      this.state === 'constant' ? Math.abs(over) : this.state === 'increasing' ? over : -over
    return wrong <= equalWithin * reference ? 0 : wrong
  }
}

/** A window in its given state that takes in gaps whether they fit or not. O(gaps). */
export function growthOver(
  gaps: readonly Seconds[],
  about: { state: WindowState; rule: WindowRule },
): WindowGrowth {
  const growth = new WindowGrowth(about)
  for (let i = 0; i < gaps.length; i++) growth.grow(gaps[i]!)
  return growth
}

/**
 * The state that three gaps show: constant if all three (or the outer two,
 * when the middle one strays) are equal within the rule's share, else by
 * whether the last is smaller (the change rate increases) or larger than the
 * first.
 */
export function initialState(gaps: readonly Seconds[], rule: WindowRule): WindowState {
  let total = 0
  let last = 0
  const count = Math.min(initialPoints, gaps.length)
  for (let i = 0; i < count; i++) {
    total += gaps[i]!
    last = rule.judgedBy === 'gaps' ? gaps[i]! : total / (i + 1)
  }
  const first = gaps[0] ?? 0
  if (Math.abs(last - first) <= rule.equalWithin * Math.max(first, last)) return 'constant'
  return last < first ? 'increasing' : 'decreasing'
}

/** The window that the gaps from `from` on start and extend as far as they fit. O(its points). */
export function grownFrom(
  gaps: readonly Seconds[],
  { from = 0, rule }: { from?: number; rule: WindowRule },
): WindowGrowth {
  const first = gaps.slice(from, from + initialPoints)
  const growth = growthOver(first, { state: initialState(first, rule), rule })
  for (let to = from + first.length; to < gaps.length && growth.fits(gaps[to]!); to++)
    growth.grow(gaps[to]!)
  return growth
}
