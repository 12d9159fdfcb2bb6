import type { Seconds } from '../../model/units.js'
import { shapeBounds } from './weibull.js'
import type { WindowState } from './window-rule.js'

/**
 * What the state of a window goes by: `paper`, the three gaps that began it, or
 * `fit`, where that is significant: the shape fitted to the window, else that
 * fitted to all updates known, and those three gaps only where neither surely
 * differs from a steady page's (exact bounds at 95%). A page that speeds up over
 * a hundred updates may end with three gaps that grow; what each rule does to
 * predictions is measured in docs/notes/singh.md.
 */
export type StateRule = 'fit' | 'paper'
export const stateRules: readonly StateRule[] = ['fit', 'paper']

/** Updates since an origin, and until when they were looked for. */
export interface TimedUpdates {
  readonly times: readonly Seconds[]
  readonly until?: Seconds
}

export interface KnownState {
  readonly state: WindowState
  /** `fit` of the window, `whole`: the fit of all updates, or `paper`. */
  readonly stateBy: 'fit' | 'whole' | 'paper'
}

/** The state of a window, and what it goes by. O(n). */
export function windowState(
  window: TimedUpdates & { readonly state: WindowState },
  { rule, whole }: { readonly rule: StateRule; readonly whole?: TimedUpdates },
): KnownState {
  const own = rule === 'paper' ? null : significantState(window)
  if (own !== null) return { state: own, stateBy: 'fit' }
  const all = rule === 'paper' || whole === undefined ? null : significantState(whole)
  return all === null ? { state: window.state, stateBy: 'paper' } : { state: all, stateBy: 'whole' }
}

function significantState({ times, until }: TimedUpdates): WindowState | null {
  const bounds = shapeBounds(times, until === undefined ? {} : { until })
  if (bounds === null) return null
  if (bounds.low > 1) return 'increasing'
  return bounds.high < 1 ? 'decreasing' : null
}
