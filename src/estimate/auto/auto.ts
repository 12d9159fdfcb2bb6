import type {
  Estimate,
  EstimateOptions,
  Estimator,
  Evidence,
  History,
  Verdict,
} from '../../model/index.js'
import { evidenceOf } from '../rate/evidence.js'
import { checkLevel } from '../rate/likelihood-bounds.js'
import { autoLearner } from './auto-learner.js'
import { defaultLaw } from './default-prior.js'
import type { GroupLaw } from './group-law.js'
import { believedBounds, believedQuantile } from './outlook.js'

/**
 * Change rate in the long run by the default's posterior over laws of change:
 * its median with credible bounds. Needs no rule for the edges: where little
 * was seen, the law of the group speaks. O(n x laws).
 */
export function autoWith({ law }: { readonly law: GroupLaw }): Estimator {
  const learner = autoLearner({ law })
  return {
    name: 'auto',
    summary:
      'what the crawler plans by: a posterior over a hundred laws of change; median with credible bounds',
    needsContentAge: false,
    estimate(history: History, options: EstimateOptions = {}): Estimate {
      const level = checkLevel(options.level)
      const evidence = evidenceOf(history)
      return estimateIn(learner.belief(memoryOf(history, learner)), { evidence, level })
    },
  }
}

/** The estimate that a belief of the default comes to. */
export function estimateIn(
  belief: Float64Array,
  { evidence, level }: { readonly evidence: Evidence; readonly level: number },
): Estimate {
  const changeRate = believedQuantile(belief, 0.5)
  return {
    method: 'auto',
    changeRate,
    changePeriod: 1 / changeRate,
    bounds: believedBounds(belief, level, evidence),
    evidence,
    verdict: verdictOn(evidence),
  }
}

/** With the law that ships. */
export const auto: Estimator = autoWith({ law: defaultLaw })

/** A page's whole past taken into a memory of the default learner. */
export function memoryOf(history: History, learner = autoLearner()): Float64Array {
  const memory = new Float64Array(learner.size)
  learner.start(memory, history.start.contentAge ?? Number.NaN)
  for (const { at, gap, changed, contentAge = Number.NaN, calmFor = 0 } of history.observations)
    learner.learn(memory, { at, gap, changed, contentAge, calmFor })
  return memory
}

function verdictOn({ observations, changes, unchangedTime, contentAges }: Evidence): Verdict {
  if (observations === 0 && contentAges === 0) return 'prior-only'
  if (changes === 0) return 'no-change-seen'
  const calm = changes < observations || unchangedTime > 0
  return calm || contentAges > 0 ? 'ok' : 'always-changed'
}
