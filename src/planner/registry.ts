import { parsePriorChoice, type RatePrior } from '../estimators/prior/rate-prior.js'
import { biasReduced, biasReducedLearner } from '../estimators/rate/bias-reduced.js'
import {
  detectionGap,
  detectionGapLearner,
  detectionGapUncorrected,
  detectionGapUncorrectedLearner,
} from '../estimators/rate/detection-gap.js'
import { intuitive, intuitiveLearner } from '../estimators/rate/intuitive.js'
import { irregularMle, irregularMleLearner } from '../estimators/rate/irregular-mle.js'
import { lastModified, lastModifiedLearner } from '../estimators/rate/last-modified.js'
import { malcolmArmitageLearner } from '../estimators/rate/malcolm-armitage.js'
import { meanContentAge, meanContentAgeLearner } from '../estimators/rate/mean-content-age.js'
import { online, onlineLearner } from '../estimators/rate/online.js'
import { posterior } from '../estimators/rate/posterior.js'
import { consistentWindowLearner } from '../estimators/trend/window-learner.js'
import type { Estimator } from '../model/estimate.js'
import {
  type NamedKind,
  type NamedSpec,
  named,
  type OptionParameters,
  optionsIn,
  type Parameter,
  parameterOf,
  readNamedSpec,
} from '../model/named-spec.js'
import type { Learner, Policy } from '../model/policy.js'
import type { Seconds } from '../model/units.js'
import { barrelPolicy } from '../policies/barrels.js'
import { nutch, stormCrawler } from '../policies/crawlers.js'
import { fixed, randomGaps, typicalCrawler } from '../policies/fixed-and-random.js'
import { grimesFord } from '../policies/grimes-ford.js'
import {
  malcolmArmitage,
  malcolmArmitage1,
  malcolmArmitage2,
} from '../policies/malcolm-armitage.js'
import { type SinghOptions, singh } from '../policies/singh.js'
import { withHints } from './evidence/with-hints.js'
import { autoPolicy } from './policy.js'
import { auto, autoLearner } from './posterior/learner.js'
import { shippedRates } from './prior/shipped-rates.js'
import { policySources, type Source } from './sources.js'
import type { Planner } from './step.js'
import { windowLearner, windowParameters, windowSpec } from './window-parameters.js'

/** Every rate estimator that needs no setting of its own, in the order in which people compare them. */
export const rateEstimators: readonly Estimator[] = [
  intuitive,
  biasReduced,
  detectionGap,
  detectionGapUncorrected,
  irregularMle,
  posterior,
  online,
  meanContentAge,
  lastModified,
  auto,
]

/** The estimator of that name. */
export function rateEstimator(name: string): Estimator {
  return named(rateEstimators, { what: 'method', name })
}

/** Every learner that needs no setting of its own. */
export const learners: readonly Learner[] = [
  intuitiveLearner,
  biasReducedLearner,
  detectionGapLearner,
  detectionGapUncorrectedLearner,
  irregularMleLearner(),
  onlineLearner(),
  meanContentAgeLearner,
  lastModifiedLearner,
  malcolmArmitageLearner,
  consistentWindowLearner(),
  autoLearner(),
]

/** What a collection has learned that methods with a name may begin from. */
export interface Fitted {
  /** The prior that `revisit prior fit` stored; that of the shipped histories where there is none. */
  readonly ratePrior?: RatePrior | null
}

const priorParameter = (written: string): Parameter => ({
  name: 'prior',
  form: 'prior',
  default: written,
  description: 'fitted (by revisit prior fit, else shipped), none, or pseudo:CHANGED/UNCHANGED',
})

/** Parameters of learners that have any. */
const learnerParameters: Readonly<Record<string, readonly Parameter[]>> = {
  'irregular-mle': [priorParameter('none')],
  'consistent-window': windowParameters,
}

/** The learner that a text asks for: `detection-gap`, `irregular-mle:prior=pseudo:69h/13h`. */
export function learnerNamed(spec: string, fitted: Fitted = {}): Learner {
  const kinds = learners.map((learner) => ({
    name: learner.name,
    parameters: learnerParameters[learner.name] ?? [],
    learner,
  }))
  const found = readNamedSpec(spec, { what: 'learner', kinds })
  if (found.kind.name === 'consistent-window') return windowLearner(found)
  if (found.kind.name !== 'irregular-mle') return found.kind.learner
  const prior = priorIn(found, fitted)
  if (prior === null) return found.kind.learner
  return irregularMleLearner(prior)
}

/** The prior that a parameter asks for; null for none. */
function priorIn({ read }: ParameterValues, { ratePrior }: Fitted): RatePrior | null {
  const choice = read('prior', parsePriorChoice)
  if (choice === 'none') return null
  if (choice === 'fitted') return ratePrior ?? shippedRates
  return { kind: 'pseudo-gaps', from: 'it, by the prior given,', pseudoGaps: choice }
}

