import { OptionError } from '../model/errors.js'
import type { PageRecord } from '../model/page.js'
import type { Store } from '../model/store.js'
import type { RandomSource, Seconds } from '../model/units.js'
import { ledgerFrom, priceIn } from '../planner/budget/budget-controller.js'
import { ledgerSetting } from '../planner/collection/budget.js'
import { CollectionController } from '../planner/collection/collection-controller.js'
import { AutoPlanners } from '../planner/collection/planners.js'
import { PagePlans } from '../planner/collection/replan.js'
import { priorSetting, storedPrior } from '../planner/collection/scan.js'
import { ListValues, listsSetting } from '../planner/evidence/list-value.js'
import { fittedPrior, ratePriorSetting, storedRates } from '../planner/prior/stored-rates.js'
import { type Fitted, plannerOf } from '../planner/registry.js'
import type { Planner } from '../planner/step.js'
import { isObjective, type Objective } from '../planner/value/objective.js'
import { type AllowedHours, parseAllowedHours } from '../policies/allowed-hours.js'
import { type GapLimits, limited } from '../policies/limits.js'
import { PagePolicies } from './page-policies.js'
import type { Chore } from './processes/chore.js'
import { type ChangingSettings, type CrawlerSettings, crawlerDefaults } from './settings.js'

/** What of the settings decides when pages are visited. */
type PlannerSettings = Partial<CrawlerSettings>
/** The same with where pages are planned, and by whom. */
interface Planning extends PlannerSettings {
  readonly store: Store
  readonly worker: string
  readonly random: RandomSource
}

const nothingFitted: Fitted = {}

/** The name of the policy that follows the budget. */
const defaultPolicy = 'auto'
const hintedDefault = 'with-hints(auto)'

/** The policy and learner of each page: its own setting, or the configuration's. */
export function plannersOf(
  config: PlannerSettings,
  planners = new AutoPlanners({
    limitsFor: limitsOf(config),
    objectiveFor: objectivesOf(config),
    followsHints: followsHintsOf(config),
  }),
  fitted: Fitted = {},
): (page: PageRecord) => Planner {
  const own = ownPlanners(config, { fitted: () => fitted })
  return (page) => own(page) ?? planners.plannerFor(page)
}

/** What is set for all pages: where it changes, their visits are planned anew. */
function termsOf(settings: PlannerSettings, { ratePrior = null }: Fitted): string {
  const all = { ...crawlerDefaults, ...settings }
  const { policy, shortestGap, longestGap, hours, objective, groupObjectives } = all
  const gaps = `${policy}, from ${shortestGap ?? 'any'} to ${longestGap ?? 'any'} seconds`
  const groups = Object.entries(groupObjectives).map((each) => each.join('='))
  const followsPrior = ratePrior !== null && policy.includes('grimes-ford')
  return [
    gaps,
    ...(followsPrior ? [`like ${ratePrior.from}: ${JSON.stringify(ratePrior)}`] : []),
    ...(hours === null ? [] : [`in ${hours}`]),
    ...(objective === 'freshness' && groups.length === 0 ? [] : [`for ${objective}`]),
    ...groups,
  ].join(', ')
}

/** The planner of a page that does not follow the default; null for those that do. */
export function ownPlanners(
  config: PlannerSettings,
  {
    policies = new PagePolicies(config),
    fitted = () => nothingFitted,
  }: {
    readonly policies?: PagePolicies
    /** As it is now; planners are made anew where it is another. */
    readonly fitted?: () => Fitted
  } = {},
): (page: PageRecord) => Planner | null {
  const known = new Map<string, Planner>()
  const limitsFor = limitsOf(config)
  let from = fitted()
  return (page) => {
    const name = policies.of(page)
    if (name === defaultPolicy || name === hintedDefault) return null
    if (from !== fitted()) known.clear()
    from = fitted()
    const limits = limitsFor(page)
    const key = `${limits.minGap} ${limits.maxGap} ${name}`
    return remembered(known, key, () => plannerNamed(name, { limits, fitted: from }))
  }
}

