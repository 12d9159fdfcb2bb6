import type { Seconds } from '../../model/index.js'
import { Scores } from '../scores.js'
import type { ReplayCollection } from './collection.js'
import type { PageScores } from './rule.js'

/**
 * The bound that no policy can pass: it knows every change beforehand and
 * spends each visit right after the change that is followed by the longest
 * calm, over all pages. O(changes log changes).
 */
export function clairvoyant(
  collection: ReplayCollection,
  options: { allowed: number; warmUp: Seconds },
): PageScores {
  const { offsets, times, until, from } = collection
  const calm = new Float64Array(times.length)
  for (let page = 0; page < from.length; page++) {
    for (let i = offsets[page]!; i < offsets[page + 1]!; i++) {
      calm[i] = (i + 1 < offsets[page + 1]! ? times[i + 1]! : until[page]!) - times[i]!
    }
  }
  const chosen = longest(calm, Math.floor(options.allowed))
  return collection.ids.map((_, page) =>
    scoreOf(collection, page, { chosen, warmUp: options.warmUp }),
  )
}

/** Marks the `count` largest values. */
function longest(values: Float64Array, count: number): Uint8Array {
  const order = Uint32Array.from(values, (_, i) => i).sort(
    (a, b) => values[b]! - values[a]! || a - b,
  )
  const marks = new Uint8Array(values.length)
  for (let i = 0; i < Math.min(count, order.length); i++) marks[order[i]!] = 1
  return marks
}

function scoreOf(
  collection: ReplayCollection,
  page: number,
  options: { chosen: Uint8Array; warmUp: Seconds },
): Scores {
  const scores = new Scores({ notices: true })
  const lateFrom = collection.from[page]! + options.warmUp
  scores.begin()
  let from = collection.from[page]!
  let firstChange = Infinity
  let changes = 0
  for (let i = collection.offsets[page]!; i < collection.offsets[page + 1]!; i++) {
    const at = collection.times[i]!
    firstChange = Math.min(firstChange, at)
    changes++
    if (options.chosen[i] === 0) continue
    scores.stretch({ from, to: at, firstChange, changes, lateFrom })
    scores.visit(true)
    from = at
    firstChange = Infinity
    changes = 0
  }
  scores.stretch({ from, to: collection.until[page]!, firstChange, changes, lateFrom })
  return scores
}
