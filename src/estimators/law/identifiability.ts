import { humanDuration } from '../../model/duration.js'
import { type History, splitUnchanged } from '../../model/history.js'
import { DAY, HOUR, type Seconds } from '../../model/units.js'
import { quantile } from '../../numeric/summary.js'
import type { DistributionEstimate } from './distribution.js'
import type { PhaseLock } from './phase-lock.js'
import { equalGaps, gapsIn, stretchesOf } from './stretches.js'

/**
 * Whether visits can tell the law of update gaps at all. F_U = 1 - g / g(0)
 * needs the slope of the age distribution at 0, and so visits near to each other:
 *
 * - `equal-gaps`: nothing is seen below the gap; the age distribution is known at its multiples only
 * - `no-short-gaps`: gaps vary, but hardly one is short beside the others
 * - `phase-locked`: changes keep step with the visits, so content ages show the visits
 */
export type Identifiability =
  | { readonly kind: 'identifiable' }
  | {
      readonly kind: 'not-identifiable'
      readonly why: 'equal-gaps' | 'no-short-gaps' | 'phase-locked'
      /** The gap below which nothing is seen. */
      readonly gap: Seconds
      /** In words, with what to do. */
      readonly words: string
    }

/** One gap in twenty must be at most a quarter of the mean gap. */
const shortShare = 0.05
const shortGap = 0.25

/**
 * Whether the law of update gaps can be drawn from an estimate of the age
 * distribution. Content ages (M1, M2) tell it at any gaps that are not locked;
 * comparisons only where gaps come near to 0. O(n log n).
 *
 * Li, Cline & Loguinov 2015, section V-A and theorem 9.
 */
export function identifiability(
  history: History,
  { estimate, lock }: { readonly estimate: DistributionEstimate; readonly lock: PhaseLock },
): Identifiability {
  const stretches = stretchesOf(history)
  if (gapsIn(stretches) === 0) return { kind: 'identifiable' }
  const byContentAges = estimate.method === 'm1' || estimate.method === 'm2'
  if (byContentAges) {
    if (lock.kind !== 'locked' || lock.beat === null) return { kind: 'identifiable' }
    return not('phase-locked', lock.beat)
  }
  const { delta, equal } = equalGaps(stretches)
  if (equal) return not('equal-gaps', delta)
  const gaps = splitUnchanged(history).observations.map(({ gap }) => gap)
  const short = quantile(gaps, shortShare)
  return short <= shortGap * delta ? { kind: 'identifiable' } : not('no-short-gaps', short)
}

function not(
  why: Extract<Identifiability, { kind: 'not-identifiable' }>['why'],
  gap: Seconds,
): Identifiability {
  return { kind: 'not-identifiable', why, gap, words: words[why](lengthOf(gap)) }
}

const words = {
  'equal-gaps': (gap: string) => `not identifiable at equal gaps of ${gap}: vary the gaps`,
  'no-short-gaps': (gap: string) =>
    `not identifiable where hardly a gap is under ${gap}: vary the gaps, some near to 0`,
  'phase-locked': (gap: string) =>
    `not identifiable where changes keep step with visits every ${gap}: vary the gaps`,
}

/** A day is a day here, not 24 hours: it names how one visits. */
function lengthOf(gap: Seconds): string {
  const is = (unit: Seconds) => Math.abs(gap / unit - 1) < 0.005
  return is(DAY) ? '1 day' : is(HOUR) ? '1 hour' : humanDuration(gap)
}
