import {
  type AgeingTest,
  ageingOfHistory,
  type Bands,
  bands,
  concaveLaw,
  type DistributionEstimate,
  type DistributionMethod,
  lawBands,
  m2,
  m6,
  type PhaseLock,
  phaseLock,
  type UpdateLaw,
} from '../../../estimate/index.js'
import type { History } from '../../../model/index.js'
import { Random } from '../../../numeric/index.js'

/** What a history tells about the whole law of a page's changes. */
export interface PageDistribution {
  /** The age distribution: the share of time for which the content is at most so old. */
  readonly contentAges: DistributionEstimate
  readonly contentAgeBands: Bands
  /** The law of update gaps drawn from it. */
  readonly updateGaps: UpdateLaw
  readonly updateGapBands: Bands
  readonly ageing: AgeingTest
  readonly lock: PhaseLock
}

/**
 * Whether there is a curve that tells something: one drawn from visits that
 * always, or never, found a change is a straight line or a flat one.
 */
export function hasLaw(
  contentAges: DistributionEstimate,
): contentAges is Extract<DistributionEstimate, { kind: 'curve' }> {
  const { kind, verdict } = contentAges
  return kind === 'curve' && verdict !== 'always-changed' && verdict !== 'no-change-seen'
}

/** The bands are drawn with the same numbers every time, so that a report can be made again. */
const seed = 1
/** Values that all bootstrap copies together may look at: about a second's work. */
const budget = 2e7
const fewestCopies = 20

/** All of it for one page. */
export function pageDistribution(
  history: History,
  { level }: { readonly level: number },
): PageDistribution {
  const method = methodFor(history)
  const contentAges = method.estimate(history)
  const updateGaps = concaveLaw(contentAges)
  const copies = Math.min(200, Math.floor(budget / (1 + contentAges.samples)))
  const options = () => ({ random: new Random(seed), level, copies })
  const none: Bands = { kind: 'none', why: 'no-curve' }
  const affordable = copies >= fewestCopies
  return {
    contentAges,
    contentAgeBands: affordable ? bands(history, method, options()) : none,
    updateGaps,
    updateGapBands:
      affordable && updateGaps.kind === 'law' ? lawBands(history, method, options()) : none,
    ageing: ageingOfHistory(history, { level }),
    lock: phaseLock(history),
  }
}

/** M2 where the server tells content ages at half the visits and more, else M6: right at any gaps. */
function methodFor({ start, observations }: History): DistributionMethod {
  const told = observations.filter(({ contentAge }) => contentAge !== undefined).length
  const all = told + (start.contentAge === undefined ? 0 : 1)
  return all >= 10 && 2 * all >= observations.length ? m2 : m6
}
