import type { PageRecord, Store, UnixSeconds } from '../../model/index.js'
import { isOutOfReach } from '../../planner/index.js'
import type { AutoMinds } from './auto-minds.js'
import { listsSetting } from './list-worths.js'
import { Look } from './look.js'
import type { PageKeeper } from './page-keeper.js'
import type { PriceKeeper } from './price-keeper.js'
import type { PriorKeeper } from './prior-keeper.js'

interface Parts {
  readonly store: Store
  readonly collection: string
  readonly minds: AutoMinds
  readonly keeper: PageKeeper
  readonly price: PriceKeeper
  readonly prior: PriorKeeper
  /** Whether a page follows the default, and not a policy of its own. */
  readonly follows: (page: PageRecord) => boolean
}

/** What a look is taken for. */
interface LookTerms {
  readonly now: UnixSeconds
  readonly signal: AbortSignal | undefined
  /** Whether what was owed is forgiven. */
  readonly anew?: boolean
}

/** Looks at all pages of a collection: takes over, learns the prior if it is time, sets the price. */
export class WholeLook {
  readonly #parts: Parts
  /** How fresh copies should be, by the last look. */
  predicted: number | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async take({ now, signal, anew = false }: LookTerms): Promise<void> {
    const { store, collection, minds, keeper, price, prior } = this.#parts
    const look = new Look({ pages: await store.countPages({ collection }) })
    for await (const page of keeper.pages(signal)) await this.#meet(page, { look, now })
    if (signal?.aborted) return
    if (prior.isTime(look)) {
      await prior.learn(look, { minds, followers: this.followers() })
      await keeper.replan(this.followers(signal), { now })
    }
    this.predicted = look.statistics.freshness
    const sample = look.sample.map((page) => minds.planPage(page, now))
    const { began } = price.ledger ?? {}
    await price.steer(look, { now, anew, sample })
    // Visits planned before the first price, or by that of another budget or far fewer pages, may be days off.
    if (!anew && price.ledger?.began !== began) await keeper.replan(this.followers(signal), { now })
    await this.#tendLists(look, now)
  }

  /** Pages that follow the default. */
  async *followers(signal?: AbortSignal): AsyncGenerator<PageRecord> {
    const { keeper, follows } = this.#parts
    for await (const page of keeper.pages(signal)) if (follows(page)) yield page
  }

  /** Takes one page into account. */
  async #meet(met: PageRecord, { look, now }: { look: Look; now: UnixSeconds }): Promise<void> {
    const { keeper, minds, price, follows } = this.#parts
    const page = keeper.isForeign(met) ? await keeper.takeOver(met, now) : met
    const own = !follows(page)
    const comparisons = own ? Math.max(0, page.visits - 1) : minds.comparisonsOf(page)
    look.statistics.add({ page, comparisons, own, promised: minds.promisedTo(page), now })
    if (own) return
    const belief = minds.beliefOf(page)
    if (minds.hears(page)) look.hear(page, { belief, price: price.priceFor('freshness') })
    const { clock, staleRatio: record = 1 } = minds.learnerFor(page).law
    const hinted = { listed: minds.listedBy(page), news: minds.newsOf(page, now) }
    // Visits that a list calls for find more changes than are predicted without it: no record of the prediction.
    const staleRatio = minds.hintsOf(page).told.length === 0 ? record : 1
    const importance = minds.worthOf(page)
    look.statistics.predict({ page, belief, clock, staleRatio, importance, ...hinted })
    if (!isOutOfReach(page)) look.take(page, minds.objectiveOf(page))
  }

  /** What lists are worth by this look, and their next visits by it. */
  async #tendLists(look: Look, now: UnixSeconds): Promise<void> {
    const { store, collection, minds, keeper } = this.#parts
    if (look.lists.length === 0) return
    minds.lists = look.worths
    await store.putSetting(collection, listsSetting, look.worths.json)
    await keeper.replan(look.lists, { now })
  }
}
