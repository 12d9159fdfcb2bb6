import type { Finding } from 'revisit/report'
import { logGrid } from './grid.js'
import { type Law, pareto, uniform, weibull } from './laws.js'
import { verdictOf } from './part.js'

type Ageing = 'NWU' | 'NBU' | 'both' | 'neither'

/** Whether P(X > x + y) >= or <= P(X > x) P(X > y) on a grid. */
function ageing(tail: (x: number) => number): Ageing {
  const grid = logGrid({ low: 0.01, high: 5, count: 40 })
  const gains = grid.flatMap((x) => grid.map((y) => tail(x + y) - tail(x) * tail(y)))
  const [worse, better] = [
    gains.every((gain) => gain >= -1e-12),
    gains.every((gain) => gain <= 1e-12),
  ]
  return worse ? (better ? 'both' : 'NWU') : better ? 'NBU' : 'neither'
}

/** "Pareto and Weibull" as NWU laws. */
export function nwuExamples(): Finding {
  const both = (law: Law) => [ageing(law.gapTail), ageing(law.contentTail)]
  const [ofPareto, low, high] = [pareto, weibull(0.6), weibull(2)].map(both)
  const nwu = (found: Ageing[]) => found.every((each) => each === 'NWU')
  return {
    claim: 'nwu-examples',
    ours: `U and A_U: Pareto ${ofPareto!.join(', ')}; Weibull of shape .6 ${low!.join(', ')}; of shape 2 ${high!.join(', ')}`,
    verdict: verdictOf(nwu(ofPareto!) && nwu(low!) && nwu(high!), nwu(ofPareto!) && nwu(low!)),
    why: 'Definition 3 on a grid. A Weibull is NWU only for shapes below 1; above 1 it is NBU.',
  }
}

/** "Uniform and constant" as NBU laws. */
export function nbuExamples(): Finding {
  const one = (x: number) => (x < 1 ? 1 : 0)
  const kinds = {
    uniform: [ageing(uniform.gapTail), ageing(uniform.contentTail)],
    constant: [ageing(one), ageing((x) => Math.max(0, 1 - x))],
  }
  return {
    claim: 'nbu-examples',
    ours: `U and A_U: uniform ${kinds.uniform.join(', ')}; constant ${kinds.constant.join(', ')}`,
    verdict: verdictOf(
      Object.values(kinds)
        .flat()
        .every((kind) => kind === 'NBU'),
    ),
    why: 'Definition 3 with its inequality reversed, on a grid.',
  }
}
