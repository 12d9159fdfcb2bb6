import type { Learner, Seconds, Seen, UnixSeconds, WeighedHint } from '../../model/index.js'
import { weekGap } from '../../numeric/index.js'
import { calmRunAt, changesAt, observationsAt, sampledAt } from './counts.js'
import { defaultLaw } from './default-prior.js'
import { beliefSize, believe, type GroupLaw } from './group-law.js'
import { declaredPeriod, takeDeclared } from './hint-evidence.js'
import {
  learnChanged,
  learnChangedAt,
  learnUnchanged,
  letDrift,
  memorySize,
  startLikelihoods,
} from './likelihoods.js'
import { believedRate } from './outlook.js'
import { pageGap, weighClocks } from './page-clock.js'

/** A learner that tells all it believes. */
export interface AutoLearner extends Learner {
  readonly law: GroupLaw
  belief(memory: Float64Array): Float64Array
  heard(memory: Float64Array, told: readonly WeighedHint[]): Float64Array | null
  /** Seconds of the page's own clock in the `gap` seconds that end at `at`. */
  clockGap(memory: Float64Array, gap: { at: UnixSeconds; gap: Seconds }): Seconds
}

/**
 * The default learner: how likely all that was seen is under each of a
 * hundred laws of change, on the clock of the page's group. The memory holds
 * likelihoods only; the group's law comes in when it is asked, so a law
 * learned anew needs no page rewritten. A believable Last-Modified is taken
 * exactly. 1,640 bytes a page, about 3 microseconds an observation.
 */
export function autoLearner({ law = defaultLaw }: { law?: GroupLaw } = {}): AutoLearner {
  const scratch = new Float64Array(beliefSize)
  const heard = new Float64Array(beliefSize)
  return {
    name: 'auto',
    summary: 'the default: a posterior over a hundred laws of change, on a clock of the week',
    law,
    size: memorySize,
    knowsCalm: true,
    start(memory, contentAge) {
      memory.fill(0)
      startLikelihoods(memory, { contentAge, newShare: law.newShare ?? 0 })
    },
    learn(memory, seen) {
      learnSeen(memory, { law, seen, belief: () => believe(memory, law, scratch) })
    },
    clockGap: (memory, gap) => pageGap(memory, { clock: law.clock, ...gap }),
    changePeriod: (memory) => 1 / believedRate(believe(memory, law, scratch)),
    belief: (memory) => believe(memory, law, scratch),
    heard(memory, told) {
      const declared = declaredPeriod(told)
      return declared === null ? null : takeDeclared(believe(memory, law, heard), declared)
    },
  }
}

/** Chance, at each visit, that a page has become another: so that no law is ruled out for good. */
const driftShare = 0.002

function learnSeen(
  memory: Float64Array,
  { law, seen, belief }: { law: GroupLaw; seen: Seen; belief: () => Float64Array },
): void {
  const { at = Number.NaN, gap, changed, contentAge, calmFor = 0 } = seen
  const whole = pageGap(memory, { clock: law.clock, at, gap })
  weighClocks(memory, { belief, changed, gap, groupGap: weekGap(law.clock, { at, gap }) })
  memory[observationsAt]! += 1
  memory[sampledAt]! += gap
  memory[calmRunAt] = changed ? 0 : memory[calmRunAt]! + 1
  if (changed) memory[changesAt]! += 1
  // Of a gap whose beginning is known to be calm, only the rest holds the change.
  const calm = changed && calmFor > 0 && calmFor < gap
  const clockGap = calm ? pageGap(memory, { clock: law.clock, at, gap: gap - calmFor }) : whole
  if (calm) learnUnchanged(memory, Math.max(0, whole - clockGap))
  if (!changed) learnUnchanged(memory, clockGap)
  else if (contentAge >= 0 && contentAge < gap) {
    const since = pageGap(memory, { clock: law.clock, at, gap: contentAge })
    learnChangedAt(memory, { gap: clockGap, contentAge: since })
  } else learnChanged(memory, clockGap)
  letDrift(memory, { masses: law.masses, share: driftShare })
}
