import { type ChangeProcess, humanDuration, type Seconds } from '../../model/index.js'
import { checkParameter, checkPeriod } from './parameter.js'
import { cut, renewal } from './renewal.js'

/**
 * Gaps alike between two lengths. Equilibrium: a length-biased gap has the
 * density x on the same range, so its square is uniform; then cut anywhere.
 */
export function uniformGaps({
  shortest,
  longest,
}: {
  readonly shortest: Seconds
  readonly longest: Seconds
}): ChangeProcess {
  const process = 'uniform'
  checkPeriod({ process, name: 'longest', value: longest })
  checkParameter({
    process,
    name: 'shortest',
    value: shortest,
    possible: shortest >= 0 && shortest < longest,
    why: `it must be 0 or more and below longest (${longest})`,
  })
  const width = longest - shortest
  const squares = { low: shortest * shortest, width: longest * longest - shortest * shortest }
  return renewal({
    name: process,
    summary: `gaps alike between ${humanDuration(shortest)} and ${humanDuration(longest)}`,
    changePeriod: shortest + width / 2,
    law: {
      gap: (random) => shortest + width * random.uniform(),
      start: (random) => cut(Math.sqrt(squares.low + squares.width * random.uniform()), random),
    },
  })
}
