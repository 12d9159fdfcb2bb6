import type { Verdict } from '../../model/index.js'

/** Verdicts by their code: `verdictsByCode[verdicts[page]]`. New ones go at the end. */
export const verdictsByCode = [
  'no-observation',
  'ok',
  'no-change-seen',
  'always-changed',
  'unequal-gaps',
  'short-sampling',
  'no-content-age',
  'prior-only',
] as const satisfies readonly Verdict[]

const codes = new Map<Verdict, number>(verdictsByCode.map((verdict, code) => [verdict, code]))

/** The code of a verdict in the columns of a batch. */
export function verdictCode(verdict: Verdict): number {
  return codes.get(verdict)!
}
