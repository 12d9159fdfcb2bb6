import type { PseudoGaps } from '../rate/irregular-mle.js'
import type { Dialect, Sql } from './dialect.js'
import { foldedBound, foldedRate } from './folded-rounds.js'
import { pageSumColumns } from './page-sums.js'
import type { Step } from './visit-outcomes.js'

/** Rounds at the most. A page takes part until its step is small, most of them five times. */
const rateRounds = 14
const boundRounds = 12
/** A step of this share of the rate is the last: the error left is its square. */
const smallStep = 1e-7

/** All sums of a page as one column, so that a step names few: an engine plans each by name. */
const carried = 'page, gaps, exposure, hidden_time, many'

/**
 * From `page_sums` to `likely`: the most likely rate of each page, and with it
 * the bounds of the likelihood, whose half chi-square quantile is `cut`.
 *
 * The rate: Newton's method on G = ln(1 + S / f), where f is the sum of
 * t / (e^(rate t) - 1) over the changed gaps, S their sum and U the unchanged
 * time. G is concave and close to a straight line, so steps from a lower bound
 * do not overshoot, and fewer are needed than on f itself. With
 * h = t / (e^(rate t) - 1): G' = S sum(h (h + t)) / (f (f + S)). The lower
 * bounds are the step from 0, that of the shortest gap alone, and
 * x/(e^x - 1) >= 1 - x/2.
 *
 * The bounds: the log-likelihood is concave in the logarithm of the rate, so
 * that Newton's steps from outside climb to the crossing without overshoot, and
 * a step from inside lands outside.
 */
export function likelyRates(
  dialect: Dialect,
  { cut, pseudoGaps }: { readonly cut: number; readonly pseudoGaps: PseudoGaps | undefined },
): Step[] {
  return [...solvedRates(dialect, pseudoGaps), ...bounds(dialect, cut)]
}

function solvedRates(d: Dialect, pseudoGaps: PseudoGaps | undefined): Step[] {
  const empty = d.emptyList('DOUBLE')
  const shortest = d.least('gaps')
  const lowerBounds = [
    'many / (exposure + hidden_time / 2e0)',
    'ln(1e0 + hidden_time / exposure) * many / hidden_time',
    `ln(1e0 + ${shortest} / exposure) / ${shortest}`,
  ]
  const solvable = 'many > 0 AND exposure > 0e0'
  const steps: Step[] = [
    ['with_prior', withPrior(d, pseudoGaps)],
    [
      'rate_0',
      `SELECT ${carried}, CASE WHEN ${solvable} THEN greatest(${lowerBounds.join(', ')}) END AS rate, CAST(NULL AS DOUBLE) AS fall, CASE WHEN ${solvable} THEN gaps ELSE ${empty} END AS open FROM with_prior`,
    ],
  ]
  if (d.name === 'spark') {
    const folded = foldedRate({
      rounds: rateRounds,
      smallStep: d.number(smallStep),
      step: newtonStep,
    })
    return [
      ...steps,
      ['folded_rates', `SELECT ${carried}, ${folded} AS solved FROM rate_0`],
      ['solved', `SELECT ${carried}, solved.rate AS rate, solved.fall AS fall FROM folded_rates`],
    ]
  }
  for (let round = 1; round <= rateRounds; round++) {
    const isOpen = `${d.size('open')} > 0`
    steps.push(
      [
        `pulls_${round}`,
        `SELECT ${carried}, rate, fall, open, ${d.map('open', (gap) => `${gap} / ${d.expm1(`rate * ${gap}`)}`)} AS pulls FROM rate_${round - 1}`,
      ],
      [
        `falls_${round}`,
        `SELECT ${carried}, rate, open, ${d.sum('pulls')} AS pull, CASE WHEN ${isOpen} THEN ${d.dot('pulls', 'pulls')} + ${d.dot('pulls', 'open')} ELSE fall END AS fall FROM pulls_${round}`,
      ],
      [
        `steps_${round}`,
        `SELECT ${carried}, rate, fall, open, CASE WHEN ${isOpen} THEN ${newtonStep('pull', 'fall')} ELSE 0e0 END AS step FROM falls_${round}`,
      ],
      [
        round === rateRounds ? 'solved' : `rate_${round}`,
        `SELECT ${carried}, rate + step AS rate, fall, CASE WHEN abs(step) > ${d.number(smallStep)} * rate THEN open ELSE ${empty} END AS open FROM steps_${round}`,
      ],
    )
  }
  return steps
}

/** Newton's step on G, from f and the sum of h (h + t). */
function newtonStep(pull: Sql, fall: Sql): Sql {
  const rise = `((${pull} - exposure) / exposure * hidden_time / (${pull} + hidden_time))`
  return `(CASE WHEN ${rise} > 1e0 THEN ln(1e0 + ${rise}) ELSE 2e0 * ${rise} / (2e0 + ${rise}) END / hidden_time * (${pull} + hidden_time) * (${pull} / ${fall}))`
}

