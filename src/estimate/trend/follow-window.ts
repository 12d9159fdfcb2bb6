import { type ConsistentWindow, windowFrom } from './consistent-windows.js'
import type { UpdatePoint } from './update-points.js'
import { type FollowOutcome, WindowFollower } from './window-follower.js'
import { type WindowOptions, windowRule } from './window-rule.js'

export interface FollowedWindow {
  /** The window that now ends with the new point. */
  readonly window: ConsistentWindow
  readonly outcome: FollowOutcome
  /** What is left of the old window after a new one took its last points; else null. */
  readonly closed: ConsistentWindow | null
}

/**
 * The window being followed with the next update in it, as values: what
 * `WindowFollower` does in place. O(points of the window).
 */
export function followWindow(
  window: ConsistentWindow,
  { point, options = {} }: { readonly point: UpdatePoint; readonly options?: WindowOptions },
): FollowedWindow {
  const rule = windowRule(options)
  const { origin, state } = window
  const before = window.points.map(({ at }) => at)
  const follower = WindowFollower.over(before, { origin, state, rule })
  const outcome = follower.take(point.at)
  const points = [...window.points, point]
  const own = points.slice(-follower.times.length)
  const kept = points.slice(0, -follower.times.length)
  const fresh = { origin: follower.origin, points: own, state: follower.state }
  const merged = outcome === 'new-window' ? 0 : window.merged
  return {
    window: windowFrom({ ...fresh, merged }, rule),
    outcome,
    closed: outcome === 'new-window' ? windowFrom({ ...window, points: kept }, rule) : null,
  }
}