/** A kind of policy that can be asked for by name. */
export interface PolicyKind extends NamedKind {
  /** One sentence for a person who chooses. */
  readonly summary: string
  /** Whose rule it is; null where it is nobody's. */
  readonly source: Source | null
  create(values: ParameterValues, fitted: Fitted): Policy
}

/** The parameters of a text, each with its default where it is not written. */
type ParameterValues = Pick<NamedSpec<NamedKind>, 'number' | 'numbers' | 'read'>

const duration = parameterOf('duration')
const number = parameterOf('number')
const limit = parameterOf('limit')
const changes = limit('changes', '100', 'stops after so many changes; none goes on')

const singhGaps: OptionParameters<Omit<SinghOptions, 'learner'>> = {
  firstGap: duration('first', '1d', 'first gap'),
  minGap: duration('min', '10min', 'shortest gap'),
  maxGap: duration('max', '365d', 'longest gap'),
}

/** Every policy that can be asked for by name, in the order in which people meet them. */
export const policyKinds: readonly PolicyKind[] = [
  made(autoPolicy, {
    price: duration('price', '6h', 'price of a request, as time of freshness'),
    minGap: duration('min', '10min', 'shortest gap'),
    maxGap: duration('max', '90d', 'longest gap'),
  }),
  made(fixed, { gap: duration('gap', '7d', 'time between visits') }),
  kind({ policy: typicalCrawler }),
  made(malcolmArmitage1, {
    maxChanges: changes,
    targetGap: duration('gap', '1d', 'shortest gap'),
    maxRatio: number('ratio', '5', 'visits a change period at most'),
  }),
  made(malcolmArmitage2, {
    maxChanges: changes,
    softMaxGap: duration('soft', '2d', 'longest gap, but for pages slower than ratio times it'),
    maxRatio: number('ratio', '3', 'visits a change period of slow pages'),
    minGap: duration('min', '10min', 'shortest gap, and the first'),
  }),
  kind({ policy: malcolmArmitage() }),
  kind({
    policy: grimesFord(),
    parameters: [
      number('factor', '1', 'gap over estimated change period'),
      priorParameter('fitted'),
      duration('first', '11d', 'first gap, with prior=none'),
      duration('min', '1min', 'shortest gap'),
    ],
    create: (values, fitted) =>
      grimesFord({
        factor: values.number('factor'),
        firstGap: values.number('first'),
        minGap: values.number('min'),
        prior: priorIn(values, fitted),
        learner: `irregular-mle:prior=${values.read('prior', (text) => text)}`,
      }),
  }),
  kind({
    policy: singh(),
    parameters: [...Object.values(singhGaps), ...windowParameters],
    create: (values) => singh({ ...optionsIn(singhGaps, values), learner: windowSpec(values) }),
  }),
  kind({ policy: barrelPolicy() }),
  kind({ policy: barrelPolicy({ exact: true }) }),
  kind({ policy: nutch }),
  kind({ policy: stormCrawler }),
  randomKind('exponential'),
  randomKind('uniform'),
]

/** The policy that a text asks for: `nutch`, `fixed:gap=1d`, `with-hints(grimes-ford:factor=0.8)`. */
export function policyOf(spec: string, fitted: Fitted = {}): Policy {
  const wrapped = /^\s*with-hints\s*\((.*)\)\s*$/s.exec(spec)
  if (wrapped !== null) return withHints(policyOf(wrapped[1]!, fitted))
  const values = readNamedSpec(spec, { what: 'policy', kinds: policyKinds })
  return values.kind.create(values, fitted)
}

/** The same with the learner that it follows. */
export function plannerOf(spec: string, fitted: Fitted = {}): Planner {
  const policy = policyOf(spec, fitted)
  const learner = policy.learner === null ? null : learnerNamed(policy.learner, fitted)
  return { policy, learner }
}

/** Without `create`, the policy is as it is. */
function kind(about: {
  policy: Policy
  parameters?: readonly Parameter[]
  create?: PolicyKind['create']
}): PolicyKind {
  const { policy, parameters = [], create = () => policy } = about
  const { name, summary } = policy
  return { name, summary, source: policySources[name] ?? null, parameters, create }
}

/** A policy whose parameters set options of it. */
function made<Options>(
  policy: (options?: Options) => Policy,
  parameters: OptionParameters<Options>,
): PolicyKind {
  return kind({
    policy: policy(),
    parameters: Object.values<Parameter>(parameters),
    create: (values) => policy(optionsIn(parameters, values)),
  })
}

function randomKind(law: 'exponential' | 'uniform'): PolicyKind {
  const policy = (options: { readonly meanGap?: Seconds } = {}) => randomGaps({ law, ...options })
  return made(policy, { meanGap: duration('mean', '1d', 'mean time between visits') })
}
