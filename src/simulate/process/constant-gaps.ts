import { type ChangeProcess, humanPeriod, type Seconds } from '../../model/index.js'
import { checkPeriod } from './parameter.js'
import { cut, renewal } from './renewal.js'

/** A page that changes like a clock. Equilibrium: the only gap there is, cut anywhere. */
export function constantGaps({ period }: { readonly period: Seconds }): ChangeProcess {
  checkPeriod({ process: 'constant', name: 'period', value: period })
  return renewal({
    name: 'constant',
    summary: `changes like a clock, ${humanPeriod(period)}`,
    changePeriod: period,
    law: { gap: () => period, start: (random) => cut(period, random) },
  })
}
