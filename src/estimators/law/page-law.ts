import type { History } from '../../model/history.js'
import { concaveLaw } from './concave-law.js'
import type {
  DistributionEstimate,
  DistributionMethod,
  DistributionOptions,
} from './distribution.js'
import { type Identifiability, identifiability } from './identifiability.js'
import { m2 } from './m1-m2.js'
import { m6 } from './m6.js'
import { type PhaseLock, phaseLock } from './phase-lock.js'
import type { UpdateLaw } from './update-law.js'

/** How a law of update gaps is drawn from an age distribution. */
export type LawRule = (estimate: DistributionEstimate) => UpdateLaw

/** The laws of content age and of update gaps of a page, as far as its visits can tell them. */
export interface PageLaw {
  readonly method: DistributionMethod
  /** The age distribution: the share of time for which the content is at most so old. */
  readonly contentAges: DistributionEstimate
  readonly lock: PhaseLock
  readonly identifiable: Identifiability
  /** Why `not-identifiable`: `identifiable` says it in words. */
  readonly updateGaps: UpdateLaw
}

/**
 * Both laws, by the method given or the one that suits the visits: M2 where the
 * server tells content ages at half the visits and more and they do not keep
 * step with the visits, else M6, right at any gaps. The law of update gaps is
 * withheld where the visits cannot tell it: drawn from an age distribution that
 * is known at multiples of the gap only, it would be a guess that looks like
 * knowledge. The method's cost.
 */
export function pageLaw(
  history: History,
  options: DistributionOptions & {
    readonly method?: DistributionMethod
    readonly law?: LawRule
  } = {},
): PageLaw {
  const lock = phaseLock(history)
  const method = options.method ?? methodFor(history, lock)
  const contentAges = method.estimate(history, options)
  const identifiable = identifiability(history, { estimate: contentAges, lock })
  const law = (options.law ?? concaveLaw)(contentAges)
  const withheld =
    identifiable.kind === 'not-identifiable' &&
    (law.kind === 'law' || law.why === 'too-few-points' || law.why === 'no-slope-at-zero')
  const updateGaps: UpdateLaw = withheld
    ? { kind: 'none', by: law.by, why: 'not-identifiable' }
    : law
  return { method, contentAges, lock, identifiable, updateGaps }
}

const enoughDated = 10

function methodFor({ start, observations }: History, lock: PhaseLock): DistributionMethod {
  const dated = observations.filter(({ contentAge }) => contentAge !== undefined).length
  const all = dated + (start.contentAge === undefined ? 0 : 1)
  const often = all >= enoughDated && 2 * all >= observations.length
  return often && lock.evidence !== 'same-phase' ? m2 : m6
}
