import { DAY, OptionError, type Seconds } from '../../model/index.js'

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
