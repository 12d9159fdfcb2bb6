import type { Seconds } from '../../model/index.js'
import type { WindowRule, WindowState } from './window-rule.js'

/** Gaps seen so far by a window that takes points in one after the other. */
export interface WindowGrowth {
  readonly state: WindowState
  readonly count: number
  readonly totalGap: Seconds
  readonly lastValue: Seconds
  readonly totalValue: Seconds
  /** Sum of what the points stray by. */
  readonly discrepancy: Seconds
  /** Points that stray at all. */
  readonly noise: number
}

/** How many points make a first window: the paper's three. */
export const initialPoints = 3

/**
 * A window in its given state that takes in gaps whether they fit or not. The
 * first gap has nothing to be compared with. O(gaps).
 */
export function growthOver(
  gaps: readonly Seconds[],
  { state, rule }: { state: WindowState; rule: WindowRule },
): WindowGrowth {
  const nothing = { count: 0, totalGap: 0, lastValue: 0, totalValue: 0, discrepancy: 0, noise: 0 }
  return gaps.reduce<WindowGrowth>((so, gap) => grow(so, { gap, rule }), { state, ...nothing })
}

/**
 * The state that three gaps show: constant if all three (or the outer two,
 * when the middle one strays) are equal within the rule's share, else by
 * whether the last is smaller (the change rate increases) or larger than the
 * first.
 */
export function initialState(gaps: readonly Seconds[], rule: WindowRule): WindowState {
  let total = 0
  const values = gaps.slice(0, initialPoints).map((gap, i) => {
    total += gap
    return rule.judgedBy === 'gaps' ? gap : total / (i + 1)
  })
  const first = values[0] ?? 0
  const last = values[values.length - 1] ?? 0
  if (Math.abs(last - first) <= rule.equalWithin * Math.max(first, last)) return 'constant'
  return last < first ? 'increasing' : 'decreasing'
}

/** The window with one more gap. */
export function grow(
  window: WindowGrowth,
  { gap, rule }: { gap: Seconds; rule: WindowRule },
): WindowGrowth {
  const value = judgedValue(window, { gap, rule })
  const astray = discrepancyOf(window, { value, rule })
  return {
    state: window.state,
    count: window.count + 1,
    totalGap: window.totalGap + gap,
    lastValue: value,
    totalValue: window.totalValue + value,
    discrepancy: window.discrepancy + astray,
    noise: window.noise + (astray > 0 ? 1 : 0),
  }
}

/** Whether one more gap is consistent, or strays by no more than the threshold. */
export function fits(
  window: WindowGrowth,
  { gap, rule }: { gap: Seconds; rule: WindowRule },
): boolean {
  const astray = discrepancyOf(window, { value: judgedValue(window, { gap, rule }), rule })
  if (astray === 0) return true
  const held = rule.discrepancy === 'summed' ? window.discrepancy + astray : astray
  const { threshold } = rule
  const limit =
    'seconds' in threshold
      ? threshold.seconds
      : threshold.meanGaps * (window.totalGap / Math.max(1, window.count))
  return held <= limit
}

function judgedValue(
  window: WindowGrowth,
  { gap, rule }: { gap: Seconds; rule: WindowRule },
): Seconds {
  return rule.judgedBy === 'gaps' ? gap : (window.totalGap + gap) / (window.count + 1)
}

/** By how much a value strays from what the window's state allows; 0 within the equal share. */
function discrepancyOf(
  window: WindowGrowth,
  { value, rule }: { value: Seconds; rule: WindowRule },
): Seconds {
  if (window.count === 0) return 0
  const reference =
    rule.comparedWith === 'previous' ? window.lastValue : window.totalValue / window.count
  const over = value - reference
  const wrong = { constant: Math.abs(over), increasing: over, decreasing: -over }[window.state]
  return wrong <= rule.equalWithin * reference ? 0 : wrong
}
