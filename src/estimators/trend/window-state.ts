import type { Seconds } from '../../model/units.js'
import { shapeBounds } from './weibull.js'
import type { WindowState } from './window-rule.js'

/**
 * What the state of a window goes by: `paper`, the three gaps that began it, or
 * `fit`, the shape fitted to all of it where that surely differs from a steady
 * page's (exact bounds at 95%), and those three gaps elsewhere. A window that
 * speeds up over a hundred updates may begin, or end, with three that slow
 * down; what each does to predictions is measured in docs/notes/singh.md.
 */
export type StateRule = 'fit' | 'paper'
export const stateRules: readonly StateRule[] = ['fit', 'paper']

/** The state of a window, and what it goes by. O(n). */
export function windowState(
  { state, times }: { readonly state: WindowState; readonly times: readonly Seconds[] },
  { rule, until }: { readonly rule: StateRule; readonly until?: Seconds },
): { readonly state: WindowState; readonly stateBy: StateRule } {
  const bounds = rule === 'paper' ? null : shapeBounds(times, until === undefined ? {} : { until })
  if (bounds !== null && bounds.low > 1) return { state: 'increasing', stateBy: 'fit' }
  if (bounds !== null && bounds.high < 1) return { state: 'decreasing', stateBy: 'fit' }
  return { state, stateBy: 'paper' }
}
