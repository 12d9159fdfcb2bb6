import { type ChangeProcess, humanPeriod, OptionError, type Seconds } from '../../model/index.js'
import { chooser } from './choice.js'
import { checkMasses, checkPeriod } from './parameter.js'
import { renewal } from './renewal.js'

/** One kind of gap: the share of the gaps that are of this kind, and their mean. */
export interface Phase {
  readonly share: number
  readonly period: Seconds
}

/**
 * Each gap is exponential with one of several means, such as edits that come
 * in bursts between long calms. Shares are weights: they need not sum to 1.
 *
 * Equilibrium: a moment falls into a gap of a kind with chance share x period
 * / mean gap; within it content age and residual are independent exponentials.
 */
export function hyperexponentialGaps({
  phases,
}: {
  readonly phases: readonly Phase[]
}): ChangeProcess {
  const process = 'hyperexponential'
  if (phases.length === 0)
    throw new OptionError('bad-parameter', `${process}: phases is empty, but a gap needs a law`)
  phases.forEach(({ period }, i) => {
    checkPeriod({ process, name: `phases[${i}].period`, value: period })
  })
  const shares = checkMasses({
    process,
    name: 'shares',
    values: phases.map(({ share }) => share),
  })
  const timeShares = shares.map((share, i) => share * phases[i]!.period)
  const changePeriod = timeShares.reduce((sum, each) => sum + each, 0)
  const chooseGap = chooser(shares)
  const chooseMoment = chooser(timeShares)
  return renewal({
    name: process,
    summary: `exponential gaps of ${phases.length} kinds, ${humanPeriod(changePeriod)} on average`,
    changePeriod,
    law: {
      gap: (random) => phases[chooseGap(random)]!.period * random.exponential(),
      start(random) {
        const { period } = phases[chooseMoment(random)]!
        return {
          contentAge: period * random.exponential(),
          residual: period * random.exponential(),
        }
      },
    },
  })
}
