import { type History, type Observation, splitCalm } from '../../model/index.js'
import type { Random } from '../../numeric/index.js'
import { breaksBefore } from './stretches.js'

/** A history cut at its seen changes. */
interface Cut {
  /** Before the first seen change. */
  readonly head: readonly Placed[]
  /** From a change up to the visit before the next. */
  readonly complete: readonly (readonly Placed[])[]
  /** From the last seen change on. */
  readonly tail: readonly Placed[]
}

/** An observation, and the break in the comparisons before it (mostly 0). */
interface Placed {
  readonly seen: Observation
  readonly skipped: number
}

/** How many complete runs a history has. O(n). */
export function completeRuns(history: History): number {
  return Math.max(0, history.observations.filter(({ changed }) => changed).length - 1)
}

/**
 * A maker of bootstrap copies of a history: the complete runs between seen changes drawn
 * anew with replacement, its head and its open end as they were. Runs are the
 * unit because visits within one are bound to each other. O(n) a copy.
 */
export function resampler(history: History): (random: Random) => History {
  const { head, complete, tail } = cut(splitCalm(history))
  return (random) => {
    const drawn = complete.map(() => complete[random.below(complete.length)]!)
    return lineUp(history, [head, ...drawn, tail])
  }
}

function cut(history: History): Cut {
  const pieces: Placed[][] = [[]]
  let at = history.start.at
  for (const seen of history.observations) {
    const skipped = breaksBefore(at, seen) ? Math.max(0, seen.at - seen.gap - at) : 0
    if (seen.changed) pieces.push([])
    pieces[pieces.length - 1]!.push({ seen, skipped })
    at = seen.at
  }
  const [head = [], ...runs] = pieces
  return { head, complete: runs.slice(0, -1), tail: runs[runs.length - 1] ?? [] }
}

function lineUp(history: History, pieces: readonly (readonly Placed[])[]): History {
  let at = history.start.at
  const observations: Observation[] = []
  for (const piece of pieces)
    for (const { seen, skipped } of piece) {
      at += skipped + seen.gap
      observations.push({ ...seen, at })
    }
  return { start: history.start, observations }
}