/** The sums with a changed and an unchanged gap more, in the place of a prior; as they are without one. */
function withPrior(d: Dialect, pseudoGaps: PseudoGaps | undefined): Sql {
  const page = d.struct(Object.fromEntries(pageSumColumns.map((name) => [name, name])))
  if (pseudoGaps === undefined)
    return `SELECT ${page} AS page, gaps, unchanged_time AS exposure, changed_time AS hidden_time, changes AS many FROM page_sums`
  const changed = d.number(pseudoGaps.changed)
  return `SELECT ${page} AS page, ${d.concat('gaps', d.listOf(changed))} AS gaps, unchanged_time + ${d.number(pseudoGaps.unchanged)} AS exposure, changed_time + ${changed} AS hidden_time, changes + 1 AS many FROM page_sums`
}

/** ln(1 - e^(-x)) from e^x - 1, and never of 0. */
const logSeen = (grown: Sql) => `ln(greatest(${grown} / (${grown} + 1e0), 1e-300))`

function bounds(d: Dialect, cut: number): Step[] {
  const half = d.number(cut)
  const empty = d.emptyList('DOUBLE')
  const wald = `${d.number(Math.sqrt(2 * cut))} / (rate * sqrt(fall))`
  // No change is likelier than rate times gap, so that the lower bound is no lower than this: where
  // one gap is a million times all the others, Wald's would be below all numbers.
  const lowest = `(peak - ${half} - ${d.sum(d.map('gaps', (gap) => `ln(${gap})`))}) / many`
  const solved = 'rate IS NOT NULL'
  const always = 'many > 0 AND exposure <= 0e0'
  const all = 'page, exposure, many, rate, floor'
  const steps: Step[] = [
    [
      'peaks',
      `SELECT ${carried}, rate, fall, CASE WHEN ${solved} THEN ${d.sum(
        d.map('gaps', (gap) => logSeen(d.expm1(`rate * ${gap}`))),
      )} - rate * exposure WHEN ${always} THEN 0e0 END AS peak FROM solved`,
    ],
    [
      'bound_0',
      `SELECT page, exposure, many, rate, peak - ${half} AS floor, CASE WHEN ${solved} THEN greatest(ln(rate) - ${wald}, ${lowest}) WHEN ${always} THEN ln(-ln(1e0 - exp(-${half} / many)) / ${d.greatest('gaps')}) END AS low, CASE WHEN ${solved} THEN least(ln(rate) + ${wald}, ln((${half} - peak) / exposure)) END AS high, gaps, gaps AS open_low, CASE WHEN ${solved} THEN gaps ELSE ${empty} END AS open_high FROM peaks`,
    ],
  ]
  if (d.name === 'spark') {
    const bound = (side: 'low' | 'high') =>
      `${foldedBound({ side, rounds: boundRounds, smallStep: d.number(smallStep), logSeen })} AS ${side}`
    const select = `SELECT ${all}, ${bound('low')}, ${bound('high')} FROM bound_0`
    return [...steps, ['climbed', select], boundedRates(half)]
  }
  const grown = (side: Sql) =>
    `${d.map(`open_${side}`, (gap) => d.expm1(`exp(${side}) * ${gap}`))} AS grown_${side}`
  const moved = (side: Sql) => {
    const level = `(${d.sum(d.map(`grown_${side}`, logSeen))} - exp(${side}) * exposure)`
    const shares = d.map(`grown_${side}`, (each) => `1e0 / ${each}`)
    const slope = `(exp(${side}) * (${d.dot(`open_${side}`, shares)} - exposure))`
    return `CASE WHEN ${d.size(`open_${side}`)} > 0 THEN (floor - ${level}) / ${slope} ELSE 0e0 END AS move_${side}`
  }
  const next = (side: Sql) =>
    `${side} + move_${side} AS ${side}, CASE WHEN abs(move_${side}) > ${d.number(smallStep)} THEN open_${side} ELSE ${empty} END AS open_${side}`
  for (let round = 1; round <= boundRounds; round++)
    steps.push(
      [
        `grown_${round}`,
        `SELECT ${all}, low, high, open_low, open_high, ${grown('low')}, ${grown('high')} FROM bound_${round - 1}`,
      ],
      [
        `moves_${round}`,
        `SELECT ${all}, low, high, open_low, open_high, ${moved('low')}, ${moved('high')} FROM grown_${round}`,
      ],
      [
        round === boundRounds ? 'climbed' : `bound_${round}`,
        `SELECT ${all}, ${next('low')}, ${next('high')} FROM moves_${round}`,
      ],
    )
  return [...steps, boundedRates(half)]
}

/** From `climbed`, logarithms of bounds, to `likely`. */
function boundedRates(half: Sql): Step {
  const unseen = 'many = 0 AND exposure > 0e0'
  return [
    'likely',
    `SELECT ${pageSumColumns.map((name) => `page.${name} AS ${name}`).join(', ')}, many, rate, CASE WHEN ${unseen} THEN 0e0 ELSE exp(low) END AS low, CASE WHEN ${unseen} THEN ${half} / exposure ELSE exp(high) END AS high FROM climbed`,
  ]
}
