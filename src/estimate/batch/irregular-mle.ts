import type { BatchEstimates, BatchTask } from './batch-estimates.js'
import { type Block, newBlock, pagesThatFit } from './block.js'
import { climb } from './climb.js'
import type { Columns } from './columns.js'
import { gather } from './gather.js'
import { expand } from './near-series.js'
import { alwaysChanged, noChangeSeen, ok, verdictOnCounts } from './verdict-on-counts.js'

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
  const block = newBlock(columns)
  const { offsets } = columns
  for (let from = pages.from; from < pages.to; from += block.pages) {
    block.first = from
    block.pages = pagesThatFit(block, { offsets, from, to: pages.to })
    gather(block, columns)
    begin(block, { columns, into })
    expand(block, { from: 0, to: block.pages })
    climb(block, into)
  }
}

/** Settles the pages at the edges, and starts the others from the lower bound ln(1 + S/U) L / S. */
function begin(
  block: Block,
  { columns: { offsets }, into }: { columns: Columns; into: BatchEstimates },
): void {
  const { ends, changedTime, unchangedTime, reached, first } = block
  for (let b = 0; b < block.pages; b++) {
    const page = first + b
    const changes = ends[b + 1]! - ends[b]!
    const verdict = verdictOnCounts({ observations: offsets[page + 1]! - offsets[page]!, changes })
    into.verdicts[page] = verdict
    if (verdict !== ok) {
      reached[b] = 0
      into.changeRates[page] = substitute(block, { b, verdict })
      continue
    }
    const seen = changedTime[b]!
    reached[b] = (Math.log1p(seen / unchangedTime[b]!) * changes) / seen
  }
}

function substitute(block: Block, { b, verdict }: { b: number; verdict: number }): number {
  if (verdict === noChangeSeen) return 1 / block.unchangedTime[b]!
  if (verdict !== alwaysChanged) return 0
  let shortest = Infinity
  for (let k = block.ends[b]!; k < block.ends[b + 1]!; k++)
    shortest = Math.min(shortest, block.gaps[k]!)
  return 1 / shortest
}
