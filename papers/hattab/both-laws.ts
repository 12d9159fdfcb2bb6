import type { Finding } from 'revisit/report'

/**
 * One finding of two runs: with the laws that we chose for the ten sites, and
 * with all of them at random. A verdict that differs between them hangs on our
 * choice, and holds in part.
 */
export function underBothLaws(chosen: Finding, atRandom: Finding): Finding {
  const same = chosen.verdict === atRandom.verdict
  const hangs = same
    ? 'the verdict is the same'
    : `there it is "${atRandom.verdict}", with our laws "${chosen.verdict}"`
  return {
    ...chosen,
    ours: `${chosen.ours}. All sites at random: ${atRandom.ours}`,
    verdict: same ? chosen.verdict : 'holds in part',
    why: `${chosen.why} By which laws the sites change is our choice, for the paper gives only how often; with all ten at random ${hangs}.`,
  }
}