/** Whether hints move the visits of a page that follows the default: its own word, or the configuration's. */
function followsHintsOf(settings: PlannerSettings): (page: PageRecord) => boolean {
  const { hints } = { ...crawlerDefaults, ...settings }
  const policies = new PagePolicies(settings)
  return (page) => hints || policies.of(page) === hintedDefault
}

/** As `run` would think, from what is stored: the prior, the price, and each page's own settings. */
export async function storedPlanners(store: Store, config: PlannerSettings): Promise<AutoPlanners> {
  const { collection = crawlerDefaults.collection } = config
  const prior = storedPrior(await store.getSetting(collection, priorSetting))
  const ledger = ledgerFrom(await store.getSetting(collection, ledgerSetting))
  return new AutoPlanners({
    prior,
    lists: ListValues.from(await store.getSetting(collection, listsSetting)),
    limitsFor: limitsOf(config),
    followsHints: followsHintsOf(config),
    price: (objective) => priceIn(ledger, objective),
    objectiveFor: objectivesOf(config),
    guaranteedGap,
  })
}

/** The planner of any page as `run` would have it, from what is stored. */
export async function storedPlannersFor(
  store: Store,
  config: PlannerSettings,
): Promise<(page: PageRecord) => Planner> {
  const planners = await storedPlanners(store, config)
  return plannersOf(config, planners, await storedFitted(store, config))
}

function plannerNamed(
  name: string,
  { limits, fitted }: { readonly limits: GapLimits; readonly fitted: Fitted },
): Planner {
  const { policy, learner } = plannerOf(name, fitted)
  return { policy: limited(policy, limits), learner }
}

/** What was fitted on a collection for policies that begin from a prior. */
export async function storedFitted(
  store: Pick<Store, 'getSetting'>,
  { collection = crawlerDefaults.collection }: Pick<PlannerSettings, 'collection'>,
): Promise<Fitted> {
  const stored = storedRates(await store.getSetting(collection, ratePriorSetting))
  return { ratePrior: stored === null ? null : fittedPrior(stored) }
}

/** The same for a process that runs on: read again, since others may fit anew meanwhile. */
class FollowedFit {
  #written = ''
  #fitted = nothingFitted
  readonly #from: Pick<Planning, 'store' | 'collection'>

  constructor(from: Pick<Planning, 'store' | 'collection'>) {
    this.#from = from
  }

  /** Stays the same object until it is another fit. */
  get fitted(): Fitted {
    return this.#fitted
  }

