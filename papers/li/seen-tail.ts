import { m1 } from 'revisit/estimators'
import { m1Tail, type Watching } from './closed-forms.js'
import type { PartRun } from './part.js'
import type { Averaged } from './paths.js'
import { deviationAt, simulatedTail } from './tails.js'

/** M1 on one law of updates and one of visit gaps: what eq. 8 says and what was simulated. */
export interface SeenTail extends Watching {
  readonly found: Averaged
  readonly model: (x: number) => number
  /** Of the worst place, in standard errors. */
  readonly deviation: number
}

export function seenTail(run: PartRun, { law, spacing }: Watching): SeenTail {
  const found = simulatedTail(run, { method: m1, law, spacing })
  const model = m1Tail({ law, spacing })
  const deviation = deviationAt(found, { truth: model, until: run.sizes.curve.until })
  return { law, spacing, found, model, deviation }
}
