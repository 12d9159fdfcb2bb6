import type { Finding } from 'revisit/report'
import { verdictOf } from '../verdict-of.js'
import { percent } from '../words.js'
import type { Bias } from './constants.js'
import { printed } from './printed.js'

/** Two means agree within this: several times the simulation error of the quick run. */
const near = 0.03

export function constantFindings(biases: readonly Bias[]): Finding[] {
  const of = (form: Bias['form']) => biases.filter((bias) => bias.form === form)
  const agrees = (
    found: readonly Bias[],
    value: 'shape' | 'changeRate',
    says: (n: number) => number,
  ) => found.every((bias) => Math.abs(bias[value] / says(bias.points) - 1) < near)
  const shown = (found: readonly Bias[], value: 'shape' | 'changeRate') =>
    found.map((bias) => `${bias[value].toFixed(3)} at n = ${bias.points}`).join(', ')
  const corrected = of('corrected-shape')
  const printedForms = [...of('printed-check'), ...of('printed-bar')]
  return [
    {
      claim: 'lemma-1',
      ours: shown(of('maximum-likelihood'), 'shape'),
      verdict: verdictOf(agrees(of('maximum-likelihood'), 'shape', (n) => n / (n - 2))),
      why: 'Simulated Weibull processes of n updates; n/(n-2) is 1.667, 1.250 and 1.111.',
    },
    {
      claim: 'rate-bias',
      ours: shown(corrected, 'changeRate'),
      verdict: verdictOf(agrees(corrected, 'changeRate', (n) => (n - 2) / (n - 3))),
      why: 'At the last update it is n/(n-1): 1.250, 1.111 and 1.053. The printed (n-2)/(n-3) would be 1.500, 1.143 and 1.059.',
    },
    {
      claim: 'printed-unbiased',
      ours: shown(printedForms, 'changeRate'),
      verdict: verdictOf(agrees(printedForms, 'changeRate', () => 1)),
      why: 'Both are n(n-3)/((n-1)(n-2)) of the truth on average: 0.833, 0.972, 0.994. Unbiased at the last update is (n-1)(n-2)/n times shape^/t_n. The factor of the second is printed as (n-3)/2 in the text; its formula has (n-3)/n.',
    },
    tableFinding(),
  ]
}

/** Nothing to run: the printed table against itself. */
function tableFinding(): Finding {
  const rows = (['synthetic', 'real'] as const).flatMap((set) =>
    (['intuitive', 'Weibull', 'Duane'] as const).map((name) => {
      const { observed, unobserved } = printed.table3[set][name]
      return { row: `${set} ${name}`, total: observed + unobserved }
    }),
  )
  const wrong = rows.filter(({ total }) => Math.abs(total - 1) > 0.0005)
  return {
    claim: 'table-3-sums',
    ours: wrong.map(({ row, total }) => `${row}: ${percent(total)}`).join('; '),
    verdict: verdictOf(wrong.length === 0),
    why: 'One digit is wrong: 27.7% + 72.3% or 37.7% + 62.3%. The other five rows sum to 100%.',
  }
}
