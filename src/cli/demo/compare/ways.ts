import { malcolmArmitageLearner } from '../../../estimate/index.js'
import { fixed, malcolmArmitage, nutch } from '../../../schedule/index.js'
import { defaultWay, type Way } from '../way.js'
import { scaledRule } from './scaled-rule.js'

/** Who spends the same budget on the same web. */
export const ways: readonly Way[] = [
  scaledRule('fixed (weekly, scaled)', { policy: fixed(), learner: null }),
  scaledRule("Nutch's rule, scaled", { policy: nutch, learner: null }),
  scaledRule('Malcolm & Armitage, scaled', {
    policy: malcolmArmitage(),
    learner: malcolmArmitageLearner,
  }),
  defaultWay,
]
