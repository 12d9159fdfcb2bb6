import { trendEstimator } from '../estimators/trend/trend-estimators.js'
import { consistentWindowLearner } from '../estimators/trend/window-learner.js'
import { readThreshold } from '../estimators/trend/window-rule.js'
import { type StateRule, stateRules } from '../estimators/trend/window-state.js'
import { OptionError } from '../model/errors.js'
import { type NamedKind, type NamedSpec, type Parameter, parameterOf } from '../model/named-spec.js'
import type { Learner } from '../model/policy.js'

type Values = Pick<NamedSpec<NamedKind>, 'number' | 'read'>

const premature = ['wait-by-curve', 'same-wait'] as const

const [name, number, threshold] = [
  parameterOf('name'),
  parameterOf('number'),
  parameterOf('threshold'),
]

/** Parameters of the policy `singh` that its learner, `consistent-window`, goes by. */
export const windowParameters: readonly Parameter[] = [
  name('estimator', 'weibull', 'of the change rate: an estimator of revisit estimate --trend'),
  number('alpha', '0.7', 'share of the mean time to wait where changes get slower'),
  threshold(
    'threshold',
    '3',
    'how far an update may stray within a window: mean gaps, or a duration',
  ),
  name('state', 'fit', 'what tells that changes get slower: fit, where significant, or paper'),
  name(
    'premature',
    'wait-by-curve',
    'after a visit for nothing: wait-by-curve, or same-wait as after the update',
  ),
]

/** The learner that the parameters ask for, each checked. */
export function windowLearner({ read, number }: Values): Learner {
  const alpha = number('alpha')
  if (!(alpha > 0 && alpha <= 1))
    throw new OptionError('bad-alpha', `alpha must lie above 0 and up to 1; got ${alpha}`)
  return consistentWindowLearner({
    estimator: read('estimator', (name) => trendEstimator(name.trim())),
    alpha,
    windows: { direction: 'backward', threshold: read('threshold', readThreshold) },
    state: read('state', (text): StateRule => oneOf(stateRules, text)),
    afterPremature: read('premature', (text) => oneOf(premature, text)),
  })
}

/** The learner of a policy's parameters, as the registry reads it; what is default is left out. */
export function windowSpec(values: Values): string {
  windowLearner(values)
  const written = windowParameters.flatMap(({ name, default: usual }) => {
    const text = values.read(name, (given) => given.trim())
    return text === usual ? [] : [`${name}=${text}`]
  })
  return written.length === 0 ? 'consistent-window' : `consistent-window:${written.join(',')}`
}

function oneOf<Name extends string>(names: readonly Name[], text: string): Name {
  const found = names.find((name) => name === text.trim())
  if (found !== undefined) return found
  throw new OptionError('bad-parameter', `"${text}" is none of ${names.join(', ')}`)
}
