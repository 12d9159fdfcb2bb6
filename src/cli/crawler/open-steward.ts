import { Steward } from '../../engine/index.js'
import type { RandomSource, Store } from '../../model/index.js'
import { Random } from '../../numeric/index.js'
import type { Configured } from './configured.js'
import { hearsOf, hoursOf, limitsOf, objectivesOf, ownMinds, promisedTo, termsOf } from './minds.js'
import { PagePolicies } from './page-policies.js'

/** What keeps the budget of the configured collection and plans its visits. Nothing is written before it is asked to. */
export function openSteward(
  { config, crawler, world }: Configured,
  store: Store,
  {
    random = new Random(world.seed),
    policies = new PagePolicies(config),
  }: { readonly random?: RandomSource; readonly policies?: PagePolicies } = {},
): Promise<Steward> {
  return Steward.open({
    store,
    collection: config.collection,
    worker: crawler.worker,
    random,
    budget: config.budget,
    mostPerDay: config.requestsPerDay,
    limitsFor: limitsOf(config),
    promisedTo,
    objectiveFor: objectivesOf(config),
    hoursFor: hoursOf(config),
    ownMind: ownMinds(config, policies),
    hears: hearsOf(config),
    terms: termsOf(config),
    pause: breath,
  })
}

/** Lets visits go on: what they wait for is handled before the next slice of work. */
function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
