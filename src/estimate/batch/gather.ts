import type { PageRange } from './batch-estimates.js'
import { type Columns, checkPage, longestGap, shortestGap } from './columns.js'
import type { WorkingMemory } from './working-memory.js'

/**
 * Collects the changed gaps of each page, and sums changed and
 * unchanged time. Every gap is written and only the changed ones advance: a
 * branch here would be mispredicted every third time, and doubles the cost.
 * Four at a time, with sums of their own, since additions wait for each other.
 * Refuses a gap or flag out of range.
 */
export function gatherer(memory: WorkingMemory) {
  const { gaps: kept, ends, changedTime, unchangedTime } = memory
  const least = shortestGap
  return function gather(columns: Columns, { from, to }: PageRange): void {
    const { offsets, gaps, changed } = columns
    let at = 0
    for (let page = from; page < to; page++) {
      const end = offsets[page + 1]!
      let i = offsets[page]!
      let flags = 0
      let fine = true
      let s0 = 0
      let s1 = 0
      let s2 = 0
      let s3 = 0
      let u0 = 0
      let u1 = 0
      let u2 = 0
      let u3 = 0
      for (; i + 3 < end; i += 4) {
        const g0 = gaps[i]!
        const f0 = changed[i]!
        const c0 = g0 * f0
        kept[at] = g0
        at = (at + f0) | 0
        s0 += c0
        u0 += g0 - c0
        const g1 = gaps[i + 1]!
        const f1 = changed[i + 1]!
        const c1 = g1 * f1
        kept[at] = g1
        at = (at + f1) | 0
        s1 += c1
        u1 += g1 - c1
        const g2 = gaps[i + 2]!
        const f2 = changed[i + 2]!
        const c2 = g2 * f2
        kept[at] = g2
        at = (at + f2) | 0
        s2 += c2
        u2 += g2 - c2
        const g3 = gaps[i + 3]!
        const f3 = changed[i + 3]!
        const c3 = g3 * f3
        kept[at] = g3
        at = (at + f3) | 0
        s3 += c3
        u3 += g3 - c3
        flags |= f0 | f1 | f2 | f3
        if (!(g0 >= least && g1 >= least && g2 >= least && g3 >= least)) fine = false
      }
      for (; i < end; i++) {
        const gap = gaps[i]!
        const flag = changed[i]!
        kept[at] = gap
        at = (at + flag) | 0
        s0 += gap * flag
        u0 += gap - gap * flag
        flags |= flag
        if (!(gap >= least)) fine = false
      }
      const seen = s0 + s1 + (s2 + s3)
      const unseen = u0 + u1 + (u2 + u3)
      if (!(fine && seen + unseen <= longestGap) || flags > 1) checkPage(columns, page)
      changedTime[page - from] = seen
      unchangedTime[page - from] = unseen
      ends[page - from + 1] = at
    }
  }
}
