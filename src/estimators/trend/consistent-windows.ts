import type { Seconds, UnixSeconds } from '../../model/units.js'
import { elapsedSince, type UpdatePoint, type UpdateSeries } from './update-points.js'
import {
  grownFrom,
  growthOver,
  type WindowOptions,
  type WindowRule,
  type WindowState,
  windowRule,
} from './window-rule.js'

/** Points `from` up to but not including `to`. */
interface Span {
  readonly from: number
  readonly to: number
  readonly state: WindowState
  readonly merged: number
}

/**
 * Gives the points of every window under the minimum to its neighbours: the
 * first half to the earlier window, the second half to the later one, the
 * middle point of an odd count to the one the rule names, all of them to the
 * only neighbour at either end. Windows are taken in order of time, so a later
 * one may become long enough by what it is given. A neighbour keeps its state,
 * unless it is the shorter part: then the state of the longer part counts. O(n).
 *
 * Singh 2007, section 5.
 */
function mergeShort(
  spans: readonly Span[],
  { minimumPoints, oddPoint }: Pick<WindowRule, 'minimumPoints' | 'oddPoint'>,
): Span[] {
  const done: Span[] = []
  let next = spans[0]
  for (let i = 0; next !== undefined; i++) {
    const short = next
    const later: Span | undefined = spans[i + 1]
    next = later
    if (sizeOf(short) >= minimumPoints) {
      done.push(short)
      continue
    }
    const earlier = done.pop()
    if (earlier === undefined && later === undefined) return [short]
    const middle = splitAt(short, { earlier, later, oddPoint })
    if (earlier !== undefined) done.push(join(earlier, { ...short, to: middle }))
    if (later !== undefined) next = join({ ...short, from: middle }, later)
  }
  return done
}

const sizeOf = ({ from, to }: Span) => to - from

function splitAt(
  short: Span,
  around: { earlier: Span | undefined; later: Span | undefined; oddPoint: 'earlier' | 'later' },
): number {
  if (around.earlier === undefined) return short.from
  if (around.later === undefined) return short.to
  const half = sizeOf(short) / 2
  return short.from + (around.oddPoint === 'earlier' ? Math.ceil(half) : Math.floor(half))
}

/** One span out of two neighbours; the shorter counts as merged into the longer. */
function join(left: Span, right: Span): Span {
  const [longer, shorter] = sizeOf(left) >= sizeOf(right) ? [left, right] : [right, left]
  return {
    from: left.from,
    to: right.to,
    state: longer.state,
    merged: longer.merged + sizeOf(shorter),
  }
}

/** A run of updates in which the change rate stays, rises or falls. */
export interface ConsistentWindow {
  readonly state: WindowState
  /** The point before the first, or the series' origin: t restarts at 0 here. */
  readonly origin: UnixSeconds
  readonly points: readonly UpdatePoint[]
  /** Time of each point since the window's origin. */
  readonly times: readonly Seconds[]
  /** Sum of what the points stray from the state, and how many do. */
  readonly discrepancy: Seconds
  readonly noise: number
  /** Points that came from a neighbour too short to stand alone. */
  readonly merged: number
}

/**
 * Cuts a series of updates into windows in which the change rate is constant,
 * increasing or decreasing. A window starts with three points, whose gaps tell
 * its state, and grows while the next point fits or strays within the
 * threshold. Windows shorter than the minimum are merged half and half into
 * their neighbours. Together the windows hold every point once, in order; a
 * lone short window stays as it is. O(n).
 *
 * A state says how to fit the window, not that the page has a trend: a long
 * gap ends a window and starts the next, so forward cuts of a steady page are
 * `increasing` twice as often as `decreasing`. Ask a trend test for that.
 *
 * Singh 2007, section 4; what the paper leaves open is in `WindowOptions`.
 */
export function consistentWindows(
  series: Pick<UpdateSeries, 'origin' | 'points'>,
  options: WindowOptions = {},
): ConsistentWindow[] {
  const rule = windowRule(options)
  const gaps = gapsOf(series)
  const spans = rule.direction === 'forward' ? cut(gaps, rule) : cutBackward(gaps, rule)
  return mergeShort(spans, rule).map((span) => windowOf(series, { span, rule }))
}

/** Time from each point's predecessor, the origin for the first. */
function gapsOf({ origin, points }: Pick<UpdateSeries, 'origin' | 'points'>): Seconds[] {
  return points.map((point, i) => point.at - (i === 0 ? origin : points[i - 1]!.at))
}

function cut(gaps: readonly Seconds[], rule: WindowRule): Span[] {
  const spans: Span[] = []
  for (let from = 0; from < gaps.length; ) {
    const { state, count } = grownFrom(gaps, { from, rule })
    spans.push({ from, to: from + count, state, merged: 0 })
    from += count
  }
  return spans
}

/** The same sweep in reversed time, where rising looks like falling. */
function cutBackward(gaps: readonly Seconds[], rule: WindowRule): Span[] {
  const n = gaps.length
  return cut([...gaps].reverse(), rule)
    .reverse()
    .map((span) => ({
      ...span,
      from: n - span.to,
      to: n - span.from,
      state: reversed(span.state),
    }))
}

export function reversed(state: WindowState): WindowState {
  if (state === 'constant') return 'constant'
  return state === 'increasing' ? 'decreasing' : 'increasing'
}

function windowOf(
  series: Pick<UpdateSeries, 'origin' | 'points'>,
  { span, rule }: { span: Span; rule: WindowRule },
): ConsistentWindow {
  const points = series.points.slice(span.from, span.to)
  const origin = span.from === 0 ? series.origin : series.points[span.from - 1]!.at
  return windowFrom({ origin, points, state: span.state, merged: span.merged }, rule)
}

/** A window of the given points, with its discrepancy measured forward in time. */
export function windowFrom(
  parts: Pick<ConsistentWindow, 'origin' | 'points' | 'state' | 'merged'>,
  rule: WindowRule,
): ConsistentWindow {
  const { discrepancy, noise } = growthOver(gapsOf(parts), { state: parts.state, rule })
  return { ...parts, times: elapsedSince(parts.origin, parts.points), discrepancy, noise }
}
