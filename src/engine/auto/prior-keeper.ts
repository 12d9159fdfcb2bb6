import { type AutoPrior, defaultLaw, parseAutoPrior } from '../../estimate/index.js'
import { historyOf, type Json, type PageRecord, type Store } from '../../model/index.js'
import { isTimeToLearn, PriorLearner } from '../../planner/index.js'
import type { AutoMinds } from './auto-minds.js'
import { groupOf } from './group-learners.js'
import type { Look } from './look.js'

/** Where the store keeps the prior, and how many comparisons it was learned from. */
export const priorSetting = 'auto-prior'
export const lessonSetting = 'auto-lesson'

/** How much of a page's history tells of hours. */
const newestVisits = 120
const fewestVisits = 4

export interface PriorParts {
  readonly store: Store
  readonly collection: string
  /** Awaited between slices of work, so that visits go on. */
  readonly pause: () => Promise<void>
}

/** Learns the prior of a collection from its own visits, and keeps it in the store. */
export class PriorKeeper {
  readonly #parts: PriorParts
  /** Comparisons that the prior was learned from. */
  #learnedFrom = 0

  constructor(parts: PriorParts) {
    this.#parts = parts
  }

  /** The prior that is stored; null where there is none. */
  async read(): Promise<AutoPrior | null> {
    const { store, collection } = this.#parts
    this.#learnedFrom = Number((await store.getSetting(collection, lessonSetting)) ?? 0) || 0
    return storedPrior(await store.getSetting(collection, priorSetting))
  }

  isTime({ statistics }: Look): boolean {
    return isTimeToLearn(statistics.comparisons, this.#learnedFrom)
  }

  /** Laws from the memories of all followers, hours and beginnings from the histories of some. */
  async learn(
    look: Look,
    { minds, followers }: { minds: AutoMinds; followers: AsyncIterable<PageRecord> },
  ): Promise<void> {
    const { store, collection, pause } = this.#parts
    const learner = new PriorLearner<PageRecord>({
      pages: look.pages,
      learnerFor: (group) => minds.learnerFor({ group, host: group }),
    })
    for await (const page of followers) {
      const memory = minds.memoryOf(page)
      if (memory !== null && minds.comparisonsOf(page) > 0)
        learner.add(groupOf(page), { page, memory })
    }
    await this.#addHistories(learner)
    if (learner.pages === 0) return
    const { comparisons } = look.statistics
    const how = `learned by EM from ${learner.pages} pages of collection "${collection}", ${comparisons} comparisons`
    const work = learner.learn({ how, base: defaultLaw })
    let step = work.next()
    for (; !step.done; step = work.next()) await pause()
    const prior = step.value
    await store.putSetting(collection, priorSetting, prior as unknown as Json)
    await store.putSetting(collection, lessonSetting, comparisons)
    this.#learnedFrom = comparisons
    minds.use(prior)
  }

  async #addHistories(learner: PriorLearner<PageRecord>): Promise<void> {
    const { store, pause } = this.#parts
    for (const { group, page } of learner.wanted()) {
      if (page.visits < fewestVisits) continue
      const history = historyOf(await store.visitsOf(page, { newest: newestVisits }))
      const fromFirst = page.visits <= newestVisits
      if (history !== null) learner.addHistory(group, history, { fromFirst })
      await pause()
    }
  }
}

/** A prior that cannot be read is none: it is learned anew. */
export function storedPrior(stored: Json | undefined): AutoPrior | null {
  if (stored === undefined) return null
  try {
    return parseAutoPrior(JSON.stringify(stored))
  } catch {
    return null
  }
}
