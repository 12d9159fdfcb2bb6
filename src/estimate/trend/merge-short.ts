import type { WindowRule, WindowState } from './window-rule.js'

/** Points `from` up to but not including `to`. */
export interface Span {
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
export function mergeShort(
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
