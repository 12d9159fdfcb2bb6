import { Random } from 'revisit/numeric'
import type { Paper, PaperResult, PaperRun } from 'revisit/report'
import type { Part } from './part.js'
import { derivative } from './part-derivative.js'
import { equalGaps } from './part-equal-gaps.js'
import { keptShares } from './part-kept-share.js'
import { phaseLocks } from './part-lattice.js'
import { limits } from './part-limits.js'
import { m1Tails } from './part-m1.js'
import { m2Tails } from './part-m2.js'
import { m6Tails } from './part-m6.js'
import { meanError } from './part-mean-error.js'
import { randomGaps } from './part-random-gaps.js'
import { tableOne } from './part-table-one.js'
import { published } from './reference.js'
import { full, quick, type Sizes } from './sizes.js'

/** In the order of the paper. */
const parts: readonly Part[] = [
  phaseLocks,
  keptShares,
  m1Tails,
  limits,
  m2Tails,
  derivative,
  meanError,
  equalGaps,
  tableOne,
  randomGaps,
  m6Tails,
]

/** Li, Cline & Loguinov 2015: the law of update gaps from blind visits. */
export const li: Paper = {
  name: 'li',
  published,
  run: (options) => runParts(options.quick ? quick : full, options),
}

/** All parts at the given sizes. */
export async function runParts(
  sizes: Sizes,
  { seed, progress }: Pick<PaperRun, 'seed' | 'progress'>,
): Promise<PaperResult> {
  const random = new Random(seed)
  const whole = parts.reduce((sum, { cost }) => sum + cost, 0)
  const results: PaperResult[] = []
  let done = 0
  for (const part of parts) {
    const tell = (share: number) => progress((done + share * part.cost) / whole, part.doing)
    tell(0)
    results.push(part.run({ sizes, random: random.fork(), tell }))
    done += part.cost
    // Between parts others may run: a progress bar, an interrupt.
    await new Promise((resume) => setTimeout(resume, 0))
  }
  progress(1, 'done')
  return {
    findings: results.flatMap(({ findings }) => findings),
    tables: results.flatMap(({ tables }) => tables),
    figures: results.flatMap(({ figures }) => figures),
  }
}
