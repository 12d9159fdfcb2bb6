import { ageingMeaning, type PhaseLock } from '../../../estimate/index.js'
import type { PageDistribution } from './page-distribution.js'

const movingWords =
  'Quiet spells grow or shrink with the trend, which looks like bursts: the distributions mix what the page was with what it is.'

/**
 * What the law of a page's changes means, in sentences; nothing where too
 * little was seen. A change rate that moves (`moving`) makes any page look bursty.
 */
export function distributionWords(
  { contentAges, ageing, lock }: PageDistribution,
  { moving }: { readonly moving: boolean },
): string[] {
  const kind =
    ageing.kind !== 'test'
      ? []
      : moving && ageing.ageing === 'NWU'
        ? [movingWords]
        : [`${ageingMeaning[ageing.ageing]} (${testWords(ageing)})`]
  return [...kind, ...lockWords(lock), ...cautionOf(contentAges)]
}

/** What to do where visits and changes may keep step. */
export function lockWords({ advice }: PhaseLock): string[] {
  return advice === '' ? [] : [`Visits and changes may keep step: ${advice}.`]
}

function testWords({ chance, samples }: { chance: number; samples: number }): string {
  const shown = chance < 0.001 ? 'under 0.001' : String(Number(chance.toPrecision(2)))
  return `from ${samples} changes; p = ${shown} if changes came at random`
}

function cautionOf({ method, target }: PageDistribution['contentAges']): string[] {
  if (target.law === 'neither') return [`${method}: ${target.biased}.`]
  return [`The age distribution is by ${method}: ${target.caution}.`]
}

/** Why there is no curve, in words. */
export function noCurveWords(verdict: string): string {
  const words: Record<string, string> = {
    'no-observation': 'seen less than twice: no distribution to show',
    'no-content-age': 'no Last-Modified: no distribution to show',
    'no-change-seen': 'no change seen: no distribution to show',
    'always-changed': 'a change at every visit: no distribution to show',
    'no-complete-run': 'fewer than two changes seen: no distribution to show',
  }
  return words[verdict] ?? 'no distribution to show'
}
