import type { BatchEstimates, BatchTask, PageRange } from './batch-estimates.js'
import { climber } from './climb.js'
import { gatherer } from './gather.js'
import { estimateLongPage } from './long-page.js'
import { expander } from './near-series.js'
import { alwaysChanged, noChangeSeen, ok, verdictOnCounts } from './verdict-on-counts.js'
import { newWorkingMemory, pagesThatFit } from './working-memory.js'

const memory = newWorkingMemory()
const gather = gatherer(memory)
const expand = expander(memory)
const climb = climber(memory, expand)

/**
 * Change rate of greatest likelihood of each page, visited at any gaps; see
 * rate/irregular-mle. No change: 1 / all time; always changed: 1 / shortest
 * gap. Each page's result depends on that page alone, to the last bit.
 *
 * One pass over all observations and one over the changed ones, then about
 * three rounds a page whose cost does not depend on the number of gaps.
 *
 * Grimes & Ford eq. 2.
 */
export function irregularMleBatch({ columns, into, pages }: BatchTask): void {
  let from = pages.from
  while (from < pages.to) {
    const count = pagesThatFit(columns.offsets, { from, to: pages.to })
    if (count === 0) {
      estimateLongPage({ columns, into, page: from++ })
      continue
    }
    const block = { from, to: from + count }
    gather(columns, block)
    begin({ offsets: columns.offsets, into, block })
    expand({ from: 0, to: count })
    climb(into, block)
    from += count
  }
}

/** Settles the pages at the edges, and starts the others from the lower bound ln(1 + S/U) L / S. */
function begin({
  offsets,
  into,
  block: { from, to },
}: {
  offsets: Uint32Array
  into: BatchEstimates
  block: PageRange
}): void {
  const { ends, changedTime, unchangedTime, reached } = memory
  for (let b = 0; b < to - from; b++) {
    const observations = offsets[from + b + 1]! - offsets[from + b]!
    const changes = ends[b + 1]! - ends[b]!
    const verdict = verdictOnCounts({ observations, changes })
    into.verdicts[from + b] = verdict
    if (verdict === ok) {
      const seen = changedTime[b]!
      reached[b] = (Math.log1p(seen / unchangedTime[b]!) * changes) / seen
    } else {
      reached[b] = 0
      into.changeRates[from + b] = substitute({ b, verdict })
    }
  }
}

/** What stands for the rate where the likelihood has no peak: Grimes & Ford 3.3. */
function substitute({ b, verdict }: { b: number; verdict: number }): number {
  const { gaps, ends, unchangedTime } = memory
  if (verdict === noChangeSeen) return 1 / unchangedTime[b]!
  if (verdict !== alwaysChanged) return 0
  let shortest = Infinity
  for (let k = ends[b]!; k < ends[b + 1]!; k++) shortest = Math.min(shortest, gaps[k]!)
  return 1 / shortest
}
