import { type ChangeProcess, humanDuration, humanPeriod, type Seconds } from '../../model/index.js'
import { chooser } from './choice.js'
import { checkMasses, checkPeriod } from './parameter.js'
import { cut, renewal } from './renewal.js'

/**
 * Gaps that are multiples of a step, as of a page made anew by a nightly job:
 * `masses[i]` weighs a gap of i + 1 steps. Masses need not sum to 1.
 *
 * Equilibrium: a moment falls into a gap of k steps with chance k x mass / mean
 * steps; the gap is then cut anywhere, so the hour of the job is a random one.
 */
export function latticeGaps({
  step,
  masses,
}: {
  readonly step: Seconds
  readonly masses: ArrayLike<number>
}): ChangeProcess {
  const process = 'lattice'
  checkPeriod({ process, name: 'step', value: step })
  const chances = checkMasses({ process, name: 'masses', values: masses })
  const biased = chances.map((chance, i) => (i + 1) * chance)
  const changePeriod = step * biased.reduce((sum, each) => sum + each, 0)
  const chooseGap = chooser(chances)
  const chooseMoment = chooser(biased)
  return renewal({
    name: process,
    summary: `gaps of whole steps of ${humanDuration(step)}, ${humanPeriod(changePeriod)} on average`,
    changePeriod,
    law: {
      gap: (random) => step * (chooseGap(random) + 1),
      start: (random) => cut(step * (chooseMoment(random) + 1), random),
    },
  })
}
