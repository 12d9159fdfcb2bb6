import type { Seconds } from '../../model/index.js'
import { type ConsistentWindow, reversed, windowFrom } from './consistent-windows.js'
import type { UpdatePoint } from './update-points.js'
import { fits, grow, growthOver, initialPoints, initialState } from './window-growth.js'
import { type WindowOptions, type WindowRule, windowRule } from './window-rule.js'

/** What a new update did to the window that was being followed. */
export interface FollowedWindow {
  /** The window that now ends with the new point. */
  readonly window: ConsistentWindow
  /**
   * - `fits`: it belongs, or strays within the threshold
   * - `new-window`: it does not, and with the points before it makes a window of its own
   * - `noise`: it does not and they do not; it is kept in the window and counted
   */
  readonly outcome: 'fits' | 'new-window' | 'noise'
  /** What is left of the old window after a new one took its last points; else null. */
  readonly closed: ConsistentWindow | null
}

/**
 * Takes the next update into the window being followed. A point that does not
 * fit starts a new window if that can be: grown backward from the new point,
 * it must reach the minimum of points and yet be shorter than the old window.
 * Up to three points always fit: they tell the state.
 * O(points of the window).
 *
 * Singh 2007, section 5, the second experiment.
 */
export function followWindow(
  window: ConsistentWindow,
  { point, options = {} }: { readonly point: UpdatePoint; readonly options?: WindowOptions },
): FollowedWindow {
  const rule = windowRule(options)
  const points = [...window.points, point]
  const gaps = points.map((each, i) => each.at - (i === 0 ? window.origin : points[i - 1]!.at))
  const state = points.length <= initialPoints ? initialState(gaps, rule) : window.state
  const whole = windowFrom({ ...window, points, state }, rule)
  if (points.length <= initialPoints || fitsWindow(window, { gaps, rule }))
    return { window: whole, outcome: 'fits', closed: null }
  const own = backwardFrom(gaps, rule)
  if (own.count < rule.minimumPoints || own.count >= points.length)
    return { window: whole, outcome: 'noise', closed: null }
  const kept = points.slice(0, -own.count)
  const fresh = { origin: kept.at(-1)!.at, points: points.slice(-own.count), state: own.state }
  return {
    window: windowFrom({ ...fresh, merged: 0 }, rule),
    outcome: 'new-window',
    closed: windowFrom({ ...window, points: kept }, rule),
  }
}

function fitsWindow(
  window: ConsistentWindow,
  { gaps, rule }: { gaps: readonly Seconds[]; rule: WindowRule },
): boolean {
  const growth = growthOver(gaps.slice(0, -1), { state: window.state, rule })
  return fits(growth, { gap: gaps[gaps.length - 1]!, rule })
}

/** The window that the last three gaps start and the ones before them extend. */
function backwardFrom(gaps: readonly Seconds[], rule: WindowRule) {
  const back = [...gaps].reverse()
  const first = back.slice(0, initialPoints)
  let growth = growthOver(first, { state: initialState(first, rule), rule })
  for (const gap of back.slice(initialPoints)) {
    if (!fits(growth, { gap, rule })) break
    growth = grow(growth, { gap, rule })
  }
  return { count: growth.count, state: reversed(growth.state) }
}