  async read(): Promise<void> {
    const { store } = this.#from
    const fitted = await storedFitted(store, this.#from)
    const written = JSON.stringify(fitted)
    if (written === this.#written) return
    this.#written = written
    this.#fitted = fitted
  }
}

/**
 * The shortest and longest gap of each page: its own, or the configuration's.
 * What a page says itself goes before what is set for all: its shortest gap
 * lifts the longest of all, its longest lowers the shortest of all.
 */
export function limitsOf({
  shortestGap = crawlerDefaults.shortestGap,
  longestGap = crawlerDefaults.longestGap,
}: PlannerSettings): (page: PageRecord) => GapLimits {
  return ({ settings }) => {
    const ownLongest = secondsIn(settings.longest)
    const forAll = shortestGap === null ? null : Math.min(shortestGap, ownLongest ?? Infinity)
    const minGap = secondsIn(settings.shortest) ?? forAll
    const maxGap = ownLongest ?? longestGap
    return {
      ...(minGap === null ? {} : { minGap }),
      ...(maxGap === null ? {} : { maxGap: Math.max(maxGap, minGap ?? 0) }),
    }
  }
}

/**
 * What each page is visited for: its own objective, else that of its group (its
 * host where it was given none), else the configuration's. One that this
 * version does not know, because a newer one wrote it, counts for nothing.
 */
function objectivesOf({
  objective = crawlerDefaults.objective,
  groupObjectives = crawlerDefaults.groupObjectives,
}: PlannerSettings): (page: PageRecord) => Objective {
  const byGroup = new Map(Object.entries(groupObjectives))
  return ({ settings, group, host }) =>
    isObjective(settings.objective) ? settings.objective : (byGroup.get(group ?? host) ?? objective)
}

/** The longest gap that a person promised a page of its own; null where only the configuration speaks. */
export function guaranteedGap({ settings }: PageRecord): Seconds | null {
  return secondsIn(settings.longest)
}

function secondsIn(value: unknown): number | null {
  return typeof value === 'number' && value > 0 && value < Infinity ? value : null
}

/**
 * The hours in which each page may be visited. Hours were checked when they
 * were set; a page whose hours cannot be read all the same is not to stop the
 * loop, and is visited at any time.
 */
export function hoursOf(
  /** As they are now: they may be changed while a crawler runs. */
  current: () => Pick<PlannerSettings, 'hours'>,
): (page: PageRecord) => AllowedHours | null {
  const known = new Map<string, AllowedHours | null>()
  return ({ settings }) => {
    const { hours = crawlerDefaults.hours } = current()
    const text = typeof settings.hours === 'string' ? settings.hours : hours
    return text === null ? null : remembered(known, text, () => readable(text))
  }
}

function readable(text: string): AllowedHours | null {
  try {
    return parseAllowedHours(text)
  } catch (error) {
    if (error instanceof OptionError) return null
    throw error
  }
}

function remembered<T>(known: Map<string, T>, name: string, make: () => T): T {
  const found = known.get(name) ?? make()
  known.set(name, found)
  return found
}

/** What keeps the budget of a collection and plans its visits. Nothing is written before it is asked to. */
export async function openController(
  options: Planning & {
    /** The planner of a page that does not follow the default; by the policies of the settings and of pages by default. */
    readonly ownPlanner?: (page: PageRecord) => Planner | null
    /** Of pages that have one of their own; those of the settings by default. */
    readonly policies?: PagePolicies
    /** Lets one process at a time scan and learn; nobody else does by default. */
    readonly chore?: Chore
    /** The settings as they are now, where they may be changed meanwhile. */
    readonly current?: () => ChangingSettings
  },
): Promise<CollectionController> {
  const { chore, policies } = options
  const settings = { ...crawlerDefaults, ...options }
  const { current = () => settings } = options
  const { store, collection, worker, random, budget } = settings
  const fit = new FollowedFit({ store, collection })
  await fit.read()
  const fitted = () => fit.fitted
  return CollectionController.open({
    store,
    collection,
    worker,
    random,
    budget,
    get mostPerDay() {
      return current().requestsPerDay
    },
    limitsFor: limitsOf(settings),
    guaranteedGap,
    objectiveFor: objectivesOf(settings),
    hoursFor: hoursOf(current),
    ownPlanner:
      options.ownPlanner ??
      ownPlanners(settings, { fitted, ...(policies === undefined ? {} : { policies }) }),
    followsHints: followsHintsOf(settings),
    terms: () => termsOf({ ...settings, ...current() }, fitted()),
    reload: () => fit.read(),
    pause: chore === undefined ? breath : () => breath().then(() => chore.renew()),
    planTime: settings.leaseTime,
    ...(chore === undefined ? {} : { exclusive: chore }),
  })
}

/** Lets visits go on: what they wait for is handled before the next slice of work. */
function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Plans visits as a crawler would, by what is stored, for commands that change single pages. */
export async function openPagePlans(options: Planning): Promise<PagePlans> {
  const { store, worker, random, collection = crawlerDefaults.collection } = options
  return new PagePlans({
    store,
    collection,
    worker,
    random,
    plannerFor: await storedPlannersFor(store, options),
    hoursFor: hoursOf(() => options),
    pause: async () => {},
  })
}
