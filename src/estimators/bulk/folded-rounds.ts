import type { Sql } from './dialect.js'

/**
 * The rounds of likely-rates.ts for Spark, all of a page in one expression: as
 * steps one after the other Spark plans them for minutes, whatever the log. A
 * fold over the numbers of the rounds carries what a round knows; a page whose
 * step was small goes through the rest as it is.
 */

/** Newton's rounds from `rate`, with f and the sum of h (h + t) as `pull` and `fall`: `{rate, fall}`. */
export function foldedRate(about: {
  readonly rounds: number
  readonly smallStep: Sql
  readonly step: (pull: Sql, fall: Sql) => Sql
}): Sql {
  const step = about.step('sums.pull', 'sums.fall')
  const next = onceOverGaps({
    each: `named_struct('t', t, 'h', t / expm1(least(known.rate * t, 7e2)))`,
    sums: { pull: 'gap.h', fall: 'gap.h * (gap.h + gap.t)' },
    made: `named_struct('rate', known.rate + ${step}, 'fall', sums.fall, 'open', abs(${step}) > ${about.smallStep} * known.rate)`,
  })
  const start = `named_struct('rate', rate, 'fall', CAST(NULL AS DOUBLE), 'open', rate IS NOT NULL)`
  return rounds(about.rounds, start, next)
}

/** Newton's rounds from `side`, the logarithm of a bound, to where the likelihood falls to `floor`. */
export function foldedBound(about: {
  readonly side: 'low' | 'high'
  readonly rounds: number
  readonly smallStep: Sql
  readonly logSeen: (grown: Sql) => Sql
}): Sql {
  const { side } = about
  const move = `(floor - (sums.level - exp(known.at) * exposure)) / (exp(known.at) * (sums.shares - exposure))`
  const next = onceOverGaps({
    each: `named_struct('t', t, 'grown', expm1(least(exp(known.at) * t, 7e2)))`,
    sums: { level: about.logSeen('gap.grown'), shares: 'gap.t / gap.grown' },
    made: `named_struct('at', known.at + ${move}, 'open', abs(${move}) > ${about.smallStep})`,
  })
  const start = `named_struct('at', ${side}, 'open', ${side} IS NOT NULL AND size(gaps) > 0)`
  return `${rounds(about.rounds, start, next)}.at`
}

function rounds(many: number, start: Sql, next: Sql): Sql {
  return `aggregate(sequence(1, ${many}), ${start}, (known, round) -> CASE WHEN known.open THEN ${next} ELSE known END)`
}

/** Sums over the gaps of what is made of each, and what is made of the sums. */
function onceOverGaps({
  each,
  sums,
  made,
}: {
  readonly each: Sql
  readonly sums: Readonly<Record<string, Sql>>
  readonly made: Sql
}): Sql {
  const fields = Object.entries(sums)
  const zero = fields.map(([name]) => `'${name}', 0e0`).join(', ')
  const added = fields.map(([name, sql]) => `'${name}', sums.${name} + ${sql}`).join(', ')
  return `aggregate(transform(gaps, t -> ${each}), named_struct(${zero}), (sums, gap) -> named_struct(${added}), sums -> ${made})`
}
