import { detectionGapLearner } from '../../estimators/rate/detection-gap.js'
import { irregularMleLearner } from '../../estimators/rate/irregular-mle.js'
import { meanContentAgeLearner } from '../../estimators/rate/mean-content-age.js'
import { consistentWindowLearner } from '../../estimators/trend/window-learner.js'
import { OptionError } from '../../model/errors.js'
import type { Planner } from '../../planner/step.js'
import type { Objective } from '../../planner/value/objective.js'
import { azar, harmonic } from '../../policies/allocation/closed-form.js'
import { optimalFreshness } from '../../policies/allocation/optimal-freshness.js'
import { proportional } from '../../policies/allocation/proportional.js'
import { barrelPolicy } from '../../policies/barrels.js'
import { nutch, stormCrawler } from '../../policies/crawlers.js'
import { fixed } from '../../policies/fixed-and-random.js'
import { grimesFord } from '../../policies/grimes-ford.js'
import { malcolmArmitage1, malcolmArmitage2 } from '../../policies/malcolm-armitage.js'
import { singh } from '../../policies/singh.js'
import { learnedRates, trueRates } from './allocation-replay.js'
import { annealedPlanners } from './annealed-priors.js'
import { runAuto } from './auto-replay.js'
import {
  budgetContender,
  type Contender,
  clairvoyantContender,
  declaredByPublisher,
  ruleContender,
} from './contender.js'
import { changeLawsElsewhere, learnersElsewhere } from './leave-one-out-priors.js'

/** The default, with what the other sources taught it and a budget that it keeps by itself. */
export const autoContender: Contender = autoFor('freshness', {
  name: 'auto',
  summary:
    "Revisit's default: a posterior over laws of change, visits where their value is highest",
})

/** The same where all pages are visited for another objective; they compete where they are named. */
export const otherObjectives: readonly Contender[] = [
  autoFor('delay', { name: 'auto-delay', summary: 'the default with objective: delay' }),
  autoFor('changes-caught', {
    name: 'auto-changes-caught',
    summary: 'the default with objective: changes-caught',
  }),
]

/** Grimes & Ford's own prior, as a crawler runs it; it competes where it is named, for its fits take seconds. */
export const annealedContender: Contender = ruleContender({
  name: 'grimes-ford-annealed',
  summary: 'Grimes & Ford as it runs live: two pseudo-gaps by annealing on the other sources',
  plannerFor: annealedPlanners,
})

function autoFor(
  objective: Objective,
  about: { readonly name: string; readonly summary: string },
): Contender {
  return {
    ...about,
    kind: 'budget',
    compete({ collection, perDay, run }) {
      if (!(perDay > 0))
        throw new OptionError(
          'bad-budget',
          'a budget must be a positive number of visits a page and day',
        )
      const lawFor = changeLawsElsewhere(collection)
      const { scores, calibration } = runAuto(collection, { ...run, perDay, lawFor, objective })
      return { scores, stretch: null, calibration }
    },
  }
}

/** The rules of the papers and of today's crawlers, scaled in hindsight to the budget. */
const rules: readonly Contender[] = [
  rule('equal', 'every page equally often', { policy: fixed(), learner: null }),
  rule('nutch', nutch.summary, { policy: nutch, learner: null }),
  rule('storm-crawler', stormCrawler.summary, { policy: stormCrawler, learner: null }),
  rule('malcolm-armitage-2', 'Malcolm & Armitage Listing 2, without its stop rule', {
    policy: malcolmArmitage2({ maxChanges: Infinity }),
    learner: detectionGapLearner,
  }),
  rule('grimes-ford', 'Grimes & Ford, gap = estimated change period, no prior', {
    policy: grimesFord(),
    learner: irregularMleLearner(),
  }),
  ruleContender({
    name: 'grimes-ford-prior',
    summary: 'the same with two pseudo-gaps fitted on the other sources',
    plannerFor: (trial) => {
      const learners = learnersElsewhere(trial)
      return (source) => ({ policy: grimesFord(), learner: learners(source) })
    },
  }),
  rule('singh', 'Singh, at the predicted next update of the latest consistent window', {
    policy: singh(),
    learner: consistentWindowLearner(),
  }),
  ruleContender({
    name: 'barrels',
    summary: 'Hattab, by what an honest publisher would declare of its own changes',
    kind: 'knows',
    plannerFor: () => () => ({ policy: barrelPolicy(), learner: null }),
    declaredFor:
      ({ collection }) =>
      (page) =>
        declaredByPublisher(collection, page),
  }),
]

/** Listing 1 needs to be given Last-Modified; it competes only where pages tell it. */
export const listing1Contender: Contender = rule(
  'malcolm-armitage-1',
  'Malcolm & Armitage Listing 1, without its stop rule',
  { policy: malcolmArmitage1({ maxChanges: Infinity }), learner: meanContentAgeLearner },
)

/** Budgets shared out over the collection, by what is known of each page. */
const budgets: readonly Contender[] = [
  budgetContender({
    name: 'proportional',
    summary: 'visits in proportion to the estimated change rate',
    allocation: proportional,
    rateEstimatesFor: (trial) => learnedRates(trial.collection, () => irregularMleLearner()),
  }),
  budgetContender({
    name: 'optimal-plug-in',
    summary: 'Cho & Garcia-Molina optimum on plain estimates',
    allocation: optimalFreshness,
    rateEstimatesFor: (trial) => learnedRates(trial.collection, () => irregularMleLearner()),
  }),
  budgetContender({
    name: 'optimal-prior',
    summary: 'the same with two pseudo-gaps fitted on the other sources',
    allocation: optimalFreshness,
    rateEstimatesFor: (trial) => learnedRates(trial.collection, learnersElsewhere(trial)),
  }),
  budgetContender({
    name: 'azar-prior',
    summary: "Azar's allocation, with the same prior",
    allocation: azar,
    rateEstimatesFor: (trial) => learnedRates(trial.collection, learnersElsewhere(trial)),
  }),
  budgetContender({
    name: 'lambda-crawl',
    summary: "LambdaCrawl's harmonic allocation, with the same prior",
    allocation: harmonic,
    rateEstimatesFor: (trial) => learnedRates(trial.collection, learnersElsewhere(trial)),
  }),
]

const knowing: readonly Contender[] = [
  budgetContender({
    name: 'oracle',
    summary: "Cho & Garcia-Molina optimum on each page's true mean change rate",
    kind: 'knows',
    allocation: optimalFreshness,
    rateEstimatesFor: (trial) => trueRates(trial.collection),
  }),
  clairvoyantContender,
]

/** Everyone who competes, bounds last. */
export const contenders: readonly Contender[] = [...rules, ...budgets, autoContender, ...knowing]

function rule(name: string, summary: string, planner: Planner): Contender {
  return ruleContender({ name, summary, plannerFor: () => () => planner })
}
